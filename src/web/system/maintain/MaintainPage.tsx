import { useTranslation } from 'react-i18next';
import { Link, Navigate, useSearchParams } from 'react-router';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useDocumentTitle } from '../../kit/feedback.ts';
import { Art } from '../../kit/look/art/Art.tsx';
import { PublicPage } from '../../kit/shell/PublicPage.tsx';
import './maintain.css';

const pollMilliseconds = 15_000;

/** What all users but administrators see during maintenance. When it is over, they go back to where they came from. */
export function MaintainPage() {
  const { t } = useTranslation();
  const { isLoggedIn } = useSession();
  const from = useSearchParams()[0].get('from');
  const site = useCall(api.website.info, {}, { refetchInterval: from === null ? false : pollMilliseconds });
  useDocumentTitle(t('maintain.title'));
  if (from?.startsWith('/') && site.data?.maintenance === false) return <Navigate to={from} replace />;
  return (
    <PublicPage className="lc-maintain">
      <main>
        <Art name="calm" />
        <h1>{t('maintain.title')}</h1>
        <p>{t('maintain.watch')}</p>
        {from !== null && <p className="lc-soft">{t('maintain.automatic')}</p>}
      </main>
      <footer>{!isLoggedIn && <Link to="/admin_login">{t('maintain.log_in')}</Link>}</footer>
    </PublicPage>
  );
}
