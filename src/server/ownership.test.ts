import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../contract/api.ts';
import type { Call, Group } from '../contract/kit/call.ts';
import { screens } from '../contract/permissions.ts';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';
import { createVault, readMasterKey } from './kit/vault.ts';

let test_app: TestApp;
/** The superior of the owner: sees what is the owner's, and changes nothing. */
let agent: TestUser;
let owner: TestUser;
let strangers: readonly TestUser[];
let administrators: readonly TestUser[];
/** Rows that nobody of this test may change. */
let kept: Rows;
beforeAll(async () => {
  test_app = await createTestApp();
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  const colleague = await test_app.makeUser('customer', { superior_id: agent.id });
  // Below the owner: who is invited by somebody sees nothing of him.
  const below = await test_app.makeUser('customer', { superior_id: owner.id });
  strangers = [colleague, below, await test_app.makeUser('customer'), await test_app.makeUser('agent')];
  administrators = [await test_app.makeUser('super'), await test_app.makeUser('administrator')];
  kept = await makeRows();
});
afterAll(() => test_app.close());

const ofTheOwner = 'of-the-owner';
const targets = [{ kind: 'url' as const, content: 'https://example.com/', name: ofTheOwner, threshold: 5 }];

type Rows = Record<
  | 'group'
  | 'clearing'
  | 'code'
  | 'target'
  | 'removed'
  | 'domain'
  | 'busy'
  | 'forward'
  | 'source'
  | 'source_rule'
  | 'replacement'
  | 'message'
  | 'session'
  | 'waiting'
  | 'failed'
  | 'finished'
  | 'token'
  | 'webhook'
  | 'short'
  | 'short_domain'
  | 'delivery'
  | 'snippet'
  | 'picture'
  | 'other_picture'
  | 'design',
  number
> & { change: string };

async function insert(statement: SQL): Promise<number> {
  const { rows } = await test_app.db.execute<{ id: number }>(statement);
  return rows[0]?.id ?? 0;
}

const makePicture = (): Promise<number> =>
  insert(sql`INSERT INTO file (owner_id, name, content_type, width, height, size, title)
    VALUES (${owner.id}, ${crypto.randomUUID()}, 'image/png', 1, 1, 1, ${ofTheOwner}) RETURNING id`);

/** A target of the code that shows the picture. */
async function showPicture(code: number, picture: number): Promise<number> {
  await insert(sql`INSERT INTO live_code_target (live_code_id, kind, content, file_id, sort, any_picture)
    VALUES (${code}, 'picture', ${String(picture)}, ${picture}, 9, true) RETURNING id`);
  return picture;
}

async function makeWebhook(): Promise<{ webhook: number; delivery: number }> {
  const secret = createVault(readMasterKey(test_app.dataDir)).seal(Buffer.alloc(32), 'webhook secret');
  const { rows } = await test_app.db.execute<{ webhook: number; delivery: number }>(sql`
    WITH hook AS (
      INSERT INTO webhook (owner_id, url, host, secret, remark)
      VALUES (${owner.id}, 'http://127.0.0.1:1/', '127.0.0.1:1', ${secret}, ${ofTheOwner}) RETURNING id
    ), happened AS (
      INSERT INTO event (type, owner_id, data, told) VALUES ('code.changed', ${owner.id}, ${JSON.stringify({ name: ofTheOwner })}::jsonb, true) RETURNING id
    ), sent AS (
      INSERT INTO webhook_delivery (webhook_id, event_id, state) SELECT hook.id, happened.id, 'failed' FROM hook, happened RETURNING id
    ) SELECT hook.id AS webhook, sent.id AS delivery FROM hook, sent`);
  return rows[0] ?? { webhook: 0, delivery: 0 };
}

