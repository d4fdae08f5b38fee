import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { settingsOf } from '../../../contract/settings.ts';
import { readPerson } from '../../kit/calls/authentication.ts';
import { scopeOf } from '../../kit/calls/context.ts';
import type { OperationJob } from '../../kit/jobs/operations.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { domainReplaceKinds } from './domain-replacement.jobs.ts';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());
beforeEach(async () => {
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  stranger = await test_app.makeUser('customer');
});

let made = 0;
const addDomain = async (as: TestUser, type: 1 | 2 | 3 = 1, holder_id?: number | null) =>
  (
    await test_app.call(as, 'domain_list', 'add', {
      host: `replace-${++made}.example.com`,
      type,
      ...(holder_id === undefined ? {} : { holder_id }),
    })
  ).body;
const addCode = async (as: TestUser, domains: { entry_domain_id?: number | null; landing_domain_id?: number | null }) =>
  (
    await test_app.call(as, 'qr_code_list', 'add', {
      name: 'code',
      entry_domain_id: null,
      landing_domain_id: null,
      ...domains,
      targets: [{ kind: 'url', content: 'https://example.com/' }],
    })
  ).body;
const urlOf = async (as: TestUser, id: number) => (await test_app.call(as, 'qr_code_list', 'details', { id })).body.url;
const replace = (as: TestUser, from: { id: number }, to: { id: number }) =>
  test_app.call(as, 'domain_replacement', 'add', { from_domain_id: from.id, to_domain_id: to.id });
const preview = (as: TestUser, from: { id: number }, to: { id: number }) =>
  test_app.call(as, 'domain_replacement', 'preview', { from_domain_id: from.id, to_domain_id: to.id });
const undo = (as: TestUser, id: number) => test_app.call(as, 'domain_replacement', 'undo', { id });

test('all codes get the other domain, their links follow, versions and events tell, and it is undone', async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  const codes = [await addCode(owner, { entry_domain_id: from.id }), await addCode(owner, { entry_domain_id: from.id })];
  const removed = await addCode(owner, { entry_domain_id: from.id });
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
  const other = await addCode(owner, { entry_domain_id: to.id });

  expect((await preview(owner, from, to)).body).toEqual({
    live_codes: 3,
    removed_live_codes: 1,
    short_codes: 0,
    conflicts: 0,
    foreign: 0,
    owners: 1,
    forwards: 0,
    staying_forwards: 0,
  });
  const { body } = await replace(owner, from, to);
  expect(body).toMatchObject({ affected: 3, forwards: 0, operation_id: null });
  for (const { id, file_name } of codes) expect(await urlOf(owner, id)).toBe(`http://${to.host}/${file_name}`);
  const { rows: events } = await test_app.db.execute<{ type: string; data: object }>(
    sql`SELECT type, data FROM event WHERE owner_id = ${owner.id} AND type = 'domain.replaced'`,
  );
  expect(events).toEqual([{ type: 'domain.replaced', data: expect.objectContaining({ from_host: from.host, to_host: to.host }) }]);
  const { rows: versions } = await test_app.db.execute<{ action: string }>(
    sql`SELECT action FROM live_code_version WHERE live_code_id = ${codes[0]?.id} ORDER BY version DESC LIMIT 1`,
  );
  expect(versions).toEqual([{ action: 'domain_replaced' }]);
  // Nothing is on the former domain any more, the recycle bin included.
  expect((await test_app.call(owner, 'domain_list', 'details', { id: from.id })).body).toMatchObject({
    live_code_count: 0,
    replacements: [{ from_host: from.host, to_host: to.host, live_codes: 3, undoable: true, created_by_account: owner.account }],
  });

  expect((await undo(owner, body.replacement_id ?? 0)).body).toEqual({ affected: 3, forwards: 0, operation_id: null });
  for (const { id, file_name } of codes) expect(await urlOf(owner, id)).toBe(`http://${from.host}/${file_name}`);
  expect(await urlOf(owner, other.id)).toBe(`http://${to.host}/${other.file_name}`);
  expect((await undo(owner, body.replacement_id ?? 0)).body.code).toBe('domain.undone_already');
});

