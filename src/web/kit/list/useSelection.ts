import { useState } from 'react';

/** Rows selected over several pages, with their content as it was when they were selected. */
export function useSelection<Row>(keyOf: (row: Row) => string | number) {
  const [selected, setSelected] = useState<ReadonlyMap<string | number, Row>>(new Map());
  return {
    keys: [...selected.keys()],
    rows: [...selected.values()],
    has: (row: Row) => selected.has(keyOf(row)),
    /** Selects exactly these keys; rows of other pages keep their place. */
    set(keys: readonly (string | number)[], known: readonly Row[]) {
      setSelected((present) => {
        const byKey = new Map(present);
        for (const row of known) if (row !== undefined) byKey.set(keyOf(row), row);
        return new Map(keys.flatMap((key) => (byKey.has(key) ? [[key, byKey.get(key) as Row] as const] : [])));
      });
    },
    toggle(row: Row) {
      setSelected((present) => {
        const next = new Map(present);
        if (!next.delete(keyOf(row))) next.set(keyOf(row), row);
        return next;
      });
    },
    clear: () => setSelected(new Map()),
  };
}
