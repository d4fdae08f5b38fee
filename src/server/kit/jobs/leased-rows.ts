import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../postgres/database.ts';

type Fields = Record<string, unknown>;

/** Asks for rows of a table that nobody else is working on. */
type ClaimRequest = {
  table: string;
  /** The column that names a row; `id` unless said. */
  key?: string;
  /** A SELECT of the key, and of what is to be answered from other tables, in the order of need and with a LIMIT. Names the table without an alias. */
  due: SQL;
  /** What marks a row as taken: a lease, or that it is done with. */
  set: SQL;
  /** Columns of the table after the change, and of `due`. */
  returning: SQL;
};

/**
 * Takes due rows in one statement: of any number of workers that ask at once each gets others, and none waits. The rows come in no
 * particular order.
 */
export async function claim<Row extends Fields>(db: Database, { table, key = 'id', due, set, returning }: ClaimRequest): Promise<Row[]> {
  const [own, name] = [sql.identifier(table), sql.identifier(key)];
  const { rows } = await db.execute<Row>(sql`
    WITH due AS (${due} FOR UPDATE OF ${own} SKIP LOCKED)
    UPDATE ${own} SET ${set} FROM due WHERE ${own}.${name} = due.${name} RETURNING ${returning}`);
  return rows as Row[];
}

const asArray = <T extends Fields>(held: T | readonly T[]): readonly T[] => (Array.isArray(held) ? held : [held as T]);

type LeaseOptions = {
  /** The column that names a row; `id` unless said. */
  key?: string;
  /** A row whose worker says nothing for so long is another one's. */
  seconds: number;
  /** The columns of who works on a row, and until when. */
  columns?: { claim: string; until: string };
  /** For `fail`: the column of the next try, and how many seconds it is away, by the row as it stands; `due_at`, at once, unless said. */
  retry?: { at: string; seconds: SQL };
};

/**
 * Rows that are worked on under a lease. Each claim has a name of its own, which all that is written later names: whoever lost a lease
 * changes nothing. Rows that one claim took are renewed and released together.
 */
export function leasedRows<Row extends Fields>(table: string, options: LeaseOptions) {
  const { key = 'id', seconds, columns = { claim: 'claim', until: 'claimed_until' }, retry = { at: 'due_at', seconds: sql`0` } } = options;
  const [own, name] = [sql.identifier(table), sql.identifier(key)];
  const [by, until] = [sql.identifier(columns.claim), sql.identifier(columns.until)];
  const renewed = sql`${until} = now() + make_interval(secs => ${seconds})`;
  const also = (more: SQL | undefined): SQL => (more ? sql`, ${more}` : sql``);
  const taken = (): SQL => sql`${by} = ${randomUUID()}, ${renewed}`;

  const isOwn = (held: Row | readonly Row[]): SQL => {
    const rows = asArray(held);
    return sql`${own}.${name} = ANY(${sql.param(rows.map((row) => row[key]))}) AND ${own}.${by} = ${rows[0]?.[columns.claim]}`;
  };

  async function renew(db: Database, held: Row | readonly Row[]): Promise<'lost' | undefined> {
    const { rowCount } = await db.execute(sql`UPDATE ${own} SET ${renewed} WHERE ${isOwn(held)}`);
    return rowCount === 0 ? 'lost' : undefined;
  }

  /** Gives back what was claimed, with what came of it. False where it was lost. */
  async function release(db: Database, held: Row | readonly Row[], set?: SQL): Promise<boolean> {
    const { rowCount } = await db.execute(sql`UPDATE ${own} SET ${by} = NULL, ${until} = NULL${also(set)} WHERE ${isOwn(held)}`);
    return rowCount !== 0;
  }

  return {
    /** Nobody works on the row. */
    isFree: sql`(${own}.${until} IS NULL OR ${own}.${until} < now())`,
    isOwn,
    /** What marks rows as taken, and keeps them, for statements of another form. */
    taken,
    renewed,
    /** Takes rows, see `claim` above. What names them and their claim comes with what `returning` asks for. */
    claim: (db: Database, { due, set, returning }: { due: SQL; set?: SQL; returning?: SQL }): Promise<Row[]> =>
      claim<Row>(db, { table, key, due, set: sql`${taken()}${also(set)}`, returning: sql`${own}.${name}, ${own}.${by}${also(returning)}` }),
    renew,
    release,
    /** Gives back what failed, to be tried again by `retry`, and not before so many seconds. */
    fail: (db: Database, held: Row, { set, minSeconds = 0 }: { set?: SQL; minSeconds?: number }): Promise<boolean> => {
      const at = sql`now() + make_interval(secs => greatest(${minSeconds}::float8, ${retry.seconds}))`;
      return release(db, held, sql`${sql.identifier(retry.at)} = ${at}${also(set)}`);
    },
    /** For the work loop. */
    lease: (db: Database) => ({ seconds, renew: (held: Row) => renew(db, held) }),
  };
}
