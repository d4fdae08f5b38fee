import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../kit/calls/session.tsx';

/** How long rows of visits are kept, and where more can be had. */
export function KeptDays({ days }: { days: number }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  return (
    <p className="lc-soft lc-code-kept">
      {t('qr_code_list.visits.kept', { days, count: days })}
      {allows('buy_vip_combo') && <Link to="/customer/buy_vip_combo">{t('qr_code_list.visits.kept_longer')}</Link>}
    </p>
  );
}
