import { Button, Collapse, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { BeatState, DomainMonitor, domainMonitors, Verdict } from '../../../contract/detection/domain-monitor.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { Evidence } from '../../kit/detection/Evidence.tsx';
import { intervalText } from '../../kit/detection/intervals.ts';
import { MonitorFigures } from '../../kit/detection/MonitorFigures.tsx';
import { type MonitorScreen, monitorCalls } from '../../kit/detection/monitorScreen.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Copyable, Failure, Status, type StatusKind, Time } from '../../kit/feedback.ts';
import { hostName } from '../../kit/host.ts';
import type { RowAction } from '../../kit/ListPage.tsx';
import { labelOf } from '../../kit/list/RowActions.tsx';
import { useIsPhone } from '../../kit/look/media.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { MonitorState } from './monitor.columns.tsx';

type Details = OutputOf<(typeof domainMonitors)['calls']['details']>;
type Props = {
  screen: MonitorScreen;
  id: number;
  pollSeconds: number;
  acts: Record<'check' | 'pause', RowAction<DomainMonitor>>;
  onClose: () => void;
};

/** Everything about one watched address: its state, its course, what was found last, and what before. */
export function MonitorDrawer({ screen, id, pollSeconds, acts, onClose }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const answer = useCall(monitorCalls(screen).details, { id }, { refetchInterval: pollSeconds * 1000 });
  const found = answer.data?.id === id ? answer.data : undefined;
  const buttons = found && (
    <div className="lc-form-footer">
      {[acts.check, acts.pause].map((act) => (
        <Allowed key={act.key} node={act.node ?? screen}>
          <Button onClick={() => act.onClick(found)}>{t(labelOf(act, found))}</Button>
        </Allowed>
      ))}
    </div>
  );
  return (
    <Drawer open onClose={onClose} size={760} title={found ? hostName(found) : t('domain_monitor.address')} extra={!isPhone && buttons}>
      {found ? (
        <>
          {isPhone && <div className="lc-drawer-acts">{buttons}</div>}
          <Facts found={found} />
          <Found found={found} />
          <Verdicts verdicts={found.verdicts} />
        </>
      ) : answer.isError ? (
        <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />
      ) : (
        <Skeleton active paragraph={{ rows: 10 }} />
      )}
    </Drawer>
  );
}

function Facts({ found }: { found: Details }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  return (
    <>
      <dl className="lc-facts">
        <div>
          <dt>{t('domain_monitor.address')}</dt>
          <dd>
            <Copyable value={found.url} code />
          </dd>
        </div>
        <div>
          <dt>{t('domain_list.block_status')}</dt>
          <dd>
            <MonitorState row={found} />
          </dd>
        </div>
        <div>
          <dt>{t('domain_monitor.interval')}</dt>
          <dd>{intervalText(found.effective_seconds)}</dd>
        </div>
        <div>
          <dt>{t('domain_list.checked_at')}</dt>
          <dd>
            <Time value={found.checked_at} />
            {found.due_at && (
              <span className="lc-soft">
                {' · '}
                {t('domain_monitor.next')} <Time value={found.due_at} />
              </span>
            )}
          </dd>
        </div>
        {found.remark !== '' && (
          <div>
            <dt>{t('common.field.remark')}</dt>
            <dd>{found.remark}</dd>
          </div>
        )}
        {found.domain_id !== null && allows('domain_list') && (
          <div>
            <dt>{t('common.field.host')}</dt>
            <dd>
              <Link to={`/customer/domain_list?act=details&id=${found.domain_id}`}>{t('domain_monitor.show_domain')}</Link>
            </dd>
          </div>
        )}
      </dl>
      <div className="lc-monitor-course">
        <MonitorFigures row={found} />
      </div>
    </>
  );
}

function Found({ found }: { found: Details }) {
  const { t } = useTranslation();
  return (
    <section>
      <h3 className="lc-drawer-head">{t('domain_monitor.findings')}</h3>
      <Evidence findings={found.findings} />
    </section>
  );
}

const stateKinds: Record<BeatState, StatusKind> = {
  normal: 'success',
  suspected: 'warning',
  blocked: 'error',
  failed: 'warning',
  down: 'error',
};

/** What was found before, the newest first, each with its evidence. */
function Verdicts({ verdicts }: { verdicts: readonly Verdict[] }) {
  const { t } = useTranslation();
  if (verdicts.length === 0) return null;
  return (
    <section>
      <h3 className="lc-drawer-head">{t('domain_monitor.verdicts')}</h3>
      <Collapse
        size="small"
        items={verdicts.map((verdict) => ({
          key: verdict.id,
          label: <VerdictHead verdict={verdict} />,
          children: <Evidence findings={verdict.findings} />,
        }))}
      />
    </section>
  );
}

function VerdictHead({ verdict: { state, first_at, last_at, checks } }: { verdict: Verdict }) {
  const { t } = useTranslation();
  const { exact, time } = useFormat();
  return (
    <span className="lc-verdict">
      <Status kind={stateKinds[state]} label={`domain_monitor.state.${state}`} />
      <span className="lc-soft lc-num">
        {checks === 1
          ? time(first_at)
          : t('domain_monitor.verdict_span', { from: time(first_at), to: time(last_at), number: exact(checks) })}
      </span>
    </span>
  );
}
