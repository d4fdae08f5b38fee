import { StarFilled, StarOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { Favourites } from './favourites.ts';
import type { Place } from './visited.ts';

/** The star that pins a place to the top of the menu. */
export function PinButton({ place, favourites: { has, toggle } }: { place: Place; favourites: Favourites }) {
  const { t } = useTranslation();
  const isPinned = has(place.path);
  const words = t(isPinned ? 'common.shell.unpin' : 'common.shell.pin', { name: place.title });
  return (
    <button type="button" className="lc-pin" aria-pressed={isPinned} aria-label={words} title={words} onClick={() => toggle(place)}>
      {isPinned ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />}
    </button>
  );
}
