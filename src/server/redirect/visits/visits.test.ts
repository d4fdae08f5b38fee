import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { signCode } from '../../kit/visits/visit-signature.ts';
import { type AskOptions, ask, destinationOf, startProcess, type TestProcess } from '../testing/process.ts';
import { openRecords, type Records } from '../testing/records.ts';
import { readSigningKey, recordOf as visitRecord } from '../testing/visit-records.ts';

const messenger =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI';

let database: TestDatabase;
let records: Records;
let dataDir: string;
let port: number;
/** Two processes on one port: connections of their own reach either. */
let processes: TestProcess[];
let signingKey: Buffer;

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  dataDir = makeTestFolder();
  port = await freePort();
  await records.addDomain('entry.example', 1);
  await records.addDomain('landing.example', 2);
  await records.addDomain('short.example', 3);
  await records.addDomain('*.wild.example', 2);
  processes = await Promise.all(
    ['0', '1'].map((slot) => startProcess({ databaseUrl: database.url, dataDir, port, slot, trustedProxies: '127.0.0.1' })),
  );
  signingKey = await readSigningKey(records.client);
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await records.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const from = (ip: string, more: Record<string, string> = {}): AskOptions => ({ headers: { 'x-forwarded-for': ip, ...more } });

/** The record that an answer's X-Visit-Id names. */
/** The first refusal: each of the processes on the port learns of a change by itself. */
async function refusedAs(path: string, ip?: string) {
  let answer = await ask(port, path, ip === undefined ? {} : from(ip));
  const asked = async () => {
    answer = await ask(port, path, ip === undefined ? {} : from(ip));
    return answer.status;
  };
  await expect.poll(asked).toBe(403);
  return answer;
}

const recordOf = (headers: IncomingHttpHeaders) => visitRecord(headers, { dataDir, signingKey });