test('codes that were given another domain since stay as they are when it is undone', async () => {
  const [from, to, third] = [await addDomain(owner, 2), await addDomain(owner, 2), await addDomain(owner, 2)];
  const [stays, moved] = [await addCode(owner, { landing_domain_id: from.id }), await addCode(owner, { landing_domain_id: from.id })];
  const { body } = await replace(owner, from, to);
  await test_app.call(owner, 'qr_code_list', 'update', { id: moved.id, landing_domain_id: third.id });
  expect((await undo(owner, body.replacement_id ?? 0)).body.affected).toBe(1);
  const landingOf = async (id: number) => (await test_app.call(owner, 'qr_code_list', 'details', { id })).body.landing_domain_id;
  expect([await landingOf(stays.id), await landingOf(moved.id)]).toEqual([from.id, third.id]);
  const { body: listed } = await test_app.call(owner, 'domain_replacement', 'inquire', { domain_id: from.id });
  expect(listed.content).toMatchObject([{ live_codes: 2, undone_codes: 1, undoable: false }]);
});

test('short codes follow; one whose path is taken on the new domain stays', async () => {
  const [from, to] = [await addDomain(owner, 3), await addDomain(owner, 3)];
  const insert = (domain_id: number, short: string) =>
    test_app.db.execute(
      sql`INSERT INTO short_code (owner_id, domain_id, short, url) VALUES (${owner.id}, ${domain_id}, ${short}, 'https://example.com/')`,
    );
  for (const short of ['aa', 'bb', 'cc']) await insert(from.id, short);
  await insert(to.id, 'bb');
  expect((await preview(owner, from, to)).body).toMatchObject({ live_codes: 0, short_codes: 2, conflicts: 1 });
  const { body } = await replace(owner, from, to);
  expect(body.affected).toBe(2);
  const shortsOn = async (id: number) => {
    const { rows } = await test_app.db.execute<{ short: string }>(sql`SELECT short FROM short_code WHERE domain_id = ${id} ORDER BY short`);
    return rows.map(({ short }) => short);
  };
  expect([await shortsOn(from.id), await shortsOn(to.id)]).toEqual([['bb'], ['aa', 'bb', 'cc']]);
  const { rows: told } = await test_app.db.execute(
    sql`SELECT data -> 'short_url' AS now, data -> 'before' AS before FROM event WHERE type = 'short_code.changed' AND owner_id = ${owner.id} ORDER BY id`,
  );
  expect(told).toEqual(['aa', 'cc'].map((short) => ({ now: `http://${to.host}/${short}`, before: `http://${from.host}/${short}` })));
  // A short code keeps its domain from being removed and from going to somebody else.
  expect((await test_app.call(owner, 'domain_list', 'remove', { ids: [from.id] })).body.code).toBe('domain.has_short_codes');
  await undo(owner, body.replacement_id ?? 0);
  expect([await shortsOn(from.id), await shortsOn(to.id)]).toEqual([['aa', 'bb', 'cc'], ['bb']]);
});

test("a customer replaces on his own codes alone; an administrator on everybody's who may use the new domain", async () => {
  const [pool, pool2] = [await addDomain(administrator, 1, null), await addDomain(administrator, 1, null)];
  const own = await addDomain(owner);
  const [mine, theirs] = [await addCode(owner, { entry_domain_id: pool.id }), await addCode(stranger, { entry_domain_id: pool.id })];
  expect((await preview(owner, pool, own)).body).toMatchObject({ live_codes: 1, foreign: 0 });
  // On a domain of the owner the stranger's code could not stay.
  expect((await preview(administrator, pool, own)).body).toMatchObject({ live_codes: 1, foreign: 1, owners: 1 });
  const first = (await replace(owner, pool, own)).body;
  expect(first.affected).toBe(1);
  expect(await urlOf(stranger, theirs.id)).toContain(pool.host);
  const all = (await replace(administrator, pool, pool2)).body;
  expect(all.affected).toBe(1);
  expect(await urlOf(stranger, theirs.id)).toContain(pool2.host);
  expect(await urlOf(owner, mine.id)).toContain(own.host);
});

test("replacements of others are neither shown nor undone; an agent sees his customers'", async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  await addCode(owner, { entry_domain_id: from.id });
  const { body } = await replace(owner, from, to);
  const id = body.replacement_id ?? 0;
  const idsFor = async (as: TestUser) => (await test_app.call(as, 'domain_replacement', 'inquire', {})).body.content.map((row) => row.id);
  expect(await idsFor(owner)).toEqual([id]);
  expect(await idsFor(agent)).toEqual([id]);
  expect(await idsFor(stranger)).toEqual([]);
  for (const as of [stranger, agent]) expect((await undo(as, id)).status).toBe(404);
  expect((await undo(administrator, id)).body.affected).toBe(1);
});

