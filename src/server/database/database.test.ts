import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { InputOf } from '../../contract/kit/call.ts';
import type { mysqlLock } from '../../contract/system/mysql-lock.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { recordLocks, recordStatements } from './history.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let clients: pg.Client[] = [];
let ids: number[] = [];
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
});
afterEach(async () => {
  // One that waits for a lock goes on waiting on the server after its connection is closed.
  const { rows } = await test_app.db.execute<{ ended: boolean }>(
    sql`SELECT pg_terminate_backend(pid, 10000) AS ended FROM pg_stat_activity WHERE pid = ANY(${sql.param(ids)}::int[])`,
  );
  expect(rows.every(({ ended }) => ended)).toBe(true);
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
  [clients, ids] = [[], []];
});
afterAll(() => test_app.close());

/** A session of somebody, or of one of our parts. */
async function open(application_name: string): Promise<{ client: pg.Client; id: number }> {
  const client = new pg.Client({ connectionString: test_app.url, application_name });
  client.on('error', () => {});
  await client.connect();
  clients.push(client);
  const { rows } = await client.query('SELECT pg_backend_pid() AS id');
  ids.push(rows[0].id);
  return { client, id: rows[0].id };
}

const locks = async () => (await test_app.call(administrator, 'mysql_lock', 'inquire', { page_size: 200 })).body.content;
const episodes = async (input: InputOf<typeof mysqlLock.calls.episodes>) =>
  (await test_app.call(administrator, 'mysql_lock', 'episodes', input)).body;
const long = async (min_seconds: number) =>
  (await test_app.call(administrator, 'mysql_time_consuming', 'inquire', { min_seconds, page_size: 200 })).body.content;
const lockRow = (name: string) => `SELECT pg_advisory_xact_lock(hashtext('${name}'))`;

/** One that holds a lock and does nothing, one that waits for it, and one that waits for that one. */
async function chain(holderName = 'psql') {
  const [holder, second, third] = [await open(holderName), await open('livecode worker'), await open('psql')];
  await holder.client.query('BEGIN');
  await holder.client.query(lockRow('a'));
  await second.client.query('BEGIN');
  await second.client.query(lockRow('b'));
  const waits = [second.client.query(lockRow('a')), third.client.query(lockRow('b'))];
  for (const wait of waits) wait.catch(() => {});
  await expect.poll(async () => (await locks()).length).toBe(3);
  return { holder, second, third, waits };
}

test('sessions that block each other are shown as a tree, with what they wait for', async () => {
  const { holder, second, third } = await chain();
  expect(await locks()).toMatchObject([
    { id: holder.id, depth: 0, holds_up: 2, blocked_by: [], lock: '', part: 'other', state: 'idle in transaction' },
    { id: second.id, depth: 1, holds_up: 1, blocked_by: [holder.id], lock: 'ExclusiveLock on advisory', part: 'worker', state: 'active' },
    { id: third.id, depth: 2, holds_up: 0, blocked_by: [second.id], statement: lockRow('b') },
  ]);
});

test('two that wait for each other are shown once each', async () => {
  const [one, other] = [await open('psql'), await open('psql')];
  for (const [{ client }, name] of [
    [one, 'x'],
    [other, 'y'],
  ] as const) {
    await client.query('BEGIN');
    await client.query(lockRow(name));
  }
  one.client.query(lockRow('y')).catch(() => {});
  other.client.query(lockRow('x')).catch(() => {});
  await expect.poll(async () => (await locks()).map(({ id }) => id).sort()).toEqual([one.id, other.id].sort());
});

test('a holder that does nothing is terminated, and the others go on', async () => {
  const { holder, waits } = await chain();
  const [first] = await locks();
  const { body } = await test_app.call(administrator, 'mysql_lock', 'release', {
    sessions: [{ id: holder.id, began_at: first?.began_at ?? '' }],
  });
  expect(body).toEqual({ affected: 1, sessions: [{ id: holder.id, outcome: 'terminated' }] });
  await waits[0];
  await expect(holder.client.query('SELECT 1')).rejects.toThrow();
});

test('a statement is cancelled, and its session stays', async () => {
  const { client, id } = await open('psql');
  const sleeping = client.query('SELECT pg_sleep(60)');
  sleeping.catch(() => {});
  await expect.poll(async () => (await long(0)).map((session) => session.id)).toContain(id);
  expect((await long(5)).map((session) => session.id)).not.toContain(id);
  const found = (await long(0)).find((session) => session.id === id);
  const { body } = await test_app.call(administrator, 'mysql_time_consuming', 'release', {
    sessions: [{ id, began_at: found?.began_at ?? '' }],
  });
  expect(body.sessions).toEqual([{ id, outcome: 'cancelled' }]);
  await expect(sleeping).rejects.toThrow(/canceling statement/);
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a process that bears the same id since then is left alone', async () => {
  const { client, id } = await open('psql');
  await client.query('BEGIN');
  const { body } = await test_app.call(administrator, 'mysql_lock', 'release', {
    sessions: [{ id, began_at: '2020-01-01T00:00:00.000Z' }],
  });
  expect(body).toEqual({ affected: 0, sessions: [{ id, outcome: 'gone' }] });
  await client.query('COMMIT');
});