describe('every outcome', () => {
  it.each([
    ['passed', 'out-pass', {}, 200, 'https://target.example/out-pass/0'],
    ['closed', 'out-clos', { open: false }, 403, undefined],
    ['closed', 'out-over', { expires_at: new Date(Date.now() - 1000) }, 403, undefined],
    ['not_found', 'out-gone', { removed: true }, 404, undefined],
    ['not_scanned', 'out-scan', { access_mode: 2 }, 403, undefined],
    ['not_messenger', 'out-mess', { restriction_visit: 2 }, 403, undefined],
  ])('%s is answered and recorded (%s)', async (outcome, name, code, status, destination) => {
    const { id, targets } = await records.addCode(name, code);
    const answer = await ask(
      port,
      `/${name}?x=1`,
      from('198.51.100.9', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0', referer: 'https://from.example/' }),
    );
    expect(answer.status).toBe(status);
    expect(destinationOf(answer)).toBe(destination);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await recordOf(answer.headers)).toMatchObject({
      named: outcome,
      live_code_id: outcome === 'not_found' ? 0 : id,
      target_id: outcome === 'passed' ? targets[0] : 0,
      host: 'entry.example',
      path: `/${name}`,
      ip: '198.51.100.9',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0',
      referer: 'https://from.example/',
    });
  });

  it('unknown_host, for a host that is not registered, and for one that is switched off', async () => {
    const answer = await ask(port, '/anything', { host: 'stranger.example' });
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('stranger.example');
    expect(await recordOf(answer.headers)).toMatchObject({ named: 'unknown_host', host: 'stranger.example', path: '/anything' });
  });

  it('blocked_ip, for an address and for a network, before the code is looked at', async () => {
    await records.client.query(`INSERT INTO visit_blacklist (network) VALUES ('192.0.2.0/24'), ('2001:db8::/32')`);
    for (const ip of ['192.0.2.77', '2001:db8::1']) {
      const answer = await refusedAs('/none-such', ip);
      expect(await recordOf(answer.headers)).toMatchObject({ named: 'blocked_ip', ip });
    }
  });

  it('owner_inactive, for a disabled owner, and where codes stop then for one whose membership is over', async () => {
    await records.client.query(`INSERT INTO setting (key, value) VALUES ('expired_codes', '"stop"')`);
    for (const [name, change] of [
      ['out-disa', 'disabled = true'],
      ['out-memb', `member_expires_at = now() - interval '1 second'`],
    ] as const) {
      const owner_id = await records.addUser(name);
      await records.addCode(name, { owner_id });
      expect((await ask(port, `/${name}`)).status).toBe(200);
      await records.client.query(`UPDATE user_account SET ${change} WHERE id = $1`, [owner_id]);
      expect(await recordOf((await refusedAs(`/${name}`)).headers)).toMatchObject({ named: 'owner_inactive' });
    }
    await records.client.query(`DELETE FROM setting WHERE key = 'expired_codes'`);
    await expect.poll(async () => (await ask(port, '/out-memb')).status).toBe(200);
  });

  it('exhausted, with the fallback where there is one', async () => {
    await records.addCode('out-empt', {}, [{ threshold: 1 }]);
    await records.addCode('out-fall', { fallback_url: 'https://fallback.example/x?a=1&b=2' }, [{ threshold: 1 }]);
    for (const name of ['out-empt', 'out-fall']) expect(destinationOf(await ask(port, `/${name}`))).toContain('target.example');
    const empty = await ask(port, '/out-empt');
    expect(empty.status).toBe(404);
    expect(await recordOf(empty.headers)).toMatchObject({ named: 'exhausted', target_id: 0, lease_id: 0 });
    const fallback = await ask(port, '/out-fall');
    expect(destinationOf(fallback)).toBe('https://fallback.example/x?a=1&amp;b=2');
    expect(await recordOf(fallback.headers)).toMatchObject({ named: 'exhausted' });
  });

  it('entry, which leads to the landing domain with a ticket, where the visit passes', async () => {
    const { rows } = await records.client.query(`SELECT id, host FROM domain WHERE type = 2`);
    for (const { id, host } of rows) {
      const name = `out-ent${id}`;
      await records.addCode(name, { landing_domain_id: id });
      const first = await ask(port, `/${name}`);
      expect(first.status).toBe(302);
      expect(await recordOf(first.headers)).toMatchObject({ named: 'entry', target_id: 0 });
      const to = new URL(first.headers.location ?? '');
      expect(to.pathname).toBe(`/${name}`);
      expect(to.hostname.endsWith(host.replace('*', ''))).toBe(true);
      const second = await ask(port, to.pathname + to.search, { host: to.host });
      expect(destinationOf(second)).toBe(`https://target.example/${name}/0`);
      expect(await recordOf(second.headers)).toMatchObject({ named: 'passed', host, path: `/${name}` });
    }
  });

  it('is counted with the log of the code switched off, too', async () => {
    await records.addCode('out-nlog', { open_log: false });
    expect(await recordOf((await ask(port, '/out-nlog')).headers)).toMatchObject({ named: 'passed', open_log: false });
  });
});

