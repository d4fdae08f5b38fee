import { ListViews } from '../list/table/ListViews.tsx';
import type { Workbench } from './state.ts';

const arranged = { isOwn: true, arrangement: null, change: () => {} };

/** Ranges, filters and codes of a screen by a name; a view keeps "last week" as it is, not the days that it was. */
export function WorkbenchViews({ screen, bench }: { screen: string; bench: Workbench }) {
  return <ListViews list={screen} columns={[]} state={bench} arranged={arranged} />;
}
