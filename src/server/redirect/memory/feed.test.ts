import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { createLeases } from '../rotation/leases.ts';
import { openRecords, type Records } from '../testing/records.ts';
import { openQueryPool, type QueryPool } from './database.ts';
import { type Feed, followChanges } from './feed.ts';
import { plainCode } from './load.ts';
import { createMemory, type Memory } from './memory.ts';
import { readSnapshot, snapshotPath, writeSnapshot } from './snapshot.ts';

const onFault = () => {};
let database: TestDatabase;
let records: Records;
let pool: QueryPool;
let feed: Feed;
let memory: Memory;
let reloads: number;

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
});
afterAll(async () => {
  await records.close();
  await database.drop();
});
beforeEach(async () => {
  reloads = 0;
  pool = openQueryPool(database.url, () => {});
  const isConnected = () => feed?.isConnected() ?? false;
  const leases = createLeases({ query: pool.query, source: 'r0-feed-1', isConnected, onFault });
  memory = createMemory({ query: pool.query, visitQuery: pool.query, leases, isConnected, onFault });
  const reload = () => {
    reloads += 1;
    return memory.reload();
  };
  feed = followChanges({ url: database.url, apply: memory.apply, reload, onState: () => {} });
  await feed.firstAttempt;
});
afterEach(async () => {
  await feed.stop();
  await pool.close();
});

const load = (name: string) => new Promise<boolean>((resolve) => memory.load(name, resolve));

/**
 * Until all that was written before is known: a code that is read before its own change comes has to be read again. Twice, because the first
 * mark may be read with an earlier change, while those between wait for the next look.
 */
let marks = 0;
async function caughtUp(): Promise<void> {
  for (let time = 0; time < 2; time++) {
    marks += 1;
    const mark = `mark-${marks}.example`;
    await records.addDomain(mark);
    await expect.poll(() => memory.site()?.hosts.find(mark)?.host, { interval: 5 }).toBe(mark);
  }
}

const addCode: Records['addCode'] = async (...code) => {
  const made = await records.addCode(...code);
  await caughtUp();
  return made;
};

