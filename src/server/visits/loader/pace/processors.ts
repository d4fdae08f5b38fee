import { cpus } from 'node:os';

/** Milliseconds of all processors since the machine's start. */
export type ProcessorTimes = { idle: number; all: number };

export function processorTimes(): ProcessorTimes {
  const times = { idle: 0, all: 0 };
  for (const { times: of } of cpus()) {
    times.idle += of.idle;
    times.all += of.user + of.nice + of.sys + of.irq + of.idle;
  }
  return times;
}
