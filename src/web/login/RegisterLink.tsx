import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSite } from '../kit/site.tsx';

/** The way to the registration, where there is one: an address of the operator's, or our own screen. */
export function RegisterLink() {
  const { t } = useTranslation();
  const { admin_register, admin_register_url } = useSite();
  if (!admin_register) return null;
  return (
    <p className="lc-login-other">
      {t('login.no_account')}{' '}
      {admin_register_url ? (
        <a href={admin_register_url}>{t('admin_register.title')}</a>
      ) : (
        <Link to="/admin_register">{t('admin_register.title')}</Link>
      )}
    </p>
  );
}