describe('a change is known', () => {
  it('of a code, its targets, its owner and what a refill changes', async () => {
    const { id, targets } = await addCode('feed-code', {}, [{ threshold: 3 }]);
    await load('feed-code');
    const code = () => memory.find('feed-code');
    expect(code()?.targets[0]?.content).toBe('https://target.example/feed-code/0');

    await records.client.query(`UPDATE live_code_target SET content = 'https://new.example/' WHERE id = $1`, [targets[0]]);
    await expect.poll(() => code()?.targets[0]?.content, { interval: 5 }).toBe('https://new.example/');

    await records.client.query('UPDATE live_code SET open = false WHERE id = $1', [id]);
    await expect.poll(() => code()?.open, { interval: 5 }).toBe(false);

    await records.client.query('UPDATE target_quota SET generation = generation + 1 WHERE target_id = $1', [targets[0]]);
    await expect.poll(() => code()?.usable[0]?.quota?.generation, { interval: 5 }).toBe(2);

    await records.client.query('UPDATE user_account SET all_codes_open = false WHERE id = (SELECT owner_id FROM live_code WHERE id = $1)', [
      id,
    ]);
    await expect.poll(() => code()?.owner.all_codes_open, { interval: 5 }).toBe(false);
    await records.client.query('UPDATE user_account SET all_codes_open = true');

    await records.client.query(`UPDATE live_code SET file_name = 'feed-renamed' WHERE id = $1`, [id]);
    await expect.poll(code, { interval: 5 }).toBe(null);
    await load('feed-renamed');
    expect(memory.find('feed-renamed')?.id).toBe(id);
  });

  it('of a code that was asked for before it was made', async () => {
    await load('feed-later');
    expect(memory.find('feed-later')).toBe(null);
    await records.addCode('feed-later');
    await expect.poll(() => memory.find('feed-later'), { interval: 5 }).toBe(undefined);
    await caughtUp();
    await load('feed-later');
    expect(memory.find('feed-later')?.file_name).toBe('feed-later');
  });

  it('of domains, blocked networks and settings', async () => {
    expect(memory.site()?.hosts.find('feed.example')).toBeUndefined();
    const id = await records.addDomain('feed.example');
    await expect.poll(() => memory.site()?.hosts.find('feed.example')?.id, { interval: 5 }).toBe(id);
    await records.client.query('UPDATE domain SET enabled = false WHERE id = $1', [id]);
    await expect.poll(() => memory.site()?.hosts.find('feed.example'), { interval: 5 }).toBeUndefined();

    await records.client.query(`INSERT INTO visit_blacklist (network) VALUES ('198.51.100.0/24')`);
    await expect.poll(() => memory.site()?.blacklist.has('198.51.100.7'), { interval: 5 }).toBe(true);

    await records.client.query(`INSERT INTO setting (key, value) VALUES ('visit_scheme', '"https"')`);
    await expect.poll(() => memory.site()?.settings.visit_scheme, { interval: 5 }).toBe('https');
  });

  it('even when its transaction began long before others and committed after them', async () => {
    await addCode('feed-slow');
    await load('feed-slow');
    const slow = new pg.Client({ connectionString: database.url });
    await slow.connect();
    await slow.query('BEGIN');
    await slow.query(`UPDATE live_code SET page_title = 'slow' WHERE file_name = 'feed-slow'`);
    for (const name of ['feed-x1', 'feed-x2', 'feed-x3']) {
      await records.addCode(name);
      await load('feed-slow');
    }
    await expect.poll(() => memory.find('feed-slow')?.page_title, { interval: 5 }).toBe('');
    await slow.query('COMMIT');
    await expect.poll(() => memory.find('feed-slow')?.page_title, { interval: 5 }).toBe('slow');
    await slow.end();
    expect(reloads).toBe(1);
  });

  it('after the connection broke meanwhile', async () => {
    await addCode('feed-cut');
    await load('feed-cut');
    await records.client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await records.client.query(`UPDATE live_code SET page_title = 'cut' WHERE file_name = 'feed-cut'`);
    // As visits do: where a connection of the pool broke while the code was read again, the next one reads it.
    const title = async () => {
      if (memory.find('feed-cut') === undefined) await load('feed-cut');
      return memory.find('feed-cut')?.page_title;
    };
    await expect.poll(title, { interval: 5 }).toBe('cut');
    // It knew where it had stopped reading.
    expect(reloads).toBe(1);
  });

  it('of ten thousand codes at once', { tags: 'full' }, async () => {
    await records.client.query(`INSERT INTO live_code (file_name, owner_id, name)
      SELECT 'bulk-' || n, (SELECT min(id) FROM user_account), 'bulk' FROM generate_series(1, 10000) AS n`);
    await Promise.all(Array.from({ length: 3000 }, (_, index) => load(`bulk-${index + 1}`)));
    await records.client.query(`UPDATE live_code SET page_title = 'changed' WHERE name = 'bulk'`);
    await expect.poll(() => memory.find('bulk-2999')).toBe(undefined);
    await load('bulk-2999');
    expect(memory.find('bulk-2999')?.page_title).toBe('changed');
  });
});

describe('codes', () => {
  it('that are asked for at once are read by one statement, and each waiter is told', async () => {
    await addCode('feed-many');
    const told = await Promise.all(Array.from({ length: 500 }, (_, index) => load(index % 2 ? 'feed-many' : `feed-none-${index}`)));
    expect(told.every(Boolean)).toBe(true);
    expect(memory.find('feed-many')?.file_name).toBe('feed-many');
    expect(memory.find('feed-none-0')).toBe(null);
  });

  it('whose entries of the blacklist end are free again', async () => {
    await records.client.query(`INSERT INTO visit_blacklist (network, expires_at) VALUES ('192.0.2.1', now() + interval '1 hour')`);
    await expect.poll(() => memory.site()?.blacklist.has('192.0.2.1'), { interval: 5 }).toBe(true);
    memory.tick(Date.now() + 3_700_000);
    expect(memory.site()?.blacklist.has('192.0.2.1')).toBe(false);
  });

  it('without a usable target address are not sent there', async () => {
    await addCode('feed-evil', { fallback_url: 'javascript:alert(1)' }, [
      { content: 'javascript:alert(1)' },
      { content: 'data:text/html,x' },
      { content: 'weixin://dl/chat' },
      { content: 'unknown://x' },
    ]);
    await load('feed-evil');
    const code = memory.find('feed-evil');
    expect(code?.usable.map(({ content }) => content)).toEqual(['weixin://dl/chat']);
    expect(code?.fallback).toBe(null);
  });
});

