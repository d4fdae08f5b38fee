import { rmSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { signCode } from '../../kit/visits/visit-signature.ts';
import { type AskOptions, ask, startProcess } from '../testing/process.ts';
import { startSite, type TestSite } from '../testing/site.ts';
import { recordOf as visitRecord } from '../testing/visit-records.ts';

const messenger =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI';

let database: TestSite['database'];
let records: TestSite['records'];
let dataDir: TestSite['dataDir'];
let port: TestSite['port'];
let signingKey: TestSite['signingKey'];
let close: TestSite['close'];
let owner: number;
let shortDomain: number;
let entryDomain: number;
beforeAll(async () => {
  ({ database, records, dataDir, port, signingKey, close } = await startSite(async (records) => {
    owner = await records.addUser('link-owner');
    entryDomain = await records.addDomain('entry.example', 1);
    shortDomain = await records.addDomain('s.example', 3);
  }));
});
afterAll(() => close());

async function insert(table: string, row: Record<string, unknown>): Promise<number> {
  const columns = Object.keys(row);
  const { rows } = await records.client.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')}) RETURNING id`,
    Object.values(row),
  );
  return Number(rows[0].id);
}
const addShort = (short: string, row: Record<string, unknown> = { url: 'https://target.example/' }) =>
  insert('short_code', { owner_id: owner, domain_id: shortDomain, short, ...row });
const addForward = (domain_id: number, path: string, url: string, row: Record<string, unknown> = {}) =>
  insert('forward', { owner_id: owner, domain_id, path, url, ...row });

const open = (path: string, options: AskOptions = {}) => ask(port, path, { host: 's.example', ...options });
const from = (ip: string, more: Record<string, string> = {}) => ({ headers: { 'x-forwarded-for': ip, ...more } });
/** What a change leads to, asked until it is so, for a second. */
const soon = async (path: string, options: AskOptions, expected: object) =>
  expect
    .poll(
      async () => {
        const { status, headers } = await open(path, options);
        return { status, location: headers.location };
      },
      { interval: 20 },
    )
    .toMatchObject(expected);

const recordOf = (headers: IncomingHttpHeaders) => visitRecord(headers, { dataDir, signingKey });

