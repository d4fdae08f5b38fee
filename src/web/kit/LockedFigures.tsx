import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from './calls/session.tsx';
import { Empty } from './feedback.ts';

/** The two ways out of a quota that is exceeded, for its user: choose which live codes stay, or buy more. */
export function OverQuotaLinks() {
  const { t } = useTranslation();
  if (!useSession().allows('buy_vip_combo')) return null;
  return (
    <>
      <Link to="/customer/buy_vip_combo?act=keep&id=1">{t('qr_code_list.over_quota_choose')}</Link>{' '}
      <Link to="/customer/buy_vip_combo">{t('qr_code_list.over_quota_buy')}</Link>
    </>
  );
}

/** In the place of the figures of a code that is over its owner's quota. `why` is told where nothing else on the screen tells it. */
export function LockedFigures({ why }: { why?: string }) {
  return (
    <section className="lc-panel">
      <Empty picture="lock" title="qr_code_list.figures_locked" {...(why === undefined ? {} : { help: why, action: <OverQuotaLinks /> })} />
    </section>
  );
}
