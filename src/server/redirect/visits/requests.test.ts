import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AskOptions, ask } from '../testing/process.ts';
import type { Records } from '../testing/records.ts';
import { startSite, type TestSite } from '../testing/site.ts';
import { recordOf as visitRecord } from '../testing/visit-records.ts';

let records: Records;
let dataDir: string;
let port: number;
let signingKey: Buffer;
let close: TestSite['close'];
beforeAll(async () => {
  ({ records, dataDir, port, signingKey, close } = await startSite(async (own) => {
    await own.addDomain('entry.example', 1);
  }));
});
afterAll(() => close());

const from = (ip: string): AskOptions => ({ headers: { 'x-forwarded-for': ip } });

/** The record that an answer's X-Visit-Id names. */
const recordOf = (headers: IncomingHttpHeaders) => visitRecord(headers, { dataDir, signingKey });

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

describe('beside visits', () => {
  it('state, figures and small files are answered and not recorded', async () => {
    const answers = await Promise.all(['/healthz', '/readyz', '/metrics', '/robots.txt', '/favicon.ico'].map((path) => ask(port, path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204]);
    expect(JSON.parse(answers[1]?.body ?? '')).toEqual({ journal: true, database: true });
    expect(answers[2]?.body).toMatch(/livecode_visits_total\{process="redirect [01]",slot="[01]",outcome="passed"\} \d+/);
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
