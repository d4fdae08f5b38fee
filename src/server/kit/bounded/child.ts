import { Worker } from 'node:worker_threads';
import type { TaskAnswer, TaskMessage } from './program.ts';

/** Answers the tasks of the process that started this one, one after the other, while a thread of its own watches what it takes. */
export function serveTasks<Input, Output>(perform: (input: Input) => Output | Promise<Output>): void {
  const limit = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
  limit.fill(Number.POSITIVE_INFINITY);
  const watch = new Worker(new URL('./watch.ts', import.meta.url), {
    workerData: limit,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  watch.unref();
  const answer = (content: { output: unknown } | { failure: string }): void => {
    limit[1] = Number.POSITIVE_INFINITY;
    process.send?.({ ...content, resident: process.memoryUsage.rss() } satisfies TaskAnswer);
  };
  process.on('message', async ({ input, maxBytes, timeoutMilliseconds }: TaskMessage) => {
    const { user, system } = process.cpuUsage();
    limit.set([maxBytes, user + system + timeoutMilliseconds * 1000]);
    try {
      answer({ output: await perform(input as Input) });
    } catch (error) {
      answer({ failure: String(error).slice(0, 500) });
    }
  });
  process.once('disconnect', () => process.exit());
  process.send?.({ ready: true });
}