describe('a short code', () => {
  it('sends to its address, whatever the case and with a slash behind, and is recorded by its id', async () => {
    const id = await addShort('go', { url: 'https://target.example/页?a=1' });
    for (const path of ['/go', '/GO', '/go/', '/go?utm=1']) {
      const answer = await open(path);
      expect(answer).toMatchObject({ status: 302, headers: { location: 'https://target.example/%E9%A1%B5?a=1' } });
      expect(await recordOf(answer.headers)).toMatchObject({
        named: 'passed',
        live_code_id: 0,
        short_code_id: id,
        target_id: 0,
        host: 's.example',
      });
    }
    const head = await open('/go', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 302, body: '', headers: { location: 'https://target.example/%E9%A1%B5?a=1' } });
    expect(await recordOf(head.headers)).toMatchObject({ named: 'program', short_code_id: id });
  });

  it('of a code leads where the QR image does, with its signature where only scans may pass', async () => {
    const code = await records.addCode('link-code', { entry_domain_id: entryDomain });
    const scan = await records.addCode('link-scan', { entry_domain_id: entryDomain, access_mode: 2 });
    await addShort('c', { live_code_id: code.id });
    await addShort('d', { live_code_id: scan.id });
    expect((await open('/c')).headers.location).toBe('http://entry.example/link-code');
    expect((await open('/d')).headers.location).toBe(`http://entry.example/link-scan?s=${signCode(signingKey, 'link-scan')}`);
    await records.client.query(`UPDATE live_code SET file_name = 'link-moved', access_mode = 1 WHERE id = $1`, [scan.id]);
    await soon('/d', {}, { location: 'http://entry.example/link-moved' });
  });

  it('to an app is closed as soon as the settings allow its scheme no more, though it was visited before', async () => {
    await addShort('app', { url: 'weixin://dl/chat' });
    expect((await open('/app')).headers.location).toBe('weixin://dl/chat');
    await records.client.query(`INSERT INTO setting (key, value) VALUES ('jump_schemes', '[]')`);
    await soon('/app', {}, { status: 403 });
    await records.client.query(`DELETE FROM setting WHERE key = 'jump_schemes'`);
    await soon('/app', {}, { location: 'weixin://dl/chat' });
  });

  it.each([
    ['unknown', 'no-such', 404, 'not_found'],
    ['no short at all', 'a.b', 404, 'not_found'],
    ['disabled', 'off', 403, 'closed'],
    ['expired', 'over', 403, 'closed'],
    ['led by a script', 'evil', 403, 'closed'],
  ])('that is %s is refused', async (_, short, status, named) => {
    if (short === 'off') await addShort(short, { url: 'https://target.example/', enabled: false });
    if (short === 'over') await addShort(short, { url: 'https://target.example/', expires_at: new Date(Date.now() - 1000) });
    if (short === 'evil') await addShort(short, { url: 'javascript:alert(1)' });
    const answer = await open(`/${short}`, { headers: { 'accept-language': 'ja' } });
    expect(answer.status).toBe(status);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.body).toContain('<html lang=ja-JP>');
    expect(await recordOf(answer.headers)).toMatchObject({ named });
  });

  it('is refused to blocked addresses, and with its owner', async () => {
    const other = await records.addUser('link-expired');
    await addShort('own', { owner_id: other, url: 'https://target.example/' });
    await insert('visit_blacklist', { network: '203.0.113.66' });
    await soon('/own', from('203.0.113.66'), { status: 403 });
    expect((await recordOf((await open('/own', from('203.0.113.66'))).headers)).named).toBe('blocked_ip');
    expect((await open('/own')).status).toBe(302);
    await records.client.query(`INSERT INTO setting (key, value) VALUES ('expired_codes', '"stop"')`);
    await records.client.query(`UPDATE user_account SET member_expires_at = now() - interval '1 day' WHERE id = $1`, [other]);
    await soon('/own', {}, { status: 403 });
    expect((await recordOf((await open('/own')).headers)).named).toBe('owner_inactive');
    await records.client.query(`DELETE FROM setting WHERE key = 'expired_codes'`);
    await soon('/own', {}, { status: 302 });
  });

  it('answers as it was changed, within a second', async () => {
    expect((await open('/later')).status).toBe(404);
    const id = await addShort('later');
    await soon('/later', {}, { status: 302, location: 'https://target.example/' });
    await records.client.query(`UPDATE short_code SET url = 'https://other.example/' WHERE id = $1`, [id]);
    await soon('/later', {}, { location: 'https://other.example/' });
    await records.client.query('UPDATE short_code SET enabled = false WHERE id = $1', [id]);
    await soon('/later', {}, { status: 403 });
    await records.client.query(`UPDATE short_code SET short = 'newer', enabled = true WHERE id = $1`, [id]);
    await soon('/newer', {}, { status: 302 });
    await soon('/later', {}, { status: 404 });
    await records.client.query('DELETE FROM short_code WHERE id = $1', [id]);
    await soon('/newer', {}, { status: 404 });
  });

  it('picks healthy entry domains in turn, its owner’s before the platform’s, or a random label', async () => {
    const rich = await records.addUser('link-rich');
    const [blocked] = [
      await records.addDomain('rich-1.example', 1, rich),
      await records.addDomain('rich-2.example', 1, rich),
      await records.addDomain('rich-3.example', 1, rich),
    ];
    await records.client.query('UPDATE domain SET block_status = 2 WHERE id = $1', [blocked]);
    const code = await records.addCode('link-rich', { owner_id: rich, entry_domain_id: blocked });
    await addShort('pool', { owner_id: rich, live_code_id: code.id, domain_choice: 'healthy_pool' });
    await addShort('label', { owner_id: rich, live_code_id: code.id, domain_choice: 'random_label' });
    const hosts = async (path: string) => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => open(path)));
      return new Set(answers.map(({ headers }) => new URL(String(headers.location)).host));
    };
    await expect.poll(() => hosts('/pool')).toEqual(new Set(['rich-2.example', 'rich-3.example']));
    // Without a wildcard of its own it leads where the code does.
    expect(await hosts('/label')).toEqual(new Set(['rich-1.example']));
    const ofAll = await records.addDomain('*.all.example', 1);
    await expect.poll(async () => [...(await hosts('/label'))].every((host) => host.endsWith('.all.example'))).toBe(true);
    await records.client.query('UPDATE domain SET enabled = false WHERE id = $1', [ofAll]);
    await records.addDomain('*.rich.example', 1, rich);
    const isRich = (host: string) => /^r[a-z0-9]{8}\.rich\.example$/.test(host);
    await expect.poll(async () => [...(await hosts('/label'))].filter(isRich).length).toBe(8);
  });

  it('with a page of its own shows it in the in-app browser, and redirects elsewhere', async () => {
    const page = { title: '<b>看这里</b>', text: '第一行\n第二行', picture_file: null };
    const id = await addShort('page', { url: 'https://target.example/', page: JSON.stringify(page) });
    const inside = await open('/page', { headers: { 'user-agent': messenger, 'accept-language': 'zh-CN' } });
    expect(inside.status).toBe(200);
    expect(inside.body).toContain('&lt;b&gt;看这里&lt;/b&gt;');
    expect(inside.body).toContain('http://s.example/page');
    expect(inside.body).toContain('在浏览器打开');
    expect(await recordOf(inside.headers)).toMatchObject({ named: 'passed', live_code_id: 0, short_code_id: id });
    expect((await open('/page')).headers.location).toBe('https://target.example/');
  });
});