/** Fresh rows of the owner, one of each kind that has owners. */
async function makeRows(): Promise<Rows> {
  const add = async (name: string) => (await test_app.call(owner, 'qr_code_list', 'add', { name, targets })).body;
  const [code, removed] = [await add(`${ofTheOwner} code`), await add(`${ofTheOwner} removed`)];
  await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${code.id}, 3, 1)`);
  const { rows: clearings } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO access_clearing (live_code_id, owner_id, cleared_at, visits) VALUES (${removed.id}, ${owner.id}, now(), 7) RETURNING id`);
  const group = await test_app.call(owner, 'group', 'add', { name: `${ofTheOwner} ${code.id}` });
  const removal = await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
  const host = `${ofTheOwner}-${code.id}.example.com`;
  const domain = (await test_app.call(owner, 'domain_list', 'add', { host, type: 1 })).body.id;
  const busy = (await test_app.call(owner, 'domain_list', 'add', { host: `busy-${host}`, type: 1 })).body.id;
  const former = (await test_app.call(owner, 'domain_list', 'add', { host: `former-${host}`, type: 1 })).body.id;
  await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids: [code.id], entry_domain_id: former });
  const replacing = { from_domain_id: former, to_domain_id: busy };
  const replacement = await test_app.call(owner, 'domain_replacement', 'add', replacing);
  const short_domain = (await test_app.call(owner, 'domain_list', 'add', { host: `s-${code.id}.example.com`, type: 3 })).body.id;
  const { rows: shorts } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO short_code (owner_id, short, domain_id, live_code_id, remark)
    VALUES (${owner.id}, ${`own-${code.id}`}, ${short_domain}, ${code.id}, ${ofTheOwner}) RETURNING id`);
  const message = await test_app.call(administrators[0], 'message_list', 'send', {
    title: ofTheOwner,
    content: ofTheOwner,
    audience: 'users',
    user_ids: [owner.id],
  });
  const { rows: sessions } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO session (token_hash, user_id, expires_at) VALUES (sha256(${crypto.randomUUID()}::bytea), ${owner.id}, now() + interval '1 hour') RETURNING id`);
  const { rows: tokens } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO api_token (user_id, role_id, name, prefix, token_hash, nodes)
    SELECT id, role_id, ${ofTheOwner}, 'lc_', sha256(${crypto.randomUUID()}::bytea), '{qr_code_list}' FROM user_account WHERE id = ${owner.id} RETURNING id`);
  const operation = async (state: string) => {
    const { rows } = await test_app.db.execute<{ id: number }>(sql`
      INSERT INTO async_operation (user_id, kind, input, language, state, file, file_name, file_expires_at)
      VALUES (${owner.id}, 'log_export', '{}', 'zh-CN', ${state}, ${state === 'completed' ? ofTheOwner : null}, ${ofTheOwner}, now() + interval '1 hour') RETURNING id`);
    return rows[0]?.id ?? 0;
  };
  return {
    code: code.id,
    short: shorts[0]?.id ?? 0,
    short_domain,
    target: code.targets[0]?.id ?? 0,
    removed: removed.id,
    change: removal.body.change_id ?? '',
    group: group.body.id,
    clearing: clearings[0]?.id ?? 0,
    domain,
    busy,
    ...(await makeSource(code.id)),
    forward: (await test_app.call(owner, 'forward', 'add', { domain_id: domain, path: '/of-the-owner', url: 'https://example.com/' })).body
      .id,
    replacement: replacement.body.replacement_id ?? 0,
    message: message.body.id,
    session: sessions[0]?.id ?? 0,
    waiting: await operation('waiting'),
    failed: await operation('failed'),
    finished: await operation('completed'),
    token: tokens[0]?.id ?? 0,
    ...(await makeWebhook()),
    snippet: await insert(
      sql`INSERT INTO js_config (owner_id, name, provider, code) VALUES (${owner.id}, ${ofTheOwner}, 'code', 'a()') RETURNING id`,
    ),
    picture: await showPicture(removed.id, await makePicture()),
    other_picture: await makePicture(),
    design: await insert(
      sql`INSERT INTO qr_design (owner_id, name, design) VALUES (${owner.id}, ${`${ofTheOwner} ${crypto.randomUUID()}`}, '{}') RETURNING id`,
    ),
  };
}

/** Where visits to a code came from, and what was decided on that. */
async function makeSource(code: number): Promise<{ source: number; source_rule: number }> {
  const { rows } = await test_app.db.execute<{ source: number; source_rule: number }>(sql`
    WITH source AS (
      INSERT INTO visit_source (kind, owner_id, host, live_code_id, ip, visits, first_at, last_at)
      VALUES ('referer', ${owner.id}, ${`${ofTheOwner}.example`}, ${code}, '203.0.113.5', 1, now(), now()) RETURNING id
    ), rule AS (
      INSERT INTO visit_source_rule (owner_id, host, action) VALUES (${owner.id}, ${`${ofTheOwner}-${code}.example`}, 'block') RETURNING id
    ) SELECT source.id::float8 AS source, rule.id::float8 AS source_rule FROM source, rule`);
  return rows[0] ?? { source: 0, source_rule: 0 };
}

type Claim = {
  input: (rows: Rows) => object;
  /** The agent above the owner may do it too: he sees. Changing is the owner's and administrators'. */
  reads?: true;
  /** Nobody does it for the owner, whatever his role. */
  personal?: true;
};
/** A right input of every call of customers and agents that names rows. */
const claims: Record<string, Claim> = {
  'qr_code_list/inquire': { reads: true, input: ({ domain }) => ({ entry_domain_id: domain }) },
  'qr_code_list/details': { reads: true, input: ({ code }) => ({ id: code }) },
  'qr_code_list/get_ip': { reads: true, input: ({ code }) => ({ id: code }) },
  'qr_code_list/statistics': { reads: true, input: ({ code }) => ({ id: code }) },
  'qr_code_list/test_visit': { reads: true, input: ({ code }) => ({ id: code, visitor: {} }) },
  'qr_code_list/simulate': { reads: true, input: ({ code }) => ({ id: code }) },
  // The domain is the owner's; a code of somebody else's cannot be put on it, whoever makes it.
  'qr_code_list/add': { personal: true, input: ({ domain }) => ({ name: 'on a foreign domain', targets, entry_domain_id: domain }) },
  'qr_code_list/update': { input: ({ code }) => ({ id: code, name: 'changed' }) },
  'qr_code_list/update_password': { input: ({ code }) => ({ id: code, password: 'changed1' }) },
  'qr_code_list/update_url': { input: ({ code, target }) => ({ id: code, target_id: target, content: 'https://evil.example/' }) },
  'qr_code_list/refill': { input: ({ code }) => ({ id: code }) },
  'qr_code_list/change_domain_name': { input: ({ code }) => ({ ids: [code], entry_domain_id: null }) },
  'qr_code_list/batch_update': { input: ({ code }) => ({ ids: [code], changes: { open: false } }) },
  'qr_code_list/update_open': { input: ({ code }) => ({ ids: [code], open: false }) },
  'qr_code_list/update_open_on_domain': { input: ({ busy }) => ({ domain_id: busy, open: false }) },
  'qr_code_list/update_restriction_visit': { input: ({ code }) => ({ ids: [code], restriction_visit: 2 }) },
  'qr_code_list/update_open_log': { input: ({ code }) => ({ ids: [code], open_log: false }) },
  'qr_code_list/update_remove': { input: ({ code }) => ({ ids: [code], removed: true }) },
  'qr_code_list/remove': { input: ({ removed }) => ({ id: removed, name: `${ofTheOwner} removed` }) },
  'qr_code_list/sheet': { reads: true, input: ({ code }) => ({ ids: [code] }) },
  'qr_code_list/duplicate': { input: ({ code }) => ({ id: code }) },
  'qr_code_list/ids': { reads: true, input: ({ domain }) => ({ entry_domain_id: domain }) },
  'qr_design/update': { personal: true, input: ({ design }) => ({ id: design, name: 'changed' }) },
  'qr_design/remove': { personal: true, input: ({ design }) => ({ ids: [design] }) },
  'qr_design/choose': { personal: true, input: ({ design }) => ({ id: design }) },
  'qr_design/apply': { input: ({ code }) => ({ ids: [code], design_id: null }) },
  'qr_code_list/versions': { reads: true, input: ({ code }) => ({ id: code }) },
  'qr_code_list/restore_version': { input: ({ code }) => ({ id: code, version: 1 }) },
  // Whoever made a change undoes it, and nobody else.
  'qr_code_list/undo': { personal: true, input: ({ change }) => ({ change_id: change }) },
  'qr_code_access/clear': { input: ({ code }) => ({ ids: [code] }) },
  'recover/inquire': { reads: true, input: ({ code }) => ({ live_code_id: code }) },
  'recover/restore': { input: ({ clearing }) => ({ ids: [clearing] }) },
  'group/options': { reads: true, input: () => ({ owner_id: owner.id }) },
  'group/update': { input: ({ group }) => ({ id: group, color: '#123456' }) },
  'group/update_sort': { input: ({ group }) => ({ ids: [group] }) },
  'group/move': { input: ({ code }) => ({ ids: [code], group_id: null }) },
  'group/remove': { input: ({ group }) => ({ ids: [group] }) },
  'qr_code_access/inquire': { reads: true, input: ({ code }) => ({ live_code_id: code }) },
  'today_statistics/inquire': { reads: true, input: ({ code }) => ({ live_code_ids: [code] }) },
  'domain_list/inquire': { reads: true, input: () => ({ holder_id: owner.id }) },
  'domain_list/options': { reads: true, input: () => ({ owner_id: owner.id }) },
  'domain_list/add': { input: ({ code }) => ({ host: `given-${code}.example.com`, type: 1, holder_id: owner.id }) },
  'domain_list/update': { input: ({ domain }) => ({ id: domain, remark: 'changed' }) },
  'domain_list/details': { reads: true, input: ({ domain }) => ({ id: domain }) },
  'domain_list/add_many': { input: ({ code }) => ({ lines: [`many-${code}.example.com`], type: 1, holder_id: owner.id }) },
  'domain_list/check': { input: ({ domain }) => ({ ids: [domain] }) },
  'no_domain_name/assign': { input: ({ code, domain }) => ({ ids: [code], entry_domain_id: domain }) },
  'export_domain_resolution/inquire': { reads: true, input: () => ({ holder_id: owner.id }) },
  'domain_replacement/inquire': { reads: true, input: ({ busy }) => ({ domain_id: busy }) },
  'domain_replacement/preview': { input: ({ busy, domain }) => ({ from_domain_id: busy, to_domain_id: domain }) },
  'domain_replacement/add': { input: ({ busy, domain }) => ({ from_domain_id: busy, to_domain_id: domain }) },
  'domain_replacement/undo': { input: ({ replacement }) => ({ id: replacement }) },
  'domain_list/update_enabled': { input: ({ domain }) => ({ ids: [domain], enabled: false }) },
  'domain_list/remove': { input: ({ domain }) => ({ ids: [domain] }) },
  'short_code/inquire': { reads: true, input: ({ code }) => ({ live_code_id: code }) },
  'short_code/domains': { reads: true, input: () => ({ owner_id: owner.id }) },
  // The page of results tells nothing of whose the code is: it is refused as a whole.
  'short_code/add': {
    input: ({ code, short_domain }) => ({ request_key: crypto.randomUUID(), live_code_ids: [code], domain_id: short_domain }),
  },
  'short_code/update': { input: ({ short }) => ({ id: short, remark: 'changed' }) },
  'short_code/update_enabled': { input: ({ short }) => ({ ids: [short], enabled: false }) },
  'short_code/update_design': { input: ({ short }) => ({ ids: [short], qr_design: null }) },
  'short_code/regenerate': { input: ({ short, code }) => ({ id: short, short_url: `http://s-${code}.example.com/own-${code}` }) },
  'short_code/remove': { input: ({ short }) => ({ ids: [short] }) },
  'forward/inquire': { reads: true, input: ({ domain }) => ({ domain_id: domain }) },
  'forward/add': { input: ({ domain }) => ({ domain_id: domain, path: '/added', url: 'https://example.com/' }) },
  'forward/update': { input: ({ forward }) => ({ id: forward, remark: 'changed' }) },
  'forward/update_enabled': { input: ({ forward }) => ({ ids: [forward], enabled: false }) },
  'forward/remove': { input: ({ forward }) => ({ ids: [forward] }) },
  'stealing_list/inquire': { reads: true, input: ({ code }) => ({ live_code_id: code }) },
  'stealing_list/block': { input: ({ source }) => ({ ids: [source] }) },
  'stealing_list/allow': { input: ({ source }) => ({ ids: [source] }) },
  'stealing_list/remove_rules': { input: ({ source_rule }) => ({ ids: [source_rule] }) },
  'message_list/update_status': { personal: true, input: ({ message }) => ({ id: message }) },
  'update_password/revoke_session': { personal: true, input: ({ session }) => ({ id: session }) },
  'js_config/inquire': { reads: true, input: () => ({ owner_id: owner.id }) },
  'js_config/options': { reads: true, input: () => ({ owner_id: owner.id }) },
  'js_config/codes': { reads: true, input: ({ snippet }) => ({ js_config_id: snippet }) },
  'js_config/update': { input: ({ snippet }) => ({ id: snippet, name: 'changed' }) },
  'js_config/remove': { input: ({ snippet }) => ({ ids: [snippet] }) },
  'image_configs/uses': { personal: true, input: ({ picture }) => ({ id: picture }) },
  'image_configs/update': { personal: true, input: ({ picture }) => ({ id: picture, title: 'changed' }) },
  'image_configs/replace': { personal: true, input: ({ picture, other_picture }) => ({ id: picture, file_id: other_picture }) },
  'image_configs/remove': { personal: true, input: ({ other_picture }) => ({ ids: [other_picture] }) },
  // The agent is answered, with what is his own only.
  'webhook/inquire': { reads: true, input: () => ({ owner_id: owner.id }) },
  'webhook/update': { input: ({ webhook }) => ({ id: webhook, remark: 'changed' }) },
  'webhook/regenerate': { input: ({ webhook }) => ({ id: webhook }) },
  'webhook/remove': { input: ({ webhook }) => ({ ids: [webhook] }) },
  'webhook/test': { input: ({ webhook }) => ({ id: webhook }) },
  'webhook/deliveries': { input: ({ webhook }) => ({ webhook_id: webhook }) },
  'webhook/resend': { input: ({ delivery }) => ({ ids: [delivery] }) },
  // The agent is answered, with his own tokens only: api-tokens.test.ts.
  'api_token/inquire': { reads: true, input: () => ({ user_id: owner.id }) },
  'api_token/update': { personal: true, input: ({ token }) => ({ id: token, name: 'changed' }) },
  'api_token/revoke': { input: ({ token }) => ({ ids: [token] }) },
  'async_operations/inquire': { reads: true, input: ({ waiting }) => ({ ids: [waiting] }) },
  'async_operations/link': { personal: true, input: ({ finished }) => ({ id: finished }) },
  'async_operations/cancel': { input: ({ waiting }) => ({ id: waiting }) },
  'async_operations/retry': { input: ({ failed }) => ({ id: failed }) },
};
/** They name rows that the operator shows to everybody. */
const shownToAll = ['rotation/banners', 'rotation/click'];
/** The ids of a statistics service, not ours. */
const namesOfOthers = ['js_config/add', 'js_config/check'];

