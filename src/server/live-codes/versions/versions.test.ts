import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../../contract/api.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const link = (content = 'https://example.com/', more: object = {}) => ({ kind: 'url' as const, content, ...more });
const add = async (as: TestUser, input: object = {}) => {
  const { status, body } = await test_app.call(as, 'qr_code_list', 'add', { name: 'code', targets: [link()], ...input });
  expect(status).toBe(200);
  return body;
};
const versions = async (as: TestUser, id: number, more: object = {}) =>
  (await test_app.call(as, 'qr_code_list', 'versions', { id, ...more })).body;
const restore = (as: TestUser, id: number, version: number) => test_app.call(as, 'qr_code_list', 'restore_version', { id, version });
const details = async (as: TestUser, id: number) => (await test_app.call(as, 'qr_code_list', 'details', { id })).body;
const update = (as: TestUser, id: number, input: object) => test_app.call(as, 'qr_code_list', 'update', { id, ...input });

type Code = Awaited<ReturnType<typeof add>>;
/** A right input of every writing call of the list, which changes this code. */
const changes: Record<string, (code: Code) => object | Promise<object>> = {
  update: ({ id }) => ({ id, name: 'changed' }),
  update_password: ({ id }) => ({ id, password: 'secret-1' }),
  update_url: ({ id, targets }) => ({ id, target_id: targets[0]?.id, content: 'https://changed.example/' }),
  change_domain_name: async ({ id }) => {
    const host = `change-${id}.example.com`;
    return {
      ids: [id],
      entry_domain_id: (await test_app.call(administrator, 'domain_list', 'add', { host, type: 1, holder_id: null })).body.id,
    };
  },
  batch_update: ({ ids: _, id }: Code & { ids?: never }) => ({ ids: [id], changes: { remark: 'changed' } }),
  replace_targets: ({ id, targets }) => ({ ids: [id], find: targets[0]?.content, replace: 'https://replaced.example/' }),
  add_target: ({ id }) => ({ ids: [id], target: { kind: 'url', content: 'https://added.example/' } }),
  update_open: ({ id }) => ({ ids: [id], open: false }),
  update_open_on_domain: async ({ id }) => {
    const host = `open-${id}.example.com`;
    const domain_id = (await test_app.call(owner, 'domain_list', 'add', { host, type: 1 })).body.id;
    await update(owner, id, { entry_domain_id: domain_id });
    return { domain_id, open: false };
  },
  update_restriction_visit: ({ id }) => ({ ids: [id], restriction_visit: 2 }),
  update_open_log: ({ id }) => ({ ids: [id], open_log: false }),
  update_remove: ({ id }) => ({ ids: [id], removed: true }),
  restore_version: async ({ id }) => {
    await update(owner, id, { name: 'another' });
    return { id, version: 1 };
  },
  undo: async ({ id }) => ({
    change_id: (await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [id], open: false })).body.change_id,
  }),
};
/** They change no field of a code that exists: visits left, the owner's own switch, codes made or gone for ever, files, how statistics are shared, aliases. What a transfer leaves stands in its own test. */
const aliases = ['add_alias', 'update_alias', 'remove_alias'];
const others = ['add', 'duplicate', 'refill', 'oepn_all_status', 'remove', 'export', 'transfer', 'update_share', ...aliases];