describe('while the database is away', () => {
  it('a process that starts answers the short codes and forwards of its snapshot, and refuses the sources', async () => {
    const away = makeTestFolder();
    const code = await records.addCode('snap-short', { owner_id: owner, entry_domain_id: entryDomain });
    const domain = await records.addDomain('snap.example', 1);
    await addShort('kept', { live_code_id: code.id, page: JSON.stringify({ title: 'page', text: '' }) });
    await addForward(domain, '/kept', 'https://kept.example/');
    await insert('visit_source_rule', { owner_id: owner, host: 'kept-out.example', action: 'block' });
    const start = (databaseUrl: string, at: number) => startProcess({ databaseUrl, dataDir: away, port: at, processes: 1 });
    const before = await freePort();
    const first = await start(database.url, before);
    expect((await ask(before, '/kept', { host: 's.example' })).headers.location).toBe('http://entry.example/snap-short');
    await first.stop();
    const after = await freePort();
    const second = await start('postgres://nobody@127.0.0.1:9/none', after);
    try {
      expect((await ask(after, '/kept', { host: 's.example' })).headers.location).toBe('http://entry.example/snap-short');
      expect((await ask(after, '/kept', { host: 's.example', headers: { 'user-agent': messenger } })).body).toContain(
        '<h1 dir=auto>page</h1>',
      );
      expect((await ask(after, '/kept', { host: 'snap.example' })).headers.location).toBe('https://kept.example/');
      expect((await ask(after, '/kept', { host: 's.example', headers: { referer: 'https://kept-out.example/' } })).status).toBe(403);
      expect((await ask(after, '/other', { host: 's.example' })).status).toBe(503);
    } finally {
      await second.stop();
      await records.client.query(`DELETE FROM visit_source_rule WHERE host = 'kept-out.example'`);
      rmSync(away, { recursive: true, force: true });
    }
  });
});

