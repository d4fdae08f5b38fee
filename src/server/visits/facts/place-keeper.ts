import { type PlaceReader, type PlaceTables, placeReader, readBundled } from './place.ts';
import { type Correction, type CorrectionTables, correctionTables } from './place-corrections.ts';
import { unpackTable } from './place-storage.ts';
import { PlaceFileError, type PlaceTable } from './place-table.ts';

/** Runs a statement without parameters, over whatever connection there is. */
export type PlaceQuery = (text: string) => Promise<{ rows: unknown[] }>;

/** What looking up needs, and what was wrong where it is not what should be in use. */
export type ReadPlaces = { tables: PlaceTables; corrections: CorrectionTables; fault?: string | undefined };

type Used = { family: 4 | 6; id: number | null; sha256: string | null };
type State = { key: string; used: Used[] };

const stateStatement = `SELECT current_database() || ' ' || version AS key,
    (SELECT json_agg(json_build_object('family', ip_data_use.family, 'id', used_id, 'sha256', sha256))
      FROM ip_data_use LEFT JOIN ip_data ON ip_data.id = used_id) AS used
  FROM visit_facts WHERE kind = 'place'`;
const correctionsStatement = 'SELECT range, country, region, city, carrier FROM ip_correction WHERE enabled ORDER BY id';
/** A list that is exchanged while it is read is read anew; so often at the most. */
const maxAttempts = 3;

async function readStored(query: PlaceQuery, id: number): Promise<PlaceTable | undefined> {
  const counted = await query(`SELECT count(*)::integer AS parts FROM ip_data_part WHERE ip_data_id = ${id}`);
  const { parts } = counted.rows[0] as { parts: number };
  const contents: Buffer[] = [];
  for (let part = 0; part < parts; part += 1) {
    const { rows } = await query(`SELECT content FROM ip_data_part WHERE ip_data_id = ${id} AND part = ${part}`);
    const [row] = rows as { content: Buffer }[];
    if (!row) return undefined;
    contents.push(row.content);
  }
  return parts === 0 ? undefined : unpackTable(Buffer.concat(contents));
}

/**
 * Keeps what places are looked up with, and reads of it what has changed. Lists are told apart by their content, so that a correction
 * makes no list be read anew; the built-in ones are read only where they are used.
 */
export function createPlaceKeeper(readBuiltIn: (family: 4 | 6) => PlaceTable | Promise<PlaceTable> = readBundled) {
  const held = new Map<4 | 6, { name: string; table: PlaceTable }>();
  let state = '';
  let reader: PlaceReader | undefined;

  async function keep(family: 4 | 6, name: string, read: () => PlaceTable | undefined | Promise<PlaceTable | undefined>) {
    const known = held.get(family);
    if (known?.name === name) return known.table;
    const table = await read();
    if (table) held.set(family, { name, table });
    return table;
  }
  const bundled = async (family: 4 | 6) => (await keep(family, 'built in', () => readBuiltIn(family))) ?? readBundled(family);

  const tableOf = (query: PlaceQuery, { family, id, sha256 }: Used): Promise<PlaceTable | undefined> =>
    id === null || sha256 === null ? bundled(family) : keep(family, sha256, () => readStored(query, id));

  async function readUsed(query: PlaceQuery, known: State): Promise<ReadPlaces> {
    const { rows } = await query(correctionsStatement);
    const corrections = correctionTables(rows as Correction[]);
    let now = known;
    for (let attempt = 1; ; attempt += 1) {
      const tables: Partial<Record<4 | 6, PlaceTable>> = {};
      for (const used of now.used) tables[used.family] = await tableOf(query, used);
      const { 4: ipv4, 6: ipv6 } = tables;
      if (ipv4 && ipv6) return { tables: { ipv4, ipv6 }, corrections };
      if (attempt === maxAttempts) throw new PlaceFileError('a stored list of addresses is gone');
      now = await readState(query);
    }
  }

  async function readState(query: PlaceQuery): Promise<State> {
    const { rows } = await query(stateStatement);
    return rows[0] as State;
  }

  /** The built-in lists take the place of a stored one that cannot be used: visits are recorded all the same. */
  async function readSound(query: PlaceQuery, known: State): Promise<ReadPlaces> {
    try {
      return await readUsed(query, known);
    } catch (error) {
      if (!(error instanceof PlaceFileError || error instanceof SyntaxError || error instanceof RangeError)) throw error;
      return { ...(await builtIn()), fault: error.message };
    }
  }

  const builtIn = async (): Promise<ReadPlaces> => ({
    tables: { ipv4: await bundled(4), ipv6: await bundled(6) },
    corrections: { ipv4: null, ipv6: null },
  });

  return {
    builtIn,
    read: async (query: PlaceQuery) => readSound(query, await readState(query)),
    /** The reader of what is in use now: the one of before where nothing changed. */
    async reader(query: PlaceQuery, onFault?: (fault: string) => void): Promise<PlaceReader> {
      const known = await readState(query);
      if (reader && state === known.key) return reader;
      const { tables, corrections, fault } = await readSound(query, known);
      if (fault !== undefined) onFault?.(fault);
      reader = placeReader(tables, corrections);
      state = known.key;
      return reader;
    },
  };
}
export type PlaceKeeper = ReturnType<typeof createPlaceKeeper>;
