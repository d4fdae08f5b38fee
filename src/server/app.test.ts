import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { groups } from '../contract/api.ts';
import { languages } from '../contract/enums.ts';
import type { Call, Group } from '../contract/kit/call.ts';
import { hashToken } from './kit/calls/authentication.ts';
import { translate } from './kit/messages/messages.ts';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minItems?: number;
};

const calls = Object.values(groups as Record<string, Group>).flatMap((group) =>
  Object.entries(group.calls).map(([action, call]) => ({
    path: `${group.name}/${action}`,
    call,
    schema: z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Schema,
  })),
);

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
let stranger: TestUser;
let powerless: TestUser;
let ownedId: number;

beforeAll(async () => {
  test_app = await createTestApp({ trustedProxies: ['127.0.0.1'], heldMilliseconds: 1000 });
  [administrator, owner, stranger, powerless] = await Promise.all([
    test_app.makeUser('super'),
    test_app.makeUser('customer'),
    test_app.makeUser('customer'),
    test_app.makeUser('customer'),
  ]);
  await test_app.db.execute(
    sql`WITH empty AS (INSERT INTO role (name, kind) VALUES ('empty', 'customer') RETURNING id) UPDATE user_account SET role_id = empty.id FROM empty WHERE user_account.id = ${powerless.id}`,
  );
  const made = await test_app.call(owner, 'qr_code_list', 'add', {
    name: 'of the owner',
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
  ownedId = made.body.id;
  await test_app.call(owner, 'domain_list', 'add', { host: 'of-the-owner.example.com', type: 1 });
});
afterAll(() => test_app.close());

/** Calls that end everybody's sessions are among those that are tried. */
beforeEach(async () => {
  const sessions = [owner, stranger, powerless].map(({ id, token }) => sql`(${hashToken(token)}, ${id}, now() + interval '1 hour')`);
  await test_app.db.execute(sql`
    INSERT INTO session (token_hash, user_id, expires_at) VALUES ${sql.join(sessions, sql`, `)}
    ON CONFLICT (token_hash) DO NOTHING`);
});

/** An input that a schema would mostly accept: required fields only, ids of a row that another user owns. */
function sample(schema: Schema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {}, name);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {}, key)]));
    case 'array':
      return [sample(schema.items ?? {}, name)];
    case 'integer':
    case 'number':
      return ownedId;
    case 'boolean':
      return true;
    default:
      return name === 'content' ? 'https://example.com/' : 'sample';
  }
}

const expectTold = ({ status, body }: { status: number; body: { code?: string; message?: string } }, allowed: readonly number[]): void => {
  expect(allowed).toContain(status);
  if (status === 200) return;
  expect(body.code).toMatch(/^[a-z_]+(\.[a-z0-9_]+)*$/);
  expect(body.message).not.toContain('errors.');
  expect(body.message?.length).toBeGreaterThan(1);
};

/** In the gate each field meets a value of each kind, and all of them in `npm run test:full`. */
const inGate: ReadonlySet<unknown> = new Set([null, 1e308, '', '\u0000', "'; DROP TABLE live_code; --", '2026-13-45', '__proto__']);
const allHostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'x',
  '\u0000',
  '\ud800',
  "'; DROP TABLE live_code; --",
  '%_\\',
  '1'.repeat(100_000),
  [],
  [null],
  [[1]],
  {},
  { a: { b: {} } },
  { $ne: 1 },
  '__proto__',
  '2026-13-45',
  '0x10',
  '../../etc/passwd',
  '<script>alert(1)</script>',
];

const hostileValues =
  process.env.LIVECODE_TEST_GATE === '1'
    ? allHostileValues.filter(
        (value) => inGate.has(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 1),
      )
    : allHostileValues;

/** Fewer than the faults that one answer names. */
const fieldsAtOnce = 8;
const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));

