import { useTranslation } from 'react-i18next';
import type { AsyncOperation, OperationState } from '../../../contract/system/async-operations.ts';
import { api } from '../calls/api.ts';
import { useAction } from '../calls/query.ts';
import type { StatusKind } from '../feedback.ts';
import { useFormat } from '../texts/format.ts';

export const stateKinds: Record<OperationState, StatusKind> = {
  waiting: 'neutral',
  running: 'info',
  completed: 'success',
  failed: 'error',
  cancelled: 'warning',
};

export const isUnderWay = (operation: Pick<AsyncOperation, 'state'>): boolean =>
  operation.state === 'waiting' || operation.state === 'running';

/** How far an operation is, 0–100; undefined while its size is unknown. */
export function percentOf({ state, done, total }: Pick<AsyncOperation, 'state' | 'done' | 'total'>): number | undefined {
  if (state === 'completed') return 100;
  if (total === null) return undefined;
  return total === 0 ? 0 : Math.min(100, Math.floor((done / total) * 100));
}

/** "1,200 / 50,000" or, while the size is unknown, how much is done. */
export function useProgressText(): (operation: Pick<AsyncOperation, 'state' | 'done' | 'total'>) => string {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return ({ state, done, total }) => {
    if (state === 'waiting') return t('async_operations.screen.waiting');
    if (total === null) return t('async_operations.screen.rows_only', { done: exact(done) });
    return t('async_operations.screen.rows', { done: exact(done), total: exact(total) });
  };
}

/** Fetches an operation's file: an address good for a minute is asked for and opened as a download. */
export function useDownload(): { run: (id: number) => Promise<void>; isRunning: boolean } {
  const link = useAction(api.async_operations.link, { success: false });
  return {
    isRunning: link.isRunning,
    async run(id) {
      const answer = await link.run({ id });
      if (!answer) return;
      const anchor = document.createElement('a');
      anchor.href = answer.url;
      anchor.download = '';
      document.body.append(anchor);
      anchor.click();
      anchor.remove();
    },
  };
}
