import { Button, Skeleton, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Failure, Page, Status, Time } from '../kit/feedback.ts';
import { stateKinds } from '../kit/operations/operations.ts';
import { RunServers, useRun } from './RunServers.tsx';
import { isRunOver, runName, runsPath } from './runStates.ts';
import './servers.css';

/** One run as it goes on: its servers, and what they print. */
export function RunPage({ id }: { id: number }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const cancel = useAction(api.script.cancel, { invalidates: ['script', 'async_operations'] });
  const { data: run, error, refetch, isFetching } = useRun(id);
  const ask = () =>
    confirm({
      title: 'script.cancel_title',
      content: 'script.cancel_content',
      confirm: 'script.cancel',
      danger: true,
      run: () => cancel.run({ id }),
    });
  const mayCancel = run && !isRunOver(run) && (allows('script.run') || allows('server_list.run'));
  return (
    <Page
      title={run ? runName(run, t) : 'script.run_title'}
      actions={
        <>
          <Button onClick={() => void navigate(runsPath())}>{t('script.all_runs')}</Button>
          {mayCancel && (
            <Button danger onClick={() => void ask()}>
              {t('script.cancel')}
            </Button>
          )}
        </>
      }
    >
      {!run && error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {!run && !error && <Skeleton active paragraph={{ rows: 10 }} />}
      {run && (
        <>
          <p className="lc-run-facts" aria-live="polite">
            {run.operation_state && (
              <Status kind={stateKinds[run.operation_state]} label={`async_operations.state.${run.operation_state}`} />
            )}
            {run.dry && <Tag>{t('script.dry')}</Tag>}
            {run.schedule_id !== null && <Link to={runsPath(run.schedule_id)}>{t('script_schedule.by', { name: run.schedule_name })}</Link>}
            <span className="lc-soft">
              {run.account} · <Time value={run.created_at} />
            </span>
            <span className="lc-soft">
              {t('script.bounds', { seconds: run.timeout_seconds, parallel: run.parallel })} ·{' '}
              {t(run.stop_on_failure ? 'script.stops' : 'script.goes_on')}
            </span>
          </p>
          <RunServers run={run} />
        </>
      )}
    </Page>
  );
}
