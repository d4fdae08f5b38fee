import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { domainMonitors } from '../../../contract/detection/domain-monitor.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { type MonitorScreen, monitorCalls } from '../../kit/detection/monitorScreen.ts';
import { Num, Status, type StatusKind, Time } from '../../kit/feedback.ts';
import { useFormat } from '../../kit/texts/format.ts';

type MonitorSummary = OutputOf<(typeof domainMonitors)['calls']['summary']>;

/** The tiles, with the filter of the list that each stands for. */
const tiles: readonly { key: keyof MonitorSummary & string; kind: StatusKind; filter: string; isQuiet?: boolean }[] = [
  { key: 'blocked', kind: 'error', filter: 'block_status=2' },
  { key: 'suspected', kind: 'warning', filter: 'suspected=true' },
  { key: 'failed', kind: 'warning', filter: 'block_status=4' },
  { key: 'normal', kind: 'success', filter: 'block_status=1', isQuiet: true },
  { key: 'paused', kind: 'neutral', filter: 'paused=true', isQuiet: true },
];

/** What is known of all that is watched, and what keeps the checks from knowing more. */
export function Summary({ screen, pollSeconds }: { screen: MonitorScreen; pollSeconds: number }) {
  const { data } = useCall(monitorCalls(screen).summary, {}, { refetchInterval: pollSeconds * 1000 });
  if (!data) return null;
  return (
    <>
      <Obstacles summary={data} />
      {data.total > 0 && <Tiles summary={data} />}
    </>
  );
}

function Tiles({ summary }: { summary: MonitorSummary }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const [params, setParams] = useSearchParams();
  const present = params.toString();
  const { total, unchecked, limit, left, overdue } = summary;
  const notes = [
    unchecked > 0 && t('domain_monitor.unchecked', { number: exact(unchecked) }),
    left !== null && limit !== null && t('domain_monitor.left', { number: exact(left), limit: exact(limit) }),
  ].filter((note) => note !== false);
  return (
    <ul className="lc-monitor-tiles">
      <li>
        <Tile title={t('domain_monitor.total')} value={total} isChosen={present === ''} onClick={() => setParams({})}>
          {notes.length > 0 && <span className="lc-soft">{notes.join(' · ')}</span>}
        </Tile>
      </li>
      {tiles.map(({ key, kind, filter, isQuiet = false }) => {
        const value = summary[key] as number;
        const isChosen = present === filter;
        return (
          <li key={key}>
            <Tile
              title={<Status kind={value === 0 && !isQuiet ? 'neutral' : kind} label={`domain_monitor.tile.${key}`} />}
              value={value}
              isChosen={isChosen}
              onClick={() => setParams(isChosen ? '' : filter)}
            />
          </li>
        );
      })}
      {overdue > 0 && (
        <li>
          <div className="lc-monitor-tile">
            <Status kind="warning" label="domain_monitor.tile.overdue" help="domain_monitor.overdue_help" />
            <b>
              <Num value={overdue} />
            </b>
          </div>
        </li>
      )}
    </ul>
  );
}

type TileProps = {
  title: ReactNode;
  value: number;
  isChosen: boolean;
  onClick: () => void;
  children?: ReactNode;
};

/** A figure that shows its rows in the list below. */
function Tile({ title, value, isChosen, onClick, children }: TileProps) {
  return (
    <button type="button" className="lc-monitor-tile" aria-pressed={isChosen} onClick={onClick}>
      <span>{title}</span>
      <b>
        <Num value={value} />
      </b>
      {children}
    </button>
  );
}

/** No detector, or no way out: then what stands below is old. */
function Obstacles({ summary: { has_detector, blind_since } }: { summary: MonitorSummary }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const settings: NodeKey = 'we_chat_blocking_detection_configuration';
  return (
    <>
      {!has_detector && (
        <Alert
          type="error"
          showIcon
          title={
            <>
              {t('domain_monitor.no_detector')}{' '}
              {allows(settings) ? (
                <Link to={`/customer/${settings}`}>{t('domain_monitor.set_up_detectors')}</Link>
              ) : (
                t('domain_monitor.no_detector_help')
              )}
            </>
          }
        />
      )}
      {blind_since !== null && (
        <Alert
          type="warning"
          showIcon
          title={
            <>
              {t('domain_monitor.blind')} <Time value={blind_since} />
              <br />
              <span className="lc-soft">{t('domain_monitor.blind_help')}</span>
            </>
          }
        />
      )}
    </>
  );
}