test('what takes the place must be another domain of the same type, switched on, and one that the caller may use', async () => {
  const [from, landing, off, foreign] = [
    await addDomain(owner),
    await addDomain(owner, 2),
    await addDomain(owner),
    await addDomain(stranger),
  ];
  await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [off.id], enabled: false });
  for (const to of [landing, off, foreign, { id: 987_654_321 }]) {
    expect((await replace(owner, from, to)).body.fields).toEqual({ to_domain_id: 'unknown_domain' });
  }
  expect((await replace(owner, from, from)).body.fields).toEqual({ to_domain_id: 'same_domain' });
  expect((await replace(owner, foreign, from)).body.fields).toEqual({ from_domain_id: 'unknown_domain' });
  // Nothing on it: nothing is done, and no row tells of it.
  expect((await replace(owner, off, from)).body).toEqual({ affected: 0, forwards: 0, replacement_id: null, operation_id: null });
  expect((await test_app.call(owner, 'domain_replacement', 'inquire', {})).body.total).toBe(0);
});

test('a replacement whose former domain is gone or changed its type can no longer be undone', async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  await addCode(owner, { entry_domain_id: from.id });
  const { body } = await replace(owner, from, to);
  await test_app.call(owner, 'domain_list', 'update', { id: from.id, type: 2 });
  expect((await undo(owner, body.replacement_id ?? 0)).body.code).toBe('domain.not_undoable');
  await test_app.call(owner, 'domain_list', 'remove', { ids: [from.id] });
  expect((await undo(owner, body.replacement_id ?? 0)).body.code).toBe('domain.not_undoable');
  const { body: listed } = await test_app.call(owner, 'domain_replacement', 'inquire', {});
  expect(listed.content).toMatchObject([{ from_domain_id: null, from_host: from.host, undoable: false }]);
});

