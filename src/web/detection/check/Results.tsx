import { StopOutlined } from '@ant-design/icons';
import { App, Button, Progress, Tag } from 'antd';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { BlockCheck, CheckedUrl } from '../../../contract/detection/wx-shield-detection.ts';
import { blockStatuses } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { monitorRoute, useMonitorScreen } from '../../kit/detection/monitorScreen.ts';
import { blockLabel, blockState } from '../../kit/domainStates.tsx';
import { Copyable, Status, Time } from '../../kit/feedback.ts';
import { type Filter, ListTable } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { useDone } from '../../kit/undo/useDone.tsx';
import { EvidenceDrawer } from './EvidenceDrawer.tsx';
import { useProgressInterval } from './useProgressInterval.ts';

const calls = api.wx_shield_detection;

/** What became of an address; one that nothing was found of waits, or was left out when the check was stopped. */
const statusOf = ({ block_status }: CheckedUrl, isRunning: boolean): ComponentProps<typeof Status> =>
  block_status === null && isRunning ? { kind: 'info', label: 'wx_shield_detection.waiting' } : blockState({ block_status });

const filters: Filter<'search' | 'block_status' | 'waiting'>[] = [
  { kind: 'text', key: 'search', label: 'wx_shield_detection.search' },
  {
    kind: 'select',
    key: 'block_status',
    label: 'domain_list.block_status',
    options: blockStatuses.map((block_status) => ({ value: block_status, label: blockLabel({ block_status }) })),
  },
  { kind: 'boolean', key: 'waiting', label: 'wx_shield_detection.is_waiting' },
];

const columnsOfCheck = (isRunning: boolean) =>
  columnsOf(calls.inquire, [
    { key: 'position', title: '#', width: 64, align: 'right', card: undefined },
    {
      key: 'url',
      kind: 'name',
      title: 'wx_shield_detection.url',
      width: 290,
      render: (row) => <Copyable value={row.url} maximum={36} code />,
    },
    {
      key: 'block_status',
      title: 'domain_list.block_status',
      width: 150,
      card: 'aside',
      exportValue: (row) => statusOf(row, isRunning).label,
      render: (row) => <Found row={row} isRunning={isRunning} />,
    },
    { key: 'reason', title: 'wx_shield_detection.reason', width: 300, card: 'field', render: (row) => <Reason row={row} /> },
    { key: 'checked_at', kind: 'time', title: 'domain_list.checked_at', width: 120, card: 'field' },
    { key: 'duration_ms', kind: 'number', title: 'wx_shield_detection.duration_ms', width: 110, card: undefined, hiddenByDefault: true },
  ]);

function Found({ row, isRunning }: { row: CheckedUrl; isRunning: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <Status {...statusOf(row, isRunning)} /> {row.disputed && <Tag color="warning">{t('domain_monitor.disputed')}</Tag>}
    </>
  );
}

/** What led to the verdict, and who was asked. */
function Reason({ row: { reason, detectors } }: { row: CheckedUrl }) {
  if (reason === '' && detectors.length === 0) return <span className="lc-soft">–</span>;
  return (
    <div className="lc-check-reason">
      <span title={reason}>{reason}</span>
      <small className="lc-soft">{detectors.join(' · ')}</small>
    </div>
  );
}

/** "Check again" and "watch these", of one address and of those that were selected. */
function useActs() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const done = useDone();
  const recheck = useAction(calls.recheck, { success: 'wx_shield_detection.rechecking' });
  const monitor = useAction(calls.monitor, {
    success: false,
    invalidates: ['domain_monitor', 'admin_domain_monitor'],
    onSuccess(found, input) {
      if (found.beyond_quota === 0) void done(t('wx_shield_detection.watched', found), undefined, { call: calls.monitor, input });
      else
        void message.warning(
          <>
            {t('wx_shield_detection.watched_cut', found)}
            {found.combo !== null && <div>{t('domain_monitor.quota_buy', found)}</div>}
          </>,
        );
    },
  });
  const ids = (rows: readonly CheckedUrl[]) => rows.map(({ id }) => id);
  return {
    recheck: async (rows: readonly CheckedUrl[]) => (await recheck.run({ ids: ids(rows) })) !== undefined,
    monitor: async (rows: readonly CheckedUrl[]) => (await monitor.run({ ids: ids(rows) })) !== undefined,
  };
}

