import { Button, Descriptions } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { IncidentReplacement, ShieldIncident } from '../../contract/detection/shield-configuration.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Evidence } from '../kit/detection/Evidence.tsx';
import { monitorCalls, monitorRoute, useMonitorScreen } from '../kit/detection/monitorScreen.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Host, Status, Time } from '../kit/feedback.ts';
import { hostName } from '../kit/host.ts';
import { useFormat } from '../kit/texts/format.ts';
import { handlingState } from './incidents.columns.tsx';
import type { useIncidentActs } from './useIncidentActs.tsx';

type Props = { incident: ShieldIncident; acts: ReturnType<typeof useIncidentActs>; onClose: () => void };
const pollMilliseconds = 5_000;

/** One block: since when, what was done and why, where its codes are, and the way back. */
export function IncidentDrawer({ incident: listed, acts, onClose }: Props) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const page = useCall(
    api.shield_configuration.inquire,
    { search: listed.host, page_size: 100 },
    { refetchInterval: pollMilliseconds, placeholderData: undefined },
  );
  const incident = page.data?.content.find(({ id }) => id === listed.id) ?? listed;
  const shown = [acts.retry.row, acts.undo.row].filter((act) => act.visible?.(incident) && (!act.node || allows(act.node)));
  return (
    <Drawer
      open
      size={640}
      title={<span className="lc-breaking">{hostName(incident)}</span>}
      onClose={onClose}
      footer={
        shown.length > 0 && (
          <div className="lc-form-footer">
            {shown.map((act) => (
              <Button key={act.key} onClick={() => act.onClick(incident)}>
                {t(act.label as string)}
              </Button>
            ))}
          </div>
        )
      }
    >
      <Facts incident={incident} />
      <h3 className="lc-shield-title">{t('shield_configuration.moved')}</h3>
      {incident.replacements.length === 0 ? (
        <p className="lc-soft">{t('shield_configuration.moved_none')}</p>
      ) : (
        <ul className="lc-shield-steps">
          {incident.replacements.map((row) => (
            <Moved key={row.id} from={incident} row={row} />
          ))}
        </ul>
      )}
      {incident.monitor_id !== null && <Found monitor_id={incident.monitor_id} verdict_id={incident.verdict_id} />}
      <p className="lc-soft lc-shield-after">{t(incident.ended_at ? 'shield_configuration.stays_ended' : 'shield_configuration.stays')}</p>
    </Drawer>
  );
}

function Facts({ incident }: { incident: ShieldIncident }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { reason, handling, next_attempt_at, paused_codes, reopened_codes, ended_at } = incident;
  const state = handlingState(incident);
  const items = [
    { key: 'host', label: t('domain_list.host'), children: <Host row={incident} /> },
    { key: 'type', label: t('shield_configuration.type'), children: t(`domain_list.type_${incident.type}`) },
    { key: 'holder', label: t('domain_list.holder'), children: incident.holder_account ?? t('domain_list.pool') },
    { key: 'began', label: t('shield_configuration.began_at'), children: <Time value={incident.began_at} exact /> },
    {
      key: 'ended',
      label: t('shield_configuration.ended_at'),
      children: ended_at ? (
        <Time value={ended_at} exact />
      ) : (
        t(incident.domain_id === null ? 'shield_configuration.removed' : 'shield_configuration.still')
      ),
    },
    { key: 'handling', label: t('shield_configuration.handled'), children: <Status kind={state.kind} label={state.label} /> },
    ...(reason ? [{ key: 'reason', label: t('shield_configuration.why'), children: t(`domain_list.failover.reason.${reason}`) }] : []),
    ...(next_attempt_at && handling !== 'replaced'
      ? [{ key: 'next', label: t('shield_configuration.next_attempt_at'), children: <Time value={next_attempt_at} exact /> }]
      : []),
    ...(paused_codes > 0
      ? [
          {
            key: 'paused',
            label: t('shield_configuration.paused'),
            children: t('shield_configuration.paused_codes', { number: exact(paused_codes), reopened: exact(reopened_codes) }),
          },
        ]
      : []),
  ];
  return <Descriptions size="small" column={1} items={items} />;
}

/** What the detectors found when the domain was blocked, for those who may look at watched domains, and the way to all its checks. */
function Found({ monitor_id, verdict_id }: { monitor_id: number; verdict_id: number | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const screen = useMonitorScreen();
  const { data } = useCall(monitorCalls(screen ?? 'domain_monitor').details, { id: monitor_id }, { enabled: screen !== null });
  if (!screen) return null;
  const verdict = data?.verdicts.find(({ id }) => id === verdict_id);
  return (
    <>
      <div className="lc-shield-found">
        <h3 className="lc-shield-title">{t('shield_configuration.evidence')}</h3>
        <Button size="small" onClick={() => void navigate(monitorRoute(screen, monitor_id))}>
          {t('shield_configuration.show_evidence')}
        </Button>
      </div>
      {verdict && <Evidence findings={verdict.findings} />}
      {data && !verdict && <p className="lc-soft">{t('shield_configuration.no_evidence')}</p>}
    </>
  );
}

function Moved({ from, row }: { from: ShieldIncident; row: IncidentReplacement }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const counts = (
    [
      ['live_codes', row.live_codes],
      ['short_codes', row.short_codes],
      ['forwards', row.forwards],
    ] as const
  ).flatMap(([words, number]) => (number > 0 ? t(`shield_configuration.count.${words}`, { number: exact(number), count: number }) : []));
  return (
    <li>
      <span className="lc-code">
        {hostName(from)} → {hostName({ host: row.to_host, host_unicode: row.to_host_unicode })}
      </span>
      <span className="lc-soft">
        {counts.join(' · ')} · <Time value={row.created_at} />
        {row.undone_at && ` · ${t('domain_list.undo.undone', { number: exact(row.undone_codes) })}`}
      </span>
    </li>
  );
}
