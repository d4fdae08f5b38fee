import { type Bus, openBus } from '../postgres/bus.ts';
import type { WorkLoop } from '../work-loop.ts';

/** A loop as a worker of its own has it, with a bus that ends with it. */
export function startOnBus(url: string, start: (bus: Bus) => WorkLoop): WorkLoop {
  const bus = openBus(url, { warn: () => {} });
  const loop = start(bus);
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await bus.stop();
    },
  };
}
