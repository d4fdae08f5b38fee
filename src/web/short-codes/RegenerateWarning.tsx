import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';

/** What becomes of the old link. */
export function RegenerateWarning({ link, isOwn }: { link: string; isOwn: boolean }) {
  const { t } = useTranslation();
  return (
    <Alert
      type="warning"
      showIcon
      title={<span className="lc-code">{link}</span>}
      description={t(isOwn ? 'short_code.regenerate_own' : 'short_code.regenerate_foreign')}
    />
  );
}
