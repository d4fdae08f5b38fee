import { sql } from 'drizzle-orm';
import type { Log } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { postgresStore } from '../statistics/workbench/postgres-store.ts';
import type { VisitStore } from '../statistics/workbench/store.ts';
import { clickhouseStore } from './clickhouse-store.ts';
import { openClickhouse } from './server.ts';

/** A copy that is further behind does not answer. */
const maxLagSeconds = 15;
/** After a failure it is not asked for so long. */
const restMilliseconds = 10_000;

type Used = { url: string; log: Pick<Log, 'warn'>; notBefore: number };
let used: Used | undefined;

/** Lets the copy of visits in ClickHouse answer in this process, where there is one; without an address PostgreSQL does. */
export function answerFromClickhouse(url: string | undefined, log: Pick<Log, 'warn'>): void {
  used = url === undefined ? undefined : { url, log, notBefore: 0 };
}

let local: VisitStore | undefined;

/** Lets files of this host answer in this process what they hold; without any PostgreSQL does. */
export function answerFromColumns(store: VisitStore | undefined): void {
  local = store;
}

/** Who answers questions about rows now: the copy in ClickHouse where it is whole and up to date, else this host's files and PostgreSQL. */
export async function storeOf(db: Database): Promise<VisitStore> {
  if (!used || performance.now() < used.notBefore) return own();
  const { rows } = await db.execute<{ database: string }>(sql`
    SELECT database FROM visit_copy WHERE whole_at IS NOT NULL AND coalesce(
      (SELECT created_at FROM visit_copy_entry ORDER BY id LIMIT 1) > now() - make_interval(secs => ${maxLagSeconds}), true)`);
  const [copy] = rows;
  return copy ? orPostgres(clickhouseStore(openClickhouse(used.url, copy.database)), used) : own();
}

const own = (): VisitStore => local ?? postgresStore;

/** Asks PostgreSQL, which has all rows too, where the copy fails. */
function orPostgres(copy: VisitStore, from: Used): VisitStore {
  async function either<T>(ask: (store: VisitStore) => Promise<T>): Promise<T> {
    if (performance.now() < from.notBefore) return ask(postgresStore);
    try {
      return await ask(copy);
    } catch (error) {
      from.notBefore = performance.now() + restMilliseconds;
      from.log.warn({ error: error instanceof Error ? error.message : String(error) }, 'ClickHouse did not answer; PostgreSQL does');
      return ask(postgresStore);
    }
  }
  return {
    counted: (...asked) => either((store) => store.counted(...asked)),
    countedTogether: (...asked) => either((store) => store.countedTogether(...asked)),
    figures: (...asked) => either((store) => store.figures(...asked)),
    returning: (...asked) => either((store) => store.returning(...asked)),
  };
}
