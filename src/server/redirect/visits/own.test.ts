import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownDeviceCookie, ownDevicePath, ownLinkMilliseconds } from '../../kit/visits/own-devices.ts';
import { ask } from '../testing/process.ts';
import { startSite, type TestSite } from '../testing/site.ts';
import { recordOf } from '../testing/visit-records.ts';

let records: TestSite['records'];
let dataDir: TestSite['dataDir'];
let port: TestSite['port'];
let signingKey: TestSite['signingKey'];
let close: TestSite['close'];
let entryDomain: number;
let code: { id: number; targets: number[] };
beforeAll(async () => {
  ({ records, dataDir, port, signingKey, close } = await startSite(async (records) => {
    entryDomain = await records.addDomain('entry.example', 1);
  }));
  code = await records.addCode('own-code', {}, [{ threshold: 1 }, {}]);
});
afterAll(() => close());

async function visit(ip: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await ask(port, '/own-code', { method, headers: { 'x-forwarded-for': ip, ...headers } });
  const { named, target_id, note } = await recordOf(answer.headers, { dataDir, signingKey });
  return { named, target: code.targets.indexOf(target_id), note };
}

const onHost = { isSecure: false, host: 'entry.example' };

describe('visits of the owner himself', () => {
  it('from an address that he named see what a visitor would see and take nothing, until he removes it', async () => {
    const insert = `INSERT INTO own_address (owner_id, network) VALUES ($1, '203.0.113.0/24'), ($1, '2001:db8:7::/48')`;
    await records.client.query(insert, [records.owner_id]);
    // Nothing is known of the code yet: it is read with its owner's list.
    expect((await visit('203.0.113.9', {}, 'HEAD')).named).toBe('program');
    for (const ip of ['203.0.113.9', '2001:db8:7::1', '203.0.113.77']) {
      expect(await visit(ip)).toEqual({ named: 'own', target: 0, note: '' });
    }
    expect(await visit('203.0.114.1')).toEqual({ named: 'passed', target: 0, note: '' });
    await expect.poll(() => visit('203.0.113.9')).toEqual({ named: 'own', target: 1, note: '' });
    await records.client.query('DELETE FROM own_address');
    await expect.poll(() => visit('203.0.113.9')).toMatchObject({ named: 'passed' });
  });

  it('by a device that he marked are his, and nobody can make its cookie or keep it when the device is removed', async () => {
    const { rows } = await records.client.query<{ id: number }>(
      `INSERT INTO own_device (owner_id, name) VALUES ($1, 'phone') RETURNING id::int`,
      [records.owner_id],
    );
    const device = rows[0]?.id ?? 0;
    const cookie = ownDeviceCookie(signingKey, records.owner_id, device, onHost).split(';')[0] ?? '';
    await expect.poll(() => visit('198.51.100.1', { cookie: `lc_t=; ${cookie}` })).toMatchObject({ named: 'own', note: String(device) });
    const forged = ownDeviceCookie(Buffer.alloc(32), records.owner_id, device, onHost).split(';')[0] ?? '';
    const other = ownDeviceCookie(signingKey, records.owner_id + 1, device, onHost).split(';')[0] ?? '';
    for (const wrong of [forged, other, `${cookie}x`, 'lc_o']) {
      expect(await visit('198.51.100.1', { cookie: wrong })).toMatchObject({ named: 'passed', note: '' });
    }
    await records.client.query('DELETE FROM own_device');
    await expect.poll(() => visit('198.51.100.1', { cookie })).toMatchObject({ named: 'passed' });
  });
});

describe('the link that marks a device', () => {
  const open = (path: string, host = 'entry.example', ip = '198.51.100.7') =>
    ask(port, path, { host, headers: { 'x-forwarded-for': ip, 'accept-language': 'en' } });
  const linksIn = (body: string) => [...body.matchAll(/href="(http:[^"]+)"/g)].map(([, url = '']) => new URL(url));

  it('does so on its host, says it in the visitor’s language, and leads to the hosts that are left, one by one', async () => {
    const { rows } = await records.client.query<{ id: number }>(
      `INSERT INTO own_device (owner_id, name) VALUES ($1, 'phone') RETURNING id::int`,
      [records.owner_id],
    );
    const device = rows[0]?.id ?? 0;
    const domains = [entryDomain, await records.addDomain('*.wild.example', 1), await records.addDomain('third.example', 1)];
    const path = ownDevicePath(signingKey, { owner: records.owner_id, device, until: Date.now() + 60_000, domains });
    await expect.poll(async () => linksIn((await open(path)).body).map(({ host }) => host)).toEqual(['own.wild.example', 'third.example']);
    const first = await open(path);
    expect([first.status, first.headers['x-visit-id']]).toEqual([200, 'none']);
    expect(first.body).toContain('Marked as your own device');
    const cookie = String(first.headers['set-cookie']);
    expect(cookie).toMatch(/^lc_o\w+=\S+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
    await expect.poll(() => visit('198.51.100.1', { cookie: cookie.split(';')[0] ?? '' })).toMatchObject({ named: 'own' });

    const [wild, third] = linksIn(first.body);
    const second = await open(`${wild?.pathname}${wild?.search}`, wild?.host);
    expect(String(second.headers['set-cookie'])).toContain('; Domain=wild.example; HttpOnly');
    expect(linksIn(second.body).map(({ host }) => host)).toEqual(['third.example']);
    const last = await open(`${third?.pathname}${linksIn(second.body)[0]?.search}`, 'third.example');
    expect(linksIn(last.body)).toEqual([]);
    expect(last.body).toContain('All your domains are done');
  });

  it('is good for an hour and can’t be made by anybody; where no host of ours is asked, it is none', async () => {
    const link = { owner: records.owner_id, device: 1, until: Date.now() + 60_000, domains: [] };
    const right = ownDevicePath(signingKey, link);
    const wrong = [
      ownDevicePath(signingKey, { ...link, until: Date.now() - 1000 }),
      ownDevicePath(signingKey, { ...link, until: Date.now() + 2 * ownLinkMilliseconds }),
      ownDevicePath(Buffer.alloc(32), link),
      `${right}x`,
      '/~own/',
    ];
    for (const path of wrong) {
      const { status, headers, body } = await open(path);
      expect([status, headers['set-cookie']]).toEqual([410, undefined]);
      expect(body).toContain('Link expired');
    }
    expect((await open(right)).headers['set-cookie']).toBeDefined();
    const elsewhere = await open(right, 'unknown.example');
    expect([elsewhere.status, elsewhere.headers['set-cookie']]).toEqual([404, undefined]);
  });
});
