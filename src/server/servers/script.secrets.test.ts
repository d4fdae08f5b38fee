import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ScriptParameter, secretMask } from '../../contract/system/script.ts';
import { startSchedules } from './schedules/starting.ts';
import { createMask } from './script.secrets.ts';
import { createRunsSite, forgetOperations, type RunsSite, statesOf } from './testing/runs-site.ts';

const parameters: ScriptParameter[] = [
  { name: 'TOKEN', label: '', type: 'secret', required: true, initial: '', choices: [] },
  { name: 'COLOR', label: '', type: 'text', required: false, initial: '', choices: [] },
];
const token = 'tok-5f3e9a-secret';
let runs: RunsSite;
beforeAll(async () => {
  runs = await createRunsSite();
});
beforeEach(() => forgetOperations(runs));
afterAll(() => runs.close());

/** Everything the database holds of runs, schedules and the log, as text. */
async function everything(): Promise<string> {
  const { rows } = await runs.site.db.execute(sql`
    SELECT to_jsonb(script_run)::text AS row FROM script_run UNION ALL SELECT to_jsonb(script_schedule)::text FROM script_schedule
    UNION ALL SELECT to_jsonb(script_output)::text FROM script_output UNION ALL SELECT to_jsonb(log)::text FROM log
    UNION ALL SELECT to_jsonb(async_operation)::text FROM async_operation`);
  return JSON.stringify(rows);
}
const send = async (action: string, input: object) =>
  runs.site.send(runs.site.owner, `script_schedule/${action}`, { ...input, ...(await runs.site.proof()) });

