import { rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TargetRule } from '../../../contract/codes/targeting.ts';
import { outcomes } from '../../../contract/enums.ts';
import { snippetPresets } from '../../../contract/links/js-config.providers.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { readBatch } from '../../kit/visits/journal/reader.ts';
import { journalFolder, listSegments } from '../../kit/visits/journal/segment.ts';
import { type Answer, ask, destinationOf, startProcess, type TestProcess } from '../testing/process.ts';
import { openRecords, type Records } from '../testing/records.ts';
import { createTurns } from './turns.ts';

const agents = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 14; SM-S9210) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36 MicroMessenger/8.0.49',
};
const hangzhou = '115.236.1.1';
const tokyo = '133.11.0.1';

let database: TestDatabase;
let records: Records;
let dataDir: string;
let port: number;
let processes: TestProcess[];

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  dataDir = makeTestFolder();
  port = await freePort();
  await records.addDomain('entry.example', 1);
  await records.addDomain('*.wild.example', 2);
  const turns = createTurns();
  processes = await Promise.all(
    ['0', '1'].map((slot) => startProcess({ databaseUrl: database.url, dataDir, port, slot, trustedProxies: '127.0.0.1', turns })),
  );
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await records.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const visit = (name: string, { ip = hangzhou, host = 'entry.example', ...headers }: Record<string, string> = {}) =>
  ask(port, `/${name}`, { host, headers: { 'x-forwarded-for': ip, ...headers } });
/** Position of the target that an answer leads to. */
const targetOf = (answer: Answer) => destinationOf(answer)?.split('/').at(-1);
const addRuled = (name: string, rules: (TargetRule | null)[], code = {}, target = {}) =>
  records.addCode(
    name,
    code,
    rules.map((rule) => ({ rules: rule && [rule], ...target })),
  );
const allRecords = async () => {
  const found = await Promise.all(listSegments(journalFolder(dataDir)).map(({ path }) => readBatch(path, 0, { isFinal: false })));
  return found.flatMap((batch) => batch.records.map(({ record }) => ({ ...record, named: outcomes[record.outcome] })));
};

