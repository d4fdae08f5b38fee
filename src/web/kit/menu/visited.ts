import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { createStore, readLocal, writeLocal } from '../local.ts';
import { screenAt } from '../shell/menuTree.ts';

/** A screen, or a page below one such as that of a code, by the words it was shown with. */
export type Place = { path: string; title: string };

const maxRecent = 6;
const shownRecent = 5;
const maxOpen = 12;

/** Places out of storage, where anything may stand. */
export function placesOf(value: unknown): Place[] {
  if (!Array.isArray(value)) return [];
  const isText = (text: unknown): text is string => typeof text === 'string' && text.length <= 300;
  return value
    .filter((place): place is Place => isText(place?.path) && place.path.startsWith('/') && isText(place.title))
    .map(({ path, title }) => ({ path, title }));
}

function stored(key: string): Place[] {
  try {
    return placesOf(JSON.parse(readLocal(key) ?? '[]'));
  } catch {
    return [];
  }
}

type Visited = { user: number; recent: readonly Place[]; open: readonly Place[] };
const visited = createStore<Visited>({ user: 0, recent: [], open: [] });
/** The next user of this browser does not see where the last one was. */
const recentKey = (user: number) => `recent.${user}`;

/** The same page with other filters is the same place. */
const pageOf = ({ path }: Place) => path.split('?', 1)[0];

function note(user: number, place: Place, search: string): void {
  const known = visited.get();
  const { recent, open } = known.user === user ? known : { recent: stored(recentKey(user)), open: [] };
  const nextRecent = [place, ...recent.filter(({ path }) => path !== place.path)].slice(0, maxRecent);
  const opened = { path: place.path.includes('?') ? place.path : place.path + search, title: place.title };
  const at = open.findIndex((other) => pageOf(other) === pageOf(place));
  const nextOpen = at < 0 ? [...open, opened].slice(-maxOpen) : open.map((other, index) => (index === at ? opened : other));
  writeLocal(recentKey(user), JSON.stringify(nextRecent));
  visited.set({ user, recent: nextRecent, open: nextOpen });
}

/** Where an address leads back to; null for what is no place to come back to, such as the form of a new code. */
export function placeAt(pathname: string, search: string): string | null {
  // The parts of a code's page are one place.
  const code = /^\/customer\/qr_code\/\d+/.exec(pathname)?.[0];
  if (code) return code;
  if (!/^\/(customer|system)\/./.test(pathname)) return null;
  if (!screenAt(pathname)?.hidden) return pathname;
  const id = new URLSearchParams(search).get('id');
  return id === null ? null : `${pathname}?id=${id}`;
}

/** Remembers that the user was here, under the words that the page bears. */
export function useVisit(title: string): void {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const path = placeAt(pathname, search);
  const user_id = user?.id;
  useEffect(() => {
    if (user_id !== undefined && path !== null && title !== '') note(user_id, { path, title }, search);
  }, [user_id, path, title, search]);
}

function useVisited(): Visited {
  const { user } = useSession();
  const known = useSyncExternalStore(visited.subscribe, visited.get);
  if (!user || known.user === user.id) return known;
  return { user: user.id, recent: stored(recentKey(user.id)), open: [] };
}

/** Where the user was last, the newest first, without the page that is shown. */
export function useRecent(): Place[] {
  const { pathname, search } = useLocation();
  const present = placeAt(pathname, search);
  return useVisited()
    .recent.filter((place) => place.path !== present)
    .slice(0, shownRecent);
}

/** The pages that are open as tabs, in the order they were opened. */
export const useOpenPlaces = (): readonly Place[] => useVisited().open;

/** Closes a tab; answers where to go when it was the one that is shown. */
export function closePlace(place: Place): Place | undefined {
  const { open, ...rest } = visited.get();
  const at = open.findIndex((other) => pageOf(other) === pageOf(place));
  visited.set({ ...rest, open: open.filter((_, index) => index !== at) });
  return open[at + 1] ?? open[at - 1];
}
