import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../kit/postgres/migrate.ts';
import { type Postgres, startPostgres } from '../kit/postgres/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../kit/testing/database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
import { readBatch } from '../kit/visits/journal/reader.ts';
import { journalFolder, listSegments } from '../kit/visits/journal/segment.ts';
import { ask, destinationOf, startProcess, type TestProcess } from './testing/process.ts';
import { openRecords, type Records } from './testing/records.ts';
import { positionReader, readSigningKey } from './testing/visit-records.ts';

const recordsIn = async (dataDir: string) => {
  const batches = await Promise.all(listSegments(journalFolder(dataDir)).map(({ path }) => readBatch(path, 0, { isFinal: true })));
  return batches.flatMap(({ records }) => records.map(({ record }) => record));
};

describe('two processes on one port', () => {
  let database: TestDatabase;
  let records: Records;
  let dataDir: string;
  let port: number;
  const start = (slot: string) => startProcess({ databaseUrl: database.url, dataDir, port, slot });
  const sourcesOf = (ids: readonly string[], signingKey: Buffer) => {
    const positionOf = positionReader({ dataDir, signingKey });
    return new Set(ids.map((id) => positionOf(id)?.source));
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    records = await openRecords(database.url);
    await records.addDomain('entry.example');
    dataDir = makeTestFolder();
    port = await freePort();
  });
  afterAll(async () => {
    await records.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('serve 64 clients and 5 targets with a threshold of 200 each exactly 200 times, and the rest the fallback', async () => {
    const threshold = 200;
    const { targets } = await records.addCode(
      'rotation',
      { fallback_url: 'https://fallback.example/' },
      Array.from({ length: 5 }, () => ({ threshold })),
    );
    const processes = await Promise.all([start('0'), start('1')]);
    const counts = new Map<string, number>();
    const ids: string[] = [];
    let left = 1500;
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (left > 0) {
        left -= 1;
        const answer = await ask(port, '/rotation', { agent });
        ids.push(String(answer.headers['x-visit-id']));
        const to = destinationOf(answer) ?? '';
        counts.set(to, (counts.get(to) ?? 0) + 1);
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: 64 }, client));
    const expected = Object.fromEntries(targets.map((_, index) => [`https://target.example/rotation/${index}`, threshold]));
    expect(Object.fromEntries(counts)).toEqual({ ...expected, 'https://fallback.example/': 500 });
    expect(sourcesOf(ids, await readSigningKey(records.client)).size).toBe(2);

    for (const one of processes) expect(await one.stop()).toBe(0);
    const { rows } = await records.client.query(
      'SELECT (SELECT sum(remaining)::integer FROM target_quota) AS remaining, (SELECT count(*)::integer FROM target_lease) AS leases',
    );
    expect(rows[0]).toEqual({ remaining: 0, leases: 0 });
    const recorded = (await recordsIn(dataDir)).filter(({ target_id }) => target_id > 0);
    expect(targets.map((id) => recorded.filter(({ target_id }) => target_id === id).length)).toEqual(targets.map(() => threshold));
  });

  it('give back what they leased and did not serve when they stop', async () => {
    const { targets } = await records.addCode('handback', {}, [{ threshold: 100_000 }]);
    const processes = await Promise.all([start('0'), start('1')]);
    const agents = Array.from({ length: 16 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    await Promise.all(
      agents.map(async (agent) => {
        for (let index = 0; index < 50; index += 1) expect((await ask(port, '/handback', { agent })).status).toBe(200);
      }),
    );
    for (const agent of agents) agent.destroy();
    for (const one of processes) expect(await one.stop()).toBe(0);
    const { rows } = await records.client.query('SELECT remaining FROM target_quota WHERE target_id = $1', [targets[0]]);
    expect(rows[0].remaining).toBe(100_000 - 16 * 50);
  });

  it('show a change within a second, both of them', async () => {
    await records.addCode('change-1');
    const processes = await Promise.all([start('0'), start('1')]);
    const signingKey = await readSigningKey(records.client);
    const seen = async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask(port, '/change-1')));
      return {
        sources: sourcesOf(
          answers.map(({ headers }) => String(headers['x-visit-id'])),
          signingKey,
        ).size,
        to: new Set(answers.map(destinationOf)),
      };
    };
    await expect.poll(async () => (await seen()).sources).toBe(2);
    await records.client.query(`UPDATE live_code_target SET content = 'https://changed.example/'
      WHERE live_code_id = (SELECT id FROM live_code WHERE file_name = 'change-1')`);
    await expect.poll(async () => [...(await seen()).to], { interval: 20 }).toEqual(['https://changed.example/']);
    for (const one of processes) await one.stop();
  });

  it('lose no answered visit when one is killed and started again under load', async () => {
    await records.addCode('kill-one');
    let processes: TestProcess[] = await Promise.all([start('0'), start('1')]);
    const answered: string[] = [];
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const answer = await ask(port, '/kill-one').catch(() => undefined);
        if (answer?.status === 200) answered.push(String(answer.headers['x-visit-id']));
      }
    };
    const clients = Array.from({ length: 8 }, client);
    for (let round = 0; round < 3; round += 1) {
      const before = answered.length;
      await expect.poll(() => answered.length).toBeGreaterThan(before + 50);
      await processes[0]?.kill();
      processes = [await start('0'), ...processes.slice(1)];
    }
    isOver = true;
    await Promise.all(clients);
    for (const one of processes) await one.stop();
    const held = new Set<string>();
    for (const { path, source, number } of listSegments(journalFolder(dataDir))) {
      const { records: found } = await readBatch(path, 0, { isFinal: true, bytes: 2 ** 26 });
      for (const { offset } of found) held.add(`${source}.${number}:${offset}`);
    }
    const positionOf = positionReader({ dataDir, signingKey: await readSigningKey(records.client) });
    const places = answered.map(positionOf);
    expect(places.filter((at) => at === undefined || !held.has(`${at.source}.${at.number}:${at.offset}`))).toEqual([]);
    expect(new Set(answered).size).toBe(answered.length);
  });
});

