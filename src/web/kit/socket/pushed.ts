import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { BlockCheck } from '../../../contract/detection/wx-shield-detection.ts';
import type { Page } from '../../../contract/kit/page.ts';
import type { AsyncOperation, OperationProgress } from '../../../contract/system/async-operations.ts';
import type { GroupName } from '../calls/query.ts';

/**
 * Changes the row that was pushed in every list that holds it. A list that is just being asked for is changed when it is there, too: its answer
 * may have been read before.
 */
function changeRow<Row extends { id: number }>(client: QueryClient, queryKey: QueryKey, pushed: Partial<Row> & { id: number }): void {
  const cache = client.getQueryCache();
  for (const query of cache.findAll({ queryKey })) {
    const change = () =>
      client.setQueryData<Page<Row>>(
        query.queryKey,
        (held) => held && { ...held, content: held.content.map((row) => (row.id === pushed.id ? { ...row, ...pushed } : row)) },
      );
    change();
    if (query.state.fetchStatus === 'idle') continue;
    const stop = cache.subscribe((event) => {
      if (event.query !== query || query.state.fetchStatus !== 'idle') return;
      stop();
      change();
    });
  }
}

/** Moves the progress of an operation on wherever it is shown; what came of it in the end is asked for. */
export function showProgress(client: QueryClient, progress: OperationProgress): void {
  const isOver = progress.state !== 'waiting' && progress.state !== 'running';
  if (isOver) return void client.invalidateQueries({ queryKey: ['async_operations'] });
  changeRow<AsyncOperation>(client, ['async_operations', 'inquire'], progress);
}

const soonMilliseconds = 300;
let isAsking = false;

/** Moves a list of addresses under check on; what was found of each is asked for soon, once for several words of it. */
export function showBlockCheck(client: QueryClient, check: BlockCheck): void {
  changeRow<BlockCheck>(client, ['wx_shield_detection', 'checks'], check);
  if (isAsking) return;
  isAsking = true;
  setTimeout(() => {
    isAsking = false;
    for (const action of ['inquire', 'details']) void client.invalidateQueries({ queryKey: ['wx_shield_detection', action] });
  }, soonMilliseconds);
}

const withStatus: readonly GroupName[] = ['domain_monitor', 'admin_domain_monitor', 'domain_list', 'shield_configuration', 'home'];

/** What shows whether domains are blocked is asked for anew. */
export function showStatuses(client: QueryClient): void {
  for (const group of withStatus) void client.invalidateQueries({ queryKey: [group] });
}
