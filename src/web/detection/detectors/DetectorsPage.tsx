import { Tooltip } from 'antd';
import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Detector } from '../../../contract/detection/detectors.ts';
import { api } from '../../kit/calls/api.ts';
import { useCrudList } from '../../kit/crud/useCrud.tsx';
import { Num, Status, Time } from '../../kit/feedback.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { DetectorForm } from './DetectorForm.tsx';
import { DetectorTestDialog } from './DetectorTest.tsx';
import { kindLabel, kindOptions } from './detector.fields.tsx';
import '../detection.css';

const calls = api.we_chat_blocking_detection_configuration;
const nameOf = ({ name }: Detector) => name;
const refreshSeconds = 30;

/** On, off, or switched off by itself for a while. */
function stateOf({ enabled, stopped_until }: Detector): ComponentProps<typeof Status> {
  if (!enabled) return { kind: 'neutral', label: 'common.disabled' };
  if (stopped_until !== null) return { kind: 'error', label: 'we_chat_blocking_detection_configuration.stopped' };
  return { kind: 'success', label: 'common.enabled' };
}

/** A detector that stopped by itself says when it is tried again. */
function State({ row }: { row: Detector }) {
  const { t } = useTranslation();
  const { shortTime, time } = useFormat();
  const state = stateOf(row);
  if (!row.enabled || row.stopped_until === null) return <Status {...state} />;
  return (
    <Tooltip title={time(row.stopped_until)}>
      <div>
        <Status {...state} />
      </div>
      <small className="lc-soft">{t('we_chat_blocking_detection_configuration.tried_again', { time: shortTime(row.stopped_until) })}</small>
    </Tooltip>
  );
}

/** From this share of answers on a detector is well, from the other on it is poor. */
const [goodShare, poorShare] = [0.95, 0.7];

const shareOf = ({ health: { checks, failed } }: Detector): number | null => (checks === 0 ? null : (checks - failed) / checks);

/** How many of the checks of a day got an answer, how soon, and what went wrong last. */
function Health({ row }: { row: Detector }) {
  const { t } = useTranslation();
  const { percent, exact } = useFormat();
  const share = shareOf(row);
  const { checks, normal, blocked, failed, latency_ms, last_error, last_error_at } = row.health;
  if (share === null) return <span className="lc-soft">{t('we_chat_blocking_detection_configuration.health_none')}</span>;
  const kind = share >= goodShare ? 'success' : share >= poorShare ? 'warning' : 'error';
  const figures = { checks: exact(checks), normal: exact(normal), blocked: exact(blocked), failed: exact(failed) };
  return (
    <div className="lc-detector-health">
      <span>
        <Status kind={kind} label={percent(share)} help={t('we_chat_blocking_detection_configuration.health_help', figures)} />
        {latency_ms !== null && (
          <span className="lc-soft lc-num"> · {t('domain_monitor.milliseconds', { number: exact(latency_ms) })}</span>
        )}
      </span>
      {last_error !== null && (
        <small className="lc-soft" title={last_error}>
          <Time value={last_error_at} /> {last_error}
        </small>
      )}
    </div>
  );
}

/** How often it may be asked, and how often it was today. */
function Limits({ row: { per_second, per_day, used_today } }: { row: Detector }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <div className="lc-detector-limits">
      <span>
        <Num value={used_today} />
        {per_day !== null && <span className="lc-num"> / {exact(per_day)}</span>}
      </span>
      <small className="lc-soft">
        {per_second === null
          ? t('common.unlimited')
          : t('we_chat_blocking_detection_configuration.a_second', { number: exact(per_second) })}
      </small>
    </div>
  );
}

const filters: Filter<'name' | 'kind' | 'enabled'>[] = [
  { kind: 'text', key: 'name', label: 'common.field.name' },
  { kind: 'select', key: 'kind', label: 'common.field.type', options: kindOptions },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.enabled', no: 'common.disabled' },
];

const columnsWith = (saveRank: (row: Detector, sort: number) => Promise<unknown>) =>
  columnsOf(calls.inquire, [
    { key: 'name', kind: 'name', width: 160 },
    { key: 'enabled', width: 125, card: 'aside', exportValue: (row) => stateOf(row).label, render: (row) => <State row={row} /> },
    { key: 'kind', kind: 'label', label: (row) => kindLabel(row.kind), title: 'common.field.type', width: 105, card: 'field' },
    { key: 'weight', kind: 'number', width: 75, card: undefined },
    {
      key: 'used_today',
      title: 'we_chat_blocking_detection_configuration.limits',
      width: 130,
      align: 'right',
      exportValue: (row) => row.used_today,
      render: (row) => <Limits row={row} />,
    },
    {
      key: 'health',
      width: 220,
      card: 'field',
      exportValue: shareOf,
      render: (row) => <Health row={row} />,
    },
    { key: 'sort', kind: 'rank', node: 'we_chat_blocking_detection_configuration.update', name: nameOf, save: saveRank, width: 110 },
    { key: 'last_used_at', kind: 'time', width: 120, hiddenByDefault: true },
    { key: 'created_at', kind: 'time', width: 120, hiddenByDefault: true },
  ]);

/** What is asked whether a messenger blocks an address: in which order, how often, and how well that works. */
export function DetectorsPage() {
  const { t } = useTranslation();
  const [tested, setTested] = useState<Detector | null>(null);
  const { list, acts, edited, close, saveRank } = useCrudList<Detector>(calls, {
    name: nameOf,
    invalidates: ['domain_monitor', 'admin_domain_monitor', 'home'],
  });
  return (
    <>
      <ListPage
        list={calls.inquire}
        columns={columnsWith(saveRank)}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        pollSeconds={refreshSeconds}
        {...list}
        help={t('we_chat_blocking_detection_configuration.help')}
        rowActions={[
          {
            key: 'test',
            label: 'menu.button.test',
            node: 'we_chat_blocking_detection_configuration.test',
            onClick: setTested,
          },
          acts.update,
          acts.enabled,
          acts.top,
          acts.remove,
        ]}
      />
      {edited !== null && <DetectorForm {...(edited === 'new' ? {} : { edited })} onClose={close} />}
      {tested && <DetectorTestDialog detector={tested} onClose={() => setTested(null)} />}
    </>
  );
}
