import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';

/** While a screen's code is fetched: its title and rows as they will stand. */
export function ScreenLoading() {
  const { t } = useTranslation();
  return (
    <div className="lc-page" role="status" aria-label={t('common.requesting')}>
      <Skeleton active title={{ width: 160 }} paragraph={{ rows: 6 }} />
      <p className="lc-soft lc-slow" aria-hidden>
        {t('common.requesting')}
      </p>
    </div>
  );
}
