import { type ReactNode, useEffect } from 'react';
import { useSite } from '../site.tsx';
import { useText } from '../texts/text.ts';

/** Sets the browser tab's title: the screen, then the site. */
export function useDocumentTitle(title: string): void {
  const site = useSite();
  const siteTitle = site.admin_title || site.title;
  useEffect(() => {
    document.title = [title, siteTitle].filter(Boolean).join(' · ');
  }, [title, siteTitle]);
}

type PageProps = {
  /** Message key or text. */
  title: string;
  help?: ReactNode;
  /** The main action and its neighbours, at the right of the title. */
  actions?: ReactNode;
  /** The content fills the window's height and scrolls inside itself (lists). */
  fills?: boolean;
  children: ReactNode;
};

/** A screen: its title with the main action at the right, then its content. */
export function Page({ title, help, actions, fills = false, children }: PageProps) {
  const text = useText();
  const words = text(title);
  useDocumentTitle(words);
  return (
    <section className={fills ? 'lc-page lc-page-fills' : 'lc-page'}>
      <header className="lc-page-header">
        <div className="lc-page-heading">
          <h1>{words}</h1>
          {help && <p>{help}</p>}
        </div>
        {actions && <div className="lc-page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
