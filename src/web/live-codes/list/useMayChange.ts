import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { useSession } from '../../kit/calls/session.tsx';

/** Whether the user may change a code of the list: an agent sees his customers' codes, but only their owners change them. */
export function useMayChange(): (code: Pick<LiveCode, 'owner_id'>) => boolean {
  const { user } = useSession();
  const isAdministrator = user?.role.kind === 'super' || user?.role.kind === 'administrator';
  return (code) => isAdministrator || code.owner_id === user?.id;
}