describe('every change of a code is a version', () => {
  const writing = Object.entries(groups.qr_code_list.calls).flatMap(([action, call]) => (call.writes ? [action] : []));
  test('and every writing call of the list is looked at here', () => {
    expect(writing.filter((action) => !(action in changes) && !others.includes(action))).toEqual([]);
  });

  test.each(Object.keys(changes))('%s leaves one, with an event', async (action) => {
    const code = await add(owner);
    const input = await changes[action]?.(code);
    const before = await versions(owner, code.id);
    await test_app.db.execute(sql`DELETE FROM event`);
    const { status } = await test_app.send(owner, `qr_code_list/${action}`, input);
    expect(status).toBe(200);
    const after = await versions(owner, code.id);
    expect(after.total).toBe(before.total + 1);
    expect(after.content[0]).toMatchObject({ user_account: owner.account, impersonator_account: null, current: true });
    expect(after.content[1]?.current).toBe(false);
    const { rows } = await test_app.db.execute<{ type: string; data: { id: number } }>(
      sql`SELECT type, data FROM event WHERE owner_id = ${owner.id}`,
    );
    expect(rows).toMatchObject([
      { type: action === 'update_remove' ? 'code.removed' : 'code.changed', data: { id: code.id, file_name: code.file_name } },
    ]);
  });

  test('a change that changes nothing leaves none', async () => {
    const code = await add(owner);
    await update(owner, code.id, { name: code.name });
    expect((await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [code.id], open: true })).body.change_id).toBeNull();
    expect((await versions(owner, code.id)).total).toBe(1);
    expect((await details(owner, code.id)).version).toBe(code.version);
  });

  test('a change that changes nothing stands in the way of no undo, and pushes no version out', { tags: 'full' }, async () => {
    const { id, targets } = await add(owner);
    const { change_id } = (await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [id], open: false })).body;
    for (let n = 0; n < 101; n++) await update(owner, id, { name: 'code' });
    await test_app.call(owner, 'qr_code_list', 'update_url', { id, target_id: targets[0]?.id ?? 0, content: link().content });
    await test_app.call(owner, 'qr_design', 'apply', { ids: [id], design_id: null });
    await restore(owner, id, 2);
    expect((await test_app.send(owner, 'qr_code_list/undo', { change_id })).body).toMatchObject({ affected: 1, changed_since: 0 });
    await update(owner, id, { remark: 'a real one' });
    expect((await versions(owner, id)).content.map(({ action, version }) => [action, version])).toEqual([
      ['changed', 4],
      ['undone', 3],
      ['changed', 2],
      ['created', 1],
    ]);
  });
});

test('a version says field by field and target by target what it changed, and never tells the password', async () => {
  const domain = (await test_app.call(owner, 'domain_list', 'add', { host: 'told.example.com', type: 1 })).body;
  const code = await add(owner, { targets: [link('https://a.example/', { name: 'A' }), link('https://b.example/', { name: 'B' })] });
  const [a, b] = code.targets;
  await update(owner, code.id, {
    name: 'told',
    entry_domain_id: domain.id,
    password: 'secret-1',
    qr_design: { color: '#112233' },
    targets: [link('https://c.example/', { name: 'C' }), { id: b?.id, ...link('https://b2.example/'), threshold: 5 }],
  });
  const page = await versions(owner, code.id);
  const [newest, first] = page.content;
  expect(newest).toMatchObject({
    action: 'changed',
    changes: expect.arrayContaining([
      { field: 'name', before: 'code', after: 'told', before_name: null, after_name: null },
      {
        field: 'entry_domain_id',
        before: code.entry_domain_id,
        after: domain.id,
        before_name: code.entry_host,
        after_name: 'told.example.com',
      },
    ]),
    design_changed: true,
    password: 'set',
    reordered: false,
  });
  expect(newest?.changes.map(({ field }) => field).sort()).toEqual(['entry_domain_id', 'name']);
  expect(newest?.targets).toMatchObject([
    { change: 'added', name: 'C', place: 1 },
    {
      change: 'changed',
      id: b?.id,
      changes: [
        { field: 'content', before: 'https://b.example/', after: 'https://b2.example/' },
        { field: 'threshold', before: null, after: 5 },
      ],
    },
    { change: 'removed', id: a?.id, name: 'A' },
  ]);
  expect(first).toMatchObject({ action: 'created', changes: [], targets: [], version: 1 });
  const { rows } = await test_app.db.execute(sql`SELECT fields::text AS kept FROM live_code_version WHERE live_code_id = ${code.id}`);
  expect(JSON.stringify([page, rows])).not.toContain('secret-1');
});

