import { Button } from 'antd';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import type { NodeKey } from '../../../contract/permissions.ts';
import { whenUnauthorized } from '../calls/request.ts';
import { useSession } from '../calls/session.tsx';
import { useConfirm } from '../dialogs/confirm.tsx';
import { useDocumentTitle } from '../feedback/documentTitle.ts';
import { Empty } from '../feedback/Empty.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { menuSections } from './menuTree.ts';
import { PublicPage } from './PublicPage.tsx';
import { ScreenLoading } from './ScreenLoading.tsx';

/** Where to log in, with the way back to a place in the app. */
const loginRoute = (from: string) => (from === '/' ? '/admin_login' : `/admin_login?from=${encodeURIComponent(from)}`);

/** Asks, when a session ends while one works, whether to log in again; the way back leads here. */
export function SessionEndQuestion({ children }: { children: ReactNode }) {
  const confirm = useConfirm();
  const navigate = useNavigate();
  const { state } = useSession();
  const { pathname, search } = useLocation();
  const isAsking = useRef(false);
  useEffect(() =>
    whenUnauthorized(() => {
      if (isAsking.current || state !== 'ready' || pathname === '/admin_login') return;
      isAsking.current = true;
      const question = {
        title: 'common.not_logged_in.title',
        content: 'common.not_logged_in.content',
        confirm: 'common.not_logged_in.log_in',
      };
      void confirm(question).then((yes) => {
        isAsking.current = false;
        if (yes) void navigate(loginRoute(pathname + search));
      });
    }),
  );
  return children;
}

/** Lets only a known user through; a visitor is led to the login, with the way back. */
export function LoggedIn({ children }: { children: ReactNode }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.state === 'none') return <Navigate to={loginRoute(pathname + search)} replace />;
  if (session.state === 'failed') return <Failure error={session.failure} retry={session.retry} />;
  if (session.state === 'loading') return <ScreenLoading />;
  return children;
}

/** Shows a screen to users whose tree holds it; the others learn whom to ask. */
export function ScreenGuard({ node, children }: { node: NodeKey; children: ReactNode }) {
  return useSession().allows(node) ? children : <NoRights />;
}

function HomeButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return <Button onClick={() => void navigate('/customer')}>{t('common.go_home')}</Button>;
}

function NoRights() {
  const { t } = useTranslation();
  useDocumentTitle(t('common.no_rights.title'));
  return (
    <div className="lc-page lc-page-fills">
      <Empty picture="lock" title="common.no_rights.title" help="common.no_rights.help" action={<HomeButton />} />
    </div>
  );
}

export function UnknownRoute() {
  const { t } = useTranslation();
  useDocumentTitle(t('common.unknown_route.title'));
  return (
    <div className="lc-page lc-page-fills">
      <Empty picture="road" title="common.unknown_route.title" help="common.unknown_route.help" action={<HomeButton />} />
    </div>
  );
}

/** The same where there is no menu around it. */
export function UnknownPage() {
  return (
    <PublicPage className="lc-unknown">
      <UnknownRoute />
    </PublicPage>
  );
}

/** `/customer` leads to today's statistics, or to the first screen of a user who may not see them. */
export function AreaHome() {
  const { menu, allows } = useSession();
  if (allows('today_statistics')) return <Navigate to="/customer/today_statistics" replace />;
  const first = menuSections(menu)[0]?.entries[0];
  return first ? <Navigate to={first.route} replace /> : <NoRights />;
}
