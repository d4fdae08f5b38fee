import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../contract/api.ts';
import type { Call, Group } from '../contract/kit/call.ts';
import { screens } from '../contract/permissions.ts';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';
import { type MakeRows, ofTheOwner, type Rows, rowsOf, targets } from './kit/testing/owned-rows.ts';

let test_app: TestApp;
/** The superior of the owner: sees what is the owner's, and changes nothing. */
let agent: TestUser;
let owner: TestUser;
let strangers: readonly TestUser[];
let administrators: readonly TestUser[];
/** Rows that nobody of this test may change. */
let kept: Rows;
let makeRows: MakeRows;
beforeAll(async () => {
  test_app = await createTestApp({ heldMilliseconds: 1000 });
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  const colleague = await test_app.makeUser('customer', { superior_id: agent.id });
  // Below the owner: who is invited by somebody sees nothing of him.
  const below = await test_app.makeUser('customer', { superior_id: owner.id });
  strangers = [colleague, below, await test_app.makeUser('customer'), await test_app.makeUser('agent')];
  const first = await test_app.makeUser('super');
  administrators = [first, await test_app.makeUser('administrator')];
  makeRows = rowsOf(test_app, owner, first);
  kept = await makeRows();
});
afterAll(() => test_app.close());

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
  'qr_code_list/figures': { reads: true, input: ({ code }) => ({ id: code }) },
  'qr_code_list/visits_by_key': { reads: true, input: ({ code }) => ({ id: code, from: '2026-01-01', to: '2026-01-02' }) },
  'qr_code_list/add_alias': { input: ({ code }) => ({ id: code }) },
  'qr_code_list/update_alias': { input: ({ code, alias }) => ({ id: code, alias_id: alias, remark: 'changed' }) },
  'qr_code_list/remove_alias': { input: ({ code, alias }) => ({ id: code, alias_id: alias }) },
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
  'visit_digest/add': {
    personal: true,
    input: ({ push_channel }) => ({
      ...{ name: 'mine', every: 'day', weekday: 1, hour: 8, language: 'zh-CN', question: {} },
      channel_ids: [push_channel],
    }),
  },
  'visit_digest/update_enabled': { personal: true, input: ({ digest }) => ({ ids: [digest], enabled: false }) },
  'visit_digest/send': { personal: true, input: ({ digest }) => ({ id: digest }) },
  'visit_digest/remove': { personal: true, input: ({ digest }) => ({ ids: [digest] }) },
  'visit_note/add': { personal: true, input: ({ code }) => ({ text: 'mine', at: '2026-01-01T00:00:00Z', live_code_id: code }) },
  'visit_note/update': { personal: true, input: ({ note }) => ({ id: note, text: 'changed' }) },
  'visit_note/remove': { personal: true, input: ({ note }) => ({ ids: [note] }) },
  'visit_rule/add': { personal: true, input: ({ code }) => ({ live_code_id: code, direction: 'falls', percent: 50 }) },
  'visit_rule/update': { personal: true, input: ({ visit_rule }) => ({ id: visit_rule, percent: 30 }) },
  'visit_rule/update_enabled': { personal: true, input: ({ visit_rule }) => ({ ids: [visit_rule], enabled: false }) },
  'visit_rule/remove': { personal: true, input: ({ visit_rule }) => ({ ids: [visit_rule] }) },
  'list_view/remove': { personal: true, input: ({ view }) => ({ id: view }) },
  'qr_design/update': { personal: true, input: ({ design }) => ({ id: design, name: 'changed' }) },
  'qr_design/remove': { personal: true, input: ({ design }) => ({ ids: [design] }) },
  'qr_design/choose': { personal: true, input: ({ design }) => ({ id: design }) },
  'qr_design/apply': { input: ({ code }) => ({ ids: [code], design_id: null }) },
  'qr_code_list/find_targets': { input: ({ code }) => ({ ids: [code], find: 'example', replace: 'changed' }) },
  'qr_code_list/replace_targets': { input: ({ code }) => ({ ids: [code], find: 'example', replace: 'changed' }) },
  'qr_code_list/add_target': { input: ({ code }) => ({ ids: [code], target: { kind: 'url', content: 'https://example.com/' } }) },
  'qr_code_list/versions': { reads: true, input: ({ code }) => ({ id: code }) },
  'qr_code_list/restore_version': { input: ({ code }) => ({ id: code, version: 1 }) },
  // Whoever made a change undoes it, and nobody else.
  'qr_code_list/undo': { personal: true, input: ({ change }) => ({ change_id: change }) },
  'qr_code_list/share_settings': { input: ({ code }) => ({ id: code }) },
  'qr_code_list/update_share': { input: ({ code }) => ({ id: code, expires_at: null, from: null, to: null, figures: ['visits'] }) },
  'qr_code_access/clear': { input: ({ code }) => ({ ids: [code] }) },
  'qr_code_access/clear_access_history': { input: ({ code }) => ({ ids: [code] }) },
  'qr_code_access/restore_access_records': { input: ({ clearing }) => ({ ids: [clearing] }) },
  'qr_code_access/user_restore_access_records': { personal: true, input: ({ clearing }) => ({ ids: [clearing] }) },
  'qr_code_access/clear_record': { input: ({ clearing }) => ({ ids: [clearing] }) },
  'recover/inquire': { reads: true, input: ({ code }) => ({ live_code_id: code }) },
  'recover/restore': { input: ({ clearing }) => ({ ids: [clearing] }) },
  'group/options': { reads: true, input: () => ({ owner_id: owner.id }) },
  'group/update': { input: ({ group }) => ({ id: group, color: '#123456' }) },
  'group/update_sort': { input: ({ group }) => ({ ids: [group] }) },
  'group/move': { input: ({ code }) => ({ ids: [code], group_id: null }) },
  'group/remove': { input: ({ group }) => ({ ids: [group] }) },
  'qr_code_access/inquire': { reads: true, input: ({ code }) => ({ live_code_id: code }) },
  ...Object.fromEntries(
    (['inquire', 'heatmap', 'targets', 'annotations', 'breakdown', 'explain'] as const).map((call) => [
      `historical_statistics/${call}`,
      {
        reads: true,
        input: ({ code }) => ({
          ...{ from: '2026-01-01', to: '2026-01-02', live_code_ids: [code] },
          ...(call === 'breakdown' && { dimensions: ['carrier'] }),
          ...(call === 'explain' && { compare: 'before' }),
        }),
      } satisfies Claim,
    ]),
  ),
  'access_real_time_statistics/inquire': { reads: true, input: ({ code }) => ({ live_code_ids: [code] }) },
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
  'shield_configuration/inquire': { reads: true, input: ({ busy }) => ({ domain_id: busy }) },
  'shield_configuration/preview': { reads: true, input: ({ busy }) => ({ domain_id: busy }) },
  'shield_configuration/undo': { input: ({ failover }) => ({ ids: [failover] }) },
  'shield_configuration/retry': { input: ({ failover }) => ({ ids: [failover] }) },
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
  'own_device/link': { personal: true, input: ({ own_device }) => ({ id: own_device }) },
  'own_device/update': { personal: true, input: ({ own_device }) => ({ id: own_device, name: 'changed' }) },
  'own_device/remove': { personal: true, input: ({ own_device }) => ({ id: own_device }) },
  'own_address/remove': { personal: true, input: ({ own_address }) => ({ id: own_address }) },
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
  // The agent is answered, with chats of his own only.
  'telegram_bot_binding/inquire': { reads: true, input: () => ({ user_id: owner.id }) },
  'telegram_bot_binding/binding': { personal: true, input: ({ chat_code }) => ({ id: chat_code }) },
  'telegram_bot_binding/unbind': { input: ({ chat }) => ({ ids: [chat] }) },
  'shield_push/inquire': { reads: true, input: ({ push_channel }) => ({ channel_id: push_channel }) },
  'shield_push/resend': { input: ({ push_delivery }) => ({ ids: [push_delivery] }) },
  // What somebody is told of, and where, is his own business.
  'shield_push/seen': { personal: true, input: ({ push }) => ({ push_ids: [push] }) },
  'shield_push/update_channel': { personal: true, input: ({ push_channel }) => ({ id: push_channel, name: 'changed' }) },
  'shield_push/remove_channel': { personal: true, input: ({ push_channel }) => ({ ids: [push_channel] }) },
  'shield_push/send_code': { personal: true, input: ({ push_mailbox }) => ({ id: push_mailbox }) },
  'shield_push/confirm': { personal: true, input: ({ push_mailbox }) => ({ id: push_mailbox, code: '000000' }) },
  'shield_push/test': { personal: true, input: ({ push_channel }) => ({ id: push_channel }) },
  'shield_push/add_rule': { personal: true, input: ({ push_channel }) => ({ events: ['domain.blocked'], channel_ids: [push_channel] }) },
  'shield_push/update_rule': { personal: true, input: ({ push_rule }) => ({ id: push_rule, name: 'changed' }) },
  'shield_push/remove_rule': { personal: true, input: ({ push_rule }) => ({ ids: [push_rule] }) },
  'webhook/resend': { input: ({ delivery }) => ({ ids: [delivery] }) },
  // The agent is answered, with his own tokens only: api-tokens.test.ts.
  'api_token/inquire': { reads: true, input: () => ({ user_id: owner.id }) },
  'api_token/update': { personal: true, input: ({ token }) => ({ id: token, name: 'changed' }) },
  'api_token/revoke': { input: ({ token }) => ({ ids: [token] }) },
  // The agent is answered, with what is his own only: what others watch and look up is their own business.
  'domain_monitor/inquire': { reads: true, input: () => ({ owner_id: owner.id }) },
  'domain_monitor/ids': { reads: true, input: () => ({ owner_id: owner.id }) },
  'domain_monitor/details': { input: ({ monitor }) => ({ id: monitor }) },
  'domain_monitor/update': { input: ({ monitor }) => ({ ids: [monitor], paused: true }) },
  'domain_monitor/check': { input: ({ monitor }) => ({ ids: [monitor] }) },
  'domain_monitor/remove': { input: ({ monitor }) => ({ ids: [monitor] }) },
  // Everybody is answered, with lists of his own only.
  'wx_shield_detection/checks': { reads: true, input: ({ block_check }) => ({ ids: [block_check] }) },
  'wx_shield_detection/export': { personal: true, input: ({ block_check }) => ({ check_id: block_check, format: 'csv' }) },
  'wx_shield_detection/inquire': { personal: true, input: ({ block_check }) => ({ check_id: block_check }) },
  'wx_shield_detection/details': { personal: true, input: ({ checked_url }) => ({ id: checked_url }) },
  'wx_shield_detection/recheck': { personal: true, input: ({ checked_url }) => ({ ids: [checked_url] }) },
  'wx_shield_detection/stop': { personal: true, input: ({ block_check }) => ({ check_id: block_check }) },
  'wx_shield_detection/monitor': { personal: true, input: ({ checked_url }) => ({ ids: [checked_url] }) },
  // Everybody is answered, with his own balance only: bill.test.ts.
  'bill/inquire': { reads: true, input: () => ({ user_id: owner.id }) },
  'async_operations/inquire': { reads: true, input: ({ waiting }) => ({ ids: [waiting] }) },
  'async_operations/link': { personal: true, input: ({ finished }) => ({ id: finished }) },
  'async_operations/cancel': { input: ({ waiting }) => ({ id: waiting }) },
  'async_operations/retry': { input: ({ failed }) => ({ id: failed }) },
};
/** They name rows that the operator shows to everybody. */
const shownToAll = ['rotation/banners', 'rotation/click'];
/** Bots are the site's; a test message asks Telegram: bots/binding.test.ts. */
const ofBots = ['telegram_bot_binding/bind', 'telegram_bot_binding/test'];
/** The ids of a statistics service, not ours. */
const namesOfOthers = ['js_config/add', 'js_config/check'];

