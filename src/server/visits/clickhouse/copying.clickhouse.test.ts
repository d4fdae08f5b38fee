import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { createTestDatabase } from '../../kit/testing/database.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { emptyGivenUpHistories } from '../maintenance/maintenance.ts';
import { endRetention } from '../maintenance/retention.ts';
import { postgresStore } from '../statistics/workbench/postgres-store.ts';
import { addressFor, refuseFallback } from '../testing/clickhouse.ts';
import { openUnreliable } from '../testing/clickhouse-unreliable.ts';
import { loadVisits } from '../testing/loading.ts';
import { endCopy } from './copy.ts';
import { copyVisits, verifyCopy } from './copying.ts';
import { sendEntries, startSending } from './sending.ts';
import { openClickhouse } from './server.ts';
import { answerFromClickhouse, storeOf } from './visit-stores.ts';

const day = 86_400_000;
const now = new Date();
/** Visits of two codes over five days, a different lot each time. */
const some = (count: number, lot: number, change: Partial<VisitRecord> = {}): VisitRecord[] =>
  Array.from({ length: count }, (_, index) =>
    visitOf({
      live_code_id: 1 + (index % 2),
      at: now.getTime() - (index % 5) * day - index * 1000 - lot,
      ip: `9.${lot % 256}.${index >> 8}.${index % 256}`,
      ...change,
    }),
  );

/** A database without a copy yet. */
async function openBench() {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => {});
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const address = addressFor(database.url);
  const work = { pool, address, log: () => {}, isOver: () => false };
  const rowsThere = async () => {
    const [[rows] = []] = await openClickhouse(address.url).columns('SELECT count() FROM visit');
    return Number(rows);
  };
  return { url: database.url, pool, address, work, rowsThere };
}

describe('visits come to the copy once', () => {
  test('those from before, those that are loaded while it begins, and those from then on', async () => {
    const bench = await openBench();
    await loadVisits(bench.url, some(300, 1));
    const loading = [2, 3, 4].map((lot) => loadVisits(bench.url, some(200, lot)));
    expect(await copyVisits({ ...bench.work, anew: false })).toEqual([]);
    await Promise.all(loading);
    await loadVisits(bench.url, some(100, 5));
    expect(await verifyCopy(bench.work)).toEqual([]);
    expect(await bench.rowsThere()).toBe(1000);
  });

  test('whatever is lost on the way there and back, and whoever sends beside', async () => {
    const bench = await openBench();
    await copyVisits({ ...bench.work, anew: false });
    const unreliable = await openUnreliable(bench.address);
    onTestFinished(unreliable.stop);
    for (let lot = 1; lot <= 12; lot++) {
      await loadVisits(bench.url, some(40 + lot, lot), undefined, { send: false });
      const senders = [1, 2].map(async () => {
        const client = await bench.pool.connect();
        const failure = await sendEntries(client, unreliable.address).then(
          () => undefined,
          (error: unknown) => error,
        );
        client.release(failure !== undefined);
      });
      await Promise.all(senders);
    }
    expect(unreliable.lost()).toBeGreaterThan(2);
    expect(await verifyCopy(bench.work)).toEqual([]);
    expect(await bench.rowsThere()).toBe(12 * 40 + 78);
  });

  test('where the sender loses its database between the two stores', async () => {
    const bench = await openBench();
    await copyVisits({ ...bench.work, anew: false });
    for (let lot = 1; lot <= 5; lot++) {
      await loadVisits(bench.url, some(30, lot), undefined, { send: false });
      const sender = new pg.Client({ connectionString: bench.url });
      sender.on('error', () => {});
      await sender.connect();
      const { rows } = await sender.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      // What arrived there is not noted here: the connection ends while the engine answers.
      const cut = await openUnreliable(bench.address, async (deliver) => {
        await deliver();
        await bench.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      });
      await expect(sendEntries(sender, cut.address)).rejects.toThrow();
      await cut.stop();
      await sender.end().catch(() => {});
    }
    // The first piece came there five times, and was added once.
    expect(await bench.rowsThere()).toBe(30);
    expect(await verifyCopy(bench.work)).toEqual([]);
    expect(await bench.rowsThere()).toBe(150);
  });

  test('and not where the database was set back to a backup: that is found before anything is sent', async () => {
    const bench = await openBench();
    await copyVisits({ ...bench.work, anew: false });
    const { rows } = await bench.pool.query('SELECT pieces FROM visit_copy');
    await loadVisits(bench.url, some(10, 1));
    await bench.pool.query('UPDATE visit_copy SET pieces = $1', [rows[0]?.pieces]);
    const told: string[] = [];
    const log = { info: () => {}, warn: () => {}, error: (_details: object, message: string) => void told.push(message) };
    const sending = startSending(bench.pool, bench.address, log);
    await expect.poll(() => told.length).toBe(1);
    await sending.stop();
    expect((await bench.pool.query('SELECT FROM visit_copy WHERE began_at IS NULL AND whole_at IS NULL')).rowCount).toBe(1);
    expect(await copyVisits({ ...bench.work, anew: true })).toEqual([]);
    expect(await bench.rowsThere()).toBe(10);
  });

  test('where the command that moves them is killed again and again', async () => {
    const bench = await openBench();
    for (const lot of [1, 2, 3]) await loadVisits(bench.url, some(3000, lot));
    const program = fileURLToPath(new URL('./moving.main.ts', import.meta.url));
    const env = { ...process.env, DATABASE_URL: bench.url, CLICKHOUSE_URL: bench.address.url, NODE_NO_WARNINGS: '1' };
    const start = () => spawn(process.execPath, [program], { env, stdio: 'ignore' });
    let kills = 0;
    for (const milliseconds of [700, 800, 900, 1000, 1100, 1200]) {
      const child = start();
      const ended = once(child, 'exit');
      await Promise.race([ended, delay(milliseconds)]);
      if (child.kill('SIGKILL')) kills += 1;
      await ended;
      await loadVisits(bench.url, some(10, 100 + milliseconds));
    }
    expect(kills).toBeGreaterThan(0);
    const [code] = await once(start(), 'exit');
    expect(code).toBe(0);
    expect(await verifyCopy(bench.work)).toEqual([]);
    expect(await bench.rowsThere()).toBe(9060);
  });
});

