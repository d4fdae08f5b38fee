import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signCode } from '../../kit/visits/visit-signature.ts';
import { type AskOptions, ask, destinationOf } from '../testing/process.ts';
import type { Records } from '../testing/records.ts';
import { startSite, type TestSite } from '../testing/site.ts';
import { recordOf as visitRecord } from '../testing/visit-records.ts';

const messenger =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI';

let records: Records;
let dataDir: string;
let port: number;
let signingKey: Buffer;
let close: TestSite['close'];
beforeAll(async () => {
  const prepare = async (own: Records) => {
    await own.addDomain('entry.example', 1);
    await own.addDomain('landing.example', 2);
    await own.addDomain('short.example', 3);
    await own.addDomain('*.wild.example', 2);
  };
  ({ records, dataDir, port, signingKey, close } = await startSite(prepare, { slots: ['0', '1'] }));
});
afterAll(() => close());

const from = (ip: string, more: Record<string, string> = {}): AskOptions => ({ headers: { 'x-forwarded-for': ip, ...more } });

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

/** The record that an answer's X-Visit-Id names. */
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
