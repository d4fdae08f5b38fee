import { useTranslation } from 'react-i18next';
import { useSession } from '../calls/session.tsx';
import { usePreference } from '../preferences.ts';
import { menuName, menuScreens, menuSections } from '../shell/menuTree.ts';
import { type Place, placesOf } from './visited.ts';

const maxFavourites = 30;

export type Favourites = {
  places: Place[];
  has: (path: string) => boolean;
  toggle: (place: Place) => void;
  /** Moves a favourite so many lines down, or up where it is negative. */
  move: (path: string, lines: number) => void;
};

/** What the user pinned to the top of the menu, in the order of pinning; kept on the server, so that it follows him. */
export function useFavourites(): Favourites {
  const [kept, keep] = usePreference('favourites');
  const places = placesOf(kept);
  const has = (path: string) => places.some((place) => place.path === path);
  // Of what is pinned now: two may be pinned before the menu shows the first.
  const save = (change: (present: Place[]) => readonly Place[]) =>
    keep((now) => {
      const next = change(placesOf(now));
      return next.length > 0 ? next.slice(-maxFavourites).map(({ path, title }) => ({ path, title })) : null;
    });
  return {
    places,
    has,
    toggle: (place) =>
      save((present) =>
        present.some(({ path }) => path === place.path) ? present.filter(({ path }) => path !== place.path) : [...present, place],
      ),
    move: (path, lines) =>
      save((present) => {
        const at = present.findIndex((place) => place.path === path);
        const to = Math.min(present.length - 1, Math.max(0, at + lines));
        const place = present[at];
        return !place || to === at ? present : present.filter((other) => other !== place).toSpliced(to, 0, place);
      }),
  };
}

/** Places as they are shown: screens in today's language, and none that the user may no longer open. */
export function useShownPlaces(places: readonly Place[]): Place[] {
  const { t } = useTranslation();
  const { menu, allows } = useSession();
  const screens = new Map(menuScreens(menuSections(menu)).map((screen) => [screen.route, screen]));
  return places.flatMap((place) => {
    const screen = screens.get(place.path);
    if (screen) return [{ path: place.path, title: menuName(screen.item, t) }];
    // A page below a screen, or one without an entry: its own words stand for it.
    const isBelow = /^\/customer\/(qr_code\/|set_qr_code\?)/.test(place.path);
    return isBelow && (allows('qr_code_list') || allows('qr_code_list_admin')) ? [place] : [];
  });
}
