import { parentPort, workerData } from 'node:worker_threads';
import { ImportFault, parseTable } from './import.parse.ts';

// A thread that reads one file and ends: whatever is in it, the server answers others meanwhile.
try {
  parentPort?.postMessage({ table: await parseTable(workerData as Uint8Array) });
} catch (error) {
  parentPort?.postMessage({ code: error instanceof ImportFault ? error.code : 'import.unreadable' });
}
