import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../calls/api.ts';
import { useSession } from '../calls/session.tsx';

const endpoint = api.url_key_platform.inquire;
const input = { data_only: true };

const whenIdle = (run: () => void): (() => void) => {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 3000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 10_000 });
  return () => cancelIdleCallback(handle);
};

/** Loads the platforms of short links once the page is at rest, for those who may see them: the specification's startup has them. */
export function useStartupLists(): void {
  const client = useQueryClient();
  const isAsked = useSession().allows('url_key_platform');
  useEffect(() => {
    if (!isAsked) return;
    const { group, action } = endpoint;
    return whenIdle(
      () => void client.prefetchQuery({ queryKey: [group, action, input], queryFn: () => endpoint(input), staleTime: 300_000 }),
    );
  }, [isAsked, client]);
}
