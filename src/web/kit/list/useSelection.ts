import { useState } from 'react';
import type { SelectedRow } from './types.ts';

type Key = string | number;
export type Selection<Row> = ReturnType<typeof useSelection<Row>>;

/** Rows selected over several pages, with their content as it was when they were seen; of others only the keys. */
export function useSelection<Row>(keyOf: (row: Row) => Key) {
  const [selected, setSelected] = useState<ReadonlyMap<Key, Row | undefined>>(new Map());
  const known = [...selected.values()].filter((row) => row !== undefined);
  return {
    keys: [...selected.keys()],
    size: selected.size,
    /** Undefined where some are known by their keys only. */
    rows: known.length === selected.size ? known : undefined,
    /** All of them; the key of a row that wasn't seen is its id. */
    rowsById: (): SelectedRow<Row>[] => [...selected].map(([id, row]) => (row ?? { id }) as SelectedRow<Row>),
    has: (row: Row) => selected.has(keyOf(row)),
    /** Selects exactly these keys; rows of other pages keep their place. */
    set(keys: readonly Key[], seen: readonly Row[]) {
      setSelected((present) => {
        const byKey = new Map(present);
        for (const row of seen) if (row !== undefined) byKey.set(keyOf(row), row);
        return new Map(keys.flatMap((key) => (byKey.has(key) ? [[key, byKey.get(key)] as const] : [])));
      });
    },
    /** Selects exactly these keys, of rows that need not have been seen. */
    setKeys(keys: readonly Key[], seen: readonly Row[]) {
      const bySeen = new Map(seen.map((row) => [keyOf(row), row]));
      setSelected((present) => new Map(keys.map((key) => [key, present.get(key) ?? bySeen.get(key)])));
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
