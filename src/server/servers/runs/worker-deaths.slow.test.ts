import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../kit/testing/eventually.ts';
import { createRunsSite, forgetOperations, type RunsSite, statesOf } from '../testing/runs-site.ts';

let runs: RunsSite;
beforeAll(async () => {
  runs = await createRunsSite();
  await runs.stopWorker();
});
beforeEach(() => forgetOperations(runs));
afterAll(() => runs.close());

/** Processes of the hosts, which are this machine, that bear the token of a server's run. */
async function leftOf(run_id: number): Promise<string[]> {
  const { rows } = await runs.site.db.execute<{ token: string }>(sql`SELECT token FROM script_run_server WHERE run_id = ${run_id}`);
  expect(rows[0]?.token).toMatch(/^[0-9a-f]{32}$/);
  const command = `grep -la 'LIVECODE_RUN=${rows[0]?.token}' /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3; true`;
  const found = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  return found.split('\n').filter((pid) => pid !== '' && existsSync(`/proc/${pid}`));
}

/** A lease that a stalled machine can keep is longer than a test can wait: it is ended instead. */
const endLease = () => runs.site.db.execute(sql`UPDATE async_operation SET heartbeat_at = '-infinity' WHERE state = 'running'`);

/** Waits until a worker has taken a run up and it has printed, then kills the worker, without its knowing. */
async function killAfter(run_id: number, printed: string[], attempts = 1): Promise<void> {
  const worker = await runs.startProcess();
  await eventually(async () => {
    const { rows } = await runs.site.db.execute(sql`SELECT state, attempts FROM async_operation`);
    expect(rows).toEqual([{ state: 'running', attempts }]);
    expect(await runs.outputs(run_id)).toEqual(printed);
  });
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await endLease();
}

test('a run whose worker is killed is taken up: it ran once on each server, and all that it printed is told once, with its true end', async () => {
  const body = 'echo x >>"$FOLDER/times-$NUMBER"; echo first; while [ ! -e "$FOLDER/end" ]; do sleep 0.05; done; echo last; exit 5';
  const server_ids = runs.servers.slice(0, 2);
  const run_id = await runs.run(await runs.addScript(body), { server_ids, parallel: 1 });
  await killAfter(run_id, ['first\n', '']);
  expect(await leftOf(run_id)).not.toEqual([]);
  // Killed a moment later, it had taken the second server as well, and begun nothing there.
  await runs.site.db.execute(sql`UPDATE script_run_server SET state = 'running' WHERE run_id = ${run_id} AND state = 'waiting'`);
  writeFileSync(join(runs.folder, 'end'), '');
  runs.startWorker();
  const ended = { state: 'failed', exit_status: 5 };
  expect((await runs.ended(run_id)).servers).toMatchObject([ended, ended]);
  expect(await runs.outputs(run_id)).toEqual(['first\nlast\n', 'first\nlast\n']);
  expect([1, 2].map((number) => readFileSync(join(runs.folder, `times-${number}`), 'utf8'))).toEqual(['x\n', 'x\n']);
  await runs.stopWorker();
});

/** Has a script go on for ever on the second server and on none else, its worker dead. */
async function leaveRunning(): Promise<number> {
  const run_id = await runs.run(await runs.addScript('echo begun; sleep 1000'), { server_ids: runs.servers.slice(1), parallel: 1 });
  await killAfter(run_id, ['begun\n', '']);
  expect(await leftOf(run_id)).not.toEqual([]);
  return run_id;
}

test('a run whose user was disabled meanwhile is ended where it runs', async () => {
  const run_id = await leaveRunning();
  const disable = (is: boolean) => runs.site.db.execute(sql`UPDATE user_account SET disabled = ${is} WHERE id = ${runs.site.owner.id}`);
  await disable(true);
  runs.startWorker();
  await eventually(async () => {
    const { rows } = await runs.site.db.execute(sql`SELECT state FROM async_operation`);
    expect(rows).toEqual([{ state: 'failed' }]);
  });
  await runs.stopWorker();
  await disable(false);
  expect(await leftOf(run_id)).toEqual([]);
  const error = '运行被中断，127.0.0.1 上的脚本已结束，没有运行完';
  expect((await runs.details(run_id)).servers).toMatchObject([
    { state: 'interrupted', error },
    { state: 'skipped', error: null },
  ]);
});

test('what cannot be ended again and again is told of instead', { tags: 'full' }, async () => {
  const run_id = await leaveRunning();
  await runs.site.db.execute(sql`UPDATE async_operation SET attempts = 5, heartbeat_at = '-infinity'`);
  runs.startWorker();
  expect((await runs.ended(run_id)).servers).toMatchObject([
    { state: 'interrupted', error: '无法确认 127.0.0.1 上的进程已经结束，请登录检查' },
    { state: 'skipped', error: null },
  ]);
  await runs.stopWorker();
  for (const pid of await leftOf(run_id)) process.kill(Number(pid), 'SIGKILL');
});

test('a run whose workers die again and again is ended where it runs before it is given up', async () => {
  const run_id = await runs.run(await runs.addScript('echo begun; sleep 1000'), { server_ids: [runs.servers[1]] });
  for (let death = 0; death < 3; death++) {
    await killAfter(run_id, ['begun\n'], death + 1);
  }
  expect(await leftOf(run_id)).not.toEqual([]);
  runs.startWorker();
  const found = await runs.ended(run_id);
  expect(found).toMatchObject({ operation_state: 'failed', servers: [{ state: 'interrupted', error: expect.stringContaining('已结束') }] });
  expect(await leftOf(run_id)).toEqual([]);
  const { rows } = await runs.site.db.execute(sql`SELECT message_key FROM async_operation`);
  expect(rows).toEqual([{ message_key: 'async_operations.message.gave_up' }]);
  await runs.stopWorker();
});

test('what cannot be written of one server leaves none unseen: all are taken up again, and tell their true ends', {
  tags: 'full',
}, async () => {
  await runs.site.db.execute(sql`
    CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT attempts FROM async_operation) = 1 THEN RAISE EXCEPTION 'planted'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER planted BEFORE UPDATE ON script_run_server FOR EACH ROW WHEN (NEW.state = 'failed') EXECUTE FUNCTION planted()`);
  const body = `echo x >>"$FOLDER/once-$NUMBER"; echo on; [ "$NUMBER" = 1 ] && exit 4; while [ ! -e "$FOLDER/go-on" ]; do sleep 0.05; done`;
  const run_id = await runs.run(await runs.addScript(body), { server_ids: runs.servers.slice(0, 2), parallel: 2 });
  runs.startWorker(5);
  await eventually(async () => {
    const { rows } = await runs.site.db.execute<{ attempts: number }>(sql`SELECT attempts FROM async_operation`);
    expect(rows[0]?.attempts).toBe(2);
  });
  writeFileSync(join(runs.folder, 'go-on'), '');
  const found = await runs.ended(run_id);
  expect([statesOf(found), found.servers.map(({ exit_status }) => exit_status)]).toEqual([
    ['failed', 'succeeded'],
    [4, 0],
  ]);
  expect(await runs.outputs(run_id)).toEqual(['on\n', 'on\n']);
  expect([1, 2].map((number) => readFileSync(join(runs.folder, `once-${number}`), 'utf8'))).toEqual(['x\n', 'x\n']);
});
