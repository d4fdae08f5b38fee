import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Home } from '../../../contract/content/home.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { StatCard } from '../../kit/charts/StatCard.tsx';
import { Num, Status } from '../../kit/feedback.ts';
import { inZone, useFormat } from '../../kit/texts/format.ts';
import { membershipOf } from './membership.ts';

const figures = ['visits', 'ips', 'new_ips', 'refused'] as const;

/** Today's figures against the same time yesterday, and what the user has. Each leads to the screen that says more. */
export function FiguresBlock({ home }: { home: Home }) {
  const navigate = useNavigate();
  const { allows } = useSession();
  const { expiring } = home.codes;
  const to = (node: NodeKey, route: string) => (allows(node) ? () => void navigate(route) : undefined);
  return (
    <div className="home-figures">
      <div className="lc-stats">
        {figures.map((figure) => (
          <StatCard
            key={figure}
            title={`home.figure.${figure}`}
            value={home.today[figure].today}
            before={home.today[figure].yesterday}
            period="home.before"
            trend={figure === 'visits' ? home.trend : undefined}
            isBad={figure === 'refused'}
            onClick={to('today_statistics', '/customer/today_statistics')}
          />
        ))}
      </div>
      <div className="lc-stats home-possessions">
        <Possession
          title="home.codes"
          value={home.codes.total}
          note={expiring > 0 ? { key: 'home.codes_expiring', number: expiring } : { key: 'home.codes_open', number: home.codes.open }}
          isBad={expiring > 0}
          onClick={to('qr_code_list', expiring > 0 ? '/customer/qr_code_list?expiring=true' : '/customer/qr_code_list')}
        />
        <Possession
          title="home.domains"
          value={home.domains.total}
          // Nothing is said of domains that nobody has checked.
          note={home.domains.blocked > 0 ? { key: 'home.domains_blocked', number: home.domains.blocked } : undefined}
          isBad={home.domains.blocked > 0}
          onClick={to('domain_list', home.domains.blocked > 0 ? '/customer/domain_list?block_status=2' : '/customer/domain_list')}
        />
        <Membership home={home} />
      </div>
    </div>
  );
}

type PossessionProps = {
  title: string;
  value: number;
  note?: { key: string; number: number } | undefined;
  isBad?: boolean;
  onClick?: () => void;
};

function Possession({ title, value, note, isBad = false, onClick }: PossessionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const words = note && t(note.key, { number: format.exact(note.number) });
  const content = (
    <>
      <span className="lc-stat-title">{t(title)}</span>
      <b className="lc-stat-value">
        <Num value={value} />
      </b>
      {words && (
        <span className="home-note">{isBad ? <Status kind="error" label={words} /> : <span className="lc-soft">{words}</span>}</span>
      )}
    </>
  );
  return onClick ? (
    <button type="button" className="lc-stat" onClick={onClick}>
      {content}
    </button>
  ) : (
    <div className="lc-stat">{content}</div>
  );
}

function Membership({ home }: { home: Home }) {
  const { t } = useTranslation();
  const { timeZone, time } = useFormat();
  const { kind, days } = membershipOf(home.member_expires_at, home.now);
  const day = home.member_expires_at ? inZone(home.member_expires_at, timeZone).format('YYYY-MM-DD') : null;
  const words = t(`home.membership.${kind}`, { days });
  return (
    <div className="lc-stat">
      <span className="lc-stat-title">{t('home.membership.title')}</span>
      <b className="lc-stat-value home-day">
        {day && home.member_expires_at ? <Tooltip title={time(home.member_expires_at)}>{day}</Tooltip> : t('home.membership.unlimited')}
      </b>
      <span className="home-note">
        {kind === 'expired' || kind === 'soon' ? (
          <Status kind={kind === 'expired' ? 'error' : 'warning'} label={words} />
        ) : (
          <span className="lc-soft">{words}</span>
        )}
      </span>
    </div>
  );
}
