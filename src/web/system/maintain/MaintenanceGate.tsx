import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSession } from '../../kit/calls/session.tsx';
import { useSite } from '../../kit/site.tsx';

/** The message itself, and where an administrator comes in. */
const openPaths: readonly string[] = ['/maintain', '/admin_login'];

/** What was refused meanwhile is asked for again as soon as the maintenance is over. */
function useFreshAnswers(maintenance: boolean): void {
  const client = useQueryClient();
  const former = useRef(maintenance);
  useEffect(() => {
    if (former.current && !maintenance) void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'website' });
    former.current = maintenance;
  }, [maintenance, client]);
}

/** Leads every screen to the maintenance message while the site is under maintenance; administrators work on. */
export function MaintenanceGate({ children }: { children: ReactNode }) {
  const { maintenance } = useSite();
  const { state, user, impersonator } = useSession();
  const { pathname, search } = useLocation();
  useFreshAnswers(maintenance);
  const isAdministrator = impersonator !== null || user?.role.kind === 'super' || user?.role.kind === 'administrator';
  // Who is logged in isn't known yet: the screens behind the login wait as well.
  if (!maintenance || isAdministrator || state === 'loading' || openPaths.includes(pathname)) return children;
  return <Navigate to={`/maintain?from=${encodeURIComponent(pathname + search)}`} replace />;
}
