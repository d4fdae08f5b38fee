import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { readNote } from '../../kit/visits/report-note.ts';
import { type Answer, type AskOptions, ask, startProcess, type TestProcess } from '../testing/process.ts';
import { openRecords, type Records } from '../testing/records.ts';
import { readSigningKey, recordOf as visitRecord } from '../testing/visit-records.ts';

let database: TestDatabase;
let records: Records;
let dataDir: string;
let port: number;
let visits: TestProcess;
let signingKey: Buffer;

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  dataDir = makeTestFolder();
  port = await freePort();
  await records.addDomain('entry.example', 1);
  visits = await startProcess({ databaseUrl: database.url, dataDir, port, trustedProxies: '127.0.0.1' });
  signingKey = await readSigningKey(records.client);
});
afterAll(async () => {
  await visits.stop();
  await records.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}
const from = (ip: string, more: AskOptions = {}): AskOptions => ({ ...more, headers: { 'x-forwarded-for': ip, ...more.headers } });
const ticketOf = ({ body }: Answer) => /name=ticket value="([\w-]+)"/.exec(body)?.[1] ?? '';
const recordOf = (answer: Answer) => visitRecord(answer.headers, { dataDir, signingKey });
const isRecorded = ({ headers }: Answer) => headers['x-visit-id'] !== 'none';

/** Opens the form and sends it from one address. */
async function report(name: string, fields: Record<string, string>, ip = newAddress()) {
  const form = await ask(port, `/${name}?~report`, from(ip));
  return ask(port, `/${name}?~report`, from(ip, { form: { ticket: ticketOf(form), ...fields } }));
}

describe('the link to report a code', () => {
  it('stands on refusals of a code, and on text and picture pages, but not where there is no code or nothing is left to report', async () => {
    await records.addCode('link-closed', { open: false });
    await records.addCode('link-text', {}, [{ kind: 'text', content: 'hello' }]);
    await records.addCode('link-frozen');
    await records.client.query(`UPDATE live_code SET frozen_at = now() WHERE file_name = 'link-frozen'`);
    const has = async (path: string) => (await ask(port, path)).body.includes('href="?~report"');
    expect(await has('/link-closed')).toBe(true);
    expect(await has('/link-text')).toBe(true);
    expect(await has('/link-frozen')).toBe(false);
    expect(await has('/no-such-code')).toBe(false);
  });

  it('is gone while the setting is off, and then its address is a visit as any other', async () => {
    await records.addCode('link-off', { open: false });
    expect((await ask(port, '/link-off?~report')).status).toBe(200);
    await records.client.query(`INSERT INTO setting (key, value) VALUES ('report_link', 'false')`);
    await expect.poll(async () => (await ask(port, '/link-off')).body.includes('~report')).toBe(false);
    const answer = await ask(port, '/link-off?~report');
    expect(await recordOf(answer)).toMatchObject({ named: 'closed' });
    expect((await report('link-off', { reason: 'fraud' })).status).toBe(404);
    await records.client.query(`DELETE FROM setting WHERE key = 'report_link'`);
    await expect.poll(async () => (await ask(port, '/link-off')).body.includes('~report')).toBe(true);
  });
});

describe('the form', () => {
  it('needs no script, says nothing of the code, and may be framed by nobody', async () => {
    await records.addCode('form-there', { page_title: 'Secret title' });
    const [there, absent] = await Promise.all(['form-there', 'form-none'].map((name) => ask(port, `/${name}?~report`)));
    const plain = (answer: Answer | undefined) => answer?.body.replace(/value="[\w-]+"/, '');
    expect(plain(there)).toBe(plain(absent));
    expect(there?.body).not.toMatch(/<script|Secret title/);
    expect(there?.headers['content-security-policy']).toContain("form-action 'self';frame-ancestors 'none'");
    expect(there?.headers['cache-control']).toBe('no-store');
    expect(there && isRecorded(there)).toBe(false);
  });

  it('speaks the language of the visitor', async () => {
    const answer = await ask(port, '/form-there?~report', { headers: { 'accept-language': 'ja' } });
    expect(answer.body).toContain('<html lang=ja-JP>');
    expect(answer.body).toContain('このQRコードを報告');
  });
});

describe('a report', () => {
  it('is recorded with its code, reason and text, and thanked for', async () => {
    const { id } = await records.addCode('report-one');
    await ask(port, '/report-one');
    const answer = await report('report-one', { reason: 'fraud', text: '  收了钱不发货 😀\r\n第二行  ' });
    expect(answer.status).toBe(200);
    const record = await recordOf(answer);
    expect(record).toMatchObject({ named: 'reported', live_code_id: id, target_id: 0, open_log: false, path: '/report-one' });
    expect(readNote(record.note)).toEqual({ reason: 'fraud', text: '收了钱不发货 😀\n第二行' });
  });

  it('keeps five hundred characters, whatever they are made of', async () => {
    await records.addCode('report-long');
    const record = await recordOf(await report('report-long', { reason: 'other', text: '😀'.repeat(501) }));
    expect(readNote(record.note)).toEqual({ reason: 'other', text: '😀'.repeat(500) });
  });

  it('comes back without a reason, with what was typed', async () => {
    const answer = await report('report-one', { reason: 'none such', text: 'kept <b>' });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('请选择举报原因');
    expect(answer.body).toContain('kept &lt;b&gt;</textarea>');
    expect(isRecorded(answer)).toBe(false);
  });

  it('is taken with the ticket of the form only, from the address that opened it, for that code, once', async () => {
    const ip = newAddress();
    await records.addCode('report-once');
    await ask(port, '/report-once');
    const ticket = ticketOf(await ask(port, '/report-once?~report', from(ip)));
    const send = (name: string, address: string, form: Record<string, string>, headers = {}) =>
      ask(port, `/${name}?~report`, from(address, { form: { reason: 'fraud', ...form }, headers }));
    for (const refused of [
      await send('report-once', ip, {}),
      await send('report-once', ip, { ticket: `${ticket.startsWith('A') ? 'B' : 'A'}${ticket.slice(1)}` }),
      await send('report-once', newAddress(), { ticket }),
      await send('report-one', ip, { ticket }),
      await send('report-once', ip, { ticket }, { 'sec-fetch-site': 'cross-site' }),
      await send('report-once', ip, { ticket }, { 'content-type': 'text/plain' }),
      await send('report-once', ip, { ticket, text: 'x'.repeat(20_000) }),
    ]) {
      expect(refused.status).toBe(400);
      expect(isRecorded(refused)).toBe(false);
    }
    expect(await recordOf(await send('report-once', ip, { ticket }))).toMatchObject({ named: 'reported' });
    const again = await send('report-once', ip, { ticket });
    expect(again.status).toBe(200);
    expect(isRecorded(again)).toBe(false);
  });

  it('of a network is taken five times in a while', async () => {
    await records.addCode('report-many');
    await ask(port, '/report-many');
    const statuses: number[] = [];
    for (let number = 0; number < 7; number += 1) {
      statuses.push((await report('report-many', { reason: 'other' }, `2001:db8:1:1::${number + 1}`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await report('report-many', { reason: 'other' }, '2001:db8:1:2::1')).status).toBe(200);
  });

  it('of a code that surely is not there is thanked for and forgotten', async () => {
    await ask(port, '/report-none');
    const answer = await report('report-none', { reason: 'fraud' });
    expect(answer.status).toBe(200);
    expect(isRecorded(answer)).toBe(false);
  });

  it('is not taken from an address on the blacklist', async () => {
    await records.client.query(`INSERT INTO visit_blacklist (network) VALUES ('192.0.2.9')`);
    await expect.poll(async () => (await ask(port, '/report-one?~report', from('192.0.2.9'))).status).toBe(403);
  });
});

describe('what an administrator froze', () => {
  const freeze = (table: string, id: number, isFrozen = true) =>
    records.client.query(`UPDATE ${table} SET frozen_at = ${isFrozen ? 'now()' : 'NULL'} WHERE id = $1`, [id]);

  it.each(['live_code', 'user_account', 'domain'])('answers with a page of its own, open or not: %s', async (table) => {
    const host = `${table.replace('_', '-')}.example`;
    const owner_id = await records.addUser(`frozen-${table}`);
    const domain_id = await records.addDomain(host);
    const { id } = await records.addCode(`ice-${table.slice(0, 4)}`, { owner_id });
    const visit = () => ask(port, `/ice-${table.slice(0, 4)}`, { host });
    await expect.poll(async () => (await visit()).status).toBe(200);
    const frozen = { live_code: id, user_account: owner_id, domain: domain_id }[table] ?? 0;
    await freeze(table, frozen);
    await expect.poll(async () => (await visit()).status).toBe(403);
    const answer = await visit();
    expect(answer.body).toContain('这个二维码已被停用');
    expect(await recordOf(answer)).toMatchObject({ named: 'frozen', live_code_id: id });
    await records.client.query('UPDATE live_code SET open = false WHERE id = $1', [id]);
    await freeze(table, frozen, false);
    await expect.poll(async () => (await recordOf(await visit())).named).toBe('closed');
  });

  it('serves no short code and no forward either', async () => {
    const owner_id = await records.addUser('frozen-links');
    const domain_id = await records.addDomain('s.example', 3, owner_id);
    await records.client.query(
      `INSERT INTO short_code (owner_id, domain_id, short, url) VALUES ($1, $2, 'go', 'https://target.example/')`,
      [owner_id, domain_id],
    );
    await records.client.query(`INSERT INTO forward (owner_id, domain_id, path, url) VALUES ($1, $2, '/old', 'https://target.example/')`, [
      owner_id,
      domain_id,
    ]);
    const named = async (path: string) => (await recordOf(await ask(port, path, { host: 's.example' }))).named;
    await expect.poll(() => named('/go')).toBe('passed');
    await expect.poll(() => named('/old')).toBe('forwarded');
    for (const [table, id] of [
      ['user_account', owner_id],
      ['domain', domain_id],
    ] as const) {
      await freeze(table, id);
      await expect.poll(() => named('/go')).toBe('frozen');
      await expect.poll(() => named('/old')).toBe('frozen');
      await freeze(table, id, false);
      await expect.poll(() => named('/go')).toBe('passed');
    }
  });
});