describe('targeting', () => {
  it('sends a visitor to the first target that has a rule for him, else to one that serves everybody', async () => {
    await addRuled('rule-sys', [{ systems: ['ios'] }, null, { systems: ['android'], messenger: true }, { messenger: true }]);
    expect(targetOf(await visit('rule-sys', { 'user-agent': agents.ios }))).toBe('0');
    expect(targetOf(await visit('rule-sys', { 'user-agent': agents.android }))).toBe('2');
    expect(targetOf(await visit('rule-sys', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) MicroMessenger/7' }))).toBe('3');
    expect(targetOf(await visit('rule-sys', { 'user-agent': 'curl/8' }))).toBe('1');
  });

  it('knows the place and carrier of an address, first asked for or not', async () => {
    await addRuled('rule-loc', [{ regions: ['浙江'], carriers: ['telecom'] }, { countries: ['日本'] }, null]);
    for (let round = 0; round < 3; round += 1) {
      expect(targetOf(await visit('rule-loc'))).toBe('0');
      expect(targetOf(await visit('rule-loc', { ip: tokyo }))).toBe('1');
      expect(targetOf(await visit('rule-loc', { ip: '192.168.1.1' }))).toBe('2');
    }
  });

  it('asks for the first language only, and for the day by the site’s clock', async () => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Shanghai' }).format(new Date());
    await addRuled('rule-day', [{ languages: ['zh-tw'], from: day, to: day }, { from: '2199-01-01' }, null]);
    expect(targetOf(await visit('rule-day', { 'accept-language': 'zh-TW,zh;q=0.9' }))).toBe('0');
    expect(targetOf(await visit('rule-day', { 'accept-language': 'en,zh-TW;q=0.9' }))).toBe('2');
    expect(targetOf(await visit('rule-day'))).toBe('2');
  });

  it('takes those that serve everybody where the fitting ones have no visits left, never one too many', async () => {
    await records.addCode('rule-out', {}, [{ rules: [{ systems: ['ios'] }], threshold: 3 }, { rules: [{ systems: ['android'] }] }, {}]);
    const went = await Promise.all(Array.from({ length: 12 }, () => visit('rule-out', { 'user-agent': agents.ios })));
    const targets = went.map(targetOf);
    expect(targets.filter((target) => target === '0')).toHaveLength(3);
    expect(targets.filter((target) => target === '2')).toHaveLength(9);
  });

  it('sends nobody anywhere where no rule fits: the code is exhausted for him, and has its fallback', async () => {
    const { id } = await addRuled('rule-non', [{ systems: ['ios'] }, { hours: [], systems: ['macos'] }], {
      fallback_url: 'https://fallback.example/',
    });
    const answer = await visit('rule-non', { 'user-agent': agents.android });
    expect(destinationOf(answer)).toBe('https://fallback.example/');
    const [record] = (await allRecords()).filter(({ live_code_id }) => live_code_id === id);
    expect(record).toMatchObject({ named: 'exhausted', target_id: 0 });
  });

  it('shares visitors evenly among the targets that fit them, whoever comes between', async () => {
    const rules: TargetRule[] = [{ systems: ['ios'] }, { systems: ['ios'] }, { systems: ['android'] }, { systems: ['android'] }];
    await addRuled('rule-rob', rules, { rotation_mode: 3 });
    const counts = new Map<string | undefined, number>();
    for (let round = 0; round < 16; round += 1) {
      for (const agent of [agents.ios, agents.android]) {
        const target = targetOf(await visit('rule-rob', { 'user-agent': agent }));
        counts.set(target, (counts.get(target) ?? 0) + 1);
      }
    }
    expect([...counts.keys()].sort()).toEqual(['0', '1', '2', '3']);
    expect([...counts.values()]).toEqual([8, 8, 8, 8]);
  });

  it('changes while codes are served', async () => {
    const { targets } = await addRuled('rule-chg', [{ systems: ['ios'] }, null]);
    expect(targetOf(await visit('rule-chg', { 'user-agent': agents.android }))).toBe('1');
    await records.client.query('UPDATE live_code_target SET rules = $2 WHERE id = $1', [
      targets[0],
      JSON.stringify([{ systems: ['android'] }]),
    ]);
    await expect.poll(async () => targetOf(await visit('rule-chg', { 'user-agent': agents.android }))).toBe('0');
  });
});

const cookieOf = ({ headers }: Answer) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';

describe('the same target', () => {
  it('is a visitor’s as long as he keeps his cookie', async () => {
    await records.addCode(
      'same-one',
      { rotation_mode: 2, same_target: true },
      Array.from({ length: 20 }, () => ({})),
    );
    const first = await visit('same-one');
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^lc_t=[0-9a-z]+:[0-9a-z]+:[\w-]{16}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/),
    ]);
    for (let round = 0; round < 10; round += 1) {
      const again = await visit('same-one', { cookie: `other=1; ${cookieOf(first)}` });
      expect(destinationOf(again)).toBe(destinationOf(first));
      expect(again.headers['set-cookie']).toBeUndefined();
    }
    const strangers = await Promise.all(Array.from({ length: 30 }, () => visit('same-one')));
    expect(new Set(strangers.map(targetOf)).size).toBeGreaterThan(3);
  });

  it('is not asked for by codes without the option', async () => {
    await records.addCode('same-not', { rotation_mode: 3 }, [{}, {}]);
    const answer = await visit('same-not', { cookie: 'lc_t=1:2:3' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is chosen anew when it is gone, and takes its threshold down like everyone else’s', async () => {
    const { targets } = await records.addCode('same-thr', { same_target: true }, [{ threshold: 2 }, {}]);
    const first = await visit('same-thr');
    const cookie = cookieOf(first);
    expect(targetOf(first)).toBe('0');
    expect(targetOf(await visit('same-thr', { cookie }))).toBe('0');
    const third = await visit('same-thr', { cookie });
    expect(targetOf(third)).toBe('1');
    expect(cookieOf(third)).not.toBe('');
    await records.client.query('UPDATE live_code_target SET enabled = false WHERE id = $1', [targets[1]]);
    await expect.poll(async () => (await visit('same-thr', { cookie: cookieOf(third) })).status).toBe(404);
  });

  it('is not kept where its rules no longer fit', async () => {
    await addRuled('same-rul', [{ systems: ['ios'] }, null], { same_target: true });
    const first = await visit('same-rul', { 'user-agent': agents.ios });
    expect(targetOf(first)).toBe('0');
    const second = await visit('same-rul', { 'user-agent': agents.android, cookie: cookieOf(first) });
    expect(targetOf(second)).toBe('1');
    // Who has a target that serves everybody keeps it, though another has a rule for him.
    expect(targetOf(await visit('same-rul', { 'user-agent': agents.ios, cookie: cookieOf(second) }))).toBe('1');
  });

  it('is nobody’s by a cookie that is forged, of another code, or garbage', async () => {
    const { id, targets } = await records.addCode('same-bad', { same_target: true }, [{}, {}]);
    const other = await records.addCode('same-oth', { same_target: true, rotation_mode: 3 }, [{}, {}]);
    const [code, second] = [id.toString(36), targets[1]?.toString(36)];
    const genuine = cookieOf(await visit('same-oth'));
    const forged = [
      `lc_t=${code}:${second}:${'A'.repeat(16)}`,
      `lc_t=${genuine.replace(/^lc_t=[0-9a-z]+/, code)}`,
      genuine.replace(other.id.toString(36), code),
      `lc_t=${'x'.repeat(4000)}`,
      `lc_t=${`${code}:${second}:.`.repeat(200)}`,
      'lc_t=%00;lc_t=:::;;;=',
      'lc_t',
    ];
    for (const cookie of forged) {
      const answer = await visit('same-bad', { cookie });
      expect(targetOf(answer)).toBe('0');
      expect(cookieOf(answer)).toMatch(new RegExp(`^lc_t=${code}:`));
      expect(answer.headers['set-cookie']?.[0]?.length).toBeLessThan(1000);
    }
  });

  it('is remembered for the latest codes of a host, in a cookie that stays small, also under a wildcard', async () => {
    let cookie = '';
    for (let number = 10; number < 35; number += 1) {
      await records.addCode(`same-m${number}`, { same_target: true, rotation_mode: 3 }, [{}, {}, {}]);
      const answer = await visit(`same-m${number}`, { host: 'a1.wild.example', ...(cookie ? { cookie } : {}) });
      expect(answer.headers['set-cookie']?.[0]).toContain('; Domain=wild.example;');
      cookie = cookieOf(answer);
    }
    expect(cookie.split('.')).toHaveLength(20);
    const kept = await visit('same-m34', { host: 'b2.wild.example', cookie });
    expect(kept.headers['set-cookie']).toBeUndefined();
    expect((await visit('same-m10', { host: 'b2.wild.example', cookie })).headers['set-cookie']).toBeDefined();
  });

  it('is told through TLS only where visits come through it, with whatever else an answer says', async () => {
    await records.client.query(
      `INSERT INTO setting (key, value) VALUES ('visit_scheme', '"https"') ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    );
    await records.addCode('same-tls', { same_target: true });
    await expect.poll(async () => (await visit('same-tls')).headers['set-cookie']?.[0]).toMatch(/; Secure$/);
    const head = await ask(port, '/same-tls', { method: 'HEAD' });
    expect(head.headers).toMatchObject({
      'x-visit-id': expect.stringMatching(/^[\w-]{22}$/),
      'set-cookie': [expect.stringMatching(/^lc_t=/)],
    });
    await records.client.query(`DELETE FROM setting WHERE key = 'visit_scheme'`);
  });
});

const post = (path: string, body = '') =>
  new Promise<number>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method: 'POST', agent: false, headers: { host: 'entry.example' } },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.once('error', reject);
    request.end(body);
  });

describe('a press on a picture', () => {
  const addPicture = async (name: string, any_picture = false) => {
    const { rows } = await records.client.query(
      `INSERT INTO file (name, owner_id, content_type, size, width, height) VALUES ($1, $2, 'image/png', 1, 1, 1) RETURNING id`,
      [`${name.padEnd(32, '0').replaceAll('-', 'a')}.png`, records.owner_id],
    );
    return records.addCode(name, {}, [{ kind: 'picture', content: null, file_id: Number(rows[0].id), any_picture }]);
  };
  const tokenOf = ({ body }: Answer) => /data-press="([\w-]+)"/.exec(body)?.[1] ?? '';
  const pressesOf = async (id: number) =>
    (await allRecords()).filter(({ named, live_code_id }) => named === 'pressed' && live_code_id === id);

  it('is recorded once for each page, whatever comes again and to whichever process', async () => {
    const { id, targets } = await addPicture('press-one');
    const pages = [await visit('press-one'), await visit('press-one')];
    const [first, second] = pages.map(tokenOf);
    expect(first).toHaveLength(48);
    expect(first).not.toBe(second);
    for (const page of pages) expect(Buffer.byteLength(page.body)).toBe(Number(page.headers['content-length']));
    expect(await Promise.all(Array.from({ length: 12 }, () => post(`/~press/${first}`)))).toEqual(Array(12).fill(204));
    expect(await pressesOf(id)).toHaveLength(1);
    expect(await post(`/~press/${second}`, 'x'.repeat(100_000))).toBe(204);
    expect(await pressesOf(id)).toEqual([
      expect.objectContaining({ target_id: targets[0], lease_id: 0, open_log: false }),
      expect.objectContaining({ target_id: targets[0] }),
    ]);
  });

  it('is asked for only where the picture holds a code', async () => {
    await addPicture('press-code');
    await addPicture('press-poster', true);
    expect((await visit('press-code')).body).toContain('class=press>');
    expect((await visit('press-poster')).body).not.toContain('class=press>');
  });

  it('is nothing without a genuine token, nor by another method', async () => {
    const { id } = await addPicture('press-bad');
    const token = tokenOf(await visit('press-bad'));
    const changed = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
    for (const path of [
      '/~press/',
      '/~press',
      `/~press/${changed}`,
      `/~press/${token}x`,
      `/~press/${'A'.repeat(48)}`,
      `/~press/${'é'.repeat(24)}`,
    ]) {
      expect(await post(encodeURI(path)), path).toBeGreaterThanOrEqual(404);
    }
    expect((await ask(port, `/~press/${token}`)).status).toBe(404);
    expect(await pressesOf(id)).toEqual([]);
  });

  it('can be told by the page, and nothing else can', async () => {
    await addPicture('press-csp');
    const page = await visit('press-csp');
    expect(page.headers['content-security-policy']).toContain("connect-src 'self';");
    await records.addCode('press-txt', {}, [{ kind: 'text', content: 'hello' }]);
    const text = await visit('press-txt');
    expect(text.headers['content-security-policy']).not.toContain('connect-src');
    expect(text.body).not.toContain('data-press');
  });
});

describe('snippets', () => {
  const addSnippet = async (row: object) => {
    const values = { owner_id: records.owner_id, name: 'statistics', provider: 'code', approval: 'approved', ...row };
    const columns = Object.keys(values);
    const { rows } = await records.client.query(
      `INSERT INTO js_config (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`,
      Object.values(values),
    );
    return Number(rows[0].id);
  };
  const seen = async (name: string, text: string) => (await visit(name)).body.includes(text);

  it('run on the landing pages of the codes that chose them, allowed by the page’s policy', async () => {
    const code = "console.log('片段</script><!--')";
    const chosen = await addSnippet({ code, origins: ['https://stats.example', "https://bad.example 'unsafe-inline'"] });
    const baidu = await addSnippet({ provider: 'baidu', provider_id: snippetPresets.baidu.example });
    await records.addCode('snip-url', { js_config_ids: [chosen, baidu] });
    await records.addCode('snip-txt', { js_config_ids: [chosen] }, [{ kind: 'text', content: 'hello' }]);
    await records.addCode('snip-non', {});
    await expect.poll(() => seen('snip-url', 'hm.baidu.com')).toBe(true);
    for (const name of ['snip-url', 'snip-txt']) {
      const { body, headers } = await visit(name);
      expect(body).toContain("console.log('片段<\\/script><\\!--')");
      expect(headers['content-security-policy']).toMatch(/script-src .*https:\/\/stats\.example/);
      expect(headers['content-security-policy']).not.toContain('unsafe-inline');
      expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
    }
    // The jump waits until they are loaded, and not for long.
    expect((await visit('snip-url')).body).toMatch(/setTimeout\(go,1200\)/);
    expect((await visit('snip-non')).body).not.toContain('console.log');
  });

  it('for all codes run on every page of their owner but refusals, only while they are approved and on', async () => {
    const stranger = await records.addUser('snippet-stranger');
    await records.addCode('snip-all');
    await records.addCode('snip-clo', { open: false });
    await records.addCode('snip-for', { owner_id: stranger });
    expect(await seen('snip-all', 'everywhere()')).toBe(false);
    const id = await addSnippet({ code: 'everywhere()', all_codes: true });
    const foreign = await addSnippet({ code: 'foreign()', owner_id: stranger });
    await records.client.query('INSERT INTO live_code_js_config SELECT id, $1, 1 FROM live_code WHERE file_name = $2', [
      foreign,
      'snip-all',
    ]);
    await expect.poll(() => seen('snip-all', 'everywhere()')).toBe(true);
    expect(await seen('snip-clo', 'everywhere()')).toBe(false);
    expect(await seen('snip-for', 'everywhere()')).toBe(false);
    expect(await seen('snip-all', 'foreign()')).toBe(false);
    for (const [change, undo] of [
      [`enabled = false`, `enabled = true`],
      [`approval = 'waiting'`, `approval = 'approved'`],
      [`all_codes = false`, `all_codes = true`],
    ]) {
      await records.client.query(`UPDATE js_config SET ${change} WHERE id = $1`, [id]);
      await expect.poll(() => Promise.all(Array.from({ length: 6 }, () => seen('snip-all', 'everywhere()')))).not.toContain(true);
      await records.client.query(`UPDATE js_config SET ${undo} WHERE id = $1`, [id]);
      await expect.poll(() => Promise.all(Array.from({ length: 6 }, () => seen('snip-all', 'everywhere()')))).not.toContain(false);
    }
    await records.client.query('DELETE FROM js_config WHERE id = $1', [id]);
    await expect.poll(() => seen('snip-all', 'everywhere()')).toBe(false);
  });
});
