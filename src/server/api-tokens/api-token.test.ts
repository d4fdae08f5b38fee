import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { groups } from '../../contract/api.ts';
import type { Call, Group } from '../../contract/kit/call.ts';
import { maxTokens, tokenExample } from '../../contract/people/api-token.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import { makeExportFolder } from '../jobs/operations.files.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let now = new Date();
beforeAll(async () => {
  test_app = await createTestApp({ trustedProxies: ['127.0.0.1'], now: () => now });
});
afterAll(() => test_app.close());

let owner: TestUser;
beforeEach(async () => {
  now = new Date();
  owner = await test_app.makeUser('customer');
});

const reading: NodeKey[] = ['qr_code_list', 'domain_list'];
const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];

async function makeToken(as: TestUser, input: object = {}): Promise<TestUser & { token_id: number }> {
  const { status, body } = await test_app.send(as, 'api_token/add', { name: 'machine', nodes: reading, ...input });
  expect([status, body]).toEqual([200, { id: expect.any(Number), token: expect.stringMatching(/^lc_[A-Za-z0-9_-]{43}$/) }]);
  return { ...as, token: String(body.token), token_id: Number(body.id) };
}

describe('a token', () => {
  test('makes the calls of its nodes in the name of its owner, and no others', async () => {
    const machine = await makeToken(owner, { nodes: ['qr_code_list', 'qr_code_list.add'] });
    const made = await test_app.send(machine, 'qr_code_list/add', { name: 'by a machine', targets });
    expect([made.status, made.body.owner_id]).toEqual([200, owner.id]);
    expect((await test_app.call(machine, 'qr_code_list', 'inquire', {})).body.total).toBe(1);
    expect(await test_app.send(machine, 'qr_code_list/update', { id: made.body.id, name: 'x' })).toMatchObject({ status: 403 });
    expect((await test_app.call(machine, 'domain_list', 'inquire', {})).status).toBe(403);
  });

  test('says what it may do', async () => {
    const machine = await makeToken(owner);
    const { body } = await test_app.call(machine, 'api_token', 'self', {});
    expect(body).toEqual({ name: 'machine', account: owner.account, role: '默认角色', nodes: ['domain_list', 'qr_code_list'] });
    expect((await test_app.call(owner, 'api_token', 'self', {})).status).toBe(404);
  });

  test('sees nothing of other users', async () => {
    const stranger = await test_app.makeUser('customer');
    const { body } = await test_app.call(stranger, 'qr_code_list', 'add', { name: 'of a stranger', targets });
    const machine = await makeToken(owner);
    expect((await test_app.call(machine, 'qr_code_list', 'inquire', {})).body.total).toBe(0);
    expect((await test_app.call(machine, 'qr_code_list', 'details', { id: body.id })).status).toBe(404);
  });

  test('is kept as its hash only, and no answer is kept for a repetition', async () => {
    const machine = await makeToken(owner);
    const { rows } = await test_app.db.execute<{ found: boolean }>(sql`
      SELECT EXISTS (SELECT FROM api_token t WHERE t::text LIKE ${`%${machine.token.slice(12)}%`})
        OR EXISTS (SELECT FROM log WHERE log::text LIKE ${`%${machine.token.slice(12)}%`})
        OR EXISTS (SELECT FROM request_answer r WHERE r::text LIKE ${`%${machine.token.slice(12)}%`}) AS found`);
    expect(rows).toEqual([{ found: false }]);
  });

  test('shows which one it was in the log', async () => {
    const machine = await makeToken(owner, { name: 'order system', nodes: ['qr_code_list.add'] });
    await test_app.send(machine, 'qr_code_list/add', { name: 'logged', targets });
    const { rows } = await test_app.db.execute(sql`SELECT type, source FROM log WHERE user_id = ${owner.id} AND type = 'qr_code_list/add'`);
    expect(rows).toEqual([{ type: 'qr_code_list/add', source: `api_token ${machine.token_id} (order system)` }]);
  });

  test('repeats the answer for a repeated request_id', async () => {
    const machine = await makeToken(owner, { nodes: ['qr_code_list.add'] });
    const input = { name: 'once', targets, request_id: crypto.randomUUID() };
    const [first, second] = [
      await test_app.send(machine, 'qr_code_list/add', input),
      await test_app.send(machine, 'qr_code_list/add', input),
    ];
    expect(second.body.id).toBe(first.body.id);
  });

  test('opens the way for the example that the screen shows, run by a shell', async () => {
    const machine = await makeToken(owner);
    await test_app.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test_app.app.server.address() as AddressInfo;
    const { stdout } = await promisify(execFile)('sh', ['-c', `${tokenExample(`http://127.0.0.1:${port}`, machine.token)} --silent`]);
    expect(JSON.parse(stdout)).toMatchObject({ account: owner.account });
  });
});

describe('a token ends at once', () => {
  const statusOf = async (machine: TestUser) => (await test_app.call(machine, 'qr_code_list', 'inquire', {})).status;

  test('when it is revoked, for good', async () => {
    const machine = await makeToken(owner);
    expect(await statusOf(machine)).toBe(200);
    expect((await test_app.call(owner, 'api_token', 'revoke', { ids: [machine.token_id] })).body.affected).toBe(1);
    expect(await test_app.call(machine, 'qr_code_list', 'inquire', {})).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
    expect((await test_app.call(owner, 'api_token', 'revoke', { ids: [machine.token_id] })).body.affected).toBe(0);
    expect((await test_app.call(owner, 'api_token', 'update', { id: machine.token_id, name: 'again' })).status).toBe(404);
  });

  test('when its time is over', async () => {
    const machine = await makeToken(owner, { expires_at: new Date(now.getTime() + 60_000).toISOString() });
    expect(await statusOf(machine)).toBe(200);
    await test_app.db.execute(sql`UPDATE api_token SET expires_at = now() WHERE id = ${machine.token_id}`);
    expect(await statusOf(machine)).toBe(401);
  });

  test('when its owner is disabled', async () => {
    const machine = await makeToken(owner);
    await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${owner.id}`);
    expect(await statusOf(machine)).toBe(401);
  });

  test('when its owner gets another role, until he confirms it with the rights of that role', async () => {
    const machine = await makeToken(owner);
    await test_app.db.execute(
      sql`UPDATE user_account SET role_id = (SELECT id FROM role WHERE kind = 'agent' AND built_in) WHERE id = ${owner.id}`,
    );
    expect(await statusOf(machine)).toBe(401);
    const { body } = await test_app.call(owner, 'api_token', 'inquire', {});
    expect(body.content[0]?.state).toBe('waiting');
    await test_app.call(owner, 'api_token', 'update', { id: machine.token_id });
    expect(await statusOf(machine)).toBe(200);
  });

  test('for the nodes that its owner loses', async () => {
    const { rows } = await test_app.db.execute<{ id: number }>(
      sql`INSERT INTO role (name, kind) VALUES (${crypto.randomUUID()}, 'customer') RETURNING id`,
    );
    const role = rows[0]?.id;
    await test_app.db.execute(
      sql`INSERT INTO role_node SELECT ${role}, id FROM permission_node WHERE key IN ('qr_code_list', 'domain_list', 'api_token', 'api_token.add')`,
    );
    await test_app.db.execute(sql`UPDATE user_account SET role_id = ${role} WHERE id = ${owner.id}`);
    const machine = await makeToken(owner);
    expect(await statusOf(machine)).toBe(200);
    await test_app.db.execute(
      sql`DELETE FROM role_node USING permission_node WHERE role_id = ${role} AND node_id = permission_node.id AND key = 'qr_code_list'`,
    );
    await test_app.db.execute(sql`UPDATE role SET version = version + 1 WHERE id = ${role}`);
    expect(await statusOf(machine)).toBe(403);
    expect((await test_app.call(machine, 'domain_list', 'inquire', {})).status).toBe(200);
    expect((await test_app.call(owner, 'api_token', 'inquire', {})).body.content[0]?.held).toBe(1);
  });
});

describe('a token is limited', () => {
  test('to its networks', async () => {
    const machine = await makeToken(owner, { networks: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = (ip: string) => test_app.send(machine, 'qr_code_list/inquire', {}, { 'x-forwarded-for': ip });
    for (const ip of ['203.0.113.9', '2001:db8::1', '::ffff:203.0.113.9']) expect([ip, (await from(ip)).status]).toEqual([ip, 200]);
    for (const ip of ['203.0.114.9', '2001:db9::1', '127.0.0.1'])
      expect(await from(ip)).toMatchObject({ status: 403, body: { code: 'token_wrong_address' } });
    const { body } = await test_app.call(owner, 'api_token', 'inquire', {});
    expect(body.content[0]).toMatchObject({ networks: ['203.0.113.0/24', '2001:db8::/32'], last_used_ip: '203.0.113.9' });
  });

  test('to its calls in a minute, and another one of the same owner is not', async () => {
    const [machine, other] = [await makeToken(owner, { calls_per_minute: 3 }), await makeToken(owner)];
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await test_app.call(machine, 'qr_code_list', 'inquire', {})).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    const refused = await test_app.call(machine, 'qr_code_list', 'inquire', {});
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([
      429,
      expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 60),
    ]);
    expect((await test_app.call(other, 'qr_code_list', 'inquire', {})).status).toBe(200);
    now = new Date(now.getTime() + 60_001);
    expect((await test_app.call(machine, 'qr_code_list', 'inquire', {})).status).toBe(200);
  });

  test('to what a machine may do, whoever its owner is', async () => {
    const administrator = await test_app.makeUser('super');
    const { rows } = await test_app.db.execute<{ key: NodeKey }>(sql`SELECT key FROM permission_node WHERE path <> ''`);
    const machine = await makeToken(administrator, { nodes: rows.map(({ key }) => key), calls_per_minute: 6000 });
    const wrong: string[] = [];
    for (const group of Object.values(groups as Record<string, Group>))
      for (const [action, call] of Object.entries(group.calls) as [string, Call][]) {
        const { status, body } = await test_app.send(machine, `${group.name}/${action}`, { surely_unknown: 1 });
        const expected = call.machines || call.access.kind === 'public' ? 400 : 403;
        if (status !== expected || (status === 403 && body.code !== 'token_not_allowed'))
          wrong.push(`${group.name}/${action}: ${status} ${body.code}`);
      }
    expect(wrong).toEqual([]);
    for (const path of [
      'admin/logout',
      'update_password/update',
      'user_list/log_in_as',
      'api_token/add',
      'api_token/revoke',
      'preference/update',
    ])
      expect(await test_app.send(machine, path, {})).toMatchObject({ status: 403, body: { code: 'token_not_allowed' } });
  });

  test('to what was chosen for it when it gives rights to others', async () => {
    const administrator = await test_app.makeUser('super');
    const machine = await makeToken(administrator, { nodes: ['user_list', 'user_list.role'] });
    const { rows } = await test_app.db.execute<{ id: number }>(sql`SELECT id FROM role WHERE kind = 'super' AND built_in`);
    const answer = await test_app.send(machine, 'user_list/update_role', { ids: [owner.id], role_id: rows[0]?.id });
    expect([answer.status, answer.body.code]).toEqual([403, 'role.beyond_own']);
  });

  test('to making no administrators, by no other way either', async () => {
    const nodes: NodeKey[] = ['user_list', 'user_list.role', 'administrators', 'administrators.add'];
    const machine = await makeToken(await test_app.makeUser('super'), { nodes });
    const { rows } = await test_app.db.execute<{ id: number }>(
      sql`INSERT INTO role (name, kind) VALUES (${crypto.randomUUID()}, 'administrator') RETURNING id`,
    );
    const answer = await test_app.send(machine, 'user_list/update_role', { ids: [owner.id], role_id: rows[0]?.id });
    expect([answer.status, answer.body.code]).toEqual([403, 'token_not_allowed']);
  });
});

describe('making one', () => {
  test('is refused beyond the own rights, with wrong networks, in the past, and without any node', async () => {
    for (const [field, input] of Object.entries({
      nodes: { nodes: ['user_list'] },
      'networks.1': { networks: ['203.0.113.1', 'x/99'] },
      expires_at: { expires_at: '2020-01-01T00:00:00Z' },
    })) {
      const { status, body } = await test_app.send(owner, 'api_token/add', { name: 'x', nodes: reading, ...input });
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]]);
    }
    for (const input of [
      { name: 'x', nodes: [] },
      { name: '', nodes: reading },
      { name: 'x', nodes: ['no_such'] },
      { name: 'x', nodes: reading, calls_per_minute: 0 },
    ])
      expect((await test_app.send(owner, 'api_token/add', input)).status).toBe(400);
  });

  test('ends at a number of usable ones, however many are made at once', async () => {
    await test_app.db.execute(sql`
      INSERT INTO api_token (user_id, role_id, name, prefix, token_hash, nodes)
      SELECT ${owner.id}, 1, 'one of many', 'lc_', sha256(gen_random_uuid()::text::bytea), '{}' FROM generate_series(1, ${maxTokens - 2})`);
    const made = await Promise.all(Array.from({ length: 5 }, () => test_app.send(owner, 'api_token/add', { name: 'x', nodes: reading })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409]);
  });

  test('by giving an expired one more time counts like any other', async () => {
    const machine = await makeToken(owner);
    await test_app.db.execute(sql`UPDATE api_token SET expires_at = now() - interval '1 minute' WHERE id = ${machine.token_id}`);
    const update = async (input: object) => (await test_app.send(owner, 'api_token/update', { id: machine.token_id, ...input })).status;
    const fill = (number: number) =>
      test_app.db.execute(sql`
        INSERT INTO api_token (user_id, role_id, name, prefix, token_hash, nodes)
        SELECT ${owner.id}, 1, 'one of many', 'lc_', sha256(gen_random_uuid()::text::bytea), '{}' FROM generate_series(1, ${number})`);
    await fill(maxTokens);
    expect(await update({ expires_at: null })).toBe(409);
    expect(await update({ name: 'still expired' })).toBe(200);
    await test_app.db.execute(sql`DELETE FROM api_token WHERE id = (SELECT max(id) FROM api_token WHERE user_id = ${owner.id})`);
    expect(await update({ expires_at: null })).toBe(200);
  });

  test('is not for an administrator who works as somebody else', async () => {
    const administrator = await test_app.makeUser('super');
    const { body } = await test_app.call(administrator, 'user_list', 'log_in_as', { id: owner.id });
    const acting = { ...owner, token: body.token };
    expect(await test_app.send(acting, 'api_token/add', { name: 'left behind', nodes: reading })).toMatchObject({
      status: 403,
      body: { code: 'user.acting' },
    });
  });
});

test('administrators see and revoke the tokens of others, and change none', async () => {
  const machine = await makeToken(owner);
  const administrator = await test_app.makeUser('administrator');
  const { body } = await test_app.call(administrator, 'api_token', 'inquire', { user_id: owner.id });
  expect(body.content.map(({ id, user_account }) => [id, user_account])).toEqual([[machine.token_id, owner.account]]);
  expect((await test_app.call(administrator, 'api_token', 'update', { id: machine.token_id, name: 'mine' })).status).toBe(404);
  expect((await test_app.call(administrator, 'api_token', 'revoke', { ids: [machine.token_id] })).body.affected).toBe(1);
});

test('an agent sees nothing of the tokens of his customers', async () => {
  const agent = await test_app.makeUser('agent');
  const customer = await test_app.makeUser('customer', { superior_id: agent.id });
  await makeToken(customer);
  expect((await test_app.call(agent, 'api_token', 'inquire', {})).body.total).toBe(0);
});

test('a token uploads pictures where it may use them, and fetches the results of its owner only', async () => {
  const [drawer, reader] = [
    await makeToken(owner, { nodes: ['image_configs.add'] }),
    await makeToken(owner, { nodes: ['async_operations'] }),
  ];
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(createCanvas(20, 20).toBuffer('image/png'))]), 'a.png');
  const encoded = new Response(form);
  const [type, payload] = [encoded.headers.get('content-type') ?? '', Buffer.from(await encoded.arrayBuffer())];
  const upload = async ({ token }: TestUser) =>
    (
      await test_app.app.inject({
        method: 'POST',
        url: '/api/file/add',
        headers: { 'content-type': type, authorization: `Bearer ${token}` },
        payload,
      })
    ).statusCode;
  const editor = await makeToken(await test_app.makeUser('administrator'), { nodes: ['rotation.add'] });
  expect([await upload(drawer), await upload(editor), await upload(reader)]).toEqual([200, 200, 403]);

  await writeFile(join(makeExportFolder(test_app.dataDir), 'result.csv'), 'rows');
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO async_operation (user_id, kind, input, language, state, file, file_name, file_expires_at)
    VALUES (${owner.id}, 'log_export', '{}', 'zh-CN', 'completed', 'result.csv', 'result.csv', now() + interval '1 hour') RETURNING id`);
  const { body } = await test_app.call(reader, 'async_operations', 'link', { id: rows[0]?.id ?? 0 });
  const fetchAs = async (as?: TestUser) => {
    const headers = as ? { authorization: `Bearer ${as.token}` } : {};
    const { statusCode, body: text } = await test_app.app.inject({ url: body.url, headers });
    return [statusCode, statusCode === 200 && text];
  };
  const stranger = await makeToken(await test_app.makeUser('customer'), { nodes: ['async_operations'] });
  expect([await fetchAs(reader), await fetchAs(stranger), await fetchAs(drawer), await fetchAs()]).toEqual([
    [200, 'rows'],
    [404, false],
    [403, false],
    [404, false],
  ]);
});

test('a token is taken however its client spells `Bearer`, and from nowhere but its header', async () => {
  const { token } = await makeToken(owner);
  const asked = async (headers: Record<string, string>, query = '', body: object = {}) =>
    (await test_app.send(undefined, `qr_code_list/inquire${query}`, body, headers)).status;
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) expect(await asked({ authorization: `${scheme} ${token}` })).toBe(200);
  for (const authorization of [token, `Basic ${token}`, `Token ${token}`, `Bearer ${token} x`, `Bearer ${token},Bearer ${token}`])
    expect(await asked({ authorization })).toBe(401);
  expect(await asked({ cookie: `token=${token}`, 'x-api-key': token }, `?token=${token}&access_token=${token}`)).toBe(401);
  expect(await asked({ authorization: `Bearer ${'A'.repeat(15_000)}` })).toBe(401);
});

test('what looks like a token and is none is refused', async () => {
  for (const token of [`lc_${'A'.repeat(43)}`, `lc_${'A'.repeat(42)}`, `LC_${'A'.repeat(43)}`, `lc_${'A'.repeat(44)}`])
    expect((await test_app.call({ ...owner, token }, 'qr_code_list', 'inquire', {})).status).toBe(401);
});