/** They work on a file of the caller's, or leave an operation behind; tests of their own show whose rows they touch. */
const testedApart = ['code_import/check', 'code_import/start', 'qr_code_list/export'];

const ofCustomers: ReadonlySet<string> = new Set(
  screens
    .filter(({ audience }) => audience.includes('C') || audience.includes('G'))
    .flatMap(({ path, buttons, administratorButtons = [] }) => [
      path,
      ...buttons.filter((button) => !administratorButtons.includes(button)).map((button) => `${path}.${button}`),
    ]),
);
const isOfCustomers = ({ access }: Call): boolean =>
  access.kind === 'login' || (access.kind === 'nodes' && access.nodes.some((node) => ofCustomers.has(node)));
const namesRows = ({ input }: Call): boolean => Object.keys(input.shape).some((key) => /(^|_)ids?$/.test(key));
const paths = Object.values(groups as Record<string, Group>).flatMap((group) =>
  Object.entries(group.calls)
    .filter(([, call]) => isOfCustomers(call) && namesRows(call))
    .map(([action]) => `${group.name}/${action}`),
);

const tables = [
  'live_code',
  'live_code_target',
  'short_code',
  'live_code_version',
  'code_group',
  'forward',
  'visit_source',
  'visit_source_rule',
  'access_clearing',
  'target_quota',
  'domain',
  'site_message_view',
  'session',
  'async_operation',
  'api_token',
  'webhook',
  'webhook_delivery',
  'js_config',
  'file',
  'qr_design',
  'user_account',
];
async function everything(): Promise<unknown> {
  const states = [];
  for (const table of tables) {
    // When a session was used last is told by every call.
    const { rows } = await test_app.db.execute(
      sql`SELECT md5(coalesce(jsonb_agg(to_jsonb(t) - 'used_at' - 'expires_at' ORDER BY to_jsonb(t)::text), '[]')::text) AS state FROM ${sql.identifier(table)} t`,
    );
    states.push([table, rows[0]?.state]);
  }
  return states;
}