/** One check: how far it is, and what was found of each address. */
export function Results({ check }: { check: BlockCheck }) {
  const navigate = useNavigate();
  const screen = useMonitorScreen();
  const acts = useActs();
  const [opened, setOpened] = useState<CheckedUrl | null>(null);
  const isRunning = check.finished_at === null;
  const interval = useProgressInterval(isRunning);
  return (
    <>
      <CheckState check={check} />
      <ListTable
        list={calls.inquire}
        columns={columnsOfCheck(isRunning)}
        filters={filters}
        fixedInput={{ check_id: check.id }}
        defaultSort={{ sort: 'position', order: 'asc' }}
        exportCall={calls.export}
        exportName="menu.wx_shield_detection"
        exportNode="wx_shield_detection.export"
        {...(interval === false ? {} : { pollSeconds: interval / 1000 })}
        onRowClick={setOpened}
        rowActions={[
          { key: 'evidence', label: 'wx_shield_detection.evidence', onClick: setOpened },
          {
            key: 'recheck',
            label: 'wx_shield_detection.recheck',
            node: 'wx_shield_detection.check',
            onClick: (row) => void acts.recheck([row]),
          },
          {
            key: 'monitor',
            label: 'menu.button.monitor',
            node: 'wx_shield_detection.monitor',
            visible: ({ monitor_id }) => monitor_id === null,
            onClick: (row) => void acts.monitor([row]),
          },
          {
            key: 'watched',
            label: 'wx_shield_detection.show_monitor',
            visible: ({ monitor_id }) => monitor_id !== null && screen !== null,
            onClick: ({ monitor_id }) => screen && monitor_id && void navigate(monitorRoute(screen, monitor_id)),
          },
        ]}
        batchActions={[
          { key: 'recheck', label: 'wx_shield_detection.recheck', node: 'wx_shield_detection.check', onClick: acts.recheck },
          { key: 'monitor', label: 'menu.button.monitor', node: 'wx_shield_detection.monitor', onClick: acts.monitor },
        ]}
      />
      {opened && <EvidenceDrawer url={opened} isRunning={isRunning} onClose={() => setOpened(null)} />}
    </>
  );
}

/** How many addresses were looked at, with what was found so far, and a way to stop. */
function CheckState({ check }: { check: BlockCheck }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const stop = useAction(calls.stop);
  const isRunning = check.finished_at === null;
  const figures = [
    ['blocked', 2, check.blocked],
    ['failed', 4, check.failed],
    ['normal', 1, check.normal],
  ] as const;
  return (
    <section className="lc-check-state" aria-label={t('wx_shield_detection.state')}>
      <div className="lc-check-figures" role="status">
        <b className="lc-num">{t('wx_shield_detection.progress', { done: exact(check.done), total: exact(check.total) })}</b>
        {figures.map(([name, block_status, number]) => (
          <Status key={name} kind={blockState({ block_status }).kind} label={`${t(blockLabel({ block_status }))} ${exact(number)}`} />
        ))}
        <span className="lc-soft">
          <Time value={check.created_at} />
        </span>
        {isRunning && (
          <Allowed node="wx_shield_detection.check">
            <Button size="small" icon={<StopOutlined />} loading={stop.isRunning} onClick={() => void stop.run({ check_id: check.id })}>
              {t('wx_shield_detection.stop')}
            </Button>
          </Allowed>
        )}
      </div>
      {isRunning && (
        <Progress
          percent={check.total === 0 ? 0 : Math.floor((check.done / check.total) * 100)}
          status="active"
          aria-label={t('wx_shield_detection.state')}
        />
      )}
    </section>
  );
}
