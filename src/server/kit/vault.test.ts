import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './postgres/database.ts';
import { createTestDatabase } from './testing/database.ts';
import { makeTestFolder } from './testing/folder.ts';
import { createVault, masterKeyFile, openVault, readMasterKey } from './vault.ts';

let folder: string;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const key = Buffer.alloc(32, 7);
const vault = createVault(key);

test('what was sealed opens again, and is never sealed to the same bytes twice', () => {
  for (const plain of [Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(70_000, 1)])
    expect(vault.open(vault.seal(plain, 'totp:1'), 'totp:1')).toEqual(plain);
  expect(vault.seal(Buffer.from('a'), 'totp:1')).not.toEqual(vault.seal(Buffer.from('a'), 'totp:1'));
});

test('it opens neither under another label, nor under another key, nor after any byte was changed or cut off', () => {
  const sealed = vault.seal(Buffer.from('secret'), 'totp:1');
  expect(() => vault.open(sealed, 'totp:2')).toThrow();
  expect(() => createVault(Buffer.alloc(32, 8)).open(sealed, 'totp:1')).toThrow();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vault.open(changed, 'totp:1')).toThrow();
    expect(() => vault.open(sealed.subarray(0, at), 'totp:1')).toThrow();
  }
});

test('labels give keys that have nothing in common', () => {
  expect(vault.derive('one')).toEqual(createVault(key).derive('one'));
  expect(vault.derive('one')).not.toEqual(vault.derive('two'));
  expect(vault.mac('text', 'one')).not.toEqual(vault.mac('text', 'two'));
  expect(vault.derive('one')).not.toEqual(key);
});

test('the first start makes a key file that only its owner can read; later starts read it', () => {
  const made = readMasterKey(folder);
  expect(made).toHaveLength(32);
  expect(statSync(masterKeyFile(folder)).mode & 0o777).toBe(0o600);
  expect(readMasterKey(folder)).toEqual(made);
  expect(readMasterKey(join(folder, 'other'))).not.toEqual(made);
});

test('a configured key leaves no file', () => {
  expect(readMasterKey(folder, key)).toEqual(key);
  expect(() => statSync(masterKeyFile(folder))).toThrow();
});

test('a key file that is no key, or cannot be read, stops the start and stays as it is', () => {
  writeFileSync(masterKeyFile(folder), 'not a key');
  expect(() => readMasterKey(folder)).toThrow(/does not hold/);
  expect(readFileSync(masterKeyFile(folder), 'utf8')).toBe('not a key');
  if (process.getuid?.() === 0) return;
  chmodSync(masterKeyFile(folder), 0);
  expect(() => readMasterKey(folder)).toThrow(/EACCES/);
});

test('a database knows the key its secrets were sealed with, and no other is made beside it', async () => {
  const database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 2 });
  const db = openDatabase(pool);
  const made = await openVault(db, folder, undefined);
  expect((await openVault(db, folder, undefined)).derive('one')).toEqual(made.derive('one'));
  await expect(openVault(db, folder, Buffer.alloc(32, 8))).rejects.toThrow(/^The master key is not the one/);
  rmSync(masterKeyFile(folder));
  await expect(openVault(db, folder, undefined)).rejects.toThrow(/^The master key of this database's secrets is missing/);
  expect(existsSync(masterKeyFile(folder))).toBe(false);
  await pool.end();
  await database.drop();
});
