import { type SQL, sql } from 'drizzle-orm';
import { createVault, readMasterKey } from '../vault.ts';
import type { TestApp, TestUser } from './app.ts';

export const ofTheOwner = 'of-the-owner';
export const targets = [{ kind: 'url' as const, content: 'https://example.com/', name: ofTheOwner, threshold: 5 }];

/** One row of each kind that has owners, by its id, and the owner’s own. */
export type Rows = Record<
  | 'group'
  | 'clearing'
  | 'code'
  | 'target'
  | 'alias'
  | 'removed'
  | 'domain'
  | 'busy'
  | 'forward'
  | 'source'
  | 'source_rule'
  | 'replacement'
  | 'failover'
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
  | 'push_mailbox'
  | 'push_channel'
  | 'push_rule'
  | 'push'
  | 'push_delivery'
  | 'snippet'
  | 'picture'
  | 'other_picture'
  | 'design'
  | 'view'
  | 'digest'
  | 'note'
  | 'visit_rule'
  | 'own_device'
  | 'own_address'
  | 'monitor'
  | 'block_check'
  | 'checked_url'
  | 'bot'
  | 'chat'
  | 'chat_code',
  number
> & { change: string; owner: number };

export type MakeRows = (input?: (rows: Rows) => object) => Promise<Rows>;

/**
 * Makes fresh rows of the owner, one of each kind; with an input, only of the kinds that it names, and the rest are those made first.
 * @param sender who sends the messages
 */