describe.each(calls)('$path', ({ path, call, schema }: { path: string; call: Call; schema: Schema }) => {
  test('needs a login and a permission, unless it is public', async () => {
    const expected = { public: [undefined, undefined], login: [401, undefined], nodes: [401, 403] }[call.access.kind];
    if (expected[0]) expectTold(await test_app.send(undefined, path, sample(schema)), [expected[0]]);
    if (expected[0]) expectTold(await test_app.send({ ...owner, token: 'A'.repeat(43) }, path, sample(schema)), [401]);
    if (expected[1]) expectTold(await test_app.send(powerless, path, sample(schema)), [expected[1]]);
  });

  test('refuses a body that is not an object, and unknown keys by name', async () => {
    for (const body of ['[]', 'null', '"x"', '1', '{', '', '{"a":1', '{"__proto__":{"a":1}}'])
      expectTold(await test_app.send(administrator, path, body), [400, 413]);
    const { status, body } = await test_app.send(administrator, path, { ...(sample(schema) as object), surely_unknown: 1 });
    expectTold({ status, body }, [400]);
    expect(body.fields).toMatchObject({ surely_unknown: 'unknown' });
  });

  test('answers every wrong value of every field with a code and a translated message, never with 500', async () => {
    const base = sample(schema) as object;
    const keys = Object.keys(schema.properties ?? {});
    const send = (wrong: object) => test_app.send(administrator, path, { ...base, ...wrong });
    for (const value of hostileValues) {
      const isRefused = (key: string) => !call.input.safeParse({ ...base, [key]: value }).success;
      const named = new Set<string>();
      for (const some of inParts(keys.filter(isRefused), fieldsAtOnce)) {
        const answer = await send(Object.fromEntries(some.map((key) => [key, value])));
        expectTold(answer, [400, 401, 403, 413, 429]);
        const fields = new Set(Object.keys(answer.body.fields ?? {}).map((field) => field.split('.')[0]));
        for (const key of some) if (fields.has(key)) named.add(key);
      }
      // What is taken by the schema, or wrong only beside other fields, is tried by itself.
      for (const key of keys.filter((name) => !isRefused(name) || !named.has(name))) {
        expectTold(await send({ [key]: value }), [200, 400, 401, 403, 404, 409, 413, 429]);
      }
    }
    await test_app.db.execute(sql`DELETE FROM attempt`);
  });

  test("does nothing to another user's row", async () => {
    if (call.access.kind !== 'nodes') return;
    // From elsewhere: the wrong values before came from an address that may have asked too often by now.
    const { status, body } = await test_app.send(stranger, path, sample(schema), { 'x-forwarded-for': '198.51.100.7' });
    expectTold({ status, body }, [200, 400, 403, 404, 409]);
    if (status === 200 && 'affected' in body) expect(body.affected).toBe(0);
    if (status === 200) expect(JSON.stringify(body)).not.toMatch(/of the owner|of-the-owner/);
  });
});

test.each(languages)('a refusal speaks %s', async (language) => {
  const { body } = await test_app.send(undefined, 'admin/get_info', {}, { 'accept-language': language });
  expect(body.message).toBe(translate(language, 'errors.not_logged_in'));
  const script = { zh: /^[\p{sc=Han}，]+$/u, en: /^[a-z .’]+$/i, vi: /[ăâđêôơưạảãà]/, th: /^[\p{sc=Thai} ]+$/u, ja: /\p{sc=Hiragana}/u }[
    language.slice(0, 2)
  ];
  expect(body.message).toMatch(script ?? /^$/);
});

test('a call that does not exist is 404, and GET is not a call', async () => {
  expect((await test_app.send(administrator, 'qr_code_list/surely_not', {})).status).toBe(404);
  expect((await test_app.app.inject({ url: '/api/admin/get_info' })).statusCode).toBe(404);
});

test('a repeated request_id gets the first answer and changes nothing; with other input it is refused', async () => {
  const request_id = crypto.randomUUID();
  const input = { name: 'made once', targets: [{ kind: 'url' as const, content: 'https://example.com/' }], request_id };
  const answers = await Promise.all([1, 2, 3, 4].map(() => test_app.call(owner, 'qr_code_list', 'add', input)));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  const listed = await test_app.call(owner, 'qr_code_list', 'inquire', { search: 'made once' });
  expect(listed.body.total).toBe(1);
  const other = await test_app.call(owner, 'qr_code_list', 'add', { ...input, name: 'another' });
  expect([other.status, other.body.code]).toEqual([409, 'request_reused']);
});

test('every change leaves an audit row without secrets', async () => {
  const made = await test_app.call(owner, 'qr_code_list', 'add', {
    name: 'audited',
    password: 'very-secret',
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
  const { rows } = await test_app.db.execute<{ type: string; content: { password: string } }>(
    sql`SELECT type, content FROM log WHERE user_id = ${owner.id} ORDER BY id DESC LIMIT 1`,
  );
  expect(rows[0]).toMatchObject({ type: 'qr_code_list/add', content: { name: 'audited', password: '***' } });
  expect(made.body.has_password).toBe(true);
});

test('a call that does not exist says so in the language of its caller', async () => {
  const answer = await test_app.app.inject({ url: '/api/no/such', method: 'POST', headers: { 'accept-language': 'en-US' } });
  expect([answer.statusCode, answer.json()]).toEqual([404, { code: 'no_such_call', message: 'No such endpoint' }]);
  const chinese = await test_app.app.inject({ url: '/api/no/such', headers: { 'accept-language': 'zh-CN' } });
  expect(chinese.json().message).toBe('接口不存在');
});

test('OpenAPI describes every call, and its page is served', async () => {
  const document = (await test_app.app.inject({ url: '/api/openapi.json' })).json();
  expect(Object.keys(document.paths)).toEqual(
    [...calls.map(({ path }) => path), 'file/add', 'code_import/file'].map((path) => `/api/${path}`),
  );
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  const missing = references.filter((path) => path.split('/').reduce((part, name) => part?.[name], document) === undefined);
  expect(references.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
  const page = await test_app.app.inject({ url: '/api/docs/' });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  expect(policy.replace(/style-src [^;]*;/, '')).not.toMatch(/unsafe/);
  const script = await test_app.app.inject({ url: '/api/docs/js/scalar.js' });
  expect([script.statusCode, String(script.headers['content-security-policy'])]).toEqual([200, expect.not.stringContaining('unsafe-eval')]);
});
