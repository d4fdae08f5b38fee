import pg from 'pg';
import { inject } from 'vitest';
import { readCopy } from '../clickhouse/copy.ts';
import { copyVisits, verifyCopy } from '../clickhouse/copying.ts';
import { type Address, sendEntries } from '../clickhouse/sending.ts';
import { answerFromClickhouse } from '../clickhouse/visit-stores.ts';

/** Where the visits of a test's database go: to a database of the same name. */
export const addressFor = (databaseUrl: string): Address => ({
  url: `${inject('clickhouse')}${new URL(databaseUrl).pathname}`,
  cluster: undefined,
});

/** The engine must answer itself: whatever it does not know fails the test. */
export const refuseFallback = {
  warn: (details: object, message: string) => {
    throw new Error(`${message} ${JSON.stringify(details)}`);
  },
};

/** Where tests run on the engine, a copy of the visits of this database is begun, and answers from now on. */
export async function copyForTest(databaseUrl: string): Promise<void> {
  if (!inject('clickhouse')) return;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    const address = addressFor(databaseUrl);
    await copyVisits({ pool, address, log: () => {}, isOver: () => false, anew: false });
    answerFromClickhouse(address.url, refuseFallback);
  } finally {
    await pool.end();
  }
}

/** Sends what the loader noted, as a worker does. */
export async function sendForTest(client: pg.ClientBase, databaseUrl: string): Promise<void> {
  if (inject('clickhouse')) await sendEntries(client, addressFor(databaseUrl));
}

/** At the end of a suite the copy holds what PostgreSQL does, whatever was done meanwhile. */
export async function compareForTest(databaseUrl: string): Promise<void> {
  if (!inject('clickhouse')) return;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    if (!(await readCopy(pool))) return;
    const faults = await verifyCopy({ pool, address: addressFor(databaseUrl), log: () => {}, isOver: () => false });
    if (faults.length > 0) throw new Error(`The copy differs: ${faults.join('; ')}`);
  } finally {
    await pool.end();
  }
}
