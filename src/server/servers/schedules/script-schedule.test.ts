import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptParameter } from '../../../contract/system/script.ts';
import type { ScriptSchedule } from '../../../contract/system/script-schedule.ts';
import { createRunsSite, forgetOperations, type RunsSite } from '../testing/runs-site.ts';
import { settleRuns } from './settling.ts';
import { startSchedules } from './starting.ts';

const minute = 60_000;
let runs: RunsSite;
beforeAll(async () => {
  runs = await createRunsSite();
});
beforeEach(async () => {
  await runs.site.db.execute(sql`TRUNCATE script_schedule CASCADE`);
  await runs.site.db.execute(sql`DELETE FROM site_message`);
  await forgetOperations(runs);
});
afterAll(() => runs.close());

const parameter = (name: string, more: Partial<ScriptParameter> = {}): ScriptParameter => ({
  ...{ name, label: '', type: 'text', required: false, initial: '', choices: [], ...more },
});
let made = 0;
const given = (script_id: number, change: object = {}) => {
  made += 1;
  return { name: `nightly ${made}`, script_id, server_ids: runs.servers, cron: '0 3 * * *', time_zone: 'UTC', ...change };
};
const send = (action: string, input: object) => runs.site.send(runs.site.owner, `script_schedule/${action}`, input);
async function schedule(script_id: number, change: object = {}): Promise<ScriptSchedule> {
  const { status, body } = await send('add', { ...given(script_id, change), ...(await runs.site.proof()) });
  expect([status, body.fields]).toEqual([200, undefined]);
  return body as unknown as ScriptSchedule;
}
async function read(id: number): Promise<ScriptSchedule> {
  const { body } = await runs.site.call(runs.site.owner, 'script_schedule', 'inquire', {});
  const found = body.content.find((row) => row.id === id);
  if (!found) throw new Error('no such schedule');
  return found;
}
const start = (now: Date) => startSchedules(runs.site.db, { now, language: 'zh-CN', vault: runs.site.means.vault });
/** What a worker does at the schedule's next moment, so much later. Answers how many it met. */
async function pass({ id }: { id: number }, late = 0): Promise<number> {
  const { rows } = await runs.site.db.execute<{ at: Date }>(sql`SELECT next_at AS at FROM script_schedule WHERE id = ${id}`);
  const now = new Date(new Date(rows[0]?.at ?? 0).getTime() + late);
  await settleRuns(runs.site.db, now);
  return start(now);
}
const runsOf = async ({ id }: { id: number }) =>
  (await runs.site.call(runs.site.owner, 'script', 'runs', { schedule_id: id })).body.content;
const messages = async () =>
  (
    await runs.site.db.execute<{ title: string; content: string; place: string }>(
      sql`SELECT title, content, place FROM site_message ORDER BY id`,
    )
  ).rows;
const logs = async (type: string) =>
  (
    await runs.site.db.execute<{ content: object; user_id: number | null }>(
      sql`SELECT content, user_id FROM log WHERE type = ${type} ORDER BY id`,
    )
  ).rows;