describe('the value of a secret parameter', () => {
  test('reaches the script, and is seen neither in its output, nor in the run, nor in the log, and is forgotten when the run is over', async () => {
    const id = await runs.addScript(
      'printf "%s" "$TOKEN" | cut -c1-8; echo "<$TOKEN> $COLOR"; printf "%s" "${TOKEN%et}"; sleep 0.1; echo et',
      {
        parameters,
      },
    );
    const run_id = await runs.run(id, { server_ids: [runs.servers[0]], values: { TOKEN: token, COLOR: 'red' } });
    const found = await runs.ended(run_id);
    expect([statesOf(found), found.environment]).toEqual([['succeeded'], { TOKEN: secretMask, COLOR: 'red' }]);
    expect(await runs.outputs(run_id)).toEqual([`${token.slice(0, 8)}\n<${secretMask}> red\n${secretMask}\n`]);
    expect(await everything()).not.toContain(token);
    const { rows } = await runs.site.db.execute(sql`SELECT secrets FROM script_run WHERE id = ${run_id}`);
    expect(rows).toEqual([{ secrets: null }]);
    const { body } = await runs.send('run', { id, server_ids: runs.servers, values: { COLOR: 'red' }, ...(await runs.site.proof()) });
    expect(body.fields).toEqual({ 'values.TOKEN': 'required' });
  });

  test('stays sealed with a schedule, and is kept where it is not typed again', async () => {
    const script_id = await runs.addScript('[ "${TOKEN%-secret}" = tok-5f3e9a ] && echo "$COLOR"', { parameters });
    const given = { name: 'with a secret', script_id, server_ids: [runs.servers[1]], cron: '0 3 * * *', time_zone: 'UTC' };
    expect((await send('add', { ...given, values: { COLOR: 'red' } })).body.fields).toEqual({ 'values.TOKEN': 'required' });
    const { body: made } = await send('add', { ...given, values: { TOKEN: token, COLOR: 'red' } });
    expect(made.values).toEqual({ TOKEN: secretMask, COLOR: 'red' });
    expect((await send('update', { id: made.id, values: { TOKEN: '', COLOR: 'green' } })).body.values).toEqual({
      TOKEN: secretMask,
      COLOR: 'green',
    });
    expect((await send('update', { id: made.id, values: { TOKEN: secretMask, COLOR: 'blue' } })).status).toBe(200);
    expect(await everything()).not.toContain(token);
    const now = new Date(Date.parse((made.next as string[])[0] ?? ''));
    expect(await startSchedules(runs.site.db, { now, language: 'zh-CN', vault: runs.site.means.vault })).toBe(1);
    const { rows } = await runs.site.db.execute<{ id: number }>(
      sql`SELECT id::int FROM script_run WHERE schedule_id = ${made.id as number}`,
    );
    const run_id = rows[0]?.id ?? 0;
    expect(statesOf(await runs.ended(run_id))).toEqual(['succeeded']);
    expect(await runs.outputs(run_id)).toEqual(['blue\n']);
    expect(await everything()).not.toContain(token);
  });

  test('that it had before it became secret is sealed in schedules, and masked in runs that are over', { tags: 'full' }, async () => {
    const was = parameters.map((parameter) => ({ ...parameter, type: 'text' as const }));
    const former = 'tok-in-the-clear';
    const script_id = await runs.addScript('[ "${TOKEN%-clear}" = tok-in-the ] && echo "$COLOR"', { parameters: was });
    const values = { TOKEN: former, COLOR: 'red' };
    const past = await runs.run(script_id, { server_ids: [runs.servers[0]], values });
    expect((await runs.ended(past)).environment).toEqual(values);
    const given = { name: 'before it', script_id, server_ids: [runs.servers[1]], cron: '0 4 * * *', time_zone: 'UTC' };
    const { body: made } = await send('add', { ...given, values });
    await runs.stopWorker();
    const open = await runs.run(script_id, { server_ids: [runs.servers[0]], values });

    const saved = await runs.send('update', { id: script_id, parameters, ...(await runs.site.proof()) });
    expect(saved.status).toBe(200);
    const masked = { TOKEN: secretMask, COLOR: 'red' };
    const { body: listed } = await runs.site.call(runs.site.owner, 'script_schedule', 'inquire', { script_id });
    expect(listed.content.map((row) => [row.values, row.halted])).toEqual([[masked, null]]);
    for (const id of [past, open]) expect((await runs.details(id)).environment).toEqual(masked);
    const { rows: stored } = await runs.site.db.execute(sql`
      SELECT to_jsonb(script_run)::text AS row FROM script_run UNION ALL SELECT to_jsonb(script_schedule)::text FROM script_schedule`);
    expect(JSON.stringify(stored)).not.toContain(former);

    // Who needs the value still has it.
    runs.startWorker();
    expect([statesOf(await runs.ended(open)), await runs.outputs(open)]).toEqual([['succeeded'], ['red\n']]);
    const now = new Date(Date.parse((made.next as string[])[0] ?? ''));
    expect(await startSchedules(runs.site.db, { now, language: 'zh-CN', vault: runs.site.means.vault })).toBeGreaterThan(0);
    const { rows } = await runs.site.db.execute<{ id: number }>(
      sql`SELECT id::int FROM script_run WHERE schedule_id = ${made.id as number}`,
    );
    expect(statesOf(await runs.ended(rows[0]?.id ?? 0))).toEqual(['succeeded']);
    const { rows: kept } = await runs.site.db.execute(
      sql`SELECT id FROM script_run WHERE script_id = ${script_id} AND secrets IS NOT NULL`,
    );
    expect(kept).toEqual([]);
  });

  test('is none that a script begins with', async () => {
    const [secret, ...others] = parameters;
    const input = { name: 'begins', body: 'true', parameters: [{ ...secret, initial: 'x' }, ...others], ...(await runs.site.proof()) };
    expect((await runs.send('add', input)).body.fields).toEqual({ 'parameters.0.initial': 'secret_initial' });
  });
});

test('a secret is hidden wherever the output is cut, each of its lines too, and nothing else is held back', () => {
  const secrets = { KEY: 'first line\nsecond line', PIN: '123', TOKEN: 'abcabd', LONGER: 'abcabdefg', OTHER: 'dxyz' };
  const text = 'a first line, second line; abcabcabd 123 abcabdefg abcabdx abcabdef';
  const expected = `a ${secretMask}, ${secretMask}; abc${secretMask} 123 ${secretMask} ${secretMask}x ${secretMask}ef`;
  for (let at = 0; at <= text.length; at += 1)
    for (let to = at; to <= text.length; to += 1) {
      const mask = createMask(secrets);
      expect(mask.add(text.slice(0, at)) + mask.add(text.slice(at, to)) + mask.add(text.slice(to)) + mask.end()).toBe(expected);
    }
  const mask = createMask({});
  expect([mask.add('anything'), mask.end()]).toEqual(['anything', '']);
});
