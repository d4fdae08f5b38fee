import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AsyncOperation } from '../../contract/system/async-operations.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { transact } from '../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { startOnBus } from '../kit/testing/on-bus.ts';
import { exportFolder, removeExpiredFiles } from './operations.files.ts';
import { startOperations } from './operations.runner.ts';
import { testKinds } from './testing/kinds.ts';

let test_app: TestApp;
let owner: TestUser;
let other: TestUser;
let administrator: TestUser;
let workers: { stop: () => Promise<void> }[];
beforeEach(async () => {
  test_app = await createTestApp();
  [owner, other, administrator] = await Promise.all([
    test_app.makeUser('customer'),
    test_app.makeUser('customer'),
    test_app.makeUser('administrator'),
  ]);
  workers = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await test_app.close();
});

const log = { info: () => {}, warn: () => {}, error: () => {} };
function work(options: { concurrency?: number } = {}) {
  const { pool, url, dataDir } = test_app;
  const worker = startOnBus(url, (bus) => startOperations({ pool, bus, dataDir, kinds: testKinds, log, ...options }));
  workers.push(worker);
  return worker;
}
const start = (kind: string, input: object, by = owner) =>
  transact(test_app.db, (tx) => startOperation(tx, { kind, input, actor: { user_id: by.id, impersonator: null }, language: 'zh-CN' }));
const read = async (id: number, as = owner): Promise<AsyncOperation | undefined> =>
  (await test_app.call(as, 'async_operations', 'inquire', { ids: [id] })).body.content[0];
const ended = (id: number) =>
  eventually(async () => {
    const row = await read(id);
    expect(row?.status).not.toBe(1);
    return row as AsyncOperation;
  });
const inState = (id: number, state: AsyncOperation['state']) => eventually(async () => expect((await read(id))?.state).toBe(state));
const files = () => readdirSync(exportFolder(test_app.dataDir));
const endPatience = () => test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('patience_is_over', 'true')`);
const download = async (id: number, as = owner) => {
  const { status, body } = await test_app.call(as, 'async_operations', 'link', { id });
  return status === 200 ? test_app.app.inject({ url: body.url }) : { statusCode: status, body: '', headers: {} };
};

describe('an operation', () => {
  test('runs as soon as the transaction that asks for it commits, and its owner downloads the result', async () => {
    work();
    const rolledBack = test_app.db.transaction(async (tx) => {
      await startOperation(tx as unknown as TestApp['db'], {
        kind: 'quick',
        input: { text: 'x' },
        actor: { user_id: owner.id, impersonator: null },
        language: 'en-US',
      });
      tx.rollback();
    });
    await expect(rolledBack).rejects.toThrow();
    const id = await start('quick', { text: '你好' });
    const row = await ended(id);
    expect(row).toMatchObject({
      status: 2,
      state: 'completed',
      done: 1,
      total: 1,
      file_name: 'quick.csv',
      file_size: 6,
      link: expect.any(String),
    });
    expect(Date.parse(row.file_expires_at ?? '') - Date.now()).toBeGreaterThan(71 * 3_600_000);
    const file = await download(id);
    expect([file.statusCode, file.body]).toEqual([200, '你好']);
    expect(file.headers).toMatchObject({
      'content-disposition': 'attachment; filename="quick.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-type': 'text/csv; charset=utf-8',
    });
    expect((await test_app.call(owner, 'async_operations', 'inquire', {})).body.total).toBe(1);
  });

  test('that is refused or breaks is abnormal, says so in words, keeps no secret detail in them and leaves no file', async () => {
    work();
    const [refused, broken, unknown] = [await start('refused', {}), await start('broken', {}), await start('quick', { text: 7 })];
    expect(await ended(refused)).toMatchObject({ status: 3, state: 'failed', message: '已存在相同的内容', link: null });
    expect(await ended(broken)).toMatchObject({ status: 3, message: '资源错误，请联系管理员' });
    expect((await ended(unknown)).status).toBe(3);
    expect(files()).toEqual([]);
  });

  test('of a kind that no worker here knows waits for one that does', async () => {
    work();
    const [unknown, known] = [await start('of the future', {}), await start('quick', { text: 'x' })];
    await ended(known);
    expect((await read(unknown))?.state).toBe('waiting');
  });

  test('of a user who was disabled meanwhile does not run', async () => {
    const id = await start('quick', { text: 'x' });
    await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${owner.id}`);
    work();
    await eventually(async () => expect((await read(id, administrator))?.state).toBe('failed'));
  });

  test('is taken by one of many workers only, and the users take turns', async () => {
    const notes = join(test_app.dataDir, 'notes');
    const ids = [];
    for (let index = 0; index < 8; index += 1) ids.push(await start('quick', { text: String(index) }));
    const patient = await start('patient', { notes });
    const others = await start('quick', { text: 'other' }, other);
    for (let count = 0; count < 4; count += 1) work();
    for (const id of ids) expect((await ended(id)).status).toBe(2);
    await eventually(async () => expect((await read(others, other))?.status).toBe(2));
    await endPatience();
    await ended(patient);
    expect(readFileSync(notes, 'utf8')).toBe('begun\nended\n');
    const { rows } = await test_app.db.execute(sql`SELECT DISTINCT attempts FROM async_operation`);
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  test('cannot be asked for without end', async () => {
    const started = await Promise.allSettled(Array.from({ length: 40 }, () => start('quick', { text: 'x' })));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await start('quick', { text: 'x' }, other)).toBeGreaterThan(0);
  });
});

