import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DomainMonitor } from '../../../contract/detection/domain-monitor.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { useAction } from '../../kit/calls/query.ts';
import { type MonitorScreen, monitorCalls } from '../../kit/detection/monitorScreen.ts';
import { useRowsQuestion } from '../../kit/dialogs/confirm.tsx';
import { useRemoval } from '../../kit/dialogs/removal.tsx';
import { knownHost } from '../../kit/host.ts';
import type { BatchAction, RowAction } from '../../kit/ListPage.tsx';
import type { SelectedRow } from '../../kit/list/types.ts';

/** Of those that were selected beyond what was seen only the id is known. */
type Selected = SelectedRow<DomainMonitor>;
const idsOf = (rows: readonly Selected[]) => rows.map(({ id }) => id);

/** What is done to watched addresses: check now, pause, go on, remove. `watch` looks more often for a while. */
export function useMonitorActs(screen: MonitorScreen, watch: () => void) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const calls = monitorCalls(screen);
  const askAbout = useRowsQuestion();
  const node = (act: 'update' | 'check' | 'remove') => `${screen}.${act}` as NodeKey;
  const invalidates = ['home'] as const;
  const check = useAction(calls.check, {
    success: false,
    onSuccess({ affected }) {
      void message.info(t('domain_monitor.checking', { number: affected, count: affected }));
      watch();
    },
  });
  const update = useAction(calls.update, { invalidates });
  const removal = useRemoval<Selected, unknown>(calls.remove, {
    node: node('remove'),
    title: 'domain_monitor.remove_title',
    many: 'domain_monitor.remove_many_title',
    content: 'domain_monitor.remove_content',
    name: (row) => ({ host: knownHost(row) }),
    invalidates,
  });

  const checkNow = async (rows?: readonly Selected[]) => (await check.run(rows ? { ids: idsOf(rows) } : {})) !== undefined;
  const setPaused = (rows: readonly Selected[], paused: boolean) => {
    const changed = idsOf(rows.filter((row) => row.paused !== paused));
    const isKnown = rows.every((row) => row.paused !== undefined);
    return update.run(
      { ids: idsOf(rows), paused },
      { undo: isKnown && changed.length > 0 ? { ids: changed, paused: !paused } : undefined },
    );
  };
  async function goOn(rows: readonly Selected[]) {
    const done = await setPaused(rows, false);
    if (done) watch();
    return done !== undefined;
  }
  const pause = (rows: readonly Selected[]) =>
    askAbout(
      rows,
      {
        title: 'domain_monitor.pause_title',
        many: 'domain_monitor.pause_many_title',
        content: 'domain_monitor.pause_content',
        confirm: 'domain_monitor.pause',
        name: (row) => ({ host: knownHost(row) }),
      },
      () => setPaused(rows, true),
    );

  const row: Record<'check' | 'pause' | 'remove', RowAction<DomainMonitor>> = {
    check: {
      key: 'check',
      label: 'menu.button.check',
      node: node('check'),
      onClick: (one) => void checkNow([one]),
    },
    pause: {
      key: 'pause',
      label: ({ paused }) => (paused ? 'domain_monitor.go_on' : 'domain_monitor.pause'),
      node: node('update'),
      onClick: (one) => void (one.paused ? goOn([one]) : pause([one])),
    },
    remove: removal.row,
  };
  const batch: BatchAction<DomainMonitor>[] = [
    { key: 'check', label: 'menu.button.check', node: node('check'), byId: true, onClick: checkNow },
    { key: 'pause', label: 'domain_monitor.pause', node: node('update'), byId: true, onClick: pause },
    { key: 'go_on', label: 'domain_monitor.go_on', node: node('update'), byId: true, onClick: goOn },
  ];
  const removeMany: BatchAction<DomainMonitor> = {
    key: 'remove',
    label: 'common.remove',
    node: node('remove'),
    danger: true,
    byId: true,
    onClick: removal.ask,
  };
  return { row, batch, removeMany, checkAll: () => void checkNow(), isChecking: check.isRunning };
}