describe('a scan-only code', () => {
  const scan = async (name: string, ip: string) => {
    const answer = await ask(port, `/${name}?s=${signCode(signingKey, name)}`, from(ip));
    expect(answer.status).toBe(302);
    const to = new URL(answer.headers.location ?? '');
    return to.pathname + to.search;
  };

  it('exchanges the signature of its QR image for a ticket that works once, whichever process is asked', async () => {
    await records.addCode('scan-one', { access_mode: 2 });
    for (let round = 0; round < 5; round += 1) {
      const path = await scan('scan-one', '198.51.100.1');
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(port, path, from('198.51.100.1'))));
      const passed = answers.filter(({ status }) => status === 200);
      expect(passed.length).toBe(1);
      const named = await Promise.all(answers.filter(({ status }) => status !== 200).map(({ headers }) => recordOf(headers)));
      expect(new Set(named.map((record) => record.named))).toEqual(new Set(['not_scanned']));
    }
    const { rows } = await records.client.query('SELECT count(*)::integer AS used FROM used_ticket');
    expect(rows[0].used).toBe(5);
  });

  it('refuses a ticket of another address, of another code, changed ones and none', async () => {
    await records.addCode('scan-two', { access_mode: 2 });
    await records.addCode('scan-thr', { access_mode: 2 });
    const path = await scan('scan-two', '198.51.100.1');
    const ticket = path.split('t=')[1] ?? '';
    const signature = signCode(signingKey, 'scan-two');
    const refused = [
      await ask(port, path, from('198.51.100.2')),
      await ask(port, `/scan-thr?t=${ticket}`, from('198.51.100.1')),
      await ask(port, `/scan-two?t=${ticket.slice(0, -2)}AA`, from('198.51.100.1')),
      await ask(port, `/scan-two?t=${'A'.repeat(43)}`, from('198.51.100.1')),
      await ask(port, '/scan-two', from('198.51.100.1')),
      await ask(port, `/scan-thr?s=${signature}`, from('198.51.100.1')),
      await ask(port, `/scan-two?s=${signature.toLowerCase()}x`, from('198.51.100.1')),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    expect((await ask(port, path, from('198.51.100.1'))).status).toBe(200);
  });

  it('with a landing domain passes there, and only with the ticket', async () => {
    const { rows } = await records.client.query(`SELECT id FROM domain WHERE host = 'landing.example'`);
    await records.addCode('scan-lan', { access_mode: 2, landing_domain_id: rows[0].id });
    const path = await scan('scan-lan', '198.51.100.3');
    expect((await ask(port, '/scan-lan', { host: 'landing.example', ...from('198.51.100.3') })).status).toBe(403);
    expect((await ask(port, path, { host: 'landing.example', ...from('198.51.100.3') })).status).toBe(200);
    expect((await ask(port, path, { host: 'landing.example', ...from('198.51.100.3') })).status).toBe(403);
  });

  it('for the messenger only shows elsewhere the address that works there', async () => {
    await records.addCode('scan-mes', { access_mode: 2, restriction_visit: 2 });
    const query = `?s=${signCode(signingKey, 'scan-mes')}`;
    const outside = await ask(port, `/scan-mes${query}`, from('198.51.100.4'));
    expect(outside.status).toBe(403);
    expect(outside.body).toContain(`http://entry.example/scan-mes${query}`);
    const inside = await ask(port, `/scan-mes${query}`, from('198.51.100.4', { 'user-agent': messenger }));
    expect(inside.status).toBe(302);
  });
});

