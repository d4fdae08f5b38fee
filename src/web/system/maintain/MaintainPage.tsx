import { useTranslation } from 'react-i18next';
import { Link, Navigate, useSearchParams } from 'react-router';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useDocumentTitle } from '../../kit/feedback.ts';
import { Brand } from '../../kit/shell/Brand.tsx';
import { LanguageSwitch, ThemeSwitch } from '../../kit/shell/switches.tsx';
import './maintain.css';

const pollMilliseconds = 15_000;

/** What everybody but administrators sees during maintenance. Who was led here goes back where he was when it is over. */
export function MaintainPage() {
  const { t } = useTranslation();
  const { isLoggedIn } = useSession();
  const from = useSearchParams()[0].get('from');
  const site = useCall(api.website.info, {}, { refetchInterval: from === null ? false : pollMilliseconds });
  useDocumentTitle(t('maintain.title'));
  if (from?.startsWith('/') && site.data?.maintenance === false) return <Navigate to={from} replace />;
  return (
    <div className="maintain">
      <header>
        <Brand />
        <div>
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <main>
        <Cone />
        <h1>{t('maintain.title')}</h1>
        <p>{t('maintain.watch')}</p>
        {from !== null && <p className="lc-soft">{t('maintain.automatic')}</p>}
      </main>
      <footer>{!isLoggedIn && <Link to="/admin_login">{t('maintain.log_in')}</Link>}</footer>
    </div>
  );
}

function Cone() {
  return (
    <svg className="lc-picture" viewBox="0 0 160 120" width="192" height="144" aria-hidden="true">
      <path d="M75 18h10l23 78H52z" />
      <path d="M36 102a6 6 0 0 1 6-6h76a6 6 0 0 1 6 6v4H36z" />
      <path className="lc-picture-accent" d="M68 42h24M61 66h38" />
      <path className="lc-picture-accent" d="M128 40l8-8M132 54h11M32 40l-8-8M28 54H17" />
    </svg>
  );
}
