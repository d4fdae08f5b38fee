import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let administrator: TestUser;
let code: number;
let domain: number;

const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];

beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
  administrator = await test_app.makeUser('administrator');
  domain = (await test_app.call(owner, 'domain_list', 'add', { host: 'go.example.com', type: 1 })).body.id;
  code = await addCode('poster');
});
beforeEach(() =>
  test_app.db.execute(sql`
    DELETE FROM report; DELETE FROM site_message;
    UPDATE live_code SET frozen_at = NULL, frozen_reason = ''; UPDATE domain SET frozen_at = NULL; UPDATE user_account SET frozen_at = NULL`),
);
afterAll(() => test_app.close());

const addCode = async (name: string) =>
  (await test_app.call(owner, 'qr_code_list', 'add', { name, entry_domain_id: domain, targets })).body.id;

async function addReport({ ip = '203.0.113.5', text = 'a fake shop', of = code } = {}): Promise<number> {
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO report (live_code_id, file_name, owner_id, host, reason, text, ip, language, at)
    SELECT id, file_name, owner_id, 'go.example.com', 'fraud', ${text}, ${ip}, 'zh-CN', now() FROM live_code WHERE id = ${of} RETURNING id::float8 AS id`);
  return rows[0]?.id ?? 0;
}
const listed = async (input = {}) => (await test_app.call(administrator, 'report_list', 'inquire', input)).body.content;
const freeze = (what: 'code' | 'domain' | 'user', ids: number[], reason = 'sells fakes') =>
  test_app.call(administrator, 'report_list', 'freeze', { what, ids, reason });
const unfreeze = (what: 'code' | 'domain' | 'user', ids: number[]) =>
  test_app.call(administrator, 'report_list', 'unfreeze', { what, ids });
describe('the list of reports', () => {
  test('tells administrators of each what they need to decide, and finds by words, state and reason', async () => {
    const id = await addReport();
    await addReport({ ip: '203.0.113.6', text: 'something else' });
    expect(await listed({ search: 'FAKE' })).toMatchObject([
      {
        id,
        live_code_id: code,
        code_name: 'poster',
        owner_id: owner.id,
        owner_account: owner.account,
        host: 'go.example.com',
        domain_id: domain,
        reason: 'fraud',
        ip: '203.0.113.5',
        state: 'new',
        code_frozen: false,
      },
    ]);
    expect(await listed({ state: 'acted' })).toEqual([]);
    expect(await listed({ reason: 'fraud', live_code_id: code })).toHaveLength(2);
  });

  test('is for administrators alone', async () => {
    for (const action of ['inquire', 'dismiss', 'freeze', 'unfreeze']) {
      const body = action === 'inquire' ? {} : action === 'dismiss' ? { ids: [1] } : { what: 'code', ids: [code], reason: 'x' };
      expect((await test_app.send(owner, `report_list/${action}`, body)).status).toBe(403);
    }
  });

  test('keeps a report of a code that was deleted for ever', async () => {
    const gone = await addCode('gone');
    await addReport({ of: gone });
    await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [gone], removed: true });
    expect((await test_app.call(owner, 'qr_code_list', 'remove', { id: gone, name: 'gone' })).status).toBe(200);
    expect(await listed()).toMatchObject([{ live_code_id: null, code_name: '', owner_account: owner.account }]);
  });

  test('has new ones dismissed once, by name of who did it', async () => {
    const id = await addReport();
    expect((await test_app.call(administrator, 'report_list', 'dismiss', { ids: [id] })).body).toEqual({ affected: 1 });
    expect((await test_app.call(administrator, 'report_list', 'dismiss', { ids: [id] })).body).toEqual({ affected: 0 });
    expect(await listed()).toMatchObject([{ state: 'dismissed', decided_by_account: administrator.account }]);
  });
});

describe('a frozen code', () => {
  test('answers its reports, shows its owner why, and tells him in a message', async () => {
    await addReport();
    expect((await freeze('code', [code])).body).toEqual({ affected: 1 });
    expect((await freeze('code', [code])).body).toEqual({ affected: 0 });
    expect(await listed()).toMatchObject([{ state: 'acted', code_frozen: true, decided_by_account: administrator.account }]);
    const { body } = await test_app.call(owner, 'qr_code_list', 'details', { id: code });
    expect(body).toMatchObject({ frozen: 'code', frozen_reason: 'sells fakes', open: true });
    const { rows } = await test_app.db.execute<{ title: string; content: string; user_id: number }>(
      sql`SELECT title, content, user_id::float8 AS user_id FROM site_message JOIN site_message_receiver ON message_id = id`,
    );
    expect(rows).toMatchObject([{ user_id: owner.id, title: '活码已被冻结：poster' }]);
    expect(rows[0]?.content).toContain('sells fakes');
    expect((await test_app.call(owner, 'qr_code_list', 'inquire', { frozen: true })).body.content).toHaveLength(1);
  });

  test('is not switched on, copied, renamed, deleted for ever or taken out of sight by its owner, who may still mend it', async () => {
    await freeze('code', [code]);
    const { body: before } = await test_app.call(owner, 'qr_code_list', 'details', { id: code });
    const refused = [
      await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [code], open: true }),
      await test_app.call(owner, 'qr_code_list', 'duplicate', { id: code }),
      await test_app.call(owner, 'qr_code_list', 'update', { id: code, file_name: 'other-name' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'live_code.frozen']));
    expect((await test_app.call(owner, 'qr_code_list', 'update', { id: code, remark: 'mended', file_name: before.file_name })).status).toBe(
      200,
    );
    expect((await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [code], open: false })).status).toBe(200);
    await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [code], removed: true });
    expect((await test_app.call(owner, 'qr_code_list', 'remove', { id: code, name: 'poster' })).body.code).toBe('live_code.frozen');
    await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [code], removed: false });
    expect((await test_app.call(owner, 'qr_code_list', 'details', { id: code })).body).toMatchObject({ frozen: 'code' });
    await test_app.call(administrator, 'qr_code_list', 'update_open', { ids: [code], open: true });
  });

  test('is as it was before once it is freed, and the log says who did what', async () => {
    await freeze('code', [code]);
    expect((await unfreeze('code', [code])).body).toEqual({ affected: 1 });
    expect((await test_app.call(owner, 'qr_code_list', 'details', { id: code })).body).toMatchObject({
      frozen: null,
      frozen_reason: '',
      open: true,
    });
    const { rows } = await test_app.db.execute(sql`SELECT type FROM log WHERE type LIKE 'report_list/%' ORDER BY id DESC LIMIT 2`);
    expect(rows).toEqual([{ type: 'report_list/unfreeze' }, { type: 'report_list/freeze' }]);
  });
});

describe('a frozen domain', () => {
  test('stops the codes on it, is offered to none, and its holder can neither remove nor rename nor switch it on', async () => {
    await addReport();
    await freeze('domain', [domain]);
    expect(await listed()).toMatchObject([{ state: 'acted', domain_frozen: true, code_frozen: false }]);
    expect((await test_app.call(owner, 'qr_code_list', 'details', { id: code })).body).toMatchObject({ frozen: 'domain' });
    const hosts = (await test_app.call(owner, 'domain_list', 'options', {})).body.content.map(({ host }) => host);
    expect(hosts).not.toContain('go.example.com');
    expect((await test_app.call(owner, 'qr_code_list', 'add', { name: 'x', entry_domain_id: domain, targets })).body.fields).toEqual({
      entry_domain_id: 'unknown_domain',
    });
    const refused = [
      await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [domain], enabled: true }),
      await test_app.call(owner, 'domain_list', 'update', { id: domain, host: 'new.example.com' }),
      await test_app.call(owner, 'domain_list', 'remove', { ids: [domain] }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'domain.frozen']));
    expect((await test_app.call(owner, 'domain_list', 'inquire', { frozen: true })).body.content).toMatchObject([
      { frozen_reason: 'sells fakes' },
    ]);
  });
});

describe('a frozen user', () => {
  test('logs in as before and is told why, and all his codes count as frozen', async () => {
    await addReport();
    await freeze('user', [owner.id]);
    expect(await listed()).toMatchObject([{ state: 'acted', owner_frozen: true }]);
    const { body } = await test_app.call(owner, 'admin', 'get_info', {});
    expect(body.user_info).toMatchObject({ frozen_reason: 'sells fakes' });
    expect((await test_app.call(owner, 'qr_code_list', 'details', { id: code })).body).toMatchObject({ frozen: 'user' });
    expect((await test_app.call(administrator, 'user_list', 'inquire', { frozen: true })).body.content).toMatchObject([{ id: owner.id }]);
  });

  test('is never an administrator', async () => {
    expect((await freeze('user', [administrator.id, stranger.id])).body).toEqual({ affected: 1 });
    expect((await test_app.call(administrator, 'admin', 'get_info', {})).body.user_info.frozen_at).toBeNull();
  });
});
