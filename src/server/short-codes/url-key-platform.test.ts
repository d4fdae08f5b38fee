import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlatformConfig, PlatformType } from '../../contract/links/platform-config.ts';
import type { MadeLink } from '../../contract/links/short-code.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { outside, watchedOutside } from '../kit/testing/outside.ts';
import { good, hostileAnswers, json, lateAnswers as late, type Say, say } from './testing/answers.ts';

const world = watchedOutside();
let app: TestApp;
let admin: TestUser;
let customer: TestUser;
let code: { id: number; url: string | null };
let shortDomain: number;
let wildcardDomain: number;
let number = 0;

beforeAll(async () => {
  app = await createTestApp({ allowedNetworks: [`${outside}/32`], trustedProxies: ['127.0.0.1'] });
  admin = await app.makeUser('super');
  customer = await app.makeUser('customer');
  const addDomain = async (host: string, type: 1 | 3) =>
    (await app.call(admin, 'domain_list', 'add', { host, type, holder_id: null })).body.id;
  const entry = await addDomain('entry.example.com', 1);
  shortDomain = await addDomain('s.example.com', 3);
  wildcardDomain = await addDomain('*.w.example.com', 3);
  const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
  code = (await app.call(customer, 'qr_code_list', 'add', { name: 'code', targets, entry_domain_id: entry })).body;
});
afterAll(() => app.close());

const base = () => `http://${outside}:${world.port}`;
const destination = 'https://example.com/page?a=1&b=链接';

const asking = () => ({
  method: 'POST' as const,
  url: `${base()}/make`,
  headers: [{ name: 'Authorization', value: 'Bearer {key}' }],
  body_kind: 'json' as const,
  body: '{"long":"{url}"}',
  read: { kind: 'json' as const, path: '$.data.link' },
  timeout_seconds: 1,
});
const posting = () => ({ ...asking(), body: '{"status":"{text}"}', text: 'See {url} "now"' });
const configs: Record<PlatformType, () => PlatformConfig> = {
  1: () => ({ type: 1, url: `${base()}/get?u={url}&k={key}`, read: { kind: 'json', path: '$.data.link' }, timeout_seconds: 1 }),
  2: () => ({ type: 2, prefix: 'https://jump.example.com/?u=', encoding: 'base64url', suffix: '&v=1' }),
  3: () => ({ type: 3, domain_id: shortDomain }),
  4: () => ({ type: 4, ...asking() }),
  5: () => ({ type: 5, ...asking(), body_kind: 'form', body: 'u={url}&k={key}' }),
  6: () => ({ type: 6, base_url: `${base()}/t`, domain_id: shortDomain, timeout_seconds: 1 }),
  7: () => ({ type: 7, url: `${base()}/show?u={url}`, encoding: 'url', timeout_seconds: 1 }),
  8: () => ({ type: 8, url: `${base()}/show/{url}`, encoding: 'hex', timeout_seconds: 1 }),
  9: () => ({ type: 9, ...posting(), read: { kind: 'location' } }),
  10: () => ({ type: 10, ...posting() }),
  11: () => ({ type: 11, domain_id: shortDomain, length: 8 }),
  12: () => ({ type: 12, ...posting(), domain_id: shortDomain }),
  13: () => ({ type: 13, domain_id: wildcardDomain, label_length: 10, each_visit: true }),
  14: () => ({ type: 14, template: 'https://***.jump.example.com/**?u={url}', characters: 'letters' }),
  15: () => ({ type: 15, title: 'Open it outside', text: 'Ask Anna', picture_id: null }),
};
const goodAnswers: Partial<Record<PlatformType, () => Say>> = {
  6: () => ({}),
  7: () => ({ body: `<a href="${destination.replace('&', '&amp;')}">` }),
  8: () => ({ body: destination }),
  9: () => ({ status: 303, headers: { location: '/notes/7' } }),
};
const requesting: PlatformType[] = [1, 4, 5, 6, 7, 8, 9, 10, 12];

