import { useEffect, useState } from 'react';

const watchedMilliseconds = 20_000;
const watchSeconds = 2;

/** Looks more often for a while after something was asked for whose result comes by itself. */
export function useWatch(): { pollSeconds: number; watch: () => void } {
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => {
    if (since === null) return;
    const timer = setTimeout(() => setSince(null), watchedMilliseconds);
    return () => clearTimeout(timer);
  }, [since]);
  return { pollSeconds: since === null ? 0 : watchSeconds, watch: () => setSince(Date.now()) };
}
