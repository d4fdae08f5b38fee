import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StartError } from '../start-error.ts';
import type { TestDatabase } from '../testing/database.ts';
import { createEmptyDatabase, createTestDatabase } from '../testing/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'livecode-migrations-'));
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const write = (name: string, sql: string) => writeFileSync(join(folder, `${name}.sql`), sql);

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

describe('migrate', () => {
  test('applies what is missing, in order, once', async () => {
    write('0002-fill', `INSERT INTO word VALUES ('活码'); INSERT INTO word VALUES ('two');`);
    write('0001-word', 'CREATE TABLE word (text text);');
    expect(await migrate(database.url, folder)).toEqual(['0001-word', '0002-fill']);
    write('0003-more', `INSERT INTO word VALUES ('three');`);
    expect(await migrate(database.url, folder)).toEqual(['0003-more']);
    expect(await migrate(database.url, folder)).toEqual([]);
    expect((await query(database.url, 'SELECT text FROM word')).rows).toEqual([{ text: '活码' }, { text: 'two' }, { text: 'three' }]);
  });

  test('a failing migration leaves nothing of itself and keeps those before it', async () => {
    write('0001-word', 'CREATE TABLE word (text text);');
    write('0002-broken', 'CREATE TABLE half (id int); SELECT 1/0;');
    await expect(migrate(database.url, folder)).rejects.toThrow('Migration 0002-broken failed: division by zero');
    const { rows } = await query(
      database.url,
      `SELECT to_regclass('half') half, to_regclass('word')::text word, (SELECT count(*)::int FROM migration) done`,
    );
    expect(rows).toEqual([{ half: null, word: 'word', done: 1 }]);
  });

  test('a mistake is reported with its line', async () => {
    write('0001-word', 'CREATE TABLE word (text text);\n\nCREATE TABEL wrong (text text);\n');
    await expect(migrate(database.url, folder)).rejects.toThrow('0001-word failed in line 3: syntax error');
  });

  test('eight processes at once apply each migration once', async () => {
    write('0001-word', 'CREATE TABLE word (text text);');
    write('0002-fill', `INSERT INTO word VALUES ('one');`);
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(database.url, folder)));
    expect(results.flat().sort()).toEqual(['0001-word', '0002-fill']);
    expect((await query(database.url, 'SELECT text FROM word')).rows).toEqual([{ text: 'one' }]);
  });

  test('other line ends are no edit', async () => {
    write('0001-word', 'CREATE TABLE word\n(text text);\n');
    await migrate(database.url, folder);
    write('0001-word', 'CREATE TABLE word\r\n(text text);\r\n');
    expect(await migrate(database.url, folder)).toEqual([]);
  });

  test.each([
    ['an edited migration', () => write('0002-b', 'SELECT 3;'), 'migration 0002-b was edited after it was applied'],
    [
      'one that comes before an applied one',
      () => write('0001-late', 'SELECT 1;'),
      '0001-late comes before 0002-b, which is applied already',
    ],
    [
      'one that was renamed',
      () => renameSync(join(folder, '0002-b.sql'), join(folder, '0003-b.sql')),
      '0002-b is applied, and does not exist',
    ],
  ])('a database with %s is told to be of an unreleased state, and how to start anew', async (_name, change, reason) => {
    write('0002-b', 'SELECT 2;');
    write('0004-d', 'SELECT 4;');
    await migrate(database.url, folder);
    change();
    const refusal = await migrate(database.url, folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    const { message } = refusal as StartError;
    for (const part of [reason, 'unreleased state', 'mv data data.old', 'DATABASE_URL']) expect(message).toContain(part);
    expect(message).not.toContain('\n');
  });

  test('a database of a newer version is refused', async () => {
    write('0001-word', 'CREATE TABLE word (text text);');
    await migrate(database.url, folder);
    rmSync(join(folder, '0001-word.sql'));
    await expect(migrate(database.url, folder)).rejects.toThrow('newer version');
  });

  test.each([
    [['0001-a', '0001-b'], 'same number'],
    [['1-a'], 'must be named'],
    [['0001-A b'], 'must be named'],
  ])('the file names %j are refused', async (names, message) => {
    for (const name of names) write(name, 'SELECT 1;');
    await expect(migrate(database.url, folder)).rejects.toThrow(message);
  });
});

describe('createTestDatabase', () => {
  test('copies are apart from each other', async () => {
    const copies = [await createTestDatabase(), await createTestDatabase(), await createTestDatabase()];
    const [one, two] = copies;
    await query(one?.url ?? '', 'CREATE TABLE mine (id int)');
    expect((await query(two?.url ?? '', `SELECT to_regclass('mine') mine, to_regclass('migration')::text migration`)).rows).toEqual([
      { mine: null, migration: 'migration' },
    ]);
    await Promise.all(copies.map((copy) => copy.drop()));
    await expect(query(one?.url ?? '', 'SELECT 1')).rejects.toThrow('does not exist');
  });

  test('dropping ends sessions that are still open', async () => {
    const copy = await createTestDatabase();
    const client = new Client({ connectionString: copy.url });
    await client.connect();
    const ended = new Promise((resolve) => client.on('error', resolve));
    await copy.drop();
    expect(String(await ended)).toContain('terminat');
  });
});

test('rows of the first release, 0.1.0, go on: shares tell what those below had, and who was told of all is told of payments, too', async () => {
  const migrations = new URL('../../../../migrations/', import.meta.url);
  const released = JSON.parse(readFileSync(new URL('released.json', migrations), 'utf8')) as { name: string }[];
  for (const { name } of released) copyFileSync(new URL(`${name}.sql`, migrations), join(folder, `${name}.sql`));
  await migrate(database.url, folder);
  const events = ['domain.blocked', 'domain.suspected', 'detector.failed', 'detection.blind', 'domain.unblocked', 'detection.restored'];
  // Without the rows that these refer to.
  await query(
    database.url,
    `ALTER TABLE order_share DROP CONSTRAINT order_share_order_id_fkey, DROP CONSTRAINT order_share_agent_id_fkey;
    ALTER TABLE push_rule DROP CONSTRAINT push_rule_owner_id_fkey;
    INSERT INTO order_share (order_id, agent_id, level, ratio, amount, refunded, release_at) VALUES
      (1, 11, 1, 1000, 6000000, 0, now()), (1, 12, 2, 500, 3000000, 0, now()), (1, 13, 3, 250, 1500000, 500000, now()), (2, 12, 1, 10000, 60000000, 0, now());
    INSERT INTO push_rule (owner_id, events) VALUES (1, '{${events.join(',')}}'), (2, '{domain.blocked}')`,
  );
  await migrate(database.url);
  const shares = await query(
    database.url,
    'SELECT order_id::int, agent_id::int, ratio, below, amount::int, refunded::int FROM order_share ORDER BY order_id, level',
  );
  expect(shares.rows.map((row) => Object.values(row))).toEqual([
    [1, 11, 1000, 0, 6_000_000, 0],
    [1, 12, 500, 1000, 3_000_000, 0],
    [1, 13, 250, 1500, 1_500_000, 500_000],
    [2, 12, 10_000, 0, 60_000_000, 0],
  ]);
  const rules = await query(database.url, 'SELECT events FROM push_rule ORDER BY owner_id');
  expect(rules.rows).toEqual([{ events: [...events, 'payments.stalled', 'payments.resumed'] }, { events: ['domain.blocked'] }]);
});
