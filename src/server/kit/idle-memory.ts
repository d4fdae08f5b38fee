import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

const lookMilliseconds = 10_000;
/** A process that did more than this part of the time had something to do. */
const idleUtilization = 0.1;
/** So much the heap may grow before it is worth collecting again. */
const grownBytes = 8 * 2 ** 20;

/**
 * Gives memory back to the system while there is nothing to do: after its start, and after a burst, V8 keeps what it has grown by until it
 * needs a collection, which may be never. Needs `--expose-gc`. Not for processes that answer visits: a collection stops everything.
 */
export function collectWhileIdle(): void {
  let before = performance.eventLoopUtilization();
  let collectedSize = 0;
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > idleUtilization || getHeapStatistics().total_heap_size < collectedSize + grownBytes) return;
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    collectedSize = getHeapStatistics().total_heap_size;
  };
  setInterval(look, lookMilliseconds).unref();
}
