import type pg from 'pg';

/** Numbers for repeated values, kept in a table and remembered here. */
export type Dictionary<E> = {
  get: (key: string) => E | undefined;
  /** Entries for all keys, from the table where they aren't remembered; values are made only for keys that the table lacks. */
  resolve: (client: pg.ClientBase, keys: Iterable<string>, valuesOf: (key: string) => readonly unknown[]) => Promise<Map<string, E>>;
};

type Options<E> = {
  table: string;
  /** Columns with their types, those that make the key first. */
  columns: readonly (readonly [name: string, type: string])[];
  keyColumns: number;
  entryOf: (row: Record<string, unknown>) => E;
  /** Which entries are still given out, where not all of them are. */
  only?: string;
  /** So many entries are remembered; the oldest are forgotten first. */
  limit: number;
  /**
   * What stands for entries that are too many: a visitor who invents a new text with each request must not fill the table, which no
   * retention empties, nor use up its numbers.
   */
  overflow?: { key: string; newPerHour: number };
};

const hourMilliseconds = 3_600_000;

/** Parts of a key of several columns; no text in PostgreSQL can hold it. */
export const keySeparator = '\0';

/**
 * Entries are written in statements of their own, never inside a batch's transaction: what is remembered was committed, whatever becomes of
 * the batch. They are written in sorted order, so that loaders that add the same ones wait for each other instead of deadlocking.
 */
export function createDictionary<E>({ table, columns, keyColumns, only, entryOf, limit, overflow }: Options<E>): Dictionary<E> {
  const remembered = new Map<string, E>();
  let spent = { since: 0, entries: 0 };
  const keys = columns.slice(0, keyColumns);
  const names = columns.map(([name]) => name).join(', ');
  const arrays = (of: Options<E>['columns']) => of.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  const wanted = keys.map(([name]) => `wanted.${name} = ${table}.${name}`).join(' AND ');
  const find = `SELECT ${table}.* FROM unnest(${arrays(keys)}) AS wanted (${keys.map(([name]) => name).join(', ')}) JOIN ${table} ON ${wanted}${only === undefined ? '' : ` AND ${only}`}`;
  const add = `INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays(columns)}) ON CONFLICT DO NOTHING RETURNING *`;

  const remember = (key: string, entry: E): void => {
    if (remembered.size >= limit) {
      for (const oldest of remembered.keys()) {
        remembered.delete(oldest);
        if (remembered.size < limit * 0.9) break;
      }
    }
    remembered.set(key, entry);
  };

  const transposed = (rows: readonly (readonly unknown[])[], width: number): unknown[][] =>
    Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));

  async function run(
    client: pg.ClientBase,
    statement: string,
    rows: readonly (readonly unknown[])[],
    width: number,
    found: Map<string, E>,
  ) {
    const result = await client.query(statement, transposed(rows, width));
    for (const row of result.rows) {
      const key = keys.map(([name]) => row[name]).join(keySeparator);
      const entry = entryOf(row);
      found.set(key, entry);
      remember(key, entry);
    }
  }

  async function look(client: pg.ClientBase, missing: readonly string[], found: Map<string, E>): Promise<string[]> {
    if (missing.length === 0) return [];
    await run(
      client,
      find,
      missing.map((key) => key.split(keySeparator)),
      keyColumns,
      found,
    );
    return missing.filter((key) => !found.has(key));
  }

  /** Those that this hour still has room for. */
  function limited(absent: string[]): string[] {
    if (!overflow) return absent;
    const now = performance.now();
    if (now - spent.since >= hourMilliseconds) spent = { since: now, entries: 0 };
    const kept = absent.filter((key, index) => key === overflow.key || spent.entries + index < overflow.newPerHour);
    spent.entries += kept.length;
    return kept;
  }

  async function resolve(client: pg.ClientBase, wantedKeys: Iterable<string>, valuesOf: (key: string) => readonly unknown[]) {
    const found = new Map<string, E>();
    const missing: string[] = [];
    for (const key of wantedKeys) {
      const entry = remembered.get(key);
      if (entry === undefined) missing.push(key);
      else found.set(key, entry);
    }
    // Looked for before it is added: every attempt to add uses up a number, also one that finds the entry there.
    const absent = limited(await look(client, missing, found)).sort();
    if (absent.length > 0) await run(client, add, absent.map(valuesOf), columns.length, found);
    const late = await look(
      client,
      absent.filter((key) => !found.has(key)),
      found,
    );
    const standIn = overflow && found.get(overflow.key);
    if (standIn !== undefined) for (const key of missing) if (!found.has(key)) found.set(key, standIn);
    if (late.length > 0) throw new Error(`${table} answers another key than the one that was written, such as ${JSON.stringify(late[0])}`);
    return found;
  }

  return { get: (key) => remembered.get(key), resolve };
}
