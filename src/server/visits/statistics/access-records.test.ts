import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsOf } from '../../../contract/settings.ts';
import { readPerson } from '../../kit/calls/authentication.ts';
import { scopeOf } from '../../kit/calls/context.ts';
import type { OperationJob } from '../../kit/jobs/operations.ts';
import type { Cell } from '../../kit/rows/exports.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { emptyGivenUpHistories } from '../maintenance/maintenance.ts';
import { loadVisits } from '../testing/loading.ts';
import { accessRecordsExport } from './access-records.export.ts';

const dayMilliseconds = 86_400_000;

let app: TestApp;
let owner: TestUser;
let administrator: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.makeUser('customer');
  administrator = await app.makeUser('administrator');
});
afterAll(() => app.close());

async function codeWith(visits: number): Promise<number> {
  const targets = [{ kind: 'text' as const, content: 'x' }];
  const { id } = (await app.call(owner, 'qr_code_list', 'add', { name: `records ${visits}`, open_log: true, targets })).body;
  const at = Date.now() - 5 * dayMilliseconds;
  await loadVisits(
    app.url,
    Array.from({ length: visits }, (_, index) => visitOf({ at: at + index, live_code_id: id, ip: `8.8.8.${index + 1}` })),
  );
  return id;
}
const total = async (live_code_id: number) => (await app.call(owner, 'qr_code_access', 'inquire', { live_code_id })).body.total;
const clearings = async (live_code_id: number) => (await app.call(owner, 'recover', 'inquire', { live_code_id })).body.content;
const stored = async (id: number) =>
  Number((await app.db.execute(sql`SELECT count(*) AS n FROM visit WHERE live_code_id = ${id}`)).rows[0]?.n);

test("a history is cleared and restored by the specification's calls", async () => {
  const id = await codeWith(3);
  expect((await app.call(owner, 'qr_code_access', 'clear_access_history', { ids: [id] })).body).toMatchObject({ affected: 1 });
  expect(await total(id)).toBe(0);
  const [clearing] = await clearings(id);
  expect((await app.call(owner, 'qr_code_access', 'user_restore_access_records', { ids: [clearing?.id ?? 0] })).body).toEqual({
    affected: 1,
  });
  expect(await total(id)).toBe(3);
});

test("an administrator restores other users' histories by the one call, only his own by the other", async () => {
  const id = await codeWith(2);
  await app.call(owner, 'qr_code_access', 'clear_access_history', { ids: [id] });
  const ids = (await clearings(id)).map((clearing) => clearing.id);
  expect((await app.call(administrator, 'qr_code_access', 'user_restore_access_records', { ids })).body).toEqual({ affected: 0 });
  expect(await total(id)).toBe(0);
  expect((await app.call(administrator, 'qr_code_access', 'restore_access_records', { ids })).body).toEqual({ affected: 1 });
  expect(await total(id)).toBe(2);
});

test('a history that was given up is never shown again; its rows go, later ones stay', async () => {
  const id = await codeWith(4);
  await app.call(owner, 'qr_code_access', 'clear_access_history', { ids: [id] });
  const ids = (await clearings(id)).map((clearing) => clearing.id);
  await loadVisits(app.url, [visitOf({ at: Date.now() + 1000, live_code_id: id, ip: '9.9.9.9' })]);
  expect((await app.call(owner, 'qr_code_access', 'clear_record', { ids })).body).toEqual({ affected: 1 });
  expect(await clearings(id)).toEqual([]);
  expect((await app.call(owner, 'qr_code_access', 'restore_access_records', { ids })).body).toEqual({ affected: 0 });
  expect(await stored(id)).toBe(5);
  await emptyGivenUpHistories(app.pool);
  expect(await stored(id)).toBe(1);
  expect((await app.db.execute(sql`SELECT host(ip) AS ip FROM visitor WHERE live_code_id = ${id}`)).rows).toEqual([{ ip: '9.9.9.9' }]);
  expect(await total(id)).toBe(1);
  expect(await emptyGivenUpHistories(app.pool)).toBe(0);
});

test('visits tell by which key they came, whatever became of it, and are searched by it', async () => {
  const targets = [{ kind: 'text' as const, content: 'x' }];
  const { id, file_name } = (await app.call(owner, 'qr_code_list', 'add', { name: 'keys', open_log: true, targets })).body;
  const [alias] = (await app.call(owner, 'qr_code_list', 'add_alias', { id, key: 'east-gate' })).body.aliases;
  const at = Date.now() - dayMilliseconds;
  const paths = [`/${file_name}`, '/east-gate', '/East-Gate/', '/east-gate-2', '/', '/a/east-gate'];
  await loadVisits(
    app.url,
    paths.map((path, index) => visitOf({ at: at + index, live_code_id: id, path })),
  );
  await loadVisits(app.url, [visitOf({ at, live_code_id: 987_654_321, path: '/east-gate' })]);
  const keys = async (filter: { key?: string } = {}) => {
    const { body } = await app.call(owner, 'qr_code_access', 'inquire', { live_code_id: id, order: 'asc', ...filter });
    expect(body.total).toBe(body.content.length);
    return body.content.map(({ key }) => key);
  };
  expect(await keys()).toEqual([file_name, 'east-gate', 'east-gate', 'east-gate-2', '', '']);
  expect([await keys({ key: 'East-gate' }), await keys({ key: 'none' })]).toEqual([['east-gate', 'east-gate'], []]);
  await app.call(owner, 'qr_code_list', 'remove_alias', { id, alias_id: alias?.id ?? 0 });
  expect(await keys({ key: 'east-gate' })).toHaveLength(2);
});

