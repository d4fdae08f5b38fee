import { api } from '../calls/api.ts';
import { useSession } from '../calls/session.tsx';

export type MonitorScreen = 'domain_monitor' | 'admin_domain_monitor';

/** The screen where this user finds the checks of domains: that of all users goes first; null where he has none. */
export function useMonitorScreen(): MonitorScreen | null {
  const { allows } = useSession();
  return allows('admin_domain_monitor') ? 'admin_domain_monitor' : allows('domain_monitor') ? 'domain_monitor' : null;
}

/** The calls of either screen, which are the same. */
export const monitorCalls = (screen: MonitorScreen): typeof api.domain_monitor | typeof api.admin_domain_monitor => api[screen];

/** The address of one monitor's details. */
export const monitorRoute = (screen: MonitorScreen, id: number): string => `/customer/${screen}?act=details&id=${id}`;
