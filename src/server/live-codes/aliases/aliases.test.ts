import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxAliases } from '../../../contract/codes/alias.ts';
import { outcomes } from '../../../contract/enums.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { loadVisits } from '../../visits/testing/loading.ts';

const hour = 3_600_000;
let clock = Date.parse('2026-03-02T08:10:00Z');
const days = { from: '2026-03-01', to: '2026-03-02' };

let app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let administrator: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date(clock) });
  owner = await app.makeUser('customer');
  stranger = await app.makeUser('customer');
  administrator = await app.makeUser('administrator');
});
afterAll(() => app.close());

const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
const addCode = async (fields: object = {}, as = owner) =>
  (await app.call(as, 'qr_code_list', 'add', { name: 'code', targets, ...fields })).body;
const give = (id: number, fields: object = {}, as = owner) => app.call(as, 'qr_code_list', 'add_alias', { id, ...fields });
const take = (id: number, alias_id: number, as = owner) => app.call(as, 'qr_code_list', 'remove_alias', { id, alias_id });
const details = async (id: number) => (await app.call(owner, 'qr_code_list', 'details', { id })).body;
const faultsOf = (answer: { body: unknown }) => (answer.body as { fields?: object }).fields;

describe('aliases of a code', () => {
  test('are given with what they are for, or made, each with an address and an image of its own', async () => {
    const domain = await app.call(owner, 'domain_list', 'add', { host: 'go.example.com', type: 1 });
    const { id } = await addCode({ entry_domain_id: domain.body.id, access_mode: 2 });
    const first = await give(id, { key: 'Poster-East', remark: '东门海报' });
    expect(first.body.aliases).toMatchObject([{ key: 'poster-east', remark: '东门海报', visits: 0 }]);
    const made = (await give(id)).body.aliases[1];
    expect(made?.key).toMatch(/^[a-z0-9]{8}$/);
    const { aliases } = await details(id);
    expect(aliases.map(({ key }) => key)).toEqual(['poster-east', made?.key]);
    expect(aliases[0]).toMatchObject({ qr_image_url: expect.stringMatching(/go\.example\.com\/qr\/poster-east\.png$/) });
    expect(aliases[0]?.url).toMatch(/go\.example\.com\/poster-east\?s=/);
    const renamed = await app.call(owner, 'qr_code_list', 'update_alias', { id, alias_id: aliases[0]?.id ?? 0, remark: '西门' });
    expect(renamed.body.aliases[0]).toMatchObject({ key: 'poster-east', remark: '西门' });
  });

  test('are no key that any code has, nor does a code get one of theirs', async () => {
    const { id, file_name } = await addCode({ file_name: 'taken-code' });
    await give(id, { key: 'taken-more' });
    const other = await addCode({ file_name: 'other-code' }, stranger);
    for (const key of [file_name, 'taken-more', 'other-code']) expect(faultsOf(await give(id, { key }))).toEqual({ key: 'taken' });
    expect(faultsOf(await give(id, { key: 'metrics' }))).toEqual({ key: 'reserved' });
    expect(faultsOf(await give(id, { key: 'a b' }))).toEqual({ key: 'invalid_file_name' });
    expect(faultsOf(await app.send(stranger, 'qr_code_list/add', { file_name: 'taken-more', targets }))).toEqual({ file_name: 'taken' });
    expect(faultsOf(await app.send(stranger, 'qr_code_list/update', { id: other.id, file_name: 'taken-more' }))).toEqual({
      file_name: 'taken',
    });
  });

  test('that is another code’s by now keeps an older version from getting its key back', async () => {
    const { id } = await addCode({ file_name: 'before-key' });
    await app.call(owner, 'qr_code_list', 'update', { id, file_name: 'after-key' });
    await give((await addCode()).id, { key: 'before-key' });
    const restored = await app.call(owner, 'qr_code_list', 'restore_version', { id, version: 1 });
    expect(restored.body).toMatchObject({ code: { file_name: 'after-key' }, left_out: [{ reason: 'taken' }] });
  });

  test(`are ${maxAliases} at most, also where two are given at once`, async () => {
    const { id } = await addCode();
    await app.db.execute(
      sql`INSERT INTO live_code_key (live_code_id, key) SELECT ${id}, 'many-' || n FROM generate_series(2, ${maxAliases}) AS n`,
    );
    const answers = await Promise.all([give(id), give(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('go with their code to another owner and into the recycle bin, and are free again when it is deleted, or they are taken off', async () => {
    const { id } = await addCode({ name: 'given' });
    const alias = (await give(id, { key: 'going-along' })).body.aliases[0]?.id ?? 0;
    expect((await take(id, alias, stranger)).status).toBe(404);
    await app.call(administrator, 'qr_code_list', 'transfer', { ids: [id], owner_id: stranger.id, domains: 'take_off' });
    expect((await take(id, alias)).status).toBe(404);
    await app.call(stranger, 'qr_code_list', 'update_remove', { ids: [id], removed: true });
    expect((await take(id, alias, stranger)).status).toBe(409);
    await app.call(stranger, 'qr_code_list', 'remove', { id, name: 'given' });
    const second = await addCode();
    const again = (await give(second.id, { key: 'going-along' })).body.aliases[0]?.id ?? 0;
    expect((await take(second.id, again)).body.aliases).toEqual([]);
    expect((await addCode({ file_name: 'going-along' })).file_name).toBe('going-along');
  });

  test('of a frozen code are taken off by administrators only, so that its address stays frozen', async () => {
    const { id } = await addCode();
    const alias = (await give(id)).body.aliases[0]?.id ?? 0;
    await app.db.execute(sql`UPDATE live_code SET frozen_at = now() WHERE id = ${id}`);
    expect((await take(id, alias)).status).toBe(409);
    expect((await take(id, alias, administrator)).status).toBe(200);
  });
});

describe('visits by key', () => {
  test('are told apart, those of an alias that is gone from those of the code’s own key; a cleared history hides them', async () => {
    const { id, file_name } = await addCode();
    const given = async (key: string) => (await give(id, { key })).body.aliases.find((alias) => alias.key === key)?.id ?? 0;
    const [east, west] = [await given('east-gate'), await given('west-gate')];
    const visit = (alias: number, key: string, at = clock - hour) =>
      visitOf({ at, live_code_id: id, path: `/${key}`, note: alias > 0 ? String(alias) : '' });
    await loadVisits(app.url, [
      ...[1, 2, 3].map(() => visit(0, file_name)),
      ...[1, 2].map(() => visit(east, 'east-gate')),
      visit(west, 'west-gate'),
      visitOf({ at: clock - hour, live_code_id: id, outcome: outcomes.indexOf('closed'), path: '/east-gate' }),
    ]);
    const byKey = async () => (await app.call(owner, 'qr_code_list', 'visits_by_key', { id, ...days })).body;
    expect(await byKey()).toEqual({
      own: 3,
      aliases: [
        { id: east, key: 'east-gate', remark: '', visits: 2 },
        { id: west, key: 'west-gate', remark: '', visits: 1 },
      ],
      removed: 0,
    });
    expect((await details(id)).aliases.map(({ visits }) => visits)).toEqual([2, 1]);
    await take(id, west);
    expect(await byKey()).toMatchObject({ own: 3, aliases: [{ visits: 2 }], removed: 1 });

    await app.call(owner, 'qr_code_access', 'clear', { ids: [id] });
    expect(await byKey()).toMatchObject({ own: 0, aliases: [{ visits: 0 }], removed: 0 });
    clock += 60_000;
    await loadVisits(app.url, [visit(east, 'East-Gate/', clock - 1000), visit(0, file_name, clock - 1000)]);
    expect(await byKey()).toMatchObject({ own: 1, aliases: [{ visits: 1 }], removed: 0 });
    expect((await app.call(stranger, 'qr_code_list', 'visits_by_key', { id, ...days })).status).toBe(404);
  });
});
