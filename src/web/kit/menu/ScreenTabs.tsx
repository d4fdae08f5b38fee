import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { entryName, markedEntry, menuName, menuSections } from '../shell/menuTree.ts';

/** The screens that share an entry of the menu, of those the user may open; nothing where it is only one. */
export function ScreenTabs() {
  const { t } = useTranslation();
  const { menu } = useSession();
  const { pathname } = useLocation();
  const bar = useRef<HTMLElement>(null);
  // On a phone not all of them are in sight.
  useEffect(() => {
    if (pathname) bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  const entry = markedEntry(menuSections(menu), pathname)?.entry;
  if (!entry || entry.tabs.length < 2 || !entry.tabs.some(({ route }) => route === pathname)) return null;
  return (
    <nav ref={bar} className="lc-tabs" aria-label={entryName(entry, t)}>
      {entry.tabs.map(({ route, item }) => (
        <Link key={route} to={route} aria-current={route === pathname ? 'page' : undefined}>
          {menuName(item, t)}
        </Link>
      ))}
    </nav>
  );
}
