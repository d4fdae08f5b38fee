import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Home } from '../../contract/content/home.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useCodesScreen } from '../kit/codes/codesScreen.ts';
import { Amount, Num, Status } from '../kit/feedback.ts';
import { inZone, useFormat } from '../kit/texts/format.ts';
import { membershipOf } from './membership.ts';

/** The codes and domains of the user, and until when he is a member. Each leads to its list. */
export function Possessions({ home }: { home: Home }) {
  const navigate = useNavigate();
  const { user, allows } = useSession();
  const screen = useCodesScreen();
  const { codes, domains } = home;
  const to = (node: NodeKey, route: string) => (allows(node) ? () => void navigate(route) : undefined);
  const isCustomer = user?.role.kind === 'customer' || user?.role.kind === 'agent';
  return (
    <div className="lc-stats lc-home-possessions">
      <Possession
        title="menu.entry.codes"
        value={codes.total}
        note={{ key: 'home.codes_open', number: codes.open }}
        onClick={screen ? () => void navigate(`/customer/${screen}`) : undefined}
      />
      <Possession
        title="menu.section.domains"
        value={domains.total}
        // Nothing is said of domains that nobody has checked.
        note={domains.blocked > 0 ? { key: 'home.domains_blocked', number: domains.blocked } : undefined}
        isBad={domains.blocked > 0}
        onClick={to('domain_list', domains.blocked > 0 ? '/customer/domain_list?block_status=2' : '/customer/domain_list')}
      />
      {isCustomer && <Membership home={home} />}
      {/* An agent's stands beside his shares. */}
      {user?.role.kind === 'customer' && <Balance home={home} onClick={to('bill', '/system/bill')} />}
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
        <span className="lc-home-note">{isBad ? <Status kind="error" label={words} /> : <span className="lc-soft">{words}</span>}</span>
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

function Balance({ home, onClick }: { home: Home; onClick: (() => void) | undefined }) {
  const { t } = useTranslation();
  const content = (
    <>
      <span className="lc-stat-title">{t('user_list.balance')}</span>
      <b className="lc-stat-value">
        <Amount value={home.balance} />
      </b>
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
      <b className="lc-stat-value lc-home-day">
        {day && home.member_expires_at ? <Tooltip title={time(home.member_expires_at)}>{day}</Tooltip> : t('home.membership.unlimited')}
      </b>
      <span className="lc-home-note">
        {kind === 'expired' || kind === 'soon' ? (
          <Status kind={kind === 'expired' ? 'error' : 'warning'} label={words} />
        ) : (
          <span className="lc-soft">{words}</span>
        )}
      </span>
    </div>
  );
}
