import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import type { Script } from '../../contract/system/script.ts';
import { api } from '../kit/calls/api.ts';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { AddButton } from '../kit/dialogs/removal.tsx';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { RunDialog } from './RunDialog.tsx';
import { RunPage } from './RunPage.tsx';
import { RunsPage } from './RunsPage.tsx';
import { runPath, runsPath, schedulesPath } from './runStates.ts';
import { ScheduleForm } from './ScheduleForm.tsx';
import { SchedulesPage } from './SchedulesPage.tsx';
import { ScriptForm } from './ScriptForm.tsx';
import { VersionsDrawer } from './VersionsDrawer.tsx';
import './servers.css';

const filters: Filter<'name'>[] = [{ kind: 'text', key: 'name', label: 'common.field.name' }];

type Open = { kind: 'add' } | { kind: 'edit' | 'run' | 'schedule' | 'versions' | 'remove'; script: Script };

function RemoveScript({ script, onClose }: { script: Script; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ProvedModal
      action={api.script.remove}
      title={t('script.remove_title', { name: script.name })}
      submit="common.remove"
      danger
      success="script.removed"
      intro={
        <>
          <p>{t('script.remove_content', { number: script.version, count: script.version })}</p>
          {script.schedules > 0 && <p>{t('script_schedule.uses', { number: script.schedules })}</p>}
        </>
      }
      toInput={(values) => ({ ...values, id: script.id })}
      invalidates={['script_schedule']}
      onClose={onClose}
    />
  );
}

function Dialogs({ open, setOpen }: { open: Open; setOpen: (open: Open | null) => void }) {
  const close = () => setOpen(null);
  if (open.kind === 'add') return <ScriptForm script={undefined} onClose={close} />;
  const { kind, script } = open;
  if (kind === 'edit') return <ScriptForm script={script} onClose={close} />;
  if (kind === 'run') return <RunDialog script={script} onClose={close} />;
  if (kind === 'schedule') return <ScheduleForm script={script} onClose={close} />;
  if (kind === 'remove') return <RemoveScript script={script} onClose={close} />;
  const restore = ({ body, timeout_seconds, parameters }: Pick<Script, 'body' | 'timeout_seconds' | 'parameters'>) =>
    setOpen({ kind: 'edit', script: { ...script, body, timeout_seconds, parameters } });
  return <VersionsDrawer script={script} onRestore={restore} onClose={close} />;
}

function ScriptList() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  const columns = columnsOf(api.script.inquire, [
    { key: 'name', kind: 'name', width: 190 },
    { key: 'remark', width: 180 },
    { key: 'version', width: 90, align: 'right', title: 'script.version_head', card: 'field' },
    {
      key: 'parameters',
      width: 160,
      title: 'script.parameters',
      exportValue: ({ parameters }) => parameters.map(({ name }) => name).join(' '),
      render: ({ parameters }) => <span className="lc-code">{parameters.map(({ name }) => name).join(' ') || '–'}</span>,
    },
    {
      key: 'timeout_seconds',
      width: 110,
      align: 'right',
      title: 'script.timeout',
      render: (row) => t('script.seconds', { number: row.timeout_seconds, count: row.timeout_seconds }),
    },
    { key: 'last_run_at', kind: 'time', title: 'script.last_run', card: 'field' },
    { key: 'updated_at', kind: 'time' },
  ]);
  const add = <AddButton node="script.add" label="script.add" onClick={() => setOpen({ kind: 'add' })} />;
  return (
    <>
      <ListPage
        title="menu.script"
        help={t('script.help')}
        actions={
          <>
            <Button onClick={() => void navigate(schedulesPath)}>{t('menu.script_schedule')}</Button>
            <Button onClick={() => void navigate(runsPath())}>{t('script.all_runs')}</Button>
            {add}
          </>
        }
        list={api.script.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'name', order: 'asc' }}
        rowActions={[
          { key: 'run', label: 'script.run', node: 'script.run', onClick: (script) => setOpen({ kind: 'run', script }) },
          { key: 'edit', label: 'common.edit', node: 'script.update', onClick: (script) => setOpen({ kind: 'edit', script }) },
          {
            key: 'schedule',
            label: 'script_schedule.add',
            node: 'script.run',
            onClick: (script) => setOpen({ kind: 'schedule', script }),
          },
          { key: 'versions', label: 'script.history', onClick: (script) => setOpen({ kind: 'versions', script }) },
          {
            key: 'last',
            label: 'script.open_last',
            visible: ({ last_run_id }) => last_run_id !== null,
            onClick: ({ last_run_id }) => void navigate(runPath(last_run_id ?? 0)),
          },
          {
            key: 'remove',
            label: 'common.remove',
            node: 'script.remove',
            danger: true,
            onClick: (script) => setOpen({ kind: 'remove', script }),
          },
        ]}
        exportName="menu.script"
        empty={{ title: 'script.empty', help: 'script.empty_help', action: add }}
      />
      {open && <Dialogs key={`${open.kind} ${'script' in open ? open.script.id : ''}`} open={open} setOpen={setOpen} />}
    </>
  );
}

/** Scripts, their schedules and runs, and one run as it goes on, each at an address of its own. */
export function ScriptPage() {
  const [params] = useSearchParams();
  const run = Number(params.get('run'));
  if (Number.isSafeInteger(run) && run > 0) return <RunPage key={run} id={run} />;
  const view = params.get('view');
  if (view === 'schedules') return <SchedulesPage />;
  return view === 'runs' ? <RunsPage /> : <ScriptList />;
}