/** They work on a file or a chat of the caller's, or leave an operation behind; tests of their own show whose rows they touch. */
const testedApart = [
  'acting_withdrawal_list/cancel',
  'agent_divided_into/inquire',
  'agent_divided_into/sums',
  'agent_daily_statistics/inquire',
  'agent_daily_statistics/course',
  'agent_historical_statistics/inquire',
  'agent_historical_statistics/course',
  'buy_vip_combo/buy',
  'buy_vip_combo/cancel',
  'buy_vip_combo/keep',
  'order_payment/inquire',
  'order_payment/pay',
  'invoice/inquire',
  'invoice/issue',
  'bill/sums',
  'shield_push/add_channel',
  'code_import/check',
  'code_import/start',
  'qr_code_list/export',
  'qr_code_access/export_access_records',
];

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
  'live_code_key',
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
  'domain_incident',
  'domain_replacement',
  'shield_rule',
  'site_message_view',
  'session',
  'async_operation',
  'api_token',
  'webhook',
  'webhook_delivery',
  'push_channel',
  'push_rule',
  'push_rule_channel',
  'push',
  'push_delivery',
  'js_config',
  'file',
  'qr_design',
  'list_view',
  'visit_note',
  'visit_rule',
  'visit_digest',
  'visit_digest_channel',
  'own_device',
  'own_address',
  'domain_monitor',
  'block_check',
  'block_check_url',
  'telegram_chat',
  'telegram_code',
  'user_account',
];
/** What every call of somebody's changes of his own. */
const told: Partial<Record<string, readonly string[]>> = { session: ['used_at', 'expires_at'], api_token: ['used_at'] };
/** All rows of the tables in one statement, as a sum for each. */
const sums = sql.join(
  tables.map(
    (table) => sql`
      SELECT ${table}::text AS name, md5(coalesce(string_agg(line, E'\\n' ORDER BY line), '')) AS state
      FROM (SELECT (to_jsonb(t) - ${sql.param(told[table] ?? [])}::text[])::text AS line FROM ${sql.identifier(table)} t) AS lines`,
  ),
  sql` UNION ALL `,
);
const everything = async (): Promise<unknown> =>
  (await test_app.db.execute(sql`SELECT name, state FROM (${sums}) AS sums ORDER BY name`)).rows;