async function addPlatform(config: PlatformConfig, key: string | null = 'secret-key') {
  number += 1;
  const answer = await app.call(admin, 'url_key_platform', 'add', { name: `platform ${number}`, config, key });
  expect(answer.status).toBe(200);
  return answer.body;
}
const platformOf = async (id: number) =>
  (await app.call(admin, 'url_key_platform', 'inquire', { page_size: 200 })).body.content.find((row) => row.id === id);
const counted = async () => (await app.db.execute<{ n: number }>(sql`SELECT count(*) AS n FROM short_code`)).rows[0]?.n;

type Added = { status: number; body: { added: number; results: MadeLink[]; code?: string; fields?: Record<string, string> } };
/** Each call comes from an address of its own: how many one may make in a minute is not the matter here. */
async function addLinks(input: object): Promise<Added> {
  number += 1;
  const from = { 'x-forwarded-for': `10.0.${number >> 8}.${number & 255}` };
  const answer = await app.send(customer, 'short_code/add', { request_key: crypto.randomUUID(), ...input }, from);
  return answer as unknown as Added;
}

/** Makes a link the way customers do. Type 7 shows the destination's own address, so that a URL is asked for there. */
async function make(platform_id: number, type: PlatformType) {
  const isForCode = [11, 12, 13].includes(type);
  const wanted = isForCode ? { live_code_ids: [code.id] } : { urls: [destination] };
  const answer = await addLinks({ platform_id, ...wanted });
  expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  const [result] = answer.body.results;
  return { result, row: (await app.db.execute(sql`SELECT * FROM short_code WHERE id = ${result?.id ?? 0}`)).rows[0] };
}

beforeEach(() => {
  world.answer = say(json({ data: { link: good } }));
});

