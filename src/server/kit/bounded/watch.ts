import { workerData } from 'node:worker_threads';
import { timeLimitSignal } from './program.ts';

// Ends its process at once where that takes more memory or time of the processor than its task may, or has lost its parent: the main
// thread may be deep inside a decoder or an expression, and sees none of it.
const everyMilliseconds = 20;

const limit = workerData as Float64Array;
const parent = process.ppid;
setInterval(() => {
  const [maxBytes = 0, maxCpuMicroseconds = 0] = limit;
  const { user, system } = process.cpuUsage();
  if (user + system > maxCpuMicroseconds) process.kill(process.pid, timeLimitSignal);
  if (process.memoryUsage.rss() > maxBytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, everyMilliseconds);