describe('a forward', () => {
  const at = (host: string, headers: Record<string, string> = {}): AskOptions => ({ host, headers });

  it('goes before codes: the exact path before the longest beginning, and that before the whole host', async () => {
    const domain = await records.addDomain('fw.example', 1);
    await records.addCode('fw-code', { owner_id: owner, entry_domain_id: domain });
    const id = await addForward(domain, '/fw-code', 'https://exact.example/x#top');
    await addForward(domain, '/docs/*', 'https://docs.example/{rest}');
    await addForward(domain, '/docs/old/*', 'https://old.example/?q={rest}', { status: 301, keep_query: false });
    await addForward(domain, '/*', 'https://all.example/', { status: 307 });
    await soon('/any', at('fw.example'), { status: 307, location: 'https://all.example/' });
    const exact = await open('/fw-code?a=1', at('fw.example'));
    expect(exact).toMatchObject({ status: 302, headers: { location: 'https://exact.example/x?a=1#top' } });
    expect(await recordOf(exact.headers)).toMatchObject({ named: 'forwarded', live_code_id: 0, target_id: 0, forward_id: id });
    expect((await open('/docs/a/b?x=1&y=2', at('fw.example'))).headers.location).toBe('https://docs.example/a/b?x=1&y=2');
    expect((await open('/docs', at('fw.example'))).headers.location).toBe('https://docs.example/');
    const old = await open('/docs/old/p&admin=1?x=1', at('fw.example'));
    expect(old).toMatchObject({ status: 301, headers: { location: 'https://old.example/?q=p%26admin%3D1' } });
    expect((await open('/FW-CODE', at('fw.example'))).headers.location).toBe('https://all.example/');
  });

  it('never takes the paths that are the server’s own', async () => {
    for (const path of ['/healthz', '/readyz', '/robots.txt', '/favicon.ico']) {
      expect((await open(path, at('fw.example'))).headers.location).toBeUndefined();
    }
    expect((await open('/~file/none.png', at('fw.example'))).status).toBe(404);
    expect((await open('/~other', at('fw.example'))).headers.location).toBeUndefined();
  });

  it('bears hostile paths and queries', async () => {
    for (const path of ['/docs/%0d%0aset-cookie:x=1', '/docs//evil.example', '/docs/@evil.example', '/docs/..%2f']) {
      const { headers } = await open(path, at('fw.example'));
      expect(headers['set-cookie']).toBeUndefined();
      expect(['docs.example', 'all.example']).toContain(URL.parse(String(headers.location))?.host);
    }
    expect((await open(`/docs/${'a'.repeat(6000)}`, at('fw.example'))).status).toBe(404);
    expect((await open('/docs/x?a=\\b|c', at('fw.example'))).headers.location).toBe('https://docs.example/x');
  });

  it('that would lead to itself is passed over', async () => {
    const domain = await records.addDomain('loop.example', 1);
    await records.addCode('loop-code', { owner_id: owner });
    await addForward(domain, '/loop-code', 'http://loop.example/loop-code');
    await soon('/loop-code', at('loop.example'), { status: 200, location: undefined });
  });

  it('ends with its domain’s holder, and is refused with him', async () => {
    const holder = await records.addUser('fw-holder');
    const domain = await records.addDomain('held.example', 1, holder);
    await addForward(domain, '/a', 'https://a.example/', { owner_id: holder });
    await addForward(domain, '/b', 'https://b.example/');
    await soon('/a', at('held.example'), { status: 302 });
    expect((await open('/b', at('held.example'))).status).toBe(404);
    await records.client.query('UPDATE user_account SET disabled = true WHERE id = $1', [holder]);
    await soon('/a', at('held.example'), { status: 403 });
    await records.client.query('UPDATE domain SET holder_id = $2 WHERE id = $1', [domain, owner]);
    await soon('/b', at('held.example'), { status: 302 });
    expect((await open('/a', at('held.example'))).status).toBe(404);
  });
});

describe('a blocked source', () => {
  it('is refused for the codes and short codes of its owner, subdomains included, and for nobody else’s', async () => {
    const strict = await records.addUser('strict');
    await records.addCode('src-strict', { owner_id: strict });
    await records.addCode('src-other', { owner_id: owner });
    await addShort('src', { owner_id: strict, url: 'https://target.example/' });
    const rule = await insert('visit_source_rule', { owner_id: strict, host: 'bad.example', action: 'block' });
    const by = (referer: string): AskOptions => ({ host: 'entry.example', headers: { referer } });
    await soon('/src-strict', by('https://bad.example/page'), { status: 403 });
    const refused = await open('/src-strict', by('HTTPS://www.BAD.example:8443/page'));
    expect(await recordOf(refused.headers)).toMatchObject({ named: 'blocked_source' });
    expect(refused.body).toContain('不能从这个网页打开');
    expect((await open('/src', { headers: { referer: 'https://bad.example/' } })).status).toBe(403);
    for (const referer of ['', 'https://good.example/?bad.example', 'https://notbad.example/', 'bad.example']) {
      expect((await open('/src-strict', by(referer))).status).toBe(200);
    }
    expect((await open('/src-other', by('https://bad.example/'))).status).toBe(200);
    await records.client.query('DELETE FROM visit_source_rule WHERE id = $1', [rule]);
    await soon('/src-strict', by('https://bad.example/page'), { status: 200 });
  });
});

describe('the proof of a scan', () => {
  it('that is false or was used is marked, and one that is only too old is not', async () => {
    await records.addCode('proof', { access_mode: 2 });
    const entry = (path: string, ip = '198.51.100.4') => open(path, { host: 'entry.example', ...from(ip) });
    const marked = async (path: string, ip?: string) => (await recordOf((await entry(path, ip)).headers)).proof_failure;
    expect(await marked('/proof')).toBe(0);
    expect(await marked('/proof?s=AAAAAAAAAAAAAAAA')).toBe(1);
    expect(await marked('/proof?t=AAAA')).toBe(1);
    const { headers } = await entry(`/proof?s=${signCode(signingKey, 'proof')}`);
    const ticket = new URL(String(headers.location)).search;
    expect(await marked(`/proof${ticket}`, '198.51.100.99')).toBe(1);
    expect(await marked(`/proof${ticket}`)).toBe(0);
    expect(await marked(`/proof${ticket}`)).toBe(2);
  });
});
