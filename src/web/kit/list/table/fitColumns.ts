type Sized = { width?: number; fixed?: 'start' | 'end' };

/** The width, in pixels, that a column without one takes. */
export const usualWidth = 160;
const widthOf = ({ width = usualWidth }: Sized): number => width;

/** Of the widest face that a system may show a head in, at its size; and what stands beside the words. */
const letterWidth = 8.8;
const [paddings, sorterWidth] = [26, 20];

/** The column, as wide as the longest word of its head needs: words of letters are not cut, while Chinese breaks anywhere. */
export function withRoomForHead<C extends Sized & { sortable?: boolean }>(column: C, title: string): C {
  const words = title.match(/[\p{Script=Latin}\p{Mark}\d]+/gu) ?? [];
  const letters = Math.max(0, ...words.map(({ length }) => length));
  const needed = Math.ceil(letters * letterWidth) + paddings + (column.sortable ? sorterWidth : 0);
  return needed > widthOf(column) ? { ...column, width: needed } : column;
}

/** The cell's paddings and a state's mark; the most that a state takes of the other columns' room. */
const [besideWords, mostForWords] = [36, 190];

/** The column, as wide as the longest state that its rows are in. @param widest of these words, in pixels; 0 without any */
export function withRoomForWords<C extends Sized>(column: C, widest: number): C {
  const needed = Math.min(Math.ceil(widest) + besideWords, mostForWords);
  return widest > 0 && needed > widthOf(column) ? { ...column, width: needed } : column;
}

/**
 * The columns that stand side by side in so many pixels, in their order: the first ones rank before the later ones, and a narrow one may
 * take the room that a wider one before it does not fit into. The first column and fixed ones always stand. The rest is shown below a row.
 */
export function fitColumns<C extends Sized>(columns: readonly C[], room: number): { shown: C[]; rest: C[] } {
  const isKept = (column: C, at: number) => at === 0 || column.fixed !== undefined;
  let left = room - columns.filter(isKept).reduce((sum, column) => sum + widthOf(column), 0);
  const shown = columns.filter((column, at) => {
    if (isKept(column, at)) return true;
    if (widthOf(column) > left) return false;
    left -= widthOf(column);
    return true;
  });
  return { shown, rest: columns.filter((column) => !shown.includes(column)) };
}