type Reply = { status: number; body: Record<string, unknown> };
/** Whether the call did, or told, something about the row. */
const isAbout = ({ status, body }: Reply): boolean => status === 200 && body.affected !== 0;

test('every call of customers and agents that names a row is looked at here', () => {
  expect([...Object.keys(claims), ...shownToAll, ...namesOfOthers, ...testedApart].sort()).toEqual([...paths].sort());
});

describe.each(Object.entries(claims))('%s about a row of a customer', (path, { input, reads = false, personal = false }) => {
  test('answers 401 to nobody, and works for its owner', async () => {
    const rows = await makeRows();
    const before = await everything();
    expect((await test_app.send(undefined, path, input(rows))).status).toBe(401);
    expect(await everything()).toEqual(before);
    const own = await test_app.send(owner, path, input(rows));
    expect([path, own.status, isAbout(own)]).toEqual([path, 200, true]);
  });

  test('neither tells nor changes anything for customers and agents whom he has nothing to do with', async () => {
    const before = await everything();
    for (const stranger of strangers) {
      const answer = await test_app.send(stranger, path, input(kept));
      expect([200, 400, 403, 404]).toContain(answer.status);
      if (!reads) expect(isAbout(answer)).toBe(false);
      expect(JSON.stringify(answer.body)).not.toContain(ofTheOwner);
    }
    expect(await everything()).toEqual(before);
  });

  test(`${reads ? 'is' : 'is not'} for the agent who invited him`, async () => {
    const before = await everything();
    const answer = await test_app.send(agent, path, input(kept));
    if (reads) expect([answer.status, isAbout(answer)]).toEqual([200, true]);
    else expect(isAbout(answer)).toBe(false);
    expect(await everything()).toEqual(before);
  });

  test(`${personal ? 'is not' : 'is'} for administrators who have the right`, async () => {
    for (const administrator of administrators) {
      const rows = await makeRows();
      const before = await everything();
      const answer = await test_app.send(administrator, path, input(rows));
      if (!personal && answer.status !== 403) expect([answer.status, isAbout(answer)]).toEqual([200, true]);
      else expect(isAbout(answer)).toBe(false);
      if (personal || reads) expect(await everything()).toEqual(before);
    }
  });
});
