import type { WorkLoop } from '../jobs/work-loop.ts';
import { type Bus, openBus } from '../postgres/bus.ts';

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
