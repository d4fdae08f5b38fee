import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Server, uptimeHours } from '../../contract/system/server-list.ts';
import { useFormat } from '../kit/texts/format.ts';

const hourMilliseconds = 3_600_000;

/** The hours up to now, oldest first, with what is known of them. */
function hoursUpTo(now: number, hours: Server['hours']): { at: string; checks: number; answered: number }[] {
  const known = new Map(hours.map((hour) => [Date.parse(hour.hour), hour]));
  const last = Math.floor(now / hourMilliseconds) * hourMilliseconds;
  return Array.from({ length: uptimeHours }, (_, index) => {
    const at = last - (uptimeHours - 1 - index) * hourMilliseconds;
    const { checks = 0, answered = 0 } = known.get(at) ?? {};
    return { at: new Date(at).toISOString(), checks, answered };
  });
}

/** A bar for each of the last hours: full where every check was answered, half where some were, low where none was. */
export function UptimeBars({ server }: { server: Server }) {
  const { t } = useTranslation();
  const { percent, time } = useFormat();
  const bars = hoursUpTo(Date.now(), server.hours);
  const share = server.uptime === null ? t('server_list.no_checks') : t('server_list.uptime_days', { share: percent(server.uptime) });
  return (
    <div className="lc-server-uptime">
      <div className="lc-server-bars" role="img" aria-label={`${t('server_list.uptime')}: ${share}`}>
        {bars.map(({ at, checks, answered }) => {
          const state = checks === 0 ? 'none' : answered === checks ? 'up' : answered === 0 ? 'down' : 'partly';
          const words = checks === 0 ? t('server_list.no_checks') : t('server_list.answered', { answered, checks });
          return (
            <Tooltip key={at} title={`${time(at)} · ${words}`}>
              <span className={`lc-server-bar lc-server-bar-${state}`} />
            </Tooltip>
          );
        })}
      </div>
      <span className="lc-soft lc-num">{share}</span>
    </div>
  );
}