describe('a schedule', () => {
  test('runs its script on its servers with its values when its time comes, in the name of its maker, and is told in the log', async () => {
    const script = await runs.addScript('echo "$COLOR on $NUMBER"', { parameters: [parameter('COLOR')] });
    const made = await schedule(script, { values: { COLOR: "it's red" }, server_ids: runs.servers.slice(0, 2) });
    expect(made).toMatchObject({ enabled: true, missed: 'skip', script_name: expect.any(String), server_names: ['server 1', 'server 2'] });
    expect(made.next).toHaveLength(5);
    expect(made.next[0]).toMatch(/T03:00:00\.000Z$/);
    expect(await pass(made, -1)).toBe(0);
    expect(await pass(made)).toBe(1);
    const [run] = await runsOf(made);
    const id = run?.id ?? 0;
    const found = await runs.ended(id);
    expect(found).toMatchObject({
      operation_state: 'completed',
      schedule_id: made.id,
      schedule_name: made.name,
      account: runs.site.owner.account,
    });
    expect(await runs.outputs(id)).toEqual(["it's red on 1\n", "it's red on 2\n"]);
    expect((await read(made.id)).last_run).toMatchObject({ id, state: 'completed', number: 2, failed: 0 });
    expect((await logs('script/run')).at(-1)).toMatchObject({
      content: { run_id: id, schedule_id: made.id, servers: ['server 1', 'server 2'] },
      user_id: runs.site.owner.id,
    });
    expect(await messages()).toEqual([]);
  });

  test('is met once by two workers, and by a second look at the same moment', async () => {
    const made = await schedule(await runs.addScript('echo x >>"$FOLDER/once"'), { server_ids: runs.servers.slice(0, 1) });
    const now = new Date(made.next[0] ?? 0);
    const met = await Promise.all([1, 2, 3].map(() => start(now)));
    expect(met.toSorted()).toEqual([0, 0, 1]);
    expect(await start(now)).toBe(0);
    const [run] = await runsOf(made);
    await runs.ended(run?.id ?? 0);
    expect(readFileSync(join(runs.folder, 'once'), 'utf8')).toBe('x\n');
  });

  test('never runs twice at once: the next one is left out, and says so', { tags: 'full' }, async () => {
    const made = await schedule(await runs.addScript('sleep 1000'), { server_ids: runs.servers.slice(0, 1) });
    await pass(made);
    await pass(made);
    expect(await runsOf(made)).toHaveLength(1);
    expect((await read(made.id)).skipped).toMatchObject({ why: 'running' });
    expect((await logs('script_schedule/skip')).at(-1)).toMatchObject({ content: { id: made.id, reason: 'running' } });
    const [first] = await runsOf(made);
    await runs.send('cancel', { id: first?.id ?? 0 });
    await runs.ended(first?.id ?? 0);
    await pass(made);
    expect(await runsOf(made)).toHaveLength(2);
    expect((await read(made.id)).skipped).toBeNull();
    // What somebody ended himself is no failure.
    expect(await messages()).toEqual([]);
    const [second] = await runsOf(made);
    await runs.send('cancel', { id: second?.id ?? 0 });
    await runs.ended(second?.id ?? 0);
  });

  test('that was missed is left out or made up for once, as was chosen; a short pause misses nothing', { tags: 'full' }, async () => {
    const script = await runs.addScript('true');
    const of = (missed: string) => schedule(script, { missed, cron: '*/5 * * * *', server_ids: runs.servers.slice(0, 1) });
    for (const [missed, late, expected] of [
      ['skip', 9 * minute, 1],
      ['skip', 180 * minute, 0],
      ['run', 180 * minute, 1],
    ] as const) {
      const made = await of(missed);
      await pass(made, late);
      expect(await runsOf(made)).toHaveLength(expected);
      expect((await read(made.id)).skipped).toEqual(expected ? null : { at: made.next[0], why: 'missed' });
      for (const { id } of await runsOf(made)) await runs.ended(id);
    }
  });

  test('that fails tells the administrators, once a day while it goes on, and links to the run', { tags: 'full' }, async () => {
    const made = await schedule(await runs.addScript('exit $((NUMBER - 1))'), { stop_on_failure: false });
    const runAndSettle = async (later: number) => {
      await pass(made);
      const [run] = await runsOf(made);
      await runs.ended(run?.id ?? 0);
      await settleRuns(runs.site.db, new Date(Date.now() + later));
    };
    await runAndSettle(0);
    expect(await messages()).toEqual([
      { title: `定时任务“${made.name}”运行失败`, content: expect.stringContaining('3 台服务器中的 2 台'), place: 'script_run' },
    ]);
    expect((await read(made.id)).last_run).toMatchObject({ state: 'failed', number: 3, failed: 2 });
    await runAndSettle(60 * minute);
    expect(await messages()).toHaveLength(1);
    await runAndSettle(21 * 60 * minute);
    expect(await messages()).toHaveLength(2);
  });

  test('that is paused runs no more, goes on by password and code, and makes up for nothing', async () => {
    const made = await schedule(await runs.addScript('true'), { missed: 'run' });
    expect((await send('update_enabled', { id: made.id, enabled: false })).body).toMatchObject({ enabled: false, next: [] });
    expect(await start(new Date(Date.now() + 48 * 60 * minute))).toBe(0);
    expect((await send('update_enabled', { id: made.id, enabled: true })).body.fields).toEqual({ password: 'required' });
    const { body } = await send('update_enabled', { id: made.id, enabled: true, ...(await runs.site.proof()) });
    expect(body).toMatchObject({ enabled: true });
    expect(Date.parse((body.next as string[])[0] ?? '')).toBeGreaterThan(Date.now());
    expect(await runsOf(made)).toHaveLength(0);
  });

  test('finds its next moment anew where the clock was ahead', async () => {
    const made = await schedule(await runs.addScript('true'));
    await runs.site.db.execute(sql`UPDATE script_schedule SET next_at = now() + interval '9 days', planned_at = now() + interval '8 days'`);
    await start(new Date());
    const { rows } = await runs.site.db.execute<{ at: Date }>(sql`SELECT next_at AS at FROM script_schedule WHERE id = ${made.id}`);
    expect(new Date(rows[0]?.at ?? 0).toISOString()).toBe(made.next[0]);
  });
});