test('a restored version is a new one: fields, design and targets come back, and those with their counts', async () => {
  const code = await add(owner, {
    remark: 'as it was',
    expires_at: '2031-05-06T07:08:09Z',
    qr_design: { color: '#112233', logo: 'x'.repeat(200_000) },
    targets: [link('https://a.example/', { threshold: 7, rules: [{ regions: ['浙江'] }] }), link('https://b.example/')],
  });
  const ids = code.targets.map(({ id }) => id);
  await test_app.db.execute(sql`INSERT INTO target_total (target_id, visits) VALUES (${ids[0]}, 41)`);
  await update(owner, code.id, { remark: 'other', expires_at: null, qr_design: null, targets: [link('https://z.example/')] });
  const { status, body } = await restore(owner, code.id, 1);
  expect([status, body.left_out]).toEqual([200, []]);
  expect(body.code).toMatchObject({ remark: 'as it was', expires_at: '2031-05-06T07:08:09.000Z', qr_design: code.qr_design, version: 3 });
  expect(body.code.targets.map(({ id }) => id)).toEqual(ids);
  expect(body.code.targets[0]).toMatchObject({ threshold: 7, remaining: 7, view_number: 41, rules: [{ regions: ['浙江'] }] });
  expect((await versions(owner, code.id)).content[0]).toMatchObject({ action: 'version_restored', version: 3 });
  const { rows } = await test_app.db.execute<{ parts: number }>(
    sql`SELECT count(*)::int AS parts FROM live_code_version_part WHERE live_code_id = ${code.id}`,
  );
  // One design and two lists of targets, however many versions name them.
  expect(rows[0]?.parts).toBe(3);
  expect((await restore(owner, code.id, 1)).status).toBe(200);
  expect((await versions(owner, code.id)).total).toBe(3);
});

test('what is gone stays out and is told, the rest is restored', async () => {
  const domain = (await test_app.call(owner, 'domain_list', 'add', { host: 'gone.example.com', type: 1 })).body;
  const group = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO code_group (owner_id, name) VALUES (${owner.id}, 'gone') RETURNING id`,
  );
  const picture = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO file (owner_id, name, content_type, width, height, size) VALUES (${owner.id}, 'gone.jpg', 'image/jpeg', 1, 1, 1) RETURNING id`,
  );
  const pictureId = picture.rows[0]?.id ?? 0;
  const code = await add(owner, {
    file_name: 'was-mine',
    remark: 'as it was',
    entry_domain_id: domain.id,
    group_id: group.rows[0]?.id,
    targets: [{ kind: 'picture', content: String(pictureId) }, link('https://b.example/')],
  });
  await update(owner, code.id, {
    file_name: 'is-mine-now',
    remark: '',
    entry_domain_id: null,
    group_id: null,
    targets: [link('https://z.example/')],
  });
  await test_app.db.execute(sql`DELETE FROM domain WHERE id = ${domain.id}`);
  await test_app.db.execute(sql`DELETE FROM code_group WHERE id = ${group.rows[0]?.id}`);
  await test_app.db.execute(sql`DELETE FROM file WHERE id = ${pictureId}`);
  await add(stranger, { file_name: 'was-mine' });
  const { status, body } = await restore(owner, code.id, 1);
  expect(status).toBe(200);
  expect(body.left_out.map(({ field, reason, name }) => [field, reason, name]).sort()).toEqual([
    ['entry_domain_id', 'unknown_domain', 'gone.example.com'],
    ['file_name', 'taken', 'was-mine'],
    ['group_id', 'unknown_group', 'gone'],
    ['targets', 'unknown_file', String(pictureId)],
  ]);
  expect(body.code).toMatchObject({ file_name: 'is-mine-now', remark: 'as it was', entry_domain_id: null, group: null });
  expect(body.code.targets.map(({ content }) => content)).toEqual(['https://b.example/']);
});

