import { Worker } from 'node:worker_threads';
import { AppError } from '../../kit/errors.ts';
import type { ParsedTable } from './import.parse.ts';

const readMilliseconds = 20_000;
const mostMegabytes = 512;

type Answer = { table: ParsedTable } | { code: string };

/** Reads an uploaded table in a thread of its own, which takes neither more time nor more memory than a table may. */
export async function readTable(bytes: Uint8Array): Promise<ParsedTable> {
  const worker = new Worker(new URL('./import.worker.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  try {
    const answer = await new Promise<Answer>((resolve) => {
      const timer = setTimeout(() => resolve({ code: 'import.too_large' }), readMilliseconds);
      const end = (given: Answer): void => {
        clearTimeout(timer);
        resolve(given);
      };
      worker.once('message', end);
      worker.once('error', () => end({ code: 'import.too_large' }));
      worker.once('exit', () => end({ code: 'import.unreadable' }));
    });
    if ('table' in answer) return answer.table;
    throw new AppError(400, answer.code);
  } finally {
    await worker.terminate();
  }
}