describe('what is removed from PostgreSQL is removed from the copy', () => {
  test('whole days, days of an owner, histories that were given up; also what had not arrived', async () => {
    const app = await createTestApp();
    onTestFinished(app.close);
    const owner = await app.makeUser('customer');
    const { rows } = await app.db.execute<{ id: number }>(
      sql`INSERT INTO live_code (file_name, owner_id, name) VALUES ('first', ${owner.id}, 'A'), ('second', ${owner.id}, 'B') RETURNING id::float8 AS id`,
    );
    const [a = 0, b = 0] = rows.map(({ id }) => id);
    const at = (ages: readonly number[]) => ages.map((age) => now.getTime() - age * day);
    const both = at([0, 2, 6, 20, 40]).flatMap((moment) =>
      [a, b, 0].map((id) => visitOf({ at: moment, live_code_id: id, outcome: id === 0 ? 4 : 0 })),
    );
    await loadVisits(app.url, both);
    await loadVisits(app.url, both, undefined, { send: false });
    await app.db.execute(sql`INSERT INTO access_clearing (live_code_id, owner_id, cleared_at, visits, given_up_at)
      VALUES (${a}, ${owner.id}, ${new Date(now.getTime() - day).toISOString()}, 1, now())`);
    await emptyGivenUpHistories(app.pool);
    await endRetention(app.pool, { now, settings: { visit_retention_days: 10, membership_grace_days: 7 } });
    const address = addressFor(app.url);
    expect(await verifyCopy({ pool: app.pool, address, log: () => {}, isOver: () => false })).toEqual([]);
    const [codes = [], visits = []] = await openClickhouse(address.url).columns(
      'SELECT live_code_id, count() FROM visit GROUP BY live_code_id ORDER BY live_code_id',
    );
    expect([codes, visits]).toEqual([
      [0, a, b],
      [6, 2, 6],
    ]);
  });
});