type Reply = { status: number; body: Record<string, unknown> };
/** Whether the call did, or told, something about the row. */
const isAbout = ({ status, body }: Reply): boolean => status === 200 && body.affected !== 0;

test('every call of customers and agents that names a row is looked at here', () => {
  expect([...Object.keys(claims), ...shownToAll, ...ofBots, ...namesOfOthers, ...testedApart].sort()).toEqual([...paths].sort());
});

const named = Object.entries(claims);

describe('those who may not change a row of a customer', () => {
  type Attempt = { path: string; by: TestUser | undefined; input: Claim['input'] };
  const made: Attempt[] = [];
  let before: unknown;
  beforeAll(async () => {
    before = await everything();
  });

  function attempt(by: TestUser | undefined, path: string, input: Claim['input']): Promise<Reply> {
    made.push({ path, by, input });
    return test_app.send(by, path, input(kept));
  }

  test.each(named)('%s answers 401 to nobody', async (path, { input }) => {
    expect((await attempt(undefined, path, input)).status).toBe(401);
  });

  test.each(named)('%s tells nothing to customers and agents whom he has nothing to do with', async (path, { input, reads }) => {
    for (const stranger of strangers) {
      const answer = await attempt(stranger, path, input);
      expect([200, 400, 403, 404]).toContain(answer.status);
      if (!reads) expect(isAbout(answer)).toBe(false);
      expect(JSON.stringify(answer.body)).not.toContain(ofTheOwner);
    }
  });

  test.each(named)('%s answers the agent who invited him where it reads, and only there', async (path, { input, reads = false }) => {
    expect(isAbout(await attempt(agent, path, input))).toBe(reads);
  });

  const withoutChange = named.filter(([, { reads, personal }]) => reads || personal);
  test.each(withoutChange)('%s answers administrators where it reads, and only there', async (path, { input, personal = false }) => {
    for (const administrator of administrators) {
      const answer = await attempt(administrator, path, input);
      expect(isAbout(answer)).toBe(!personal && answer.status !== 403);
    }
  });

  test('changed nothing by any of it', async () => {
    const after = await everything();
    if (isDeepStrictEqual(after, before)) return;
    // Which of them it was is found out by making each again, on rows of its own.
    const guilty: string[] = [];
    for (const { path, by, input } of made) {
      const rows = await makeRows(input);
      const earlier = await everything();
      await test_app.send(by, path, input(rows));
      if (!isDeepStrictEqual(await everything(), earlier)) guilty.push(`${path} by ${by?.account ?? 'nobody'}`);
    }
    expect(after, `changed by ${guilty.join(', ') || 'none of them alone'}`).toEqual(before);
  });
});

test.each(named)('%s works for the owner of the row', async (path, { input, reads = false }) => {
  const own = await test_app.send(owner, path, input(reads ? kept : await makeRows(input)));
  expect([path, own.status, isAbout(own)]).toEqual([path, 200, true]);
});

const changing = named.filter(([, { reads, personal }]) => !reads && !personal);
test.each(changing)('%s works for administrators who have the right', { tags: 'full' }, async (path, { input }) => {
  for (const administrator of administrators) {
    const answer = await test_app.send(administrator, path, input(await makeRows(input)));
    if (answer.status === 403) expect(isAbout(answer)).toBe(false);
    else expect([answer.status, isAbout(answer)]).toEqual([200, true]);
  }
});
