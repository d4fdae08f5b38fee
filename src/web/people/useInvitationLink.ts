import { useSite } from '../kit/site.tsx';
import { invitationLink } from './invitationLink.ts';

/** Makes the invitation links of this site: to its own registration, or to the operator's. */
export function useInvitationLink(): (code: string) => string {
  const { admin_register_url } = useSite();
  const home = window.location.href.split('#', 1)[0] ?? '';
  return (code) => invitationLink(code, admin_register_url, home);
}
