import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../calls/api.ts';
import type { Question } from '../calls/request.ts';
import { useSession } from '../calls/session.tsx';

const platforms = { data_only: true };
const platformNodes = ['url_key_platform', 'short_code', 'short_qr_code_list', 'qr_code_list'] as const;

const whenIdle = (run: () => void): (() => void) => {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 3000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 10_000 });
  return () => cancelIdleCallback(handle);
};

/**
 * Loads how payments are taken, and the platforms of short links for those who may choose one, once the page is at rest: the specification's
 * startup has them.
 */
export function useStartupLists(): void {
  const client = useQueryClient();
  const { state, allows, mustEnrol } = useSession();
  const isReady = state === 'ready' && !mustEnrol;
  const asksPlatforms = platformNodes.some((node) => allows(node));
  useEffect(() => {
    if (!isReady) return;
    function load<I extends object, O>(endpoint: Question<I, O>, input: I): void {
      const { group, action } = endpoint;
      void client.prefetchQuery({ queryKey: [group, action, input], queryFn: () => endpoint(input), staleTime: 300_000 });
    }
    return whenIdle(() => {
      load(api.pay_config.inquire, {});
      if (asksPlatforms) load(api.url_key_platform.inquire, platforms);
    });
  }, [isReady, asksPlatforms, client]);
}