describe('cancelling and retrying', () => {
  test('what waits is over at once, what runs within seconds, and both can be started again', async () => {
    const waiting = await start('quick', { text: 'again' });
    const cancelled = await test_app.call(owner, 'async_operations', 'cancel', { id: waiting });
    expect(cancelled.body).toMatchObject({ status: 3, state: 'cancelled', message: '已被取消' });
    work();
    const running = await start('patient', { notes: join(test_app.dataDir, 'notes') });
    await inState(running, 'running');
    expect((await test_app.call(owner, 'async_operations', 'cancel', { id: running })).status).toBe(200);
    expect(await ended(running)).toMatchObject({ state: 'cancelled' });
    expect(files()).toEqual([]);
    expect((await read(waiting))?.state).toBe('cancelled');
    expect((await test_app.call(owner, 'async_operations', 'retry', { id: waiting })).body).toMatchObject({
      status: 1,
      state: 'waiting',
      message: '',
    });
    expect(await ended(waiting)).toMatchObject({ state: 'completed', message: '' });
    expect((await download(waiting)).body).toBe('again');
  });

  test('what is over cannot be cancelled, what is not abnormal cannot be retried', async () => {
    work();
    const id = await start('quick', { text: 'x' });
    await ended(id);
    for (const action of ['cancel', 'retry'] as const) {
      const { status, body } = await test_app.call(owner, 'async_operations', action, { id });
      expect([status, body.code]).toEqual([409, 'async_operations.wrong_state']);
    }
  });
});

describe("somebody else's operation", () => {
  test('is neither seen, cancelled, retried nor downloaded; an administrator sees and stops it, but its result stays its own', async () => {
    work();
    const id = await start('quick', { text: 'of the owner' });
    await ended(id);
    expect((await test_app.call(other, 'async_operations', 'inquire', { ids: [id] })).body.total).toBe(0);
    for (const action of ['cancel', 'retry', 'link'] as const)
      expect((await test_app.call(other, 'async_operations', action, { id })).status).toBe(404);
    expect(await read(id, administrator)).toMatchObject({ user_account: owner.account, link: null });
    expect((await test_app.call(administrator, 'async_operations', 'link', { id })).status).toBe(404);
    const waiting = await start('of the future', {});
    expect((await test_app.call(administrator, 'async_operations', 'cancel', { id: waiting })).status).toBe(200);
  });

  test('an address for the download works for its owner, its operation and a minute only, and ends with the session', async () => {
    let now = new Date();
    const clocked = await createTestApp({ now: () => now });
    const { pool, url: databaseUrl, dataDir } = clocked;
    const worker = startOnBus(databaseUrl, (bus) => startOperations({ pool, bus, dataDir, kinds: testKinds, log }));
    const user = await clocked.makeUser('customer');
    const stranger = await clocked.makeUser('customer');
    const started = (by: TestUser) =>
      startOperation(clocked.db, {
        kind: 'quick',
        input: { text: 'mine' },
        actor: { user_id: by.id, impersonator: null },
        language: 'en-US',
      });
    const [id, foreign] = [await started(user), await started(stranger)];
    const link = () => clocked.call(user, 'async_operations', 'link', { id });
    await eventually(async () => expect((await link()).status).toBe(200));
    const { url } = (await link()).body;
    const get = async (address: string) => (await clocked.app.inject({ url: address })).statusCode;
    expect(await get(url)).toBe(200);
    await eventually(async () => expect((await clocked.call(stranger, 'async_operations', 'link', { id: foreign })).status).toBe(200));
    const forged = [
      url.split('?')[0] ?? '',
      url.replace(`/${id}?`, `/${foreign}?`),
      url.replace(/session=\d+/, 'session=999'),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace(/ticket=.*/, 'ticket='),
      url.replace(/ticket=.*/, `ticket=${'A'.repeat(43)}`),
      `${url}&session=1`,
      url.replace(`/${id}?`, '/..%2f..%2fmaster.key?'),
      url.replace(`/${id}?`, '/99999999999999999999?'),
    ];
    for (const address of forged) expect([address, await get(address)]).toEqual([address, 404]);
    now = new Date(now.getTime() + 62_000);
    expect(await get(url)).toBe(404);
    const fresh = (await link()).body.url;
    expect(await get(fresh)).toBe(200);
    await clocked.db.execute(sql`DELETE FROM session WHERE user_id = ${user.id}`);
    expect(await get(fresh)).toBe(404);
    await worker.stop();
    await clocked.close();
  });
});