test('codes older than their history get the state before the first change', async () => {
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO live_code (file_name, owner_id, name, remark) VALUES ('old-code', ${owner.id}, 'old', 'before') RETURNING id`,
  );
  const id = rows[0]?.id ?? 0;
  await test_app.db.execute(sql`INSERT INTO live_code_target (live_code_id, kind, content, sort) VALUES (${id}, 'text', 'x', 0)`);
  await update(owner, id, { remark: 'after' });
  expect((await versions(owner, id)).content).toMatchObject([{ action: 'changed' }, { action: 'kept', user_account: null, version: 1 }]);
  expect((await restore(owner, id, 1)).body.code.remark).toBe('before');
});

test('a batch is undone as a whole by who made it, but for codes that somebody changed since', async () => {
  const codes = await Promise.all([add(owner, { remark: 'one' }), add(owner, { remark: 'two' }), add(owner, { remark: 'three' })]);
  const ids = codes.map(({ id }) => id);
  const { change_id } = (await test_app.call(owner, 'qr_code_list', 'batch_update', { ids, changes: { remark: 'all', open: false } })).body;
  await update(owner, ids[2] ?? 0, { name: 'changed since' });
  const undo = (as: TestUser) => test_app.send(as, 'qr_code_list/undo', { change_id });
  expect((await undo(stranger)).body).toMatchObject({ affected: 0, changed_since: 0 });
  expect((await undo(administrator)).body).toMatchObject({ affected: 0, changed_since: 0 });
  expect((await undo(owner)).body).toEqual({ affected: 2, changed_since: 1, left_out: [] });
  expect((await undo(owner)).body).toEqual({ affected: 0, changed_since: 3, left_out: [] });
  const now = await Promise.all(ids.map((id) => details(owner, id)));
  expect(now.map(({ remark, open }) => [remark, open])).toEqual([
    ['one', true],
    ['two', true],
    ['all', false],
  ]);
});

test('restoring, undoing and changing at once end in one whole state, with a version for each that changed it', async () => {
  const { id, version } = await add(owner, { targets: [link('https://a.example/'), link('https://b.example/')] });
  const { change_id } = (await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [id], open: false })).body;
  await update(owner, id, { targets: [link('https://c.example/')] });
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => restore(owner, id, version)),
    ...Array.from({ length: 3 }, () => test_app.send(owner, 'qr_code_list/undo', { change_id })),
    ...Array.from({ length: 3 }, (_, n) => update(owner, id, { remark: `at once ${n}` })),
    ...Array.from({ length: 3 }, () =>
      test_app.call(administrator, 'qr_code_list', 'batch_update', { ids: [id], changes: { jump_type: 3 } }),
    ),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const page = await versions(owner, id, { page_size: 200 });
  const now = await details(owner, id);
  expect(now.targets.map(({ content }) => content)).toEqual(['https://a.example/', 'https://b.example/']);
  expect(new Set(page.content.map((kept) => kept.version)).size).toBe(page.total);
  expect(page.content[0]?.version).toBeLessThanOrEqual(now.version);
});

test('versions that never were, and ids beyond all bounds, are refused without an internal error', async () => {
  const { id } = await add(owner);
  for (const version of [0, 2 ** 31, Number.MAX_SAFE_INTEGER]) expect([400, 404]).toContain((await restore(owner, id, version)).status);
  for (const input of [
    { id, version: -1 },
    { id, version: 1.5 },
    { id: 0, version: 1 },
    { id, version: 1, owner_id: 1 },
  ])
    expect((await test_app.send(owner, 'qr_code_list/restore_version', input)).status).toBe(400);
  expect((await test_app.send(owner, 'qr_code_list/undo', { change_id: 'x' })).status).toBe(400);
  expect((await test_app.send(owner, 'qr_code_list/undo', { change_id: crypto.randomUUID() })).body).toMatchObject({ affected: 0 });
  expect((await versions(owner, id, { page: 1_000_000, page_size: 200 })).content).toEqual([]);
});

test('an act of an administrator in the name of a user is told with both', async () => {
  const { id } = await add(owner);
  const opened = await test_app.db.execute<{ id: number }>(
    sql`SELECT id FROM session WHERE user_id = ${administrator.id} ORDER BY id LIMIT 1`,
  );
  await test_app.db.execute(sql`UPDATE session SET impersonator_session_id = ${opened.rows[0]?.id} WHERE user_id = ${owner.id}`);
  const change = await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [id], open: false });
  const told = (await versions(owner, id)).content[0];
  await test_app.db.execute(sql`UPDATE session SET impersonator_session_id = NULL WHERE user_id = ${owner.id}`);
  expect([change.status, told]).toMatchObject([200, { user_account: owner.account, impersonator_account: administrator.account }]);
  // What was done in his name is not his to undo in one go; he restores a version.
  expect((await test_app.send(owner, 'qr_code_list/undo', { change_id: change.body.change_id })).body).toMatchObject({ affected: 0 });
  expect((await restore(owner, id, 1)).status).toBe(200);
});

test('a removal and a restoring are undone like any other change', async () => {
  const { id } = await add(owner);
  const remove = await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [id], removed: true });
  expect((await restore(owner, id, 1)).status).toBe(409);
  expect((await test_app.send(owner, 'qr_code_list/undo', { change_id: remove.body.change_id })).body).toMatchObject({ affected: 1 });
  expect(await details(owner, id)).toMatchObject({ removed: false, removed_at: null });
});

test('5,000 codes are changed at once, each with a version and an event, and undone as a whole', { tags: 'full' }, async () => {
  const user = await test_app.makeUser('customer');
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    WITH made AS (INSERT INTO live_code (file_name, owner_id, name, remark) SELECT 'much-' || n, ${user.id}, 'many', n::text FROM generate_series(1, 5000) AS n RETURNING id),
      targets AS (INSERT INTO live_code_target (live_code_id, kind, content, sort) SELECT id, 'text', 'x', 0 FROM made)
    SELECT id FROM made`);
  const ids = rows.map(({ id }) => id);
  const timed = async (run: () => Promise<unknown>) => {
    const start = performance.now();
    await run();
    return performance.now() - start;
  };
  await test_app.call(user, 'qr_code_list', 'update_open', { ids, open: false });
  let change_id: string | null = null;
  const changing = await timed(async () => {
    ({ change_id } = (await test_app.call(user, 'qr_code_list', 'batch_update', { ids, changes: { remark: 'batch' } })).body);
  });
  const undoing = await timed(async () => {
    expect((await test_app.send(user, 'qr_code_list/undo', { change_id })).body).toMatchObject({ affected: 5000, changed_since: 0 });
  });
  const { rows: counted } = await test_app.db.execute(sql`
    SELECT count(*)::int AS versions, count(DISTINCT live_code_id)::int AS codes FROM live_code_version WHERE owner_id = ${user.id}`);
  expect(counted).toEqual([{ versions: 20_000, codes: 5000 }]);
  const { rows: back } = await test_app.db.execute(
    sql`SELECT count(*)::int AS count FROM live_code WHERE owner_id = ${user.id} AND remark = substr(file_name, 6)`,
  );
  expect(back).toEqual([{ count: 5000 }]);
  const { rows: told } = await test_app.db.execute(sql`SELECT count(*)::int AS count FROM event WHERE owner_id = ${user.id}`);
  expect(told).toEqual([{ count: 15_000 }]);
  // A tenth of it on a quiet machine; work that grows with the square would take minutes.
  expect([changing < 10_000, undoing < 10_000]).toEqual([true, true]);
});