export function rowsOf(test_app: TestApp, owner: TestUser, sender: TestUser): MakeRows {
  let first: Rows | undefined;

  async function insert(statement: SQL): Promise<number> {
    const { rows } = await test_app.db.execute<{ id: number }>(statement);
    return rows[0]?.id ?? 0;
  }

  const makePicture = (): Promise<number> =>
    insert(sql`INSERT INTO file (owner_id, name, content_type, width, height, size, title)
      VALUES (${owner.id}, ${crypto.randomUUID()}, 'image/png', 1, 1, 1, ${ofTheOwner}) RETURNING id`);

  /** A target of the code that shows the picture. */
  async function showPicture(code: number, picture: number): Promise<number> {
    await insert(sql`INSERT INTO live_code_target (live_code_id, kind, file_id, sort, any_picture)
      VALUES (${code}, 'picture', ${picture}, 9, true) RETURNING id`);
    return picture;
  }

  /** Codes, and what hangs on them and their domains. */
  async function makeCodes() {
    const add = async (name: string) => (await test_app.call(owner, 'qr_code_list', 'add', { name, targets })).body;
    const [code, removed] = [await add(`${ofTheOwner} code`), await add(`${ofTheOwner} removed`)];
    await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${code.id}, 3, 1)`);
    const clearing = await insert(sql`
      INSERT INTO access_clearing (live_code_id, owner_id, cleared_at, visits) VALUES (${removed.id}, ${owner.id}, now(), 7) RETURNING id`);
    const group = await test_app.call(owner, 'group', 'add', { name: `${ofTheOwner} ${code.id}` });
    const removal = await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
    const host = `${ofTheOwner}-${code.id}.example.com`;
    const domain = (await test_app.call(owner, 'domain_list', 'add', { host, type: 1 })).body.id;
    const busy = (await test_app.call(owner, 'domain_list', 'add', { host: `busy-${host}`, type: 1 })).body.id;
    const former = (await test_app.call(owner, 'domain_list', 'add', { host: `former-${host}`, type: 1 })).body.id;
    await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids: [code.id], entry_domain_id: former });
    const { aliases } = (await test_app.call(owner, 'qr_code_list', 'add_alias', { id: code.id, remark: ofTheOwner })).body;
    const replacing = { from_domain_id: former, to_domain_id: busy };
    const replacement = await test_app.call(owner, 'domain_replacement', 'add', replacing);
    const short_domain = (await test_app.call(owner, 'domain_list', 'add', { host: `s-${code.id}.example.com`, type: 3 })).body.id;
    const forward = { domain_id: domain, path: '/of-the-owner', url: 'https://example.com/' };
    return {
      code: code.id,
      target: code.targets[0]?.id ?? 0,
      alias: aliases[0]?.id ?? 0,
      removed: removed.id,
      change: removal.body.change_id ?? '',
      group: group.body.id,
      clearing,
      domain,
      busy,
      replacement: replacement.body.replacement_id ?? 0,
      failover: await makeFailover(former, replacement.body.replacement_id),
      short_domain,
      short: await insert(sql`
        INSERT INTO short_code (owner_id, short, domain_id, live_code_id, remark)
        VALUES (${owner.id}, ${`own-${code.id}`}, ${short_domain}, ${code.id}, ${ofTheOwner}) RETURNING id`),
      ...(await makeSource(code.id)),
      forward: (await test_app.call(owner, 'forward', 'add', forward)).body.id,
      picture: await showPicture(removed.id, await makePicture()),
    };
  }

  /** The replacement as one that the product made for a blocked domain. */
  async function makeFailover(domain: number, replacement: number | null): Promise<number> {
    const incident = await insert(
      sql`INSERT INTO domain_incident (domain_id, kind, handling) VALUES (${domain}, 'blocked', 'replaced') RETURNING id`,
    );
    const { rows } = await test_app.db.execute<{ id: number }>(sql`SELECT id FROM failover WHERE incident_id = ${incident}`);
    const failover = rows[0]?.id ?? 0;
    await test_app.db.execute(sql`UPDATE domain_replacement SET failover_id = ${failover} WHERE id = ${replacement}`);
    return failover;
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

  /** A mailbox that waits for the code `000000`, a robot with a rule, and what was sent there. */
  async function makePush(): Promise<Pick<Rows, 'push_mailbox' | 'push_channel' | 'push_rule' | 'push' | 'push_delivery'>> {
    const vault = createVault(readMasterKey(test_app.dataDir));
    const robot = vault.seal(Buffer.from(JSON.stringify({ url: 'http://127.0.0.1:1/', secret: '' })), 'push robot');
    const mailbox = await insert(sql`
      INSERT INTO push_channel (owner_id, kind, target, receiver, code_sent_at)
      VALUES (${owner.id}, 'email', ${`${ofTheOwner}@example.com`}, sha256(${crypto.randomUUID()}::bytea), now()) RETURNING id`);
    await test_app.db.execute(
      sql`UPDATE push_channel SET code_hash = ${vault.mac(`${mailbox} 000000`, 'push channel code')} WHERE id = ${mailbox}`,
    );
    const channel = await insert(sql`
      INSERT INTO push_channel (owner_id, kind, name, secret, receiver, confirmed_at)
      VALUES (${owner.id}, 'wecom', ${ofTheOwner}, ${robot}, sha256(${crypto.randomUUID()}::bytea), now()) RETURNING id`);
    const rule = await insert(sql`
      INSERT INTO push_rule (owner_id, name, events) VALUES (${owner.id}, ${ofTheOwner}, '{domain.blocked}') RETURNING id`);
    const push = await insert(sql`
      INSERT INTO push (owner_id, rule_id, due_at, closed_at, title) VALUES (${owner.id}, ${rule}, now(), now(), ${ofTheOwner}) RETURNING id`);
    const push_delivery = await insert(sql`
      INSERT INTO push_delivery (push_id, channel_id, owner_id, state) VALUES (${push}, ${channel}, ${owner.id}, 'failed') RETURNING id`);
    return { push_mailbox: mailbox, push_channel: channel, push_rule: rule, push, push_delivery };
  }

  async function makeMessage() {
    const texts = { title: ofTheOwner, content: ofTheOwner };
    const sent = await test_app.call(sender, 'message_list', 'send', { ...texts, audience: 'users', user_ids: [owner.id] });
    return { message: sent.body.id };
  }

  const makeOperation = (state: string): Promise<number> =>
    insert(sql`
      INSERT INTO async_operation (user_id, kind, input, language, state, file, file_name, file_expires_at)
      VALUES (${owner.id}, 'log_export', '{}', 'zh-CN', ${state}, ${state === 'completed' ? ofTheOwner : null}, ${ofTheOwner}, now() + interval '1 hour') RETURNING id`);
  const makeSession = (): Promise<number> =>
    insert(sql`
      INSERT INTO session (token_hash, user_id, expires_at)
      VALUES (sha256(${crypto.randomUUID()}::bytea), ${owner.id}, now() + interval '1 hour') RETURNING id`);
  const makeToken = (): Promise<number> =>
    insert(sql`
      INSERT INTO api_token (user_id, role_id, name, prefix, token_hash, nodes)
      SELECT id, role_id, ${ofTheOwner}, 'lc_', sha256(${crypto.randomUUID()}::bytea), '{qr_code_list}' FROM user_account WHERE id = ${owner.id} RETURNING id`);
  const makeSnippet = (): Promise<number> =>
    insert(sql`INSERT INTO js_config (owner_id, name, provider, code) VALUES (${owner.id}, ${ofTheOwner}, 'code', 'a()') RETURNING id`);
  const makeDesign = (): Promise<number> =>
    insert(sql`
      INSERT INTO qr_design (owner_id, name, design) VALUES (${owner.id}, ${`${ofTheOwner} ${crypto.randomUUID()}`}, '{}') RETURNING id`);

  const makeView = (): Promise<number> =>
    insert(sql`
      INSERT INTO list_view (owner_id, list, name, query) VALUES (${owner.id}, 'qr_code_list', ${`${ofTheOwner} ${crypto.randomUUID()}`}, '') RETURNING id`);

  const makeOwnDevice = (): Promise<number> =>
    insert(sql`INSERT INTO own_device (owner_id, name) VALUES (${owner.id}, ${ofTheOwner}) RETURNING id`);
  let networks = 0;
  function makeOwnAddress(): Promise<number> {
    networks += 1;
    return insert(sql`
      INSERT INTO own_address (owner_id, network) VALUES (${owner.id}, ('10.0.0.0'::inet + ${networks})::cidr) RETURNING id`);
  }

  const makeDigest = (): Promise<number> =>
    insert(sql`
      INSERT INTO visit_digest (owner_id, name, question, every, hour, language, next_at)
      VALUES (${owner.id}, ${ofTheOwner}, '{}', 'day', 8, 'zh-CN', now() + interval '1 day') RETURNING id`);

  const makeNote = (): Promise<number> =>
    insert(sql`INSERT INTO visit_note (owner_id, at, text) VALUES (${owner.id}, '2026-01-01', ${ofTheOwner}) RETURNING id`);

  const makeVisitRule = (): Promise<number> =>
    insert(sql`INSERT INTO visit_rule (owner_id, direction, percent) VALUES (${owner.id}, 'falls', 50) RETURNING id`);

  const makeMonitor = (): Promise<number> =>
    insert(sql`
      INSERT INTO domain_monitor (owner_id, url, host, remark)
      VALUES (${owner.id}, ${`http://${ofTheOwner}.com/${crypto.randomUUID()}`}, ${`${ofTheOwner}.com`}, ${ofTheOwner}) RETURNING id`);

  /** A list of addresses to be checked, and its first one. */
  async function makeBlockCheck(): Promise<{ block_check: number; checked_url: number }> {
    const { rows } = await test_app.db.execute<{ block_check: number; checked_url: number }>(sql`
      WITH list AS (
        INSERT INTO block_check (user_id, total) VALUES (${owner.id}, 1) RETURNING id
      ), address AS (
        INSERT INTO block_check_url (check_id, position, url, host)
        SELECT id, 1, ${`http://${ofTheOwner}.com/`} || id, ${`${ofTheOwner}.com`} FROM list RETURNING id
      ) SELECT list.id AS block_check, address.id AS checked_url FROM list, address`);
    return rows[0] ?? { block_check: 0, checked_url: 0 };
  }

  /** A bot of the site, a chat of the owner, and a code by which he binds another. */
  async function makeChat() {
    const bot = await insert(sql`
      INSERT INTO telegram_bot (telegram_id, username, name, token, webhook_path)
      VALUES ((random() * 1e12)::bigint, 'of_the_site_bot', 'bot', '\\x00', ${crypto.randomUUID()}) RETURNING id`);
    const chat = await insert(sql`
      INSERT INTO telegram_chat (bot_id, user_id, chat_id, kind, nickname) VALUES (${bot}, ${owner.id}, 7, 'private', ${ofTheOwner}) RETURNING id`);
    const chat_code = await insert(sql`
      INSERT INTO telegram_code (bot_id, user_id, code_hash, expires_at, used_at, telegram_chat_id)
      VALUES (${bot}, ${owner.id}, sha256(${crypto.randomUUID()}::bytea), now(), now(), ${chat}) RETURNING id`);
    return { bot, chat, chat_code };
  }

  return async (input) => {
    const names = input && first && namesIn(input);
    const isNamed = (...kinds: (keyof Rows)[]) => !names || kinds.some((kind) => names.has(kind));
    const rows = {
      ...first,
      owner: owner.id,
      ...(isNamed(...ofCodes) && (await makeCodes())),
      ...(isNamed('webhook', 'delivery') && (await makeWebhook())),
      ...(isNamed('push_mailbox', 'push_channel', 'push_rule', 'push', 'push_delivery') && (await makePush())),
      ...(isNamed('message') && (await makeMessage())),
      ...(isNamed('session') && { session: await makeSession() }),
      ...(isNamed('waiting') && { waiting: await makeOperation('waiting') }),
      ...(isNamed('failed') && { failed: await makeOperation('failed') }),
      ...(isNamed('finished') && { finished: await makeOperation('completed') }),
      ...(isNamed('token') && { token: await makeToken() }),
      ...(isNamed('snippet') && { snippet: await makeSnippet() }),
      ...(isNamed('other_picture') && { other_picture: await makePicture() }),
      ...(isNamed('design') && { design: await makeDesign() }),
      ...(isNamed('view') && { view: await makeView() }),
      ...(isNamed('own_device') && { own_device: await makeOwnDevice() }),
      ...(isNamed('own_address') && { own_address: await makeOwnAddress() }),
      ...(isNamed('digest') && { digest: await makeDigest() }),
      ...(isNamed('note') && { note: await makeNote() }),
      ...(isNamed('visit_rule') && { visit_rule: await makeVisitRule() }),
      ...(isNamed('monitor') && { monitor: await makeMonitor() }),
      ...(isNamed('block_check', 'checked_url') && (await makeBlockCheck())),
      ...(isNamed('bot', 'chat', 'chat_code') && (await makeChat())),
    } as Rows;
    first ??= rows;
    return rows;
  };
}

const ofCodes = [
  'code',
  'target',
  'removed',
  'change',
  'group',
  'clearing',
  'domain',
  'busy',
  'replacement',
  'failover',
  'short_domain',
  'short',
  'source',
  'source_rule',
  'forward',
  'picture',
] as const;

/** Which rows an input names. */
function namesIn(input: (rows: Rows) => object): ReadonlySet<string> {
  const names = new Set<string>();
  input(new Proxy({} as Rows, { get: (_rows, name) => void names.add(String(name)) }));
  return names;
}
