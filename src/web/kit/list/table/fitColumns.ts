type Sized = { width?: number; fixed?: 'start' | 'end' };

/** The width, in pixels, that a column without one takes. */
export const usualWidth = 160;
const widthOf = ({ width = usualWidth }: Sized): number => width;

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