test('the last hundred versions are kept, and the parts that only older ones had go', { tags: 'full' }, async () => {
  const { id } = await add(owner, { qr_design: { first: true } });
  await update(owner, id, { qr_design: null });
  for (let n = 0; n < 105; n++) await update(owner, id, { remark: String(n) });
  const page = await versions(owner, id, { page_size: 200 });
  expect(page.total).toBe(100);
  expect(page.content[0]?.version).toBe(107);
  const { rows } = await test_app.db.execute(sql`SELECT count(*)::int AS parts FROM live_code_version_part WHERE live_code_id = ${id}`);
  expect(rows).toEqual([{ parts: 1 }]);
});

test("another user's versions are neither told nor restored; a later owner sees none of an earlier one", async () => {
  const { id } = await add(owner);
  await update(owner, id, { remark: 'secret of the owner' });
  expect((await test_app.call(stranger, 'qr_code_list', 'versions', { id })).status).toBe(404);
  expect((await restore(stranger, id, 1)).status).toBe(404);
  expect((await restore(owner, id, 99)).status).toBe(404);
  await test_app.db.execute(sql`UPDATE live_code SET owner_id = ${stranger.id}, version = version + 1 WHERE id = ${id}`);
  expect(await versions(stranger, id)).toMatchObject({ content: [], total: 0 });
  expect((await restore(stranger, id, 1)).status).toBe(404);
  expect((await restore(administrator, id, 1)).status).toBe(200);
});