test.each(['livecode redirect', 'livecode loader'])('sessions of %s are only released by who means them', async (application) => {
  const { holder } = await chain(application);
  const [first] = await locks();
  const sessions = [{ id: holder.id, began_at: first?.began_at ?? '' }];
  const refused = await test_app.send(administrator, 'mysql_lock/release', { sessions });
  expect([refused.status, refused.body.code]).toEqual([409, 'database.visit_sessions']);
  await holder.client.query('SELECT 1');
  const { status } = await test_app.send(administrator, 'mysql_lock/release', { sessions, with_visits: true });
  expect(status).toBe(200);
  await expect(holder.client.query('SELECT 1')).rejects.toThrow();
});

test('two who release the same at once both get an answer, and the next session is not touched', async () => {
  const { holder, second } = await chain();
  const [first] = await locks();
  const sessions = [{ id: holder.id, began_at: first?.began_at ?? '' }];
  const answers = await Promise.all([1, 2].map(() => test_app.send(administrator, 'mysql_lock/release', { sessions })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await delay(50);
  expect((await second.client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('finished statements are told by their time, without the values they had', async () => {
  const { client } = await open('psql');
  await client.query("SELECT pg_sleep(0.2), 'a secret' AS secret");
  const { records_statements } = (await test_app.call(administrator, 'mysql_time_consuming', 'summary', {})).body;
  const { content, total } = (await test_app.call(administrator, 'mysql_time_consuming', 'statements', { page_size: 200 })).body;
  // A server that somebody else runs may not record them.
  expect(total > 0).toBe(records_statements);
  if (!process.env.TEST_DATABASE_URL && !process.env.DATABASE_URL) expect(records_statements).toBe(true);
  const times = content.map(({ total_ms }) => total_ms);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(content.some(({ statement }) => statement.includes('a secret'))).toBe(false);
});

test('tables and indexes are told by their size', async () => {
  const { content } = (await test_app.call(administrator, 'mysql_time_consuming', 'relations', { page_size: 200 })).body;
  const found = content.find(({ id }) => id === 'user_account');
  expect(found?.bytes).toBeGreaterThan(found?.index_bytes ?? Number.POSITIVE_INFINITY);
  expect(content.map(({ bytes }) => bytes)).toEqual(content.map(({ bytes }) => bytes).toSorted((a, b) => b - a));
  const indexes = (await test_app.call(administrator, 'mysql_time_consuming', 'unused_indexes', { page_size: 200 })).body.content;
  expect(indexes.map(({ table }) => table)).toContain('live_code');
  const summary = (await test_app.call(administrator, 'mysql_time_consuming', 'summary', {})).body;
  expect(summary.bytes).toBeGreaterThan(1_000_000);
  expect(summary.connections).toBeGreaterThan(0);
});

test('customers see none of it', async () => {
  for (const path of [
    'mysql_lock/inquire',
    'mysql_time_consuming/inquire',
    'mysql_time_consuming/statements',
    'mysql_time_consuming/summary',
  ])
    expect((await test_app.send(customer, path, {})).status).toBe(403);
});

test('who waited for whom is kept for a day, once however many workers look', async () => {
  const { holder, second } = await chain();
  await eventually(async () => {
    await Promise.all([recordLocks(test_app.db), recordLocks(test_app.db)]);
    expect((await episodes({})).total).toBe(2);
  });
  const first = (await episodes({})).content.find(({ waiter }) => waiter.id === second.id);
  expect(first).toMatchObject({
    lock: 'ExclusiveLock on advisory',
    waiter: { part: 'worker', statement: lockRow('a') },
    holder: { id: holder.id, part: 'other', state: 'idle in transaction', statement: lockRow('a') },
  });
  await test_app.db.execute(sql`UPDATE lock_episode SET began_at = began_at - interval '1 minute' WHERE session_id = ${second.id}`);
  expect((await episodes({ min_seconds: 30 })).content).toMatchObject([{ waiter: { id: second.id } }]);
  expect((await test_app.send(customer, 'mysql_lock/episodes', {})).status).toBe(403);
  await test_app.db.execute(sql`UPDATE lock_episode SET seen_at = now() - interval '2 days'`);
  await recordStatements(test_app.db);
  expect((await episodes({})).total).toBe(0);
});

test('what statements cost is told of the last hour, of the last day and since counting began', async () => {
  const marked = async (count: number) => {
    for (let index = 0; index < count; index += 1) await test_app.db.execute(sql`SELECT FROM lock_episode WHERE lock = 'marked'`);
  };
  const calls = async (span: 'hour' | 'day' | 'all') => {
    const { body } = await test_app.call(administrator, 'mysql_time_consuming', 'statements', { span, sort: 'calls', page_size: 200 });
    return body.content.find(({ statement }) => statement.startsWith('SELECT FROM lock_episode WHERE lock'))?.calls;
  };
  const sample = async (hoursAgo: number) => {
    await recordStatements(test_app.db);
    await test_app.db.execute(
      sql`UPDATE statement_sample SET at = now() - make_interval(mins => ${hoursAgo * 60 + 5}) WHERE at > now() - interval '1 minute'`,
    );
  };
  await test_app.db.execute(sql`DELETE FROM statement_sample`);
  await marked(3);
  await sample(24);
  await marked(4);
  await sample(1);
  await marked(5);
  expect(await Promise.all([calls('hour'), calls('day'), calls('all')])).toEqual([5, 9, 12]);
});
