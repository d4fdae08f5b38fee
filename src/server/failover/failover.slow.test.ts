import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase, openPool } from '../kit/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../kit/testing/database.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
import { expectWithin } from '../kit/testing/within.ts';
import { ask, destinationOf, startProcess, type TestProcess } from '../redirect/testing/process.ts';
import { openRecords, type Records } from '../redirect/testing/records.ts';
import { markBlocked, markHealthy } from './testing/failover.ts';

const program = fileURLToPath(new URL('./testing/worker.main.ts', import.meta.url));

let database: TestDatabase;
let records: Records;
let pool: pg.Pool;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  pool = openPool(database.url, { warn: () => {} });
  db = openDatabase(pool);
});
afterAll(async () => {
  await pool.end();
  await records.close();
  await database.drop();
});

/** A worker as the process it is. */
async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, DATABASE_URL: database.url, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}
const killed = (child: ChildProcess) =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGKILL');
  });
const numberOf = async (query: ReturnType<typeof sql>): Promise<number> =>
  (await db.execute<{ number: number }>(query)).rows[0]?.number ?? 0;
const codesOn = (id: number) => numberOf(sql`SELECT count(*)::float8 AS number FROM live_code WHERE landing_domain_id = ${id}`);

test('within a second of the verdict all redirect processes send visitors to the new domain', async () => {
  const dataDir = makeTestFolder();
  const slots = ['0', '1', '2'];
  const ports = await Promise.all(slots.map(() => freePort()));
  const start = (slot: string, place: number): Promise<TestProcess> =>
    startProcess({
      databaseUrl: database.url,
      dataDir,
      port: ports[place] ?? 0,
      slot,
      processes: slots.length,
      trustedProxies: '127.0.0.1',
    });
  const processes = await Promise.all(slots.map(start));
  onTestFinished(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    rmSync(dataDir, { recursive: true, force: true });
  });
  await startWorker();
  const holder = records.owner_id;
  const entry = await records.addDomain('go.example', 1, holder);
  const landings = [await records.addDomain('one.example', 2, holder), await records.addDomain('two.example', 2, holder)];
  await markHealthy(db, [entry, ...landings]);
  await db.execute(sql`UPDATE shield_rule SET max_per_hour = 1000`);
  for (let number = 0; number < 200; number += 1)
    await records.addCode(`moving-${number}`, { entry_domain_id: entry, landing_domain_id: landings[0] ?? null });
  const hostsNow = async () => {
    const answers = await Promise.all(
      ports.flatMap((port) => ['moving-0', 'moving-199'].map((name) => ask(port, `/${name}`, { host: 'go.example' }))),
    );
    return new Set(answers.map((answer) => new URL(destinationOf(answer) ?? '', 'http://none.example').host));
  };
  expect([...(await hostsNow())]).toEqual(['one.example']);
  let turn = 0;
  await expectWithin(1000, async () => {
    const [from, to] = turn % 2 === 0 ? (['one', 'two'] as const) : (['two', 'one'] as const);
    const [fromId, toId] = turn % 2 === 0 ? landings : landings.toReversed();
    await markHealthy(db, [toId ?? 0]);
    turn += 1;
    await markBlocked(db, [fromId ?? 0]);
    const startedAt = performance.now();
    for (let hosts = new Set([`${from}.example`]); hosts.size !== 1 || !hosts.has(`${to}.example`); hosts = await hostsNow())
      if (performance.now() - startedAt > 15_000) throw new Error('some process never followed');
    return performance.now() - startedAt;
  });
});

test('a worker that is killed half-way leaves nothing behind that the next does not end: no code lost, none told of twice', async () => {
  const codes = 20_000;
  const holder = await records.addUser('of-many');
  const [from, to] = [await records.addDomain('many-from.example', 2, holder), await records.addDomain('many-to.example', 2, holder)];
  await db.execute(sql`INSERT INTO live_code (file_name, owner_id, name, landing_domain_id)
    SELECT 'many-' || n, ${holder}, 'many', ${from} FROM generate_series(1, ${codes}::int) AS n`);
  await markHealthy(db, [from, to]);
  let worker = await startWorker();
  await markBlocked(db, [from]);
  let kills = 0;
  for (let seen = 0; kills < 3; kills += 1) {
    await eventually(async () => expect(await codesOn(to)).toBeGreaterThan(seen), { timeout: 20_000, interval: 5 });
    await killed(worker);
    seen = await codesOn(to);
    // As if its lease had passed.
    await db.execute(sql`UPDATE domain_incident SET claimed_until = now() WHERE ended_at IS NULL`);
    worker = await startWorker();
  }
  await eventually(
    async () =>
      expect((await db.execute(sql`SELECT handling, claim FROM domain_incident WHERE domain_id = ${from}`)).rows).toEqual([
        { handling: 'replaced', claim: null },
      ]),
    { timeout: 60_000, interval: 100 },
  );
  expect([await codesOn(from), await codesOn(to)]).toEqual([0, codes]);
  const { rows } = await db.execute(sql`SELECT live_codes, created_by FROM domain_replacement WHERE from_domain_id = ${from}`);
  expect(rows).toEqual([{ live_codes: codes, created_by: null }]);
  expect(await numberOf(sql`SELECT count(*)::float8 AS number FROM event WHERE type = 'domain.replaced' AND owner_id = ${holder}`)).toBe(1);
  expect(await numberOf(sql`SELECT count(*)::float8 AS number FROM domain_replacement_code`)).toBeGreaterThanOrEqual(codes);
}, 180_000);