describe('what a visitor may write', () => {
  it('in X-Forwarded-For is believed from our proxies only, and only the last address that is not ours', async () => {
    await records.addCode('from-who');
    const ip = async (header: string) => (await recordOf((await ask(port, '/from-who', from(header))).headers)).ip;
    expect(await ip('1.1.1.1, 203.0.113.5')).toBe('203.0.113.5');
    expect(await ip('203.0.113.5, 127.0.0.1')).toBe('203.0.113.5');
    expect(await ip('::ffff:203.0.113.6')).toBe('203.0.113.6');
    expect(await ip('garbage')).toBe('127.0.0.1');
    expect(await ip('203.0.113.5, <script>')).toBe('127.0.0.1');
  });

  it('in Host and in the request line names no other host than the registered ones', async () => {
    await records.addCode('host-who');
    for (const host of ['entry.example:9999', 'ENTRY.example', 'entry.example.']) {
      expect((await ask(port, '/host-who', { host })).status).toBe(200);
    }
    for (const host of ['entry.example.evil', 'entry.example@evil', 'entry.example/evil', 'xentry.example', '']) {
      expect((await ask(port, '/host-who', { host })).status).toBe(404);
    }
    expect((await ask(port, 'http://evil.example/host-who')).status).toBe(404);
    expect((await ask(port, 'http://entry.example/host-who', { host: 'evil.example' })).status).toBe(200);
  });

  it.each([
    ['/'],
    ['/%00%00%00%00'],
    ['/..%2f..%2fetc'],
    ['/abcd/efgh'],
    ['/constructor'],
    ['/__proto__'],
    ['/?t=1'],
    ['//'],
    [`/${'x'.repeat(3000)}`],
  ])('as the path %.20s is no code and no error', async (path) => {
    const answer = await ask(port, path);
    expect(answer.status).toBe(404);
    const record = await recordOf(answer.headers);
    expect(record).toMatchObject({ named: 'not_found', live_code_id: 0 });
    expect(record.path).toBe((path.split('?')[0] || '/').slice(0, 256));
  });

  it('in headers is recorded as it came, UTF-8 included, and cut', async () => {
    await records.addCode('head-ers');
    const answer = await ask(port, '/head-ers', {
      headers: { 'user-agent': Buffer.from('手机/1 '.repeat(300)).toString('latin1'), 'accept-language': 'ja-JP,ja;q=0.9' },
    });
    const record = await recordOf(answer.headers);
    expect(record.user_agent.startsWith('手机/1 手机/1 ')).toBe(true);
    expect(Buffer.byteLength(record.user_agent)).toBeLessThanOrEqual(514);
    expect(record.language).toBe('ja-JP');
    expect(answer.body).toContain('lang=ja-JP');
  });

  it('as a raw request never breaks the server', async () => {
    const raw = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        socket.once('data', (chunk) => {
          resolve(String(chunk).split('\r\n')[0] ?? '');
          socket.destroy();
        });
        socket.once('error', () => resolve('error'));
        socket.once('end', () => resolve('nothing'));
      });
    expect(await raw('GET / HTTP/1.1\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await raw('nonsense\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await raw('GET /x HTTP/1.0\r\n\r\n')).toBe('HTTP/1.1 404 Not Found');
    expect(await raw(`GET /x HTTP/1.1\r\nHost: entry.example\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`)).toBe(
      'HTTP/1.1 431 Request Header Fields Too Large',
    );
    expect(await raw('POST /abcd HTTP/1.1\r\nHost: entry.example\r\nContent-Length: 3\r\n\r\nabc')).toBe('HTTP/1.1 405 Method Not Allowed');
    expect(await raw('GET /abcd HTTP/1.1\r\nHost: entry.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')).toBe(
      'HTTP/1.1 404 Not Found',
    );
  });

  it('asks several times over one connection and is answered in order', async () => {
    await records.addCode('pipe-lin');
    const got = await new Promise<string>((resolve) => {
      let text = '';
      const one = (name: string) => `GET /${name} HTTP/1.1\r\nHost: entry.example\r\n\r\n`;
      const last = 'GET /pipe-lin HTTP/1.1\r\nHost: entry.example\r\nConnection: close\r\n\r\n';
      const socket = connect(port, '127.0.0.1', () => socket.write(one('pipe-lin') + one('none-xyz') + last));
      socket.on('data', (chunk) => (text += chunk));
      socket.on('close', () => resolve(text));
    });
    expect([...got.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '200']);
  });
});

describe('what no person asked for', () => {
  const crawler = from('198.51.100.20', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' });
  const remaining = async (target: number | undefined) =>
    (
      await records.client.query<{ left: number }>(
        `SELECT remaining + (SELECT coalesce(sum(granted), 0) FROM target_lease WHERE target_id = $1)::integer AS left
         FROM target_quota WHERE target_id = $1`,
        [target],
      )
    ).rows[0]?.left;

  it('sees where a visitor would go, and takes no visit of a threshold: a GET and three HEAD are one visit', async () => {
    const { id, targets } = await records.addCode('head-onl', {}, [{ threshold: 1 }, {}]);
    const look = async (options: AskOptions) => {
      const answer = await ask(port, '/head-onl', options);
      return { ...answer, record: await recordOf(answer.headers) };
    };
    for (const options of [{ method: 'HEAD' }, crawler, { headers: { 'user-agent': '' } }, { method: 'HEAD' }]) {
      const { status, record } = await look(options);
      expect(status).toBe(200);
      expect(record).toMatchObject({ named: 'program', live_code_id: id, target_id: targets[0], lease_id: 0 });
    }
    const head = await look({ method: 'HEAD' });
    expect(head.body).toBe('');
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100);
    expect(await remaining(targets[0])).toBe(1);
    expect((await look({})).record).toMatchObject({ named: 'passed', target_id: targets[0] });
    for (let round = 0; round < 6; round += 1) {
      const options = round % 2 ? { method: 'HEAD' } : crawler;
      await expect.poll(async () => (await look(options)).record).toMatchObject({ named: 'program', target_id: targets[1] });
    }
    expect((await look({})).record).toMatchObject({ named: 'passed', target_id: targets[1] });
  });

  it('sees that nothing is left', async () => {
    await records.addCode('head-out', {}, [{ threshold: 1 }]);
    expect((await ask(port, '/head-out')).status).toBe(200);
    for (let round = 0; round < 4; round += 1) {
      const named = async () => (await recordOf((await ask(port, '/head-out', { method: 'HEAD' })).headers)).named;
      await expect.poll(named).toBe('exhausted');
    }
  });

  it('leaves the ticket of a scan to the visitor', async () => {
    await records.addCode('head-tic', { access_mode: 2 });
    const entry = await ask(port, `/head-tic?s=${signCode(signingKey, 'head-tic')}`, from('198.51.100.21'));
    const path = String(entry.headers.location).replace('http://entry.example', '');
    for (let round = 0; round < 3; round += 1) {
      const head = await ask(port, path, { method: 'HEAD', ...from('198.51.100.21') });
      expect((await recordOf(head.headers)).named).toBe('program');
    }
    expect((await ask(port, path, from('198.51.100.21'))).status).toBe(200);
    expect((await ask(port, path, from('198.51.100.21'))).status).toBe(403);
  });
});