describe('while the database is away', () => {
  it('known codes are answered, after a restart and a crash too, thresholds are kept, and all goes on when it is back', async () => {
    const folder = makeTestFolder();
    const dataDir = join(folder, 'data');
    const port = await freePort();
    const settings = { fsync: 'off', max_connections: '40' };
    const openDatabase = () => startPostgres({ dataDir: join(folder, 'postgres'), settings, initdbFlags: ['--no-sync'] });
    let postgres: Postgres = await openDatabase();
    const databaseUrl = postgres.url;
    await migrate(databaseUrl);
    let records = await openRecords(databaseUrl);
    await records.addDomain('entry.example');
    await records.addCode('away-url');
    await records.addCode('away-quo', { fallback_url: 'https://fallback.example/' }, [{ threshold: 3 }, { threshold: 2 }]);
    await records.addCode('away-new');
    const start = () => startProcess({ databaseUrl, dataDir, port, processes: 1 });
    const to = async (name: string) => destinationOf(await ask(port, `/${name}`));

    let redirect = await start();
    expect(await to('away-url')).toBe('https://target.example/away-url/0');
    expect(await to('away-quo')).toBe('https://target.example/away-quo/0');
    expect((await ask(port, '/away-non')).status).toBe(404);

    await records.close();
    await postgres.stop();
    await expect.poll(async () => JSON.parse((await ask(port, '/readyz')).body).database).toBe(false);
    expect(await to('away-url')).toBe('https://target.example/away-url/0');
    // Never over: nothing more is leased, so that these go to the fallback.
    const quota = await Promise.all(Array.from({ length: 10 }, () => to('away-quo')));
    expect(quota.filter((target) => target !== 'https://fallback.example/').length).toBeLessThanOrEqual(2);
    expect((await ask(port, '/away-non')).status).toBe(404);
    const form = await ask(port, '/away-url?~report');
    const ticket = /name=ticket value="([\w-]+)"/.exec(form.body)?.[1] ?? '';
    expect((await ask(port, '/away-url?~report', { form: { ticket, reason: 'fraud' } })).headers['x-visit-id']).not.toBe('none');
    const unknown = await ask(port, '/away-new');
    expect(unknown.status).toBe(503);
    expect(unknown.headers['retry-after']).toBeDefined();

    expect(await redirect.stop()).toBe(0);
    redirect = await start();
    expect(await to('away-url')).toBe('https://target.example/away-url/0');
    expect(await to('away-quo')).toBe('https://fallback.example/');
    await redirect.kill();
    redirect = await start();
    expect(await to('away-url')).toBe('https://target.example/away-url/0');

    postgres = await openDatabase();
    expect(postgres.url).toBe(databaseUrl);
    await expect.poll(async () => JSON.parse((await ask(port, '/readyz')).body).database).toBe(true);
    records = await openRecords(databaseUrl);
    expect(await to('away-new')).toBe('https://target.example/away-new/0');
    await records.client.query(`UPDATE live_code SET open = false WHERE file_name = 'away-url'`);
    await expect.poll(async () => (await ask(port, '/away-url')).status).toBe(403);
    expect(await redirect.stop()).toBe(0);
    await records.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a process that knows nothing takes no connection until it is back, in the place of turning visitors away', async () => {
    const folder = makeTestFolder();
    const dataDir = join(folder, 'data');
    const port = await freePort();
    const openDatabase = () => startPostgres({ dataDir: join(folder, 'postgres'), initdbFlags: ['--no-sync'] });
    let postgres = await openDatabase();
    await migrate(postgres.url);
    const records = await openRecords(postgres.url);
    await records.addDomain('entry.example');
    await records.addCode('first-url');
    await records.close();
    await postgres.stop();

    const starting = startProcess({ databaseUrl: postgres.url, dataDir, port, processes: 1 });
    await expect.poll(() => existsSync(journalFolder(dataDir)), { timeout: 20_000 }).toBe(true);
    await expect(ask(port, '/first-url')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    postgres = await openDatabase();
    const redirect = await starting;
    expect(destinationOf(await ask(port, '/first-url'))).toBe('https://target.example/first-url/0');
    expect(await redirect.stop()).toBe(0);
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

/** The server and each process of it. */
const processesOf = (pid: number): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
];

describe.runIf(process.platform === 'linux')('while the database stands still', () => {
  it('known codes are answered at once, unknown ones after one wait for all, and all goes on when it moves again', async () => {
    const folder = makeTestFolder();
    const port = await freePort();
    const settings = { fsync: 'off', max_connections: '40' };
    const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings, initdbFlags: ['--no-sync'] });
    await migrate(postgres.url);
    const records = await openRecords(postgres.url);
    await records.addDomain('entry.example');
    await records.addCode('still-url');
    await records.addCode(
      'still-quo',
      { fallback_url: 'https://fallback.example/' },
      Array.from({ length: 5 }, () => ({ threshold: 1000 })),
    );
    for (let index = 0; index < 40; index += 1) await records.addCode(`still-${index}`);
    const redirect = await startProcess({ databaseUrl: postgres.url, dataDir: join(folder, 'data'), port, processes: 1 });
    for (const name of ['still-url', 'still-quo', 'still-39']) expect((await ask(port, `/${name}`)).status).toBe(200);

    const frozen = processesOf(postgres.pid() ?? 0);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    const asked = async (name: string) => {
      const { status, headers } = await ask(port, `/${name}`);
      return { status, isPatient: headers['retry-after'] !== undefined };
    };
    const refused = { status: 503, isPatient: true };
    // More at once than there are connections to wait on.
    const unknown = Array.from({ length: 19 }, (_, index) => asked(`still-${index}`));
    const quota = Array.from({ length: 300 }, () => asked('still-quo'));
    const start = performance.now();
    // What follows, one after the other, would take three minutes if each were waited for.
    for (let index = 0; index < 50; index += 1) expect(await asked('still-url')).toMatchObject({ status: 200 });
    expect(await Promise.all(unknown)).toEqual(unknown.map(() => refused));
    for (const { status } of await Promise.all(quota)) expect(status).not.toBe(503);
    // After one late answer nobody waits for another.
    for (let index = 19; index < 38; index += 1) expect(await asked(`still-${index}`)).toEqual(refused);
    for (let index = 0; index < 50; index += 1) expect((await asked('still-quo')).status).not.toBe(503);
    expect(performance.now() - start).toBeLessThan(15_000);
    const told = redirect
      .output()
      .split('\n')
      .filter((line) => line.includes('the database failed a visit'))
      .map((line) => JSON.parse(line).kind);
    expect(told).toEqual(expect.arrayContaining(['live codes', 'a block of visits of a target']));
    // Hundreds of visits met it; each kind is told once in ten seconds.
    for (const kind of new Set(told)) expect(told.filter((other) => other === kind).length).toBeLessThan(3);
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    await expect.poll(async () => (await ask(port, '/still-1')).status).toBe(200);
    expect(await redirect.stop()).toBe(0);
    await records.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('while somebody holds the tables of codes and thresholds', () => {
  it('one late answer is waited for, no visit after it, and all goes on when they are free', async () => {
    const database = await createTestDatabase();
    const records = await openRecords(database.url);
    const dataDir = makeTestFolder();
    const port = await freePort();
    await records.addDomain('entry.example');
    await records.addCode('held-quo', { fallback_url: 'https://fallback.example/' }, [{ threshold: 1000 }]);
    for (let index = 0; index <= 30; index += 1) await records.addCode(`held-${index}`);
    const redirect = await startProcess({ databaseUrl: database.url, dataDir, port, processes: 1 });
    const to = async (name: string) => destinationOf(await ask(port, `/${name}`));
    expect(await to('held-quo')).toBe('https://target.example/held-quo/0');

    await records.client.query('BEGIN; LOCK TABLE live_code, target_quota IN ACCESS EXCLUSIVE MODE');
    expect((await ask(port, '/held-0')).status).toBe(503);
    while ((await to('held-quo')) !== 'https://fallback.example/');
    const start = performance.now();
    for (let index = 1; index <= 30; index += 1) {
      const { status, headers } = await ask(port, `/held-${index}`);
      expect([status, headers['retry-after'] !== undefined]).toEqual([503, true]);
      expect(await to('held-quo')).toBe('https://fallback.example/');
    }
    // Waited for, they would take a minute and a half.
    expect(performance.now() - start).toBeLessThan(15_000);

    await records.client.query('ROLLBACK');
    await expect.poll(() => to('held-30')).toBe('https://target.example/held-30/0');
    await expect.poll(() => to('held-quo')).toBe('https://target.example/held-quo/0');
    expect(await redirect.stop()).toBe(0);
    await records.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('a clock that is set while the process runs', () => {
  it.each([-86_400_000, -3_600_000, 3_600_000])(
    'by %s milliseconds stops neither visits nor the feed, and idle leases come back',
    async (shift) => {
      const database = await createTestDatabase();
      const records = await openRecords(database.url);
      const dataDir = makeTestFolder();
      const port = await freePort();
      await records.addDomain('entry.example');
      const { targets } = await records.addCode('clock-quo', {}, [{ threshold: 1000 }]);
      await records.addCode('clock-url');
      const shifting = `const now = Date.now; process.on('SIGUSR2', () => { Date.now = () => now() + ${shift}; });`;
      const runtimeArgs = ['--import', `data:text/javascript,${encodeURIComponent(shifting)}`];
      const redirect = await startProcess({ databaseUrl: database.url, dataDir, port, processes: 1, runtimeArgs });
      const visits = async (count: number) => {
        for (let index = 0; index < count; index += 1) expect((await ask(port, '/clock-quo')).status).toBe(200);
      };
      await visits(30);
      process.kill(redirect.pid, 'SIGUSR2');
      const left = async () =>
        (await records.client.query('SELECT remaining FROM target_quota WHERE target_id = $1', [targets[0]])).rows[0].remaining;
      await expect.poll(left).toBe(1000 - 30);
      await visits(30);
      await expect.poll(left).toBe(1000 - 60);
      await records.client.query(`UPDATE live_code SET open = false WHERE file_name = 'clock-url'`);
      await expect.poll(async () => (await ask(port, '/clock-url')).status).toBe(403);
      const [first, ...others] = await recordsIn(dataDir);
      expect(Math.abs((others.at(-1)?.at ?? 0) - (first?.at ?? 0) - shift)).toBeLessThan(60_000);
      expect(await redirect.stop()).toBe(0);
      await records.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  );
});