describe('who answers', () => {
  let app: TestApp;
  let owner: TestUser;
  beforeAll(async () => {
    app = await createTestApp();
    owner = await app.makeUser('customer');
    await app.db.execute(sql`INSERT INTO live_code (id, file_name, owner_id, name) VALUES (1, 'first', ${owner.id}, 'One')`);
    await loadVisits(app.url, [
      visitOf({ at: now.getTime() - 2 * day, host: 'a.example' }),
      visitOf({ at: now.getTime() - 2 * day, host: 'b.example' }),
    ]);
  });
  afterAll(async () => {
    answerFromClickhouse(undefined, refuseFallback);
    await app.close();
  });
  const dayOfVisits = new Date(now.getTime() - 2 * day).toISOString().slice(0, 10);
  const hosts = async () => {
    const range = { from: new Date(now.getTime() - 4 * day).toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) };
    const { body } = await app.call(owner, 'historical_statistics', 'breakdown', { ...range, dimensions: ['host'] });
    return body.breakdowns.host?.parts.map(({ value, visits }) => `${value} ${visits}`);
  };

  test('is the copy, where it is whole', async () => {
    expect(await storeOf(app.db)).not.toBe(postgresStore);
    // A row that only the copy has shows who was asked.
    await openClickhouse(addressFor(app.url).url).run(
      `INSERT INTO visit SELECT * REPLACE (99 AS id) FROM visit WHERE host_id = (SELECT min(host_id) FROM visit)`,
    );
    expect(await hosts()).toContainEqual('a.example 2');
    expect(await verifyCopy({ pool: app.pool, address: addressFor(app.url), log: () => {}, isOver: () => false })).toEqual([
      `${dayOfVisits}, live code 1: 2 visits in PostgreSQL, 3 in ClickHouse`,
    ]);
    await openClickhouse(addressFor(app.url).url).run('DELETE FROM visit WHERE id = 99');
  });

  test('is not the copy where a visit stands under another code there, though each day has as many', async () => {
    const clickhouse = openClickhouse(addressFor(app.url).url);
    const moved = (from: number, to: number) => [
      `INSERT INTO visit SELECT * REPLACE (${to} AS live_code_id) FROM (SELECT * FROM visit WHERE live_code_id = ${from} LIMIT 1)`,
      `DELETE FROM visit WHERE live_code_id = ${from} AND id IN (SELECT id FROM visit WHERE live_code_id = ${to})`,
    ];
    for (const statement of moved(1, 7)) await clickhouse.run(statement);
    expect(await verifyCopy({ pool: app.pool, address: addressFor(app.url), log: () => {}, isOver: () => false })).toEqual([
      `${dayOfVisits}, live code 1: 2 visits in PostgreSQL, 1 in ClickHouse`,
      `${dayOfVisits}, live code 7: 0 visits in PostgreSQL, 1 in ClickHouse`,
    ]);
    for (const statement of moved(7, 1)) await clickhouse.run(statement);
    expect(await verifyCopy({ pool: app.pool, address: addressFor(app.url), log: () => {}, isOver: () => false })).toEqual([]);
  });

  test('is PostgreSQL while the copy is behind, not whole, or away, and nobody sees a failure', async () => {
    await app.db.execute(sql`INSERT INTO visit_copy_entry (lines, created_at) VALUES ('', now() - interval '1 minute')`);
    expect(await storeOf(app.db)).toBe(postgresStore);
    await app.db.execute(sql`DELETE FROM visit_copy_entry`);
    await app.db.execute(sql`UPDATE visit_copy SET whole_at = NULL`);
    expect(await storeOf(app.db)).toBe(postgresStore);
    await app.db.execute(sql`UPDATE visit_copy SET whole_at = now()`);
    const told: string[] = [];
    answerFromClickhouse('http://127.0.0.1:9/x', { warn: (_details, message) => void told.push(message) });
    expect(await hosts()).toEqual(['a.example 1', 'b.example 1']);
    expect(await hosts()).toEqual(['a.example 1', 'b.example 1']);
    expect(told).toEqual(['ClickHouse did not answer; PostgreSQL does']);
    answerFromClickhouse(addressFor(app.url).url, refuseFallback);
  });

  test('is PostgreSQL again when the copy is ended, and the loader notes nothing more', async () => {
    const client = await app.pool.connect();
    await endCopy(client).finally(() => client.release());
    await loadVisits(app.url, [visitOf({ at: now.getTime() - day, host: 'c.example' })], undefined, { send: false });
    const { rows } = await app.db.execute(sql`SELECT FROM visit_copy_entry`);
    expect(rows).toEqual([]);
    expect(await hosts()).toContainEqual('c.example 1');
    // Begun anew, all of it is there again.
    const work = { pool: app.pool, address: addressFor(app.url), log: () => {}, isOver: () => false };
    await expect(copyVisits({ ...work, anew: false })).rejects.toThrow('is not empty');
    expect(await copyVisits({ ...work, anew: true })).toEqual([]);
  });
});
