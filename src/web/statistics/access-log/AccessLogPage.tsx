import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useSession } from '../../kit/calls/session.tsx';
import { useDocumentTitle } from '../../kit/feedback.ts';
import { PublicPage } from '../../kit/shell/PublicPage.tsx';
import { ScreenLoading } from '../../kit/shell/ScreenLoading.tsx';
import { SiteAwaited } from '../../kit/shell/SiteAwaited.tsx';
import { useSite } from '../../kit/site.tsx';
import { QueryForm } from './QueryForm.tsx';
import type { Found } from './query.ts';
import { FirstLook, Results } from './Results.tsx';
import './access-log.css';

/** The public look-up of visits by their addresses, for a visitor with a code's key, and for users who may see the code. */
export function AccessLogPage() {
  const { t } = useTranslation();
  const site = useSite();
  const { state, user } = useSession();
  const [params] = useSearchParams();
  const [found, setFound] = useState<Found | null>(null);
  const results = useRef<HTMLElement>(null);
  useDocumentTitle(t('access_log.title'));
  // The form begins with today in the site's zone and the account of the user: both must be known.
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
    <PublicPage className="lc-access">
      <main className="lc-access-main">
        <section className="lc-access-query" aria-labelledby="access-title">
          <h1 className="lc-access-title" id="access-title">
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
        <section className="lc-access-results" ref={results} aria-live="polite">
          {found ? <Results key={found.addresses.join()} found={found} /> : <FirstLook />}
        </section>
      </main>
    </PublicPage>
  );
}
