import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxOutputBytes, secretMask } from '../../../contract/system/script.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { quote } from '../ssh/script-shell.ts';
import { createRunsSite, forgetOperations, type RunsSite, statesOf } from '../testing/runs-site.ts';
import { startSshServer } from '../testing/ssh-server.ts';

let runs: RunsSite;
beforeAll(async () => {
  runs = await createRunsSite();
});
beforeEach(() => forgetOperations(runs));
afterAll(() => runs.close());

/** Processes of this machine whose environment or arguments have this word. */
const alive = (word: string): string[] =>
  execFileSync(
    'sh',
    ['-c', `grep -la -- ${quote(word)} /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3 | sort -u; true`],
    {
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((pid) => pid !== '' && existsSync(`/proc/${pid}`) && !/^(grep|sh|cut|sort)\0?/.test(readText(`/proc/${pid}/comm`)));
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What the hosts, which are this machine, know the run's servers by. */
async function tokensOf(run_id: number): Promise<string[]> {
  const { rows } = await runs.site.db.execute<{ token: string }>(
    sql`SELECT token FROM script_run_server WHERE run_id = ${run_id} ORDER BY id`,
  );
  return rows.map(({ token }) => token);
}
/** Where a host keeps a run. */
const folderOf = (token: string | undefined) => `/tmp/livecode-run-${token}`;
const secretPin = { name: 'PIN', label: '', type: 'secret' as const, required: true, initial: '', choices: [] };

describe('a run', () => {
  test('is made on three servers at once, and each tells its output, exit status and times', async () => {
    const id = await runs.addScript('echo "on $NUMBER"\necho wrong >&2\nread -r line; echo "input: [$line]"\nexit $((NUMBER - 1))');
    const run_id = await runs.run(id);
    const found = await runs.ended(run_id);
    expect(statesOf(found)).toEqual(['succeeded', 'failed', 'failed']);
    expect(found.servers.map(({ exit_status }) => exit_status)).toEqual([0, 1, 2]);
    const printed = await runs.outputs(run_id);
    for (const [index, text] of printed.entries()) {
      expect(text.split('\n').toSorted()).toEqual(['', 'input: []', `on ${index + 1}`, 'wrong']);
      expect(found.servers[index]).toMatchObject({
        output_bytes: text.length,
        is_cut: false,
        started_at: expect.any(String),
        finished_at: expect.any(String),
      });
    }
    expect(found).toMatchObject({ operation_state: 'failed', version: 1, dry: false });
    expect(runs.hosts.map(({ commands }) => new Set(commands))).toEqual(runs.hosts.map(() => new Set(['exec /bin/sh -s'])));
    const { rows } = await runs.site.db.execute(sql`SELECT content FROM log WHERE type = 'script/run' ORDER BY id DESC LIMIT 1`);
    expect(rows[0]).toMatchObject({ content: { id, run_id, version: 1, servers: ['server 1', 'server 2', 'server 3'] } });
    expect(JSON.stringify(rows)).not.toContain('super-password');
  });

  test('shows what is printed while it goes on', async () => {
    const file = join(runs.folder, 'go-on');
    const run_id = await runs.run(await runs.addScript(`echo first; while [ ! -e "$FOLDER/go-on" ]; do sleep 0.05; done; echo last`), {
      server_ids: [runs.servers[0]],
    });
    await eventually(async () => expect(await runs.outputs(run_id)).toEqual(['first\n']));
    expect(statesOf(await runs.details(run_id))).toEqual(['running']);
    writeFileSync(file, '');
    expect(statesOf(await runs.ended(run_id))).toEqual(['succeeded']);
    expect(await runs.outputs(run_id)).toEqual(['first\nlast\n']);
  });

  test('that is cancelled leaves no process behind, whatever a script does against it', { tags: 'full' }, async () => {
    const mark = `livecode-hang-${process.pid}`;
    // One in the foreground, one that hears no TERM, one in the background, and one that left for a session of its own.
    const body = `trap '' TERM\nsleep 1000 & setsid sh -c 'sleep 1000' ${mark} & echo hangs\nsh -c 'trap "" TERM; while :; do sleep 1; done' ${mark}`;
    const run_id = await runs.run(await runs.addScript(body), { server_ids: [runs.servers[1]] });
    await eventually(async () => expect(await runs.outputs(run_id)).toEqual(['hangs\n']));
    const [token] = await tokensOf(run_id);
    expect(alive(`LIVECODE_RUN=${token}`).length).toBeGreaterThanOrEqual(3);
    expect((await runs.send('cancel', { id: run_id })).body).toEqual({ affected: 1 });
    const found = await runs.ended(run_id);
    expect(found).toMatchObject({ operation_state: 'cancelled', servers: [{ state: 'cancelled', error: null }] });
    expect(alive(`LIVECODE_RUN=${token}`)).toEqual([]);
    expect(alive(mark)).toEqual([]);
    expect(runs.hosts[1]?.running()).toBe(0);
  });

  test('is ended when its time is over', { tags: 'full' }, async () => {
    const run_id = await runs.run(await runs.addScript('echo begun; sleep 1000', { timeout_seconds: 2 }), {
      server_ids: [runs.servers[0]],
    });
    const found = await runs.ended(run_id);
    expect(found.servers).toMatchObject([{ state: 'timed_out', error: null }]);
    expect(runs.hosts[0]?.running()).toBe(0);
  });

  test('stops at the first failure, or goes on', { tags: 'full' }, async () => {
    const id = await runs.addScript('exit 3');
    expect(statesOf(await runs.ended(await runs.run(id, { parallel: 1, stop_on_failure: true })))).toEqual([
      'failed',
      'skipped',
      'skipped',
    ]);
    expect(statesOf(await runs.ended(await runs.run(id, { parallel: 1, stop_on_failure: false })))).toEqual(['failed', 'failed', 'failed']);
  });

  test('runs on no more servers at once than was said', { tags: 'full' }, async () => {
    const body = 'mkdir "$FOLDER/alone" || exit 9; sleep 0.2; rmdir "$FOLDER/alone"';
    expect(statesOf(await runs.ended(await runs.run(await runs.addScript(body), { parallel: 1 })))).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
  });

  test('that waits is cancelled without having begun', async () => {
    await runs.stopWorker();
    const run_id = await runs.run(await runs.addScript('touch "$FOLDER/never"'));
    await runs.send('cancel', { id: run_id });
    runs.startWorker();
    expect(statesOf(await runs.ended(run_id))).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(existsSync(join(runs.folder, 'never'))).toBe(false);
  });

  test('that is cancelled as a worker takes it up is cancelled, and nothing of it begins', async () => {
    await runs.stopWorker();
    const run_id = await runs.run(await runs.addScript('touch "$FOLDER/never"'));
    // As after a worker that was gone before it began any; the next one hears of the cancelling when it tells that it is at work.
    await runs.site.db.execute(sql`
      UPDATE async_operation SET state = 'running', cancel_requested = true, heartbeat_at = '-infinity'
      WHERE id = (SELECT operation_id FROM script_run WHERE id = ${run_id})`);
    runs.startWorker();
    const found = await runs.ended(run_id);
    expect([found.operation_state, ...statesOf(found)]).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled']);
    expect(existsSync(join(runs.folder, 'never'))).toBe(false);
  });

  test('goes on while its worker stops, and the next one tells all it printed and its true end', { tags: 'full' }, async () => {
    const body = `echo x >>"$FOLDER/times-$NUMBER"; echo first; while [ ! -e "$FOLDER/end" ]; do sleep 0.05; done; echo "last of $PIN"; exit 5`;
    const id = await runs.addScript(body, { parameters: [secretPin] });
    const run_id = await runs.run(id, { server_ids: runs.servers.slice(0, 2), parallel: 1, values: { PIN: 'pin-48151623' } });
    await eventually(async () => expect(await runs.outputs(run_id)).toEqual(['first\n', '']));
    await runs.stopWorker();
    expect(await runs.details(run_id)).toMatchObject({
      operation_state: 'running',
      servers: [{ state: 'running' }, { state: 'waiting' }],
    });
    writeFileSync(join(runs.folder, 'end'), '');
    runs.startWorker();
    const found = await runs.ended(run_id);
    expect(found.servers).toMatchObject([
      { state: 'failed', exit_status: 5 },
      { state: 'failed', exit_status: 5 },
    ]);
    expect(await runs.outputs(run_id)).toEqual(Array(2).fill(`first\nlast of ${secretMask}\n`));
    expect([1, 2].map((number) => readFileSync(join(runs.folder, `times-${number}`), 'utf8'))).toEqual(['x\n', 'x\n']);
    expect((await tokensOf(run_id)).map((token) => existsSync(folderOf(token)))).toEqual([false, false]);
  });

  test('that is cancelled while nobody looks at it is ended by the next worker', { tags: 'full' }, async () => {
    const run_id = await runs.run(await runs.addScript('echo begun; sleep 1000'), { server_ids: [runs.servers[0]] });
    await eventually(async () => expect(await runs.outputs(run_id)).toEqual(['begun\n']));
    const mark = `LIVECODE_RUN=${(await tokensOf(run_id))[0]}`;
    await runs.stopWorker();
    await runs.send('cancel', { id: run_id });
    expect(alive(mark)).not.toEqual([]);
    runs.startWorker();
    expect(await runs.ended(run_id)).toMatchObject({ operation_state: 'cancelled', servers: [{ state: 'cancelled', error: null }] });
    expect(alive(mark)).toEqual([]);
  });

  test('whose keeper is killed tells that nobody knows how it ended, and leaves nothing behind', { tags: 'full' }, async () => {
    const run_id = await runs.run(await runs.addScript('echo begun; sleep 1000'), { server_ids: [runs.servers[1]] });
    await eventually(async () => expect(await runs.outputs(run_id)).toEqual(['begun\n']));
    const [token] = await tokensOf(run_id);
    const folder = folderOf(token);
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGKILL');
    expect((await runs.ended(run_id)).servers).toMatchObject([{ state: 'interrupted', error: expect.stringContaining('127.0.0.1') }]);
    expect(alive(`LIVECODE_RUN=${token}`)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  test('goes on over another connection where one breaks', { tags: 'full' }, async () => {
    const run_id = await runs.run(await runs.addScript('echo begun; while [ ! -e "$FOLDER/cut" ]; do sleep 0.05; done; echo ended'), {
      server_ids: [runs.servers[2]],
    });
    await eventually(async () => expect(await runs.outputs(run_id)).toEqual(['begun\n']));
    runs.hosts[2]?.cut();
    writeFileSync(join(runs.folder, 'cut'), '');
    expect((await runs.ended(run_id)).servers).toMatchObject([{ state: 'succeeded', exit_status: 0, error: null }]);
    expect(await runs.outputs(run_id)).toEqual(['begun\nended\n']);
  });

  test('that is cancelled while its host is away ends at once, and says that something may be left there', { tags: 'full' }, async () => {
    const gone = await startSshServer({ password: 'secret' });
    const { id } = await runs.site.addServer(gone, { name: 'away' });
    const run_id = await runs.run(await runs.addScript('echo begun; sleep 1000'), { server_ids: [id] });
    await eventually(async () => expect(await runs.outputs(run_id)).toEqual(['begun\n']));
    await gone.close();
    await runs.send('cancel', { id: run_id });
    expect((await runs.ended(run_id)).servers).toMatchObject([{ state: 'cancelled', error: expect.stringContaining('127.0.0.1') }]);
    await runs.site.db.execute(sql`DELETE FROM server WHERE id = ${id}`);
    execFileSync('sh', ['-c', `kill -9 $(grep -la LIVECODE_RUN=${(await tokensOf(run_id))[0]} /proc/[0-9]*/environ | cut -d/ -f3); true`]);
  });

  test('keeps the first and the last megabyte of a hundred, and the true exit status', { tags: 'full' }, async () => {
    const body = `echo 活码 first; head -c 104857600 /dev/zero | tr '\\0' x; printf 'a\\000b\\033[31m 活码 last'; exit 7`;
    const run_id = await runs.run(await runs.addScript(body), { server_ids: [runs.servers[0]] });
    const found = await runs.ended(run_id);
    const [text = ''] = await runs.outputs(run_id);
    expect(text.startsWith('活码 first\nxxx')).toBe(true);
    expect(text.endsWith('xxa\ufffdb\u001b[31m 活码 last')).toBe(true);
    expect(text).toMatch(/x\n\n⋯ 10[23],\d{3},\d{3} B ⋯\n\nx/);
    expect(Math.abs(Buffer.byteLength(text) - 2 * maxOutputBytes)).toBeLessThan(100);
    const printed = 104_857_600 + Buffer.byteLength('活码 first\n') + Buffer.byteLength('a.b.[31m 活码 last');
    expect(found.servers).toMatchObject([{ state: 'failed', exit_status: 7, is_cut: true, output_bytes: printed }]);
  });

  test('that is dry runs nothing and finds faults of syntax', { tags: 'full' }, async () => {
    const dry = async (body: string) => {
      const id = await runs.addScript(body);
      // Nothing is changed by it: no proof is asked for.
      const { body: started } = await runs.send('run', { id, server_ids: [runs.servers[0]], dry: true });
      return runs.ended(Number(started.run_id));
    };
    expect(statesOf(await dry('touch "$FOLDER/dry"'))).toEqual(['succeeded']);
    expect(existsSync(join(runs.folder, 'dry'))).toBe(false);
    const wrong = await dry('if true; then');
    expect(statesOf(wrong)).toEqual(['failed']);
    expect((await runs.outputs(wrong.id))[0]).toMatch(/syntax|unexpected/i);
  });

  test('of a server that cannot be reached says so, and the others go on', { tags: 'full' }, async () => {
    const gone = await startSshServer({ password: 'secret' });
    const { id } = await runs.site.addServer(gone, { name: 'gone' });
    await gone.close();
    const found = await runs.ended(await runs.run(await runs.addScript('true'), { server_ids: [id, runs.servers[0]] }));
    expect(statesOf(found).toSorted()).toEqual(['succeeded', 'unreachable']);
    await runs.site.db.execute(sql`DELETE FROM server WHERE id = ${id}`);
    expect((await runs.details(found.id)).servers.map(({ server_name }) => server_name)).toContain('gone');
  });

  test('needs a super administrator with password and second factor', async () => {
    const id = await runs.addScript('true');
    const given = { id, server_ids: runs.servers };
    expect((await runs.send('run', given)).body.fields).toEqual({ password: 'required' });
    const { password } = await runs.site.proof();
    expect((await runs.send('run', { ...given, password })).body.fields).toEqual({ totp: 'required' });
    const administrator = await runs.site.makeUser('administrator');
    await runs.site.db.execute(sql`INSERT INTO role_node (role_id, node_id) SELECT role.id, permission_node.id FROM role, permission_node
      WHERE role.kind = 'administrator' AND role.built_in ON CONFLICT DO NOTHING`);
    for (const dry of [true, false])
      expect((await runs.site.send(administrator, 'script/run', { ...given, dry, ...(await runs.site.proof()) })).body.code).toBe(
        'server_list.super_only',
      );
    // Who is none any more when the worker comes to it runs nothing.
    await runs.stopWorker();
    const run_id = await runs.run(await runs.addScript('touch "$FOLDER/late"'));
    await runs.site.db.execute(
      sql`UPDATE user_account SET role_id = (SELECT id FROM role WHERE kind = 'administrator' AND built_in) WHERE id = ${runs.site.owner.id}`,
    );
    runs.startWorker();
    const found = await runs.ended(run_id);
    await runs.site.db.execute(
      sql`UPDATE user_account SET role_id = (SELECT id FROM role WHERE kind = 'super') WHERE id = ${runs.site.owner.id}`,
    );
    expect([statesOf(found), existsSync(join(runs.folder, 'late'))]).toEqual([['skipped', 'skipped', 'skipped'], false]);
  });

  test('updates of servers are their own commands, ended at the first line that fails', async () => {
    await runs.site.call(runs.site.owner, 'server_list', 'update', {
      id: runs.servers[0] ?? 0,
      code_command: 'echo pulled\nfalse\necho after',
      ...(await runs.site.proof()),
    });
    const { body } = await runs.site.call(runs.site.owner, 'server_list', 'update_code', {
      server_ids: runs.servers.slice(0, 1),
      ...(await runs.site.proof()),
    });
    const found = await runs.ended(body.run_id);
    expect(found).toMatchObject({ kind: 'update_code', servers: [{ state: 'failed', exit_status: 1 }] });
    expect(await runs.outputs(body.run_id)).toEqual(['pulled\n']);
    const shown = await runs.site.call(runs.site.owner, 'script', 'run_body', { run_server_id: found.servers[0]?.id ?? 0 });
    expect(shown.body.body).toBe('set -e\necho pulled\nfalse\necho after');
  });
});
