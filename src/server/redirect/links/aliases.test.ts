import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signCode } from '../../kit/visits/visit-signature.ts';
import { type AskOptions, ask, destinationOf } from '../testing/process.ts';
import { openRecords } from '../testing/records.ts';
import { startSite, type TestSite } from '../testing/site.ts';
import { recordOf as visitRecord } from '../testing/visit-records.ts';

let database: TestSite['database'];
let records: TestSite['records'];
let dataDir: TestSite['dataDir'];
let port: TestSite['port'];
let signingKey: TestSite['signingKey'];
let close: TestSite['close'];
let entry: number;
let landing: number;
beforeAll(async () => {
  ({ database, records, dataDir, port, signingKey, close } = await startSite(
    async (records) => {
      entry = await records.addDomain('entry.example', 1);
      landing = await records.addDomain('landing.example', 2);
    },
    { processes: 1 },
  ));
});
afterAll(() => close());

async function addAlias(live_code_id: number, key: string): Promise<number> {
  const { rows } = await records.client.query('INSERT INTO live_code_key (live_code_id, key) VALUES ($1, $2) RETURNING id', [
    live_code_id,
    key,
  ]);
  return Number(rows[0].id);
}
const open = (path: string, options: AskOptions = {}) => ask(port, path, options);
const recordOf = (headers: IncomingHttpHeaders) => visitRecord(headers, { dataDir, signingKey });
const leadsTo = async (path: string) => destinationOf(await open(path));
/** Changes reach the process within a second. */
const soon = (path: string) => expect.poll(() => leadsTo(path), { interval: 20 });

describe('an alias of a code', () => {
  it('leads where the code does, and its passed visits alone name it', async () => {
    const code = await records.addCode('poster', { entry_domain_id: entry });
    const alias = await addAlias(code.id, 'poster-east');
    const byAlias = await open('/POSTER-EAST/');
    expect(destinationOf(byAlias)).toBe('https://target.example/poster/0');
    expect(await recordOf(byAlias.headers)).toMatchObject({ named: 'passed', live_code_id: code.id, note: String(alias) });
    expect(await recordOf((await open('/poster')).headers)).toMatchObject({ named: 'passed', live_code_id: code.id, note: '' });
    const look = await open('/poster-east', { method: 'HEAD' });
    expect(await recordOf(look.headers)).toMatchObject({ named: 'program', live_code_id: code.id, note: '' });
  });

  it('shares turns, thresholds and their end with all keys of the code', async () => {
    const turning = await records.addCode('turning', { rotation_mode: 3 }, [{}, {}, {}]);
    await addAlias(turning.id, 'turning-b');
    const seen = [];
    for (const path of ['/turning', '/turning-b', '/turning']) seen.push(await leadsTo(path));
    expect(new Set(seen).size).toBe(3);
    const limited = await records.addCode('limited', { fallback_url: 'https://fallback.example/' }, [{ threshold: 2 }]);
    await addAlias(limited.id, 'limited-b');
    expect(await leadsTo('/limited')).toBe('https://target.example/limited/0');
    expect(await leadsTo('/limited-b')).toBe('https://target.example/limited/0');
    expect(await leadsTo('/limited-b')).toBe('https://fallback.example/');
  });

  it('goes on to the landing domain under its own name, and takes a signature of its own where only scans may pass', async () => {
    const scan = await records.addCode('scan', { entry_domain_id: entry, landing_domain_id: landing, access_mode: 2 });
    const alias = await addAlias(scan.id, 'scan-b');
    expect((await open('/scan-b')).status).toBe(403);
    expect((await open(`/scan-b?s=${signCode(signingKey, 'scan')}`)).status).toBe(403);
    const entered = await open(`/scan-b?s=${signCode(signingKey, 'scan-b')}`);
    expect(entered.headers.location).toMatch(/^http:\/\/landing\.example\/scan-b\?t=/);
    const { pathname, search } = new URL(entered.headers.location ?? '');
    const landed = await open(pathname + search, { host: 'landing.example' });
    expect(await recordOf(landed.headers)).toMatchObject({ named: 'passed', live_code_id: scan.id, note: String(alias) });
  });

  it('answers soon after it is given, also where the key was asked for before, and no more once it is taken off', async () => {
    const code = await records.addCode('moving');
    expect((await open('/moving-b')).status).toBe(404);
    await addAlias(code.id, 'moving-b');
    await soon('/moving-b').toBe('https://target.example/moving/0');
    await records.client.query(`UPDATE live_code SET file_name = 'moved' WHERE id = $1`, [code.id]);
    await soon('/moved').toBe('https://target.example/moving/0');
    await soon('/moving-b').toBe('https://target.example/moving/0');
    await records.client.query(`UPDATE live_code SET open = false WHERE id = $1`, [code.id]);
    await expect.poll(async () => (await open('/moving-b')).status, { interval: 20 }).toBe(403);
    await records.client.query(`UPDATE live_code SET open = true WHERE id = $1`, [code.id]);
    await soon('/moving-b').toBe('https://target.example/moving/0');
    await records.client.query(`DELETE FROM live_code_key WHERE key = 'moving-b'`);
    await expect.poll(async () => (await open('/moving-b')).status, { interval: 20 }).toBe(404);
    expect(await leadsTo('/moved')).toBe('https://target.example/moving/0');
  });

  it('has an image of its own, and ends with its code', async () => {
    const code = await records.addCode('drawn', { entry_domain_id: entry });
    await addAlias(code.id, 'drawn-b');
    const [own, alias] = [await open('/qr/drawn.svg'), await open('/qr/drawn-b.svg')];
    expect([own.status, alias.status]).toEqual([200, 200]);
    expect(alias.body).not.toBe(own.body);
    await records.client.query('DELETE FROM live_code WHERE id = $1', [code.id]);
    await expect.poll(async () => (await open('/drawn-b')).status, { interval: 20 }).toBe(404);
  });
});

describe('a key', () => {
  it('is one code’s alone, be it its own or an alias', async () => {
    const first = await records.addCode('first-key');
    const second = await records.addCode('second-key');
    await addAlias(first.id, 'first-more');
    const taken = /live_code_key_key_key/;
    for (const key of ['first-key', 'second-key', 'first-more']) await expect(addAlias(second.id, key)).rejects.toThrow(taken);
    await expect(records.addCode('first-more')).rejects.toThrow(taken);
    const rename = records.client.query(`UPDATE live_code SET file_name = 'first-more' WHERE id = $1`, [second.id]);
    await expect(rename).rejects.toThrow(taken);
  });

  it('is taken once, also where a code and an alias come for it at the same moment', async () => {
    const code = await records.addCode('racing');
    const other = await openRecords(database.url);
    await records.client.query('BEGIN');
    await addAlias(code.id, 'wanted');
    const added = other.addCode('wanted').then(
      () => 'added',
      (error) => error.constraint,
    );
    await records.client.query('COMMIT');
    expect(await added).toBe('live_code_key_key_key');
    await other.close();
  });
});
