import { TaskFault } from '../../kit/bounded/processes.ts';
import { boundedTasks } from '../../kit/bounded/tasks.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { importProgram, type PackedTable } from './import.program.ts';

const timeoutMilliseconds = 20_000;
/** Beside its heap: the file, its unpacked parts and the packed rows. */
const costBytes = 350_000_000;

/**
 * Reads an uploaded table.
 * @param key whose table it is: one at a time
 * @throws AppError 400 `import.*`, 429 `busy`, 503 `unavailable`
 */
export async function readTable(bytes: Uint8Array, key: string): Promise<PackedTable> {
  const answer = await boundedTasks.run(importProgram, { key, costBytes, timeoutMilliseconds }, bytes).catch((error: unknown) => {
    if (!(error instanceof TaskFault)) throw error;
    throw error.reason === 'crash' ? new AppError(503, 'unavailable') : new AppError(400, 'import.too_demanding');
  });
  if ('table' in answer) return answer.table;
  throw new AppError(400, answer.code);
}