describe('a good answer', () => {
  const expected: Record<PlatformType, { link: RegExp; row?: object }> = {
    1: { link: /^https:\/\/sho\.rt\/abc$/, row: { domain_id: null, short: null } },
    2: { link: new RegExp(`^https://jump\\.example\\.com/\\?u=${Buffer.from(destination).toString('base64url')}&v=1$`) },
    3: { link: /^http:\/\/s\.example\.com\/[a-hjkmnp-z2-9]{6}$/, row: { platform_url: null, domain_choice: null } },
    4: { link: /^https:\/\/sho\.rt\/abc$/ },
    5: { link: /^https:\/\/sho\.rt\/abc$/ },
    6: { link: /^http:\/\/127\.0\.0\.2:\d+\/t\/[a-z2-9]{6}$/ },
    7: { link: /^http:\/\/127\.0\.0\.2:\d+\/show\?u=https%3A%2F%2Fexample\.com/ },
    8: { link: new RegExp(`/show/${Buffer.from(destination).toString('hex')}$`) },
    9: { link: /^http:\/\/127\.0\.0\.2:\d+\/notes\/7$/ },
    10: { link: /^https:\/\/sho\.rt\/abc$/ },
    11: { link: /^http:\/\/s\.example\.com\/[a-z2-9]{8}$/, row: { domain_choice: 'healthy_pool' } },
    12: { link: /^https:\/\/sho\.rt\/abc$/, row: { domain_choice: 'healthy_pool', platform_url: good } },
    13: { link: /^http:\/\/[a-z2-9]{10}\.w\.example\.com\/[a-z2-9]{6}$/, row: { domain_choice: 'random_label' } },
    14: { link: /^https:\/\/[a-z]{3}\.jump\.example\.com\/[a-z]{2}\?u=https%3A%2F%2Fexample\.com%2Fpage%3Fa%3D1/ },
    15: {
      link: /^http:\/\/s\.example\.com\/[a-z2-9]{6}$/,
      row: { page: { title: 'Open it outside', text: 'Ask Anna', picture_file: null } },
    },
  };

  test.each(Object.keys(configs).map(Number) as PlatformType[])('makes the link of type %i', async (type) => {
    const answer = goodAnswers[type];
    if (answer) world.answer = say(answer());
    const platform = await addPlatform(configs[type]());
    const { result, row } = await make(platform.id, type);
    expect(result?.error).toBeNull();
    expect(result?.short_url).toMatch(expected[type].link);
    expect(row).toMatchObject({ owner_id: customer.id, platform_id: platform.id, ...expected[type].row });
    expect(await platformOf(platform.id)).toMatchObject({ used: 1, last_error: null });
    expect(world.seen.length > 0).toBe(requesting.includes(type));
  });

  test('was asked for as the configuration says, with what is put in spelt for its place', async () => {
    const bodies: string[] = [];
    world.answer = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        response.end(JSON.stringify({ data: { link: good } }));
      });
    };
    for (const type of [1, 4, 5, 10] as const) await make((await addPlatform(configs[type]())).id, type);
    expect(world.seen[0]).toMatchObject({ method: 'GET', url: `/get?u=${encodeURIComponent(destination)}&k=secret-key` });
    expect(world.seen[1]?.headers).toMatchObject({ authorization: 'Bearer secret-key', 'content-type': 'application/json' });
    expect(JSON.parse(bodies[1] ?? '')).toEqual({ long: destination });
    expect(bodies[2]).toBe(`u=${encodeURIComponent(destination)}&k=secret-key`);
    expect(JSON.parse(bodies[3] ?? '')).toEqual({ status: `See ${destination} "now"` });
  });

  test('of a nested link leads to our own short link, which leads to the code', async () => {
    let posted = '';
    world.answer = (request, response) => {
      request.on('data', (chunk) => (posted += chunk));
      request.on('end', () => response.end(JSON.stringify({ data: { link: good } })));
    };
    const { row } = await make((await addPlatform(configs[12]())).id, 12);
    expect(JSON.parse(posted).status).toBe(`See http://s.example.com/${row?.short} "now"`);
    expect(row).toMatchObject({ live_code_id: code.id, domain_id: shortDomain });
  });

  test.each([
    ['a regular expression with a group', { kind: 'regex' as const, path: 'href="([^"]+)"' }, `<a href="${good}">x</a>`],
    ['the whole body', { kind: 'body' as const }, `  ${good}\n`],
    [
      'a filter of JSON',
      { kind: 'json' as const, path: "$.urls[?@.ok == 'yes'].short" },
      JSON.stringify({
        urls: [
          { ok: 'no', short: 'x' },
          { ok: 'yes', short: good },
        ],
      }),
    ],
    ['a part of the link', { kind: 'json' as const, path: '$.key', prefix: 'https://sho.rt/' }, JSON.stringify({ key: 'abc' })],
  ])('is read by %s', async (_what, read, body) => {
    world.answer = say({ body });
    const { result } = await make((await addPlatform({ type: 4, ...asking(), read })).id, 4);
    expect(result?.short_url).toBe(good);
  });
});

