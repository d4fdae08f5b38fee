import { TaskFault } from '../../kit/bounded/processes.ts';
import { tableTasks } from '../../kit/bounded/tasks.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { importProgram, type PackedTable } from './import.program.ts';

/** A spreadsheet's rows take some ten milliseconds a packed kilobyte; what takes far longer for its size is made to. */
const [leastMilliseconds, millisecondsEachKilobyte, maxMilliseconds] = [3_000, 20, 20_000];
/** Beside its heap: the file, its unpacked parts and the packed rows. */
const costBytes = 350_000_000;

/**
 * Reads an uploaded table.
 * @param key whose table it is: one at a time
 * @throws AppError 400 `import.*`, 429 `busy`, 503 `unavailable`
 */
export async function readTable(bytes: Uint8Array, key: string, signal?: AbortSignal): Promise<PackedTable> {
  const timeoutMilliseconds = Math.min(maxMilliseconds, leastMilliseconds + (bytes.length / 1000) * millisecondsEachKilobyte);
  const answer = await tableTasks.run(importProgram, { key, costBytes, timeoutMilliseconds, signal }, bytes).catch((error: unknown) => {
    if (!(error instanceof TaskFault)) throw error;
    throw refusalOf(error, key);
  });
  if ('table' in answer) return answer.table;
  if (answer.code === 'import.too_demanding') tableTasks.holdBack(key);
  throw new AppError(400, answer.code);
}

function refusalOf({ isTooMuch }: TaskFault, key: string): AppError {
  if (!isTooMuch) return new AppError(503, 'unavailable');
  tableTasks.holdBack(key);
  return new AppError(400, 'import.too_demanding');
}
