import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSite } from '../site.tsx';

/** Asks the server's health; nothing of it is cached, and an answer that takes this long is none. */
async function answers(maxMilliseconds: number): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(maxMilliseconds) })).ok;
  } catch {
    return false;
  }
}

/** Looks from time to time, while the page is seen, whether the server answers, and says so while it does not. */
export function ServerCheck() {
  const { t } = useTranslation();
  const { ping_seconds } = useSite();
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    async function check() {
      if (document.visibilityState !== 'visible') return;
      const answered = await answers(Math.min(ping_seconds, 10) * 1000);
      if (isCurrent) setIsAway(!answered);
    }
    const timer = setInterval(() => void check(), ping_seconds * 1000);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [ping_seconds]);
  return (
    <div className={isAway ? 'lc-away' : 'lc-away lc-away-over'} role="status">
      {isAway ? t('common.shell.server_away') : ''}
    </div>
  );
}