describe('a schedule is halted, and the administrators are told why,', () => {
  const isHalted = async ({ id, name }: ScriptSchedule, why: string) => {
    expect(await read(id)).toMatchObject({ next: [], halted: { reason: expect.stringContaining(why) } });
    expect(await messages()).toEqual([
      { title: `定时任务“${name}”已停止`, content: expect.stringContaining(why), place: 'script_schedules' },
    ]);
    expect((await logs('script_schedule/halt')).at(-1)).toMatchObject({ content: { id, name } });
    expect(await start(new Date(Date.now() + 48 * 60 * minute))).toBe(0);
  };

  test('when its script is removed', async () => {
    const script = await runs.addScript('true');
    const made = await schedule(script);
    await runs.send('remove', { id: script, ...(await runs.site.proof()) });
    await isHalted(made, '脚本已删除');
  });

  test('when one of its servers is removed: it runs on no fewer than were chosen', async () => {
    const { id } = await runs.site.addServer({ port: 1 }, { name: 'leaving' });
    const made = await schedule(await runs.addScript('touch "$FOLDER/fewer"'), { server_ids: [...runs.servers, id] });
    await runs.site.call(runs.site.owner, 'server_list', 'remove', { id, ...(await runs.site.proof()) });
    await isHalted(made, '1 台服务器已删除');
    expect(existsSync(join(runs.folder, 'fewer'))).toBe(false);
  });

  test('when its values do not fit the script any more, and goes on when it is changed', async () => {
    const script = await runs.addScript('true', { parameters: [parameter('COLOR', { type: 'choice', choices: ['red', 'blue'] })] });
    const made = await schedule(script, { values: { COLOR: 'red' } });
    await runs.send('update', {
      id: script,
      parameters: [parameter('COLOR', { type: 'choice', choices: ['blue'] })],
      ...(await runs.site.proof()),
    });
    await isHalted(made, 'COLOR');
    const { body } = await send('update', { id: made.id, values: { COLOR: 'blue' }, ...(await runs.site.proof()) });
    expect(body).toMatchObject({ halted: null, values: { COLOR: 'blue' }, next: made.next });
  });

  test('when its maker is no super administrator any more at the time it would run', async () => {
    const made = await schedule(await runs.addScript('touch "$FOLDER/late"'));
    const setRole = (role: object) => runs.site.db.execute(sql`UPDATE user_account SET role_id = ${role} WHERE id = ${runs.site.owner.id}`);
    await setRole(sql`(SELECT id FROM role WHERE kind = 'administrator' AND built_in)`);
    await pass(made);
    await setRole(sql`(SELECT id FROM role WHERE kind = 'super')`);
    await isHalted(made, runs.site.owner.account);
    expect(existsSync(join(runs.folder, 'late'))).toBe(false);
  });
});

describe('a schedule is refused', () => {
  const refused = async (input: object) => (await send('add', { ...input, ...(await runs.site.proof()) })).body;

  test.each([
    ['0 3 * *', 'cron_parts'],
    ['@daily', 'cron_parts'],
    ['0 0 3 * * *', 'cron_parts'],
    ['0 3 * * $(id)', 'cron_parts'],
    ['0 25 * * *', 'cron_hour'],
    ['0 3 30 2 *', 'cron_never'],
  ])('beside its field for %s', async (cron, code) => {
    const script = await runs.addScript('true');
    expect((await refused(given(script, { cron }))).fields).toEqual({ cron: code });
    const preview = await send('preview', { cron, time_zone: 'UTC' });
    expect([preview.status, preview.body.fields]).toEqual([400, { cron: code }]);
  });

  test('for a time zone that there is not, a name that is taken, and values that do not fit', async () => {
    const script = await runs.addScript('true', { parameters: [parameter('COUNT', { type: 'number', required: true })] });
    expect((await refused(given(script, { time_zone: 'Mars/Olympus' }))).fields).toEqual({ time_zone: 'invalid_time_zone' });
    expect((await refused(given(script))).fields).toEqual({ 'values.COUNT': 'required' });
    expect((await refused(given(script, { values: { COUNT: 'x' } }))).fields).toEqual({ 'values.COUNT': 'parameter_number' });
    const { name } = await schedule(script, { values: { COUNT: '1' } });
    expect((await refused(given(script, { values: { COUNT: '1' }, name }))).fields).toEqual({ name: 'taken' });
    expect((await refused(given(script, { values: { COUNT: '1' }, server_ids: [99_999] }))).code).toBe('script_schedule.servers_gone');
  });

  test('to whom is no super administrator with password and second factor', async () => {
    const script = await runs.addScript('true');
    const { password } = await runs.site.proof();
    expect((await send('add', given(script))).body.fields).toEqual({ password: 'required' });
    expect((await send('add', { ...given(script), password })).body.fields).toEqual({ totp: 'required' });
    const made = await schedule(script);
    expect((await send('update', { id: made.id, parallel: 2 })).body.fields).toEqual({ password: 'required' });
    expect((await send('remove', { id: made.id })).body.fields).toEqual({ password: 'required' });
    const administrator = await runs.site.makeUser('administrator');
    await runs.site.db.execute(sql`INSERT INTO role_node (role_id, node_id) SELECT role.id, permission_node.id FROM role, permission_node
      WHERE role.kind = 'administrator' AND role.built_in ON CONFLICT DO NOTHING`);
    for (const [action, input] of [
      ['add', given(script)],
      ['update', { id: made.id }],
      ['update_enabled', { id: made.id, enabled: false }],
      ['remove', { id: made.id }],
    ] as const)
      expect((await runs.site.send(administrator, `script_schedule/${action}`, input)).body.code).toBe('server_list.super_only');
    expect((await send('remove', { id: made.id, ...(await runs.site.proof()) })).body).toEqual({ affected: 1 });
    expect(JSON.stringify(await logs('script_schedule/add'))).not.toContain(password);
  });
});