async function exportJob(): Promise<OperationJob> {
  const person = await readPerson(app.db, owner.id);
  if (!person) throw new Error('the user was made a moment ago');
  return {
    db: app.db,
    person,
    actor: { user_id: owner.id, impersonator: null },
    scope: scopeOf(owner.id, person.role.kind),
    language: 'en-US',
    settings: settingsOf([]),
    now: new Date(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    signal: new AbortController().signal,
    progress: () => {},
    onCancel: () => {},
    goOn: () => {},
    file: () => '',
  };
}
type Export = { columns: string[]; count: number; lines: Cell[][] };

async function exported(filters: object, job: OperationJob): Promise<Export> {
  const { total: count, portions } = await accessRecordsExport.open(filters, job);
  const lines = (await Array.fromAsync(portions)).flatMap((portion) => portion.lines);
  return { columns: accessRecordsExport.columns.map(({ key }) => key), count, lines };
}

test('a visit tells its target by name, else by where it leads, as long as it is there, and the export tells all that a row does', async () => {
  const targets = [
    { kind: 'text' as const, content: '第一群' },
    { kind: 'url' as const, content: 'https://example.com/two', name: '二号' },
    { kind: 'text' as const, content: '第三群' },
  ];
  const { id } = (await app.call(owner, 'qr_code_list', 'add', { name: 'targets', open_log: true, targets })).body;
  const before = (await app.call(owner, 'qr_code_list', 'details', { id })).body;
  const ids = before.targets.map((target) => target.id);
  const at = Date.now() - dayMilliseconds;
  const visits = [...ids, 0].map((target_id, index) =>
    visitOf({ at: at + index, live_code_id: id, target_id, referer: 'https://news.example/a', language: 'ja-JP' }),
  );
  await loadVisits(app.url, visits);
  const kept = before.targets.slice(0, 2).map(({ id, kind, content, name }) => ({ id, kind, content, name }));
  await app.call(owner, 'qr_code_list', 'update', { id, targets: kept });
  const { content } = (await app.call(owner, 'qr_code_access', 'inquire', { live_code_id: id, order: 'asc' })).body;
  expect(content.map(({ target_name }) => target_name)).toEqual(['第一群', '二号', `#${ids[2]}`, '']);
  const [, second] = content;
  const { columns, lines } = await exported({ live_code_id: id }, await exportJob());
  // Newest first, here first the one that reached no target.
  expect(Object.fromEntries(columns.map((key, index) => [key, lines[2]?.[index]]))).toMatchObject({
    ...{ target: '二号', referer: 'https://news.example/a', language: 'ja-JP', source: 'WeChat', first_visit: false },
    ...{ ip: second?.ip, browser: second?.browser, brand: second?.brand, model: second?.model, host: 'qr.example.com' },
    ...{ at: second?.at, key: second?.key, user_agent: second?.user_agent, system: `${second?.system} ${second?.system_version}` },
  });
});

test('the export has every visit that fits, each once, and only of codes that its user may see', async () => {
  const id = await codeWith(7);
  const started = await app.call(owner, 'qr_code_access', 'export_access_records', { live_code_id: id, format: 'csv' });
  expect(started.status).toBe(200);
  const job = await exportJob();
  const ipsOf = async (filters: object, as = job) => {
    const { columns, count, lines } = await exported(filters, as);
    expect(lines).toHaveLength(count);
    return lines.map((line) => line[columns.indexOf('ip')]);
  };
  expect(await ipsOf({ live_code_id: id })).toEqual([7, 6, 5, 4, 3, 2, 1].map((last) => `8.8.8.${last}`));
  expect(await ipsOf({ live_code_id: id, ip: '8.8.8.3' })).toEqual(['8.8.8.3']);
  expect([await ipsOf({ live_code_id: id, key: 'abcd', ip: '8.8.8.3' }), await ipsOf({ live_code_id: id, key: 'abcde' })]).toEqual([
    ['8.8.8.3'],
    [],
  ]);
  const stranger = await app.makeUser('customer');
  expect(await ipsOf({ live_code_id: id }, { ...job, scope: scopeOf(stranger.id, 'customer') })).toEqual([]);
  expect((await app.send(stranger, 'qr_code_access/export_access_records', { live_code_id: id, format: 'csv' })).status).toBe(404);
});
