import { useEffect } from 'react';
import { useSite } from '../site.tsx';

/** Sets the browser tab's title: the screen, then the site. */
export function useDocumentTitle(title: string): void {
  const site = useSite();
  const siteTitle = site.admin_title || site.title;
  useEffect(() => {
    document.title = [title, siteTitle].filter(Boolean).join(' · ');
  }, [title, siteTitle]);
}
