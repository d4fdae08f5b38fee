import { useQueryClient } from '@tanstack/react-query';
import { api } from './calls/api.ts';
import { useCall } from './calls/query.ts';
import { useSession } from './calls/session.tsx';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Preferences = { preferences: Record<string, Json> };

/**
 * One preference of the logged-in user, kept on the server: `[value, keep]`.
 * The value is undefined while unknown; a value that fails to be kept still holds until the page is left.
 */
export function usePreference(key: string): [Json | undefined, (value: Json | null) => void] {
  const client = useQueryClient();
  const { user } = useSession();
  const { data } = useCall(api.preference.inquire, {}, { staleTime: 3_600_000, enabled: user !== null });

  function keep(value: Json | null) {
    client.setQueryData<Preferences>(['preference', 'inquire', {}], (present) => {
      const preferences = { ...present?.preferences };
      if (value === null) delete preferences[key];
      else preferences[key] = value;
      return { preferences };
    });
    // Arranging columns must not fail loudly: the arrangement is on the screen, and the next change sends it whole again.
    api.preference.update({ key, value }).catch(() => {});
  }
  return [data?.preferences[key], keep];
}
