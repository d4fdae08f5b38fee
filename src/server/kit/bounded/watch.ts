import { workerData } from 'node:worker_threads';

// Ends its process at once where that takes more memory than its task may, or has lost its parent: the main thread may be deep inside a
// decoder or an expression, and sees neither.
const everyMilliseconds = 20;

const limit = workerData as Float64Array;
const parent = process.ppid;
setInterval(() => {
  const [maxBytes = 0] = limit;
  if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, everyMilliseconds);
