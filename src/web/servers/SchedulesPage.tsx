import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { ScriptSchedule } from '../../contract/system/script-schedule.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { AddButton } from '../kit/dialogs/removal.tsx';
import { Status, Time } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { stateKinds } from '../kit/operations/operations.ts';
import { useFormat } from '../kit/texts/format.ts';
import { runPath, runsPath } from './runStates.ts';
import { ScheduleForm } from './ScheduleForm.tsx';
import './servers.css';

const pollSeconds = 20;
const shownNext = 3;
const filters: Filter<'name'>[] = [{ kind: 'text', key: 'name', label: 'common.field.name' }];

type Open = { kind: 'add' } | { kind: 'edit' | 'go_on' | 'remove'; schedule: ScriptSchedule };

function State({ schedule: { enabled, halted } }: { schedule: ScriptSchedule }) {
  if (!halted) return <Status kind={enabled ? 'success' : 'neutral'} label={enabled ? 'common.enabled' : 'script_schedule.paused'} />;
  return (
    <span className="lc-schedule-halted">
      <Status kind="error" label="script_schedule.halted" />
      <span className="lc-soft">{halted.reason}</span>
    </span>
  );
}

/** How the last run ended, which it leads to, and what was left out since. */
function LastRun({ schedule: { last_run, skipped } }: { schedule: ScriptSchedule }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  return (
    <span className="lc-schedule-last">
      {last_run ? (
        <Link to={runPath(last_run.id)}>
          {last_run.state === 'failed' ? (
            <Status kind="error" label={t('script_schedule.result_failed', { number: last_run.number, failed: last_run.failed })} />
          ) : last_run.state ? (
            <Status kind={stateKinds[last_run.state]} label={`async_operations.state.${last_run.state}`} />
          ) : (
            t('script.open_last')
          )}
          <Time value={last_run.created_at} />
        </Link>
      ) : (
        <span className="lc-soft">{t('script_schedule.never_run')}</span>
      )}
      {skipped && <span className="lc-soft">{t(`script_schedule.skipped_${skipped.why}`, { time: time(skipped.at).slice(0, -3) })}</span>}
    </span>
  );
}

function Next({ schedule: { next } }: { schedule: ScriptSchedule }) {
  const { time } = useFormat();
  if (next.length === 0) return '–';
  return (
    <span className="lc-schedule-times lc-num">
      {next.slice(0, shownNext).map((at, index) => (
        <span key={at} className={index === 0 ? undefined : 'lc-soft'}>
          {time(at).slice(0, -3)}
        </span>
      ))}
    </span>
  );
}

function Dialogs({ open, onClose }: { open: Open; onClose: () => void }) {
  const { t } = useTranslation();
  if (open.kind === 'add') return <ScheduleForm onClose={onClose} />;
  const { kind, schedule } = open;
  const { id, name } = schedule;
  if (kind === 'edit') return <ScheduleForm schedule={schedule} onClose={onClose} />;
  if (kind === 'go_on')
    return (
      <ProvedModal
        action={api.script_schedule.update_enabled}
        title={t('script_schedule.go_on_title', { name })}
        submit="script_schedule.go_on"
        success="script_schedule.go_on_done"
        intro={t('script_schedule.go_on_content')}
        toInput={(values) => ({ ...values, id, enabled: true })}
        onClose={onClose}
      />
    );
  return (
    <ProvedModal
      action={api.script_schedule.remove}
      title={t('script_schedule.remove_title', { name })}
      submit="common.remove"
      danger
      success="script_schedule.removed"
      intro={t('script_schedule.remove_content')}
      toInput={(values) => ({ ...values, id })}
      onClose={onClose}
    />
  );
}

/** Scripts that are run by the clock: when, how it went, and what comes next. */
export function SchedulesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const pause = useAction(api.script_schedule.update_enabled, { success: 'script_schedule.pause_done' });
  const columns = columnsOf(api.script_schedule.inquire, [
    { key: 'name', kind: 'name', width: 150 },
    {
      key: 'script_name',
      width: 180,
      title: 'menu.script',
      card: 'field',
      exportValue: ({ script_name, server_names }) => [script_name, ...server_names].join(' '),
      render: ({ script_name, server_names }) => (
        <span className="lc-schedule-times">
          <span className={script_name === null ? 'lc-soft' : undefined}>{script_name ?? t('script_schedule.script_removed')}</span>
          <span className="lc-soft">{server_names.join(t('common.comma'))}</span>
        </span>
      ),
    },
    {
      key: 'cron',
      width: 150,
      title: 'script_schedule.cron',
      card: 'field',
      exportValue: ({ cron, time_zone }) => `${cron} ${time_zone}`,
      render: ({ cron, time_zone }) => (
        <span className="lc-schedule-times">
          <span className="lc-code">{cron}</span>
          <span className="lc-soft">{time_zone}</span>
        </span>
      ),
    },
    {
      key: 'next_at',
      width: 150,
      title: 'script_schedule.next',
      card: 'field',
      exportValue: ({ next }) => next[0] ?? '',
      render: (schedule) => <Next schedule={schedule} />,
    },
    {
      key: 'last_run',
      width: 180,
      title: 'script.last_run',
      card: 'field',
      exportValue: ({ last_run }) => last_run?.created_at ?? '',
      render: (schedule) => <LastRun schedule={schedule} />,
    },
    {
      key: 'enabled',
      width: 140,
      title: 'common.field.state',
      card: 'aside',
      exportValue: ({ enabled, halted }) => (halted ? halted.reason : enabled ? 'common.enabled' : 'script_schedule.paused'),
      render: (schedule) => <State schedule={schedule} />,
    },
  ]);
  const addButton = <AddButton node="script.run" label="script_schedule.add" onClick={() => setOpen({ kind: 'add' })} />;
  return (
    <>
      <ListPage
        title="menu.script_schedule"
        help={t('script_schedule.help')}
        actions={
          <>
            <Button onClick={() => void navigate('/system/script')}>{t('script.to_scripts')}</Button>
            {addButton}
          </>
        }
        list={api.script_schedule.inquire}
        name="script_schedules"
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'name', order: 'asc' }}
        pollSeconds={pollSeconds}
        rowActions={[
          { key: 'edit', label: 'common.edit', node: 'script.run', onClick: (schedule) => setOpen({ kind: 'edit', schedule }) },
          {
            key: 'pause',
            label: 'script_schedule.pause',
            node: 'script.run',
            visible: ({ enabled, halted }) => enabled && !halted,
            onClick: ({ id }) => void pause.run({ id, enabled: false }),
          },
          {
            key: 'go_on',
            label: 'script_schedule.go_on',
            node: 'script.run',
            visible: ({ enabled, halted }) => !enabled || halted !== null,
            onClick: (schedule) => setOpen({ kind: 'go_on', schedule }),
          },
          { key: 'runs', label: 'script.all_runs', onClick: ({ id }) => void navigate(runsPath(id)) },
          {
            key: 'remove',
            label: 'common.remove',
            node: 'script.run',
            danger: true,
            onClick: (schedule) => setOpen({ kind: 'remove', schedule }),
          },
        ]}
        exportName="menu.script_schedule"
        empty={{ title: 'script_schedule.empty', help: 'script_schedule.empty_help', action: addButton }}
      />
      {open && <Dialogs key={`${open.kind} ${'schedule' in open ? open.schedule.id : ''}`} open={open} onClose={() => setOpen(null)} />}
    </>
  );
}
