import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useSession } from '../../kit/calls/session.tsx';
import { useDocumentTitle } from '../../kit/feedback.ts';
import { Brand } from '../../kit/shell/Brand.tsx';
import { ScreenLoading } from '../../kit/shell/ScreenLoading.tsx';
import { SiteAwaited } from '../../kit/shell/SiteAwaited.tsx';
import { LanguageSwitch, ThemeSwitch } from '../../kit/shell/switches.tsx';
import { useSite } from '../../kit/site.tsx';
import { QueryForm } from './QueryForm.tsx';
import type { Found } from './query.ts';
import { FirstLook, Results } from './Results.tsx';
import './access-log.css';

/** The public look-up of visits by their addresses, for whoever has a code's key or may see the code. */
export function AccessLogPage() {
  const { t } = useTranslation();
  const site = useSite();
  const { state, user } = useSession();
  const [params] = useSearchParams();
  const [found, setFound] = useState<Found | null>(null);
  const results = useRef<HTMLElement>(null);
  useDocumentTitle(t('access_log.title'));
  // The form begins with today in the site's zone and the account of who is logged in: both must be known.
  const isReady = site.id !== 0 && state !== 'loading';

  function show(next: Found | null) {
    setFound(next);
    if (!next) return;
    requestAnimationFrame(() => {
      // On a phone the results lie below the form, out of sight.
      const isBelow = (results.current?.getBoundingClientRect().top ?? 0) > innerHeight / 2;
      if (isBelow) results.current?.scrollIntoView({ block: 'start' });
    });
  }

  return (
    <div className="access">
      <header className="access-top">
        <Brand />
        <div>
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <main className="access-main">
        <section className="access-query" aria-labelledby="access-title">
          <h1 className="access-title" id="access-title">
            {t('access_log.title')}
          </h1>
          <p className="lc-soft">{t('access_log.help')}</p>
          {isReady ? (
            <QueryForm account={user?.account ?? ''} file_name={params.get('name') ?? ''} onFound={show} />
          ) : (
            <SiteAwaited>
              <ScreenLoading />
            </SiteAwaited>
          )}
        </section>
        <section className="access-results" ref={results} aria-live="polite">
          {found ? <Results key={found.addresses.join()} found={found} /> : <FirstLook />}
        </section>
      </main>
    </div>
  );
}
