import { usePreference } from '../../preferences.ts';
import type { Column } from '../types.ts';
import { type Arrangement, readArrangement } from './arrangement.ts';

/** The arrangement of one list and how to change it; null returns to the list's own. */
export function useArrangement(name: string, columns: readonly Pick<Column<never>, 'key' | 'hiddenByDefault'>[]) {
  const [stored, keep] = usePreference(`list.${name}`);
  return { arrangement: readArrangement(stored, columns), isOwn: stored === undefined, change: (next: Arrangement | null) => keep(next) };
}