describe('a worker', () => {
  test('that stops gives back what it has not finished, which begins again with the next', async () => {
    const notes = join(test_app.dataDir, 'notes');
    const first = work();
    const id = await start('patient', { notes });
    await eventually(() => expect(readFileSync(notes, 'utf8')).toBe('begun\n'));
    await first.stop();
    expect((await read(id))?.state).toBe('waiting');
    expect(files()).toEqual([]);
    await endPatience();
    work();
    expect(await ended(id)).toMatchObject({ state: 'completed' });
    expect((await download(id)).body).toBe('whole');
    expect(readFileSync(notes, 'utf8')).toBe('begun\nbegun\nended\n');
  });

  test('that is killed loses nothing: another one begins again when its lease is over', async () => {
    const notes = join(test_app.dataDir, 'notes');
    const id = await start('patient', { notes });
    const crashing = await startProcess();
    await inState(id, 'running');
    await eventually(() => expect(readFileSync(notes, 'utf8')).toBe('begun\n'));
    crashing.kill('SIGKILL');
    await once(crashing, 'exit');
    await endPatience();
    // Its lease is over.
    await test_app.db.execute(sql`UPDATE async_operation SET heartbeat_at = '-infinity' WHERE id = ${id}`);
    work();
    expect(await ended(id)).toMatchObject({ state: 'completed' });
    expect((await download(id)).body).toBe('whole');
    expect(readFileSync(notes, 'utf8')).toBe('begun\nbegun\nended\n');
  });

  test('gives up what brought workers down again and again', async () => {
    const id = await start('patient', { notes: join(test_app.dataDir, 'notes') });
    await test_app.db.execute(
      sql`UPDATE async_operation SET state = 'running', attempts = 3, heartbeat_at = now() - interval '1 hour' WHERE id = ${id}`,
    );
    work();
    expect(await ended(id)).toMatchObject({ state: 'failed', message: '多次中断，已停止' });
  });

  test('that was thought dead and comes back cannot spoil the result of the one that took over', async () => {
    const notes = join(test_app.dataDir, 'notes');
    const id = await start('patient', { notes });
    work();
    await inState(id, 'running');
    await test_app.db.execute(
      sql`UPDATE async_operation SET heartbeat_at = now() - interval '1 hour', runner = gen_random_uuid() WHERE id = ${id}`,
    );
    work();
    await eventually(() => expect(readFileSync(notes, 'utf8')).toBe('begun\nbegun\n'));
    await endPatience();
    expect(await ended(id)).toMatchObject({ state: 'completed' });
    expect((await download(id)).body).toBe('whole');
    await eventually(() => expect(files()).toHaveLength(1));
  });

  const startProcess = async (): Promise<ChildProcess> => {
    const program = fileURLToPath(new URL('./testing/main.ts', import.meta.url));
    const child = fork(program, [test_app.url, test_app.dataDir], { stdio: 'ignore', execPath: process.execPath, execArgv: [] });
    workers.push({ stop: async () => void child.kill('SIGKILL') });
    await once(child, 'message');
    return child;
  };
});

test('progress and the end reach the owner through the bus', async () => {
  work();
  const id = await start('quick', { text: 'x' });
  await ended(id);
  const heard: unknown[] = [];
  const { openBus } = await import('../kit/postgres/bus.ts');
  const bus = openBus(test_app.url, log);
  bus.subscribe('push', (push) => heard.push(push));
  await eventually(() => expect(bus.confirmedAt()).toBeGreaterThan(0));
  const second = await start('quick', { text: 'y' });
  await ended(second);
  const content = { id: second, kind: 'quick', status: 2, state: 'completed', done: 1, total: 1 };
  await eventually(() => expect(heard).toContainEqual({ to: { user_ids: [owner.id] }, type: 12, content }));
  await bus.stop();
});

test('results are deleted when their time is over, and stray files after a day; what is being written stays', async () => {
  work();
  const [kept, expired] = [await start('quick', { text: 'kept' }), await start('quick', { text: 'expired' })];
  await ended(kept);
  await ended(expired);
  const folder = exportFolder(test_app.dataDir);
  writeFileSync(join(folder, 'stray.csv'), '');
  utimesSync(join(folder, 'stray.csv'), new Date(0), new Date(0));
  writeFileSync(join(folder, 'fresh.csv.part'), '');
  await test_app.db.execute(sql`UPDATE async_operation SET file_expires_at = now() - interval '1 second' WHERE id = ${expired}`);
  expect((await download(expired)).statusCode).toBe(404);
  expect(await removeExpiredFiles(test_app.db, test_app.dataDir)).toBe(1);
  expect(files()).toHaveLength(2);
  expect((await read(expired))?.link).toBeNull();
  expect((await download(kept)).body).toBe('kept');
});