test('replacing there and back at the same moment leaves every code on one of the two', async () => {
  const [one, two] = [await addDomain(owner), await addDomain(owner)];
  for (let number = 0; number < 30; number++) await addCode(owner, { entry_domain_id: number % 2 ? one.id : two.id });
  const answers = await Promise.all([
    replace(owner, one, two),
    replace(owner, two, one),
    replace(owner, one, two),
    replace(owner, two, one),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { rows } = await test_app.db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM live_code WHERE owner_id = ${owner.id} AND entry_domain_id IN (${one.id}, ${two.id})`,
  );
  expect(rows).toEqual([{ count: 30 }]);
});

async function jobOf(user: TestUser, signal = new AbortController().signal): Promise<OperationJob & { steps: string[] }> {
  const person = await readPerson(test_app.db, user.id);
  if (!person) throw new Error('the user was made a moment ago');
  const steps: string[] = [];
  return {
    db: test_app.db,
    person,
    actor: { user_id: user.id, impersonator: null },
    scope: scopeOf(user.id, person.role.kind),
    language: 'en-US',
    settings: settingsOf([]),
    now: new Date(),
    log: console,
    signal,
    progress: (done, total) => steps.push(`${done}/${total}`),
    onCancel: () => {},
    goOn: () => {},
    file: () => '',
    steps,
  };
}
const run = (kind: string, input: object, job: OperationJob) => domainReplaceKinds.find((one) => one.kind === kind)?.run(input, job);

const fillWithCodes = (as: TestUser, domain_id: number, number: number) =>
  test_app.db.execute(sql`INSERT INTO live_code (file_name, owner_id, name, entry_domain_id)
    SELECT 'many-' || ${domain_id}::bigint || '-' || n, ${as.id}, 'many', ${domain_id} FROM generate_series(1, ${number}::int) AS n`);
const countOn = async (id: number) => (await test_app.call(owner, 'domain_list', 'details', { id })).body.live_code_count;

test('very many codes become an operation that goes on portion by portion, and back', async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  await fillWithCodes(owner, from.id, 5001);
  const started = (await replace(owner, from, to)).body;
  expect(started).toEqual({ affected: 0, forwards: 0, replacement_id: null, operation_id: expect.any(Number) });
  const pair = { from_domain_id: from.id, to_domain_id: to.id };
  const job = await jobOf(owner);
  expect(await run('domain_replace', pair, job)).toMatchObject({ message: { params: { number: 5001 } } });
  expect(job.steps).toEqual(['2000/5001', '4000/5001', '5001/5001', '5001/5001']);
  expect([await countOn(from.id), await countOn(to.id)]).toEqual([0, 5001]);
  const { content } = (await test_app.call(owner, 'domain_replacement', 'inquire', {})).body;
  expect(content).toMatchObject([{ live_codes: 5001, undoable: true }]);
  const id = content[0]?.id ?? 0;
  expect((await undo(owner, id)).body).toEqual({ affected: 0, forwards: 0, operation_id: expect.any(Number) });
  const other = await test_app.makeUser('customer');
  await expect(run('domain_replace_undo', { id }, await jobOf(other))).rejects.toThrow('not_found');
  await run('domain_replace_undo', { id }, await jobOf(owner));
  expect([await countOn(from.id), await countOn(to.id)]).toEqual([5001, 0]);
});

test('an operation that was cancelled half-way leaves what it did to be undone', async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  await fillWithCodes(owner, from.id, 5001);
  const cancelling = new AbortController();
  const job = await jobOf(owner, cancelling.signal);
  const stopping = { ...job, progress: (done: number) => done >= 4000 && cancelling.abort() };
  const pair = { from_domain_id: from.id, to_domain_id: to.id };
  await expect(run('domain_replace', pair, stopping)).rejects.toThrow('aborted');
  expect([await countOn(from.id), await countOn(to.id)]).toEqual([1001, 4000]);
  const { content } = (await test_app.call(owner, 'domain_replacement', 'inquire', {})).body;
  expect(content).toMatchObject([{ live_codes: 4000, undoable: true }]);
  expect((await undo(owner, content[0]?.id ?? 0)).body).toEqual({ affected: 4000, forwards: 0, operation_id: null });
  expect([await countOn(from.id), await countOn(to.id)]).toEqual([5001, 0]);
});

test('whoever lost the right meanwhile replaces nothing', async () => {
  const [from, to] = [await addDomain(owner), await addDomain(owner)];
  const job = await jobOf(owner);
  const powerless = { ...job, person: { ...job.person, nodes: new Set<never>() } };
  await expect(run('domain_replace', { from_domain_id: from.id, to_domain_id: to.id }, powerless)).rejects.toThrow('forbidden');
});

test('a blocked domain, one that points elsewhere or nowhere, and one without a certificate take a place only where the caller says so', async () => {
  await test_app.call(administrator, 'configuration', 'update', { values: { visit_scheme: 'https' } });
  const [from, blocked, elsewhere, nowhere, expired, healthy] = [
    await addDomain(owner),
    await addDomain(owner),
    await addDomain(owner),
    await addDomain(owner),
    await addDomain(owner),
    await addDomain(owner),
  ];
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${blocked.id}`);
  await test_app.db.execute(sql`UPDATE domain_check SET dns_state = 'elsewhere' WHERE domain_id = ${elsewhere.id}`);
  await test_app.db.execute(sql`UPDATE domain_check SET dns_state = 'nothing' WHERE domain_id = ${nowhere.id}`);
  await test_app.db.execute(sql`UPDATE domain_check SET dns_state = 'here', certificate_state = 'expired' WHERE domain_id = ${expired.id}`);
  const code = await addCode(owner, { entry_domain_id: from.id });
  const { body: options } = await test_app.call(owner, 'domain_list', 'options', { type: 1 });
  const places = [healthy, expired, elsewhere, blocked].map(({ id }) => options.content.findIndex((option) => option.id === id));
  expect(places).toEqual([...places].sort((a, b) => a - b));

  for (const [to, fault] of [
    [blocked, 'risky_domain_blocked'],
    [elsewhere, 'risky_domain_elsewhere'],
    [nowhere, 'risky_domain_elsewhere'],
    [expired, 'risky_domain_certificate'],
  ] as const) {
    const refused = await replace(owner, from, to);
    expect([refused.status, refused.body.fields]).toEqual([400, { to_domain_id: fault }]);
    const choice = { ids: [code.id], entry_domain_id: to.id };
    const alone = await test_app.call(owner, 'qr_code_list', 'change_domain_name', choice);
    expect([alone.status, alone.body.fields]).toEqual([400, { entry_domain_id: fault }]);
  }
  await test_app.call(administrator, 'configuration', 'update', { values: { visit_scheme: 'http' } });
  expect((await replace(owner, from, expired)).body.affected).toBe(1);
  expect((await replace(owner, expired, healthy)).body.affected).toBe(1);
  const accepted = { from_domain_id: healthy.id, to_domain_id: blocked.id, accept_risk: true };
  expect((await test_app.call(owner, 'domain_replacement', 'add', accepted)).body.affected).toBe(1);
});