it('what nobody asked for yet is read ahead: codes, their aliases and short codes are known when the database is away', async () => {
  const names = Array.from({ length: 450 }, (_, index) => `ahead-${index}`);
  for (const name of names) await records.addCode(name);
  await records.addCode('ahead-removed', { removed: true });
  const { client, owner_id } = records;
  await client.query(
    `INSERT INTO live_code_key (key, live_code_id, own) SELECT 'ahead-alias', id, false FROM live_code WHERE file_name = $1`,
    [names[0]],
  );
  const domain = await records.addDomain('ahead.example', 3);
  await client.query('INSERT INTO short_code (owner_id, short, domain_id, url) VALUES ($1, $2, $3, $4)', [
    owner_id,
    'ahead',
    domain,
    'https://target.example/ahead',
  ]);
  await caughtUp();
  await memory.readAhead();
  await feed.stop();
  expect(names.filter((name) => memory.find(name)?.file_name !== name)).toEqual([]);
  expect(memory.find('ahead-alias')?.file_name).toBe(names[0]);
  expect(memory.shorts.find(`${domain}/ahead`)?.url).toBe('https://target.example/ahead');
  expect(memory.find('ahead-removed')).toBe(undefined);
});

describe('the snapshot', () => {
  const folder = mkdtempSync(join(tmpdir(), 'livecode-snapshot-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('brings everything back, to be checked against the database when it is there', async () => {
    const host = await records.addDomain('snapshot.example', 2);
    await addCode('snap-code', { landing_domain_id: host, expires_at: new Date(1_900_000_000_000) }, [{ threshold: 5 }, {}]);
    await expect.poll(() => memory.site()?.hosts.find('snapshot.example')?.id, { interval: 5 }).toBe(host);
    await load('snap-code');
    const path = snapshotPath(folder, '0');
    const known = memory.known();
    if (!known) throw new Error('nothing is known');
    await writeSnapshot(path, known);

    const isConnected = { value: false };
    const restored = createMemory({
      visitQuery: pool.query,
      onFault,
      query: pool.query,
      leases: createLeases({ query: pool.query, source: 'r0-snap-1', isConnected: () => isConnected.value, onFault }),
      isConnected: () => isConnected.value,
    });
    const read = readSnapshot(path);
    if (!read) throw new Error('nothing was read');
    restored.restore(read);
    const code = restored.find('snap-code');
    const found = memory.find('snap-code');
    if (!code || !found) throw new Error('not restored');
    expect(plainCode(code)).toEqual(plainCode(found));
    expect(code?.owner).toEqual(memory.find('snap-code')?.owner);
    expect(restored.site()?.hosts.find('snapshot.example')?.id).toBe(host);
    expect(restored.site()?.signing_key).toEqual(memory.site()?.signing_key);
    isConnected.value = true;
    expect(restored.find('snap-code')).toBe(undefined);
    expect(restored.findKnown('snap-code')?.file_name).toBe('snap-code');
  });

  it('of another process serves where there is none of its own, and a torn one is refused', async () => {
    const known = memory.known();
    if (!known) throw new Error('nothing is known');
    await writeSnapshot(snapshotPath(folder, '3'), known);
    expect(readSnapshot(snapshotPath(folder, '9'))?.site.domains).toEqual(known.site.domains);
    const torn = snapshotPath(join(folder, 'torn'), '0');
    await writeSnapshot(torn, known);
    writeFileSync(torn, '{"format":1,"site":{}}\n');
    expect(() => readSnapshot(torn)).toThrow('not whole');
    expect(readSnapshot(snapshotPath(join(folder, 'none'), '0'))).toBeUndefined();
  });
});