describe('an answer that is no link', () => {
  const hostile = hostileAnswers(() => world.port);

  async function expectNone(type: PlatformType): Promise<void> {
    const platform = await addPlatform(configs[type]());
    const before = await counted();
    const { result } = await make(platform.id, type);
    expect(result, `type ${type}`).toMatchObject({ id: null, short_url: null });
    expect(result?.error, `type ${type}`).not.toMatch(/errors\.|secret-key/);
    expect(await counted(), `type ${type}`).toBe(before);
    expect(await platformOf(platform.id), `type ${type}`).toMatchObject({ last_error: result?.error, used: 0 });
  }

  // All types wait at the same time.
  test.each(Object.keys(late))('%s makes none of any type, is told, and leaves nothing half-made', async (what) => {
    world.answer = late[what] ?? say({});
    await Promise.all(requesting.map(expectNone));
  });

  const cases = requesting.flatMap((type) => Object.keys(hostile).map((what) => ({ type, what })));
  test.each(cases)('of type $type $what makes none, is told, and leaves nothing half-made', async ({ type, what }) => {
    world.answer = hostile[what] ?? say({});
    // A redirect is what type 9 reads its address from: what it leads to is judged below.
    if (type === 9 && what.startsWith('that leads')) return;
    // A tunnel that answers at its own address leads here, whatever it says.
    if (type === 6 && ['that is HTML', 'that is empty', 'without the field', 'that nests too deeply'].includes(what)) return;
    await expectNone(type);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://sho.rt/x',
    '//sho.rt/x',
    '/x',
    'sho.rt/x',
    'https://',
    'https://user:pass@sho.rt/x',
    'https://sho.rt/a b',
    'https://sho.rt/\u202egnp',
    'https://sho.rt/"><script>',
    'https://sho.rt/x\nhttps://evil.example/',
    'http://127.0.0.1/x',
    'http://169.254.169.254/',
    'http://[::1]/',
    'http://2130706433/',
    `https://sho.rt/${'a'.repeat(3000)}`,
    destination,
  ])('%j in a good answer makes none', async (link) => {
    world.answer = say(json({ data: { link } }));
    const { result } = await make((await addPlatform(configs[4]())).id, 4);
    expect(result).toMatchObject({ id: null });
    expect(result?.error).toBeTruthy();
  });

  test.each(['javascript:alert(1)', 'http://127.0.0.1/x', 'ftp://a.example/x', 'http://10.0.0.1/'])(
    '%s as a location makes none',
    async (location) => {
      world.answer = say({ status: 302, headers: { location } });
      const { result } = await make((await addPlatform(configs[9]())).id, 9);
      expect(result).toMatchObject({ id: null });
    },
  );

  test('read by an expression that would take for ever is given up while others are answered', { tags: 'full' }, async () => {
    world.answer = say({ body: `${'a'.repeat(50_000)}!` });
    const platform = await addPlatform({ type: 4, ...asking(), read: { kind: 'regex', path: '^(a|a)*$' } });
    let isOver = false;
    const making = make(platform.id, 4).finally(() => {
      isOver = true;
    });
    expect((await app.call(customer, 'short_code', 'inquire', {})).status).toBe(200);
    expect(isOver).toBe(false);
    expect((await making).result).toMatchObject({ id: null });
  });

  test('for one destination takes none of the others with it', async () => {
    world.answer = (request, response) => {
      const isBad = request.url?.includes('bad');
      response.writeHead(isBad ? 500 : 200).end(JSON.stringify({ data: { link: `https://sho.rt/${request.url?.length}` } }));
    };
    const platform = await addPlatform(configs[1]());
    const urls = ['https://example.com/1', 'https://example.com/bad', 'https://example.com/333'];
    const { body } = await addLinks({ platform_id: platform.id, urls });
    expect(body.added).toBe(2);
    expect(body.results.map(({ error }) => error !== null)).toEqual([false, true, false]);
    expect(await platformOf(platform.id)).toMatchObject({ used: 2, last_error: expect.stringContaining('500') });
  });
});

describe('a key', () => {
  test('is sealed at rest, and told by no call', async () => {
    const platform = await addPlatform(configs[4](), 'a-very-secret-key');
    const { rows } = await app.db.execute<{ row: string; log: string }>(sql`
      SELECT encode(key, 'escape') AS row, (SELECT string_agg(content::text || coalesce(changes::text, ''), '') FROM log) AS log
      FROM url_key_platform WHERE id = ${platform.id}`);
    expect(rows[0]?.row).not.toContain('a-very-secret-key');
    expect(rows[0]?.log).not.toContain('a-very-secret-key');
    expect(platform).toMatchObject({ has_key: true });
    expect(JSON.stringify(await platformOf(platform.id))).not.toContain('a-very-secret-key');
  });

  test('stands masked in a test, also where the other side echoes it', async () => {
    const key = 'k3y/with+signs"';
    world.answer = (request, response) => {
      response.setHeader('x-echo', encodeURIComponent(key));
      response.end(JSON.stringify({ data: { link: good }, you_sent: request.headers.authorization }));
    };
    const platform = await addPlatform(configs[4](), key);
    const { body } = await app.call(admin, 'url_key_platform', 'test', { id: platform.id, url: destination });
    expect(body).toMatchObject({ link: good, error: null, read: good, answer: { status: 200 } });
    const told = JSON.stringify(body);
    for (const spelling of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) expect(told).not.toContain(spelling);
    expect(body.request?.headers).toContainEqual({ name: 'Authorization', value: 'Bearer ***' });
  });

  test('goes to nobody but whom it was typed for', async () => {
    const platform = await addPlatform(configs[4]());
    const elsewhere = { ...configs[4](), url: `http://127.0.0.2:${world.port + 1}/make` } as PlatformConfig;
    const refused = await app.call(admin, 'url_key_platform', 'update', { id: platform.id, config: elsewhere });
    expect(refused.body.fields).toEqual({ key: 'key_again' });
    const tried = await app.call(admin, 'url_key_platform', 'test', { id: platform.id, config: elsewhere, url: destination });
    expect(tried.body.link).toBeNull();
    expect(tried.body.request).toBeNull();
    expect((await app.call(admin, 'url_key_platform', 'update', { id: platform.id, config: elsewhere, key: 'another-key' })).status).toBe(
      200,
    );
  });

  test('that is missing is asked for before anything is sent', async () => {
    const { result } = await make((await addPlatform(configs[4](), null)).id, 4);
    expect(result).toMatchObject({ id: null });
    expect(world.seen).toHaveLength(0);
  });
});

