import { Button, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type RunServerState, runKinds, type ScriptRun } from '../../contract/system/script.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Status } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { stateKinds } from '../kit/operations/operations.ts';
import { all } from './runFields.tsx';
import { runName, runPath, runStateKinds } from './runStates.ts';

const pollSeconds = 10;
const filters: Filter<'kind' | 'schedule_id'>[] = [
  {
    kind: 'select',
    key: 'kind',
    label: 'common.field.type',
    options: runKinds.map((value) => ({ value, label: value === 'script' ? 'menu.script' : `menu.button.${value}` })),
  },
];

function States({ run }: { run: ScriptRun }) {
  const { t } = useTranslation();
  return (
    <span className="lc-run-states">
      {(Object.entries(run.states) as [RunServerState, number][]).map(([state, number]) => (
        <Status key={state} kind={runStateKinds[state]} label={t('script.state_number', { state: t(`script.state_${state}`), number })} />
      ))}
    </span>
  );
}

function Name({ run }: { run: ScriptRun }) {
  const { t } = useTranslation();
  return (
    <span className="lc-run-name">
      <Link to={runPath(run.id)}>{runName(run, t)}</Link>
      {run.dry && <Tag>{t('script.dry')}</Tag>}
      {run.schedule_name && <span className="lc-soft">{t('script_schedule.by', { name: run.schedule_name })}</span>}
    </span>
  );
}

/** What was run, by whom, and how it ended. */
export function RunsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const schedules = useCall(api.script_schedule.inquire, all).data?.content ?? [];
  const bySchedule: Filter<'schedule_id'> = {
    kind: 'select',
    key: 'schedule_id',
    label: 'menu.script_schedule',
    options: schedules.map(({ id, name }) => ({ value: id, label: name })),
  };
  const columns = columnsOf(api.script.runs, [
    { key: 'id', width: 90, align: 'right', title: 'script.run_number' },
    {
      key: 'script_name',
      width: 280,
      title: 'common.field.name',
      card: 'title',
      exportValue: (run) => runName(run, t),
      render: (run) => <Name run={run} />,
    },
    {
      key: 'operation_state',
      width: 110,
      title: 'common.field.state',
      card: 'aside',
      render: ({ operation_state }) =>
        operation_state ? <Status kind={stateKinds[operation_state]} label={`async_operations.state.${operation_state}`} /> : '–',
    },
    {
      key: 'states',
      width: 320,
      title: 'menu.server_list',
      card: 'field',
      exportValue: ({ states }) => JSON.stringify(states),
      render: (run) => <States run={run} />,
    },
    { key: 'account', width: 140, title: 'common.field.actor', card: 'field' },
    { key: 'created_at', kind: 'time', card: 'field' },
  ]);
  return (
    <ListPage
      title="script.all_runs"
      help={t('script.runs_help')}
      actions={<Button onClick={() => void navigate('/system/script')}>{t('script.to_scripts')}</Button>}
      list={api.script.runs}
      name="script_runs"
      columns={columns}
      filters={schedules.length > 0 ? [...filters, bySchedule] : filters}
      defaultSort={{ sort: 'id', order: 'desc' }}
      pollSeconds={pollSeconds}
      exportName="script.all_runs"
      empty={{ title: 'script.no_runs', help: 'script.no_runs_help' }}
    />
  );
}
