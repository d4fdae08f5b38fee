import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { ownDeviceCookie } from '../../kit/visits/own-devices.ts';
import { ask, startProcess, type TestProcess } from '../testing/process.ts';
import { openRecords, type Records } from '../testing/records.ts';
import { readSigningKey, recordOf } from '../testing/visit-records.ts';

let database: TestDatabase;
let records: Records;
let dataDir: string;
let port: number;
let process: TestProcess;
let signingKey: Buffer;
let code: { id: number; targets: number[] };

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  dataDir = makeTestFolder();
  port = await freePort();
  await records.addDomain('entry.example', 1);
  process = await startProcess({ databaseUrl: database.url, dataDir, port, trustedProxies: '127.0.0.1' });
  signingKey = await readSigningKey(records.client);
  code = await records.addCode('own-code', {}, [{ threshold: 1 }, {}]);
});
afterAll(async () => {
  await process.stop();
  await records.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function visit(ip: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await ask(port, '/own-code', { method, headers: { 'x-forwarded-for': ip, ...headers } });
  const { named, target_id, note } = await recordOf(answer.headers, { dataDir, signingKey });
  return { named, target: code.targets.indexOf(target_id), note };
}

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
    const cookie = ownDeviceCookie(signingKey, records.owner_id, device, false).split(';')[0] ?? '';
    await expect.poll(() => visit('198.51.100.1', { cookie: `lc_t=; ${cookie}` })).toMatchObject({ named: 'own', note: String(device) });
    const forged = ownDeviceCookie(Buffer.alloc(32), records.owner_id, device, false).split(';')[0] ?? '';
    const other = ownDeviceCookie(signingKey, records.owner_id + 1, device, false).split(';')[0] ?? '';
    for (const wrong of [forged, other, `${cookie}x`, 'lc_o']) {
      expect(await visit('198.51.100.1', { cookie: wrong })).toMatchObject({ named: 'passed', note: '' });
    }
    await records.client.query('DELETE FROM own_device');
    await expect.poll(() => visit('198.51.100.1', { cookie })).toMatchObject({ named: 'passed' });
  });
});
