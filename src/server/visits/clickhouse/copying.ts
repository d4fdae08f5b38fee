import type pg from 'pg';
import { databaseOf } from '../../kit/clickhouse-address.ts';
import { StartError } from '../../kit/start-error.ts';
import { beginCopy, type Copy, endCopy, readCopy } from './copy.ts';
import { moveDays, untilAlone } from './moving.ts';
import { dropClickhouse, migrateClickhouse } from './schema.ts';
import { type Address, openCopy, sendEntries } from './sending.ts';
import { openClickhouse } from './server.ts';
import { differences } from './verifying.ts';

type Work = { pool: pg.Pool; address: Address; log: (line: string) => void; isOver: () => boolean };

/** Runs the work with two connections; they end with it, and their locks with them. */
async function withClients<T>(pool: pg.Pool, work: (client: pg.ClientBase, reader: pg.ClientBase) => Promise<T>): Promise<T> {
  const [client, reader] = [await pool.connect(), await pool.connect()];
  try {
    return await work(client, reader);
  } finally {
    client.release(true);
    reader.release(true);
  }
}

/** The copy of the address's database; begun where there is none. */
async function theCopy(client: pg.ClientBase, address: Address, anew: boolean): Promise<Copy> {
  const database = databaseOf(address.url);
  const clickhouse = openClickhouse(address.url, database);
  const layout = { database, cluster: address.cluster };
  const found = await readCopy(client);
  if (found && !anew) {
    if (found.database === database) return found;
    throw new StartError(`Visits are copied to the database ${found.database}, not to ${database}: --anew begins a copy there.`);
  }
  if (anew) {
    await endCopy(client);
    await dropClickhouse(clickhouse, layout);
  }
  const version = await migrateClickhouse(clickhouse, layout, 0);
  const [[rows] = []] = await clickhouse.columns(`SELECT count() FROM ${database}.visit`);
  if (Number(rows) > 0) throw new StartError(`The table visit of ${database} is not empty: --anew removes it and begins.`);
  await beginCopy(client, database, version);
  const begun = await readCopy(client);
  if (!begun) throw new Error('the copy was ended meanwhile');
  return begun;
}

/**
 * Copies visits from now on, moves those from before, compares both, and lets the copy answer where they are the same. What was begun goes
 * on. Answers what differs.
 */
export async function copyVisits({ anew, ...work }: Work & { anew: boolean }): Promise<string[]> {
  const { pool, address, log, isOver } = work;
  return withClients(pool, async (client, reader) => {
    const copy = await theCopy(client, address, anew);
    const { clickhouse } = await openCopy(client, address, copy);
    const send = () => sendEntries(client, address, isOver);
    if (!(await moveDays({ client, clickhouse, tag: copy.tag, log, isOver }, reader, send))) {
      log('Interrupted: the same command goes on where it was.');
      return [];
    }
    const faults = await compare(client, work, copy);
    if (faults.length === 0 && !isOver())
      await client.query('UPDATE visit_copy SET whole_at = coalesce(whole_at, now()) WHERE tag = $1', [copy.tag]);
    return faults;
  });
}

/** Compares a copy with the rows. */
export function verifyCopy(work: Work): Promise<string[]> {
  return withClients(work.pool, async (client) => {
    const copy = await readCopy(client);
    if (!copy) throw new StartError('There is no copy: npm run visits:move makes one.');
    return compare(client, work, copy);
  });
}

async function compare(client: pg.ClientBase, { address, log, isOver }: Work, copy: Copy): Promise<string[]> {
  const { clickhouse } = await openCopy(client, address, copy);
  let faults: string[] | undefined;
  while (!faults && !isOver()) {
    await sendEntries(client, address, isOver);
    await untilAlone({ client, isOver }, async () => {
      faults = await differences(client, clickhouse);
    });
  }
  if (faults?.length === 0) log('Every day has the same visits in ClickHouse as in PostgreSQL.');
  return faults ?? [];
}
