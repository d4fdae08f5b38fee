import { useQueryClient } from '@tanstack/react-query';
import { api } from './calls/api.ts';
import { useCall } from './calls/queries.ts';
import { useSession } from './calls/session.tsx';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Preferences = { preferences: Record<string, Json> };
/** A value, or what makes it of the one that holds now: the page may show one that was changed since. */
type Change = Json | null | ((present: Json | undefined) => Json | null);

const queryKey = ['preference', 'inquire', {}];

/** What is being sent of each preference: its values arrive in the order in which they were chosen. */
const sending = new Map<string, Promise<unknown>>();

function send(key: string, value: Json | null): void {
  // Arranging columns must not fail loudly: the arrangement is on the screen, and the next change sends it whole again.
  const sent = (sending.get(key) ?? Promise.resolve()).then(() => api.preference.update({ key, value })).catch(() => {});
  sending.set(key, sent);
}

/**
 * One preference of the logged-in user, kept on the server: `[value, keep]`.
 * The value is undefined while unknown; a value that fails to be kept still holds until the page is left.
 */
export function usePreference(key: string): [Json | undefined, (change: Change) => void] {
  const client = useQueryClient();
  const { user } = useSession();
  const { data } = useCall(api.preference.inquire, {}, { staleTime: 3_600_000, enabled: user !== null });

  function keep(change: Change) {
    const present = client.getQueryData<Preferences>(queryKey)?.preferences[key];
    const value = typeof change === 'function' ? change(present) : change;
    // An answer that is on its way knows nothing of this value yet.
    if (data) void client.cancelQueries({ queryKey });
    client.setQueryData<Preferences>(queryKey, (all) => {
      const preferences = { ...all?.preferences };
      if (value === null) delete preferences[key];
      else preferences[key] = value;
      return { preferences };
    });
    send(key, value);
  }
  return [data?.preferences[key], keep];
}
