import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { NodeKey } from '../../contract/permissions.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { Evidence } from '../kit/detection/Evidence.tsx';
import { MonitorFigures } from '../kit/detection/MonitorFigures.tsx';
import { type MonitorScreen, monitorCalls, monitorRoute } from '../kit/detection/monitorScreen.ts';
import { Failure } from '../kit/feedback.ts';
import { useWatch } from '../kit/useWatch.ts';

const refreshSeconds = 15;

/** Whether messengers let a domain through: the course of its checks, what was found last, and a check at once. */
export function DomainChecks({ screen, monitor_id }: { screen: MonitorScreen; monitor_id: number }) {
  const { t } = useTranslation();
  const calls = monitorCalls(screen);
  const { pollSeconds, watch } = useWatch();
  const answer = useCall(calls.details, { id: monitor_id }, { refetchInterval: (pollSeconds || refreshSeconds) * 1000 });
  const check = useAction(calls.check, {
    success: t('domain_monitor.checking', { number: 1, count: 1 }),
    invalidates: ['domain_list'],
    onSuccess: watch,
  });
  const found = answer.data?.id === monitor_id ? answer.data : undefined;
  return (
    <section className="lc-domain-section">
      <div className="lc-domain-checks-head">
        <h3>{t('menu.wx_shield_detection')}</h3>
        <Link to={monitorRoute(screen, monitor_id)}>{t('wx_shield_detection.show_monitor')}</Link>
        <Allowed node={`${screen}.check` as NodeKey}>
          <Button size="small" loading={check.isRunning} onClick={() => void check.run({ ids: [monitor_id] })}>
            {t('domain_monitor.check_blocking')}
          </Button>
        </Allowed>
      </div>
      {found ? (
        <>
          <MonitorFigures row={found} />
          {found.findings.length > 0 && (
            <div className="lc-domain-findings">
              <Evidence findings={found.findings} />
            </div>
          )}
        </>
      ) : (
        answer.isError && <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />
      )}
    </section>
  );
}
