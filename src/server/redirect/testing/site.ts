import { rmSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { startProcess } from './process.ts';
import { openRecords, type Records } from './records.ts';
import { readSigningKey } from './visit-records.ts';

export type TestSite = {
  database: TestDatabase;
  records: Records;
  dataDir: string;
  port: number;
  signingKey: Buffer;
  close: () => Promise<void>;
};

/**
 * Redirect processes with a database and a folder of their own.
 * @param prepare writes what they shall know from their start
 * @param options of so many `processes` those of these `slots` run, on one port: connections of their own reach each
 */
export async function startSite(prepare: (records: Records) => Promise<void>, { processes = 2, slots = ['0'] } = {}): Promise<TestSite> {
  const database = await createTestDatabase();
  const records = await openRecords(database.url);
  const [dataDir, port] = [makeTestFolder(), await freePort()];
  await prepare(records);
  const options = { databaseUrl: database.url, dataDir, port, processes, trustedProxies: '127.0.0.1' };
  const running = await Promise.all(slots.map((slot) => startProcess({ ...options, slot })));
  const signingKey = await readSigningKey(records.client);
  async function close() {
    await Promise.all(running.map((one) => one.stop()));
    await records.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return { database, records, dataDir, port, signingKey, close };
}