describe('a test', () => {
  test.each(Object.keys(configs).map(Number) as PlatformType[])('of type %i shows a link and keeps none', async (type) => {
    const answer = goodAnswers[type];
    if (answer) world.answer = say(answer());
    const before = await counted();
    const { status, body } = await app.call(admin, 'url_key_platform', 'test', {
      config: configs[type](),
      key: 'secret-key',
      url: destination,
    });
    expect([status, body.error]).toEqual([200, null]);
    expect(body.link).toMatch(/^https?:\/\//);
    expect(body.request !== null).toBe(requesting.includes(type));
    expect(await counted()).toBe(before);
  });

  test('shows the beginning of an answer that could not be read, and why', async () => {
    world.answer = say({ headers: { 'content-type': 'text/html' }, body: `<h1>Sign in</h1>${'x'.repeat(9000)}` });
    const { body } = await app.call(admin, 'url_key_platform', 'test', { config: configs[4](), key: 'secret-key', url: destination });
    expect(body).toMatchObject({ link: null, read: null, answer: { status: 200, is_cut: true } });
    expect(body.answer?.body).toHaveLength(4096);
    expect(body.error).toBeTruthy();
  });

  test('is for administrators', async () => {
    for (const action of ['inquire', 'test', 'add', 'update', 'remove'])
      expect((await app.send(customer, `url_key_platform/${action}`, {})).status).toBe(403);
  });
});

test("a platform's domain is one of the platform's, and what links come from stays", async () => {
  const own = (await app.call(customer, 'domain_list', 'add', { host: 'own.example.com', type: 3 })).body.id;
  expect((await app.call(admin, 'url_key_platform', 'add', { name: 'x', config: { type: 3, domain_id: own } })).status).toBe(400);
  const platform = await addPlatform(configs[3]());
  await make(platform.id, 3);
  expect((await app.call(admin, 'url_key_platform', 'remove', { ids: [platform.id] })).status).toBe(409);
  await app.call(admin, 'url_key_platform', 'update_enabled', { ids: [platform.id], enabled: false });
  const refused = await addLinks({ platform_id: platform.id, urls: [destination] });
  expect(refused.body.fields).toEqual({ platform_id: 'unknown_platform' });
});

test('whoever loses a code while a platform is asked gets no link to it', async () => {
  const platform = await addPlatform(configs[4]());
  const transfer = () => app.call(admin, 'qr_code_list', 'transfer', { ids: [code.id], owner_id: admin.id, domains: 'take_off' });
  world.answer = (...exchange) => void transfer().then(() => say(json({ data: { link: good } }))(...exchange));
  const before = await counted();
  const { body } = await addLinks({ platform_id: platform.id, live_code_ids: [code.id] });
  expect([body.added, body.results[0]?.id, await counted()]).toEqual([0, null, before]);
});
