import { useSession } from '../calls/session.tsx';

/** The two lists of codes: one's own (of an agent with his customers'), and all users' for administrators. */
export type CodesScreen = 'qr_code_list' | 'qr_code_list_admin';

/** The list with all codes that this user may see: an administrator's own holds his own alone. Null where he has neither. */
export function useCodesScreen(): CodesScreen | null {
  const { allows } = useSession();
  return allows('qr_code_list_admin') ? 'qr_code_list_admin' : allows('qr_code_list') ? 'qr_code_list' : null;
}

/** The address of that list, under these filters. */
export function useCodesRoute(): (filters?: string) => string {
  const screen = useCodesScreen() ?? 'qr_code_list';
  return (filters) => `/customer/${screen}${filters ? `?${filters}` : ''}`;
}