describe('beside visits', () => {
  it('state, figures and small files are answered and not recorded', async () => {
    const answers = await Promise.all(['/healthz', '/readyz', '/metrics', '/robots.txt', '/favicon.ico'].map((path) => ask(port, path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204]);
    expect(JSON.parse(answers[1]?.body ?? '')).toEqual({ journal: true, database: true });
    expect(answers[2]?.body).toMatch(/livecode_visits_total\{slot="[01]",outcome="passed"\} \d+/);
    for (const { headers } of answers) expect(headers['x-visit-id']).toBeUndefined();
  });

  it('figures are for this machine only', async () => {
    expect((await ask(port, '/metrics', from('127.0.0.1'))).status).toBe(403);
  });

  it('a picture whose storage has a public address is shown from there, and from here once that is gone', async () => {
    const name = `${'ef'.repeat(16)}.png`;
    const { targets } = await records.addCode('pictured');
    const { rows } = await records.client.query<{ id: number }>(
      `INSERT INTO image_config (name, upload_type, domain) VALUES ('cdn', 's3', 'https://cdn.example.com/p/') RETURNING id`,
    );
    await records.client.query(
      `WITH stored AS (
        INSERT INTO file (owner_id, name, content_type, width, height, size, storage_id, object_key)
        SELECT owner_id, $1, 'image/png', 1, 1, 1, $2, '2026/' || $1 FROM live_code WHERE file_name = 'pictured' RETURNING id)
      UPDATE live_code_target SET kind = 'picture', content = NULL, file_id = stored.id FROM stored WHERE live_code_target.id = $3`,
      [name, rows[0]?.id, targets[0]],
    );
    const shown = async () => {
      const { body, headers } = await ask(port, '/pictured');
      const src = /<img class=picture src="([^"]*)"/.exec(body)?.[1];
      return [src, /img-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]];
    };
    const fromBucket = [`https://cdn.example.com/p/2026/${name}`, expect.stringContaining('https://cdn.example.com')];
    await expect.poll(shown).toEqual(fromBucket);
    await records.client.query(`UPDATE image_config SET domain = '' WHERE id = $1`, [rows[0]?.id]);
    await expect.poll(shown).toEqual([`/~file/${name}`, expect.stringContaining("'self'")]);
  });

  it('uploaded pictures are served from their folder and nowhere else', async () => {
    const name = `${'ab'.repeat(16)}.png`;
    mkdirSync(join(dataDir, 'uploads'), { recursive: true });
    writeFileSync(join(dataDir, 'uploads', name), 'picture bytes');
    writeFileSync(join(dataDir, 'uploads', 'secret.txt'), 'secret');
    const picture = await ask(port, `/~file/${name}`);
    expect(picture).toMatchObject({ status: 200, body: 'picture bytes' });
    expect(picture.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    expect(picture.headers['cache-control']).toContain('immutable');
    for (const path of ['secret.txt', '../journal', `..%2f${name}`, '', `${'cd'.repeat(16)}.png`]) {
      expect((await ask(port, `/~file/${path}`)).status).toBe(404);
    }
  });
});
