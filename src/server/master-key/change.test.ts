import { createHash, randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { groups } from '../../contract/api.ts';
import type { Call } from '../../contract/kit/call.ts';
import { exportSources } from '../administration.ts';
import { tryLock } from '../kit/data-folder-lock.ts';
import { createTestApp, type TestApp } from '../kit/testing/app.ts';
import { exportJobOf } from '../kit/testing/export-job.ts';
import { createVault, openVault, readMasterKey, type Vault } from '../kit/vault.ts';
import { sealKey } from '../tron/keys/envelope.ts';
import { toBase58 } from '../tron/protocol/address.ts';
import { openApiKey, sealApiKey } from '../tron/tron.means.ts';
import { tron_wallet } from '../tron/tron.table.ts';
import { privateKeyOf, siteWallet } from '../tron/wallets/wallets.ts';
import { hashPassword } from '../users/login/passwords.ts';
import { totpLabel } from '../users/login/second-factor.ts';
import { stepOf, totpCode } from '../users/login/totp.ts';
import { secretLabel } from '../webhooks/webhooks.signature.ts';
import { changeMasterKey, sealedColumns } from './change.ts';

let test_app: TestApp;
let user: number;
const plantedKeys = 500;
const planted = Array.from({ length: plantedKeys }, () => randomBytes(32));

/** Wallets of the planted keys, from 1000 on. */
const walletsOf = (vault: Vault) =>
  planted.map((key, index) => {
    const owner = { id: 1_000 + index, address: toBase58(`41${randomBytes(20).toString('hex')}`) };
    return { ...owner, derivation_index: owner.id, public_key: randomBytes(33), private_key: sealKey(vault, key, owner), user_id: null };
  });

const totp = randomBytes(20);
beforeAll(async () => {
  test_app = await createTestApp();
  const { db, dataDir } = test_app;
  user = (await test_app.makeUser('customer')).id;
  const vault = createVault(readMasterKey(dataDir));
  await siteWallet(db, vault, 'fee');
  await db.execute(
    sql`INSERT INTO second_factor (user_id, secret, confirmed_at) VALUES (${user}, ${vault.seal(totp, totpLabel(user))}, now())`,
  );
  await db.execute(sql`UPDATE pay_config SET api_key = ${sealApiKey(vault, 'the api key')}`);
  await db.insert(tron_wallet).values(walletsOf(vault));
});
afterAll(() => test_app.close());

/** What is sealed opens, and what was made from the first key is still known. */
async function expectOpen(vault: Vault): Promise<void> {
  const { db } = test_app;
  const { rows } = await db.execute<{ secret: Buffer; api_key: Buffer }>(sql`SELECT secret, api_key FROM second_factor, pay_config`);
  const [row] = rows;
  if (!row) throw new Error('the rows were made');
  expect(vault.open(row.secret, totpLabel(user)).equals(totp)).toBe(true);
  expect(openApiKey(vault, row.api_key)).toBe('the api key');
  const wallets = await db.select().from(tron_wallet).orderBy(tron_wallet.id);
  const keys = wallets.map((wallet) => privateKeyOf(vault, wallet).toString('hex'));
  expect(keys.slice(-plantedKeys)).toEqual(planted.map((key) => key.toString('hex')));
}
const opened = () => openVault(test_app.db, test_app.dataDir, undefined);
const change = (stopAt?: string) =>
  changeMasterKey({
    db: test_app.db,
    dataDir: test_app.dataDir,
    reached(point) {
      if (point === stopAt) throw new Error(`killed at ${point}`);
    },
  });

describe('the master key', () => {
  test('is changed for everything that is sealed, and what was computed from it stays', async () => {
    const before = await opened();
    const [mac, pair] = [before.mac('text', 'log chain'), before.derive('x25519')];
    const old = readMasterKey(test_app.dataDir);
    expect(await change()).toBe(plantedKeys + 4);
    expect(readMasterKey(test_app.dataDir).equals(old)).toBe(false);
    const after = await opened();
    await expectOpen(after);
    expect([after.mac('text', 'log chain').equals(mac), after.derive('x25519').equals(pair)]).toEqual([true, true]);
    await expect(expectOpen(createVault(old))).rejects.toThrow();
    expect(() => after.open(createVault(old).seal(totp, secretLabel), secretLabel)).toThrow();
  });

  test.each(['prepared', 'sealed', 'committed'])(
    'broken off when it was %s it is ended by another try, and a key always opens',
    async (point) => {
      const key = readMasterKey(test_app.dataDir);
      await expect(change(point)).rejects.toThrow('killed');
      if (point === 'committed') await expect(opened()).rejects.toThrow('master-key:change');
      else await expectOpen(await opened());
      expect(await change()).toBe(point === 'committed' ? undefined : plantedKeys + 4);
      expect(readMasterKey(test_app.dataDir).equals(key)).toBe(false);
      await expectOpen(await opened());
    },
  );

  test('is not changed while the product runs', async () => {
    const release = tryLock(test_app.dataDir);
    await expect(change()).rejects.toThrow('Livecode runs');
    release?.();
  });

  test('is changed for every column that anything is sealed into', async () => {
    const sealing = globSync('src/server/**/*.ts')
      .filter((path) => !/\.test\.ts$|\/testing\/|\/demo\/|vault\.ts$|master-key\/|socket\//.test(path))
      .filter((path) => /[vV]ault\.seal\(|sealKey\(vault/.test(readFileSync(path, 'utf8')));
    expect(sealing.toSorted()).toEqual([
      'src/server/bots/api/client.ts',
      'src/server/detection/detectors.service.ts',
      'src/server/pushes/senders/mail.ts',
      'src/server/pushes/senders/robots.ts',
      'src/server/servers/script.secrets.ts',
      'src/server/servers/servers.means.ts',
      'src/server/short-codes/url-key-platform.service.ts',
      'src/server/tron/keys/envelope.ts',
      'src/server/tron/tron.means.ts',
      'src/server/tron/wallets/wallets.ts',
      'src/server/uploads/storages/image-config.service.ts',
      'src/server/users/update-password.service.ts',
      'src/server/webhooks/webhook.service.ts',
    ]);
    expect(sealedColumns).toHaveLength(15);
  });
});

/** A key as anything might write it. */
const formsOf = (key: Buffer): string[] => [key.toString('hex'), key.toString('base64'), key.toString('base64url'), key.toString('latin1')];
/** So many of its characters are enough to know a key, and no accident. */
const knownBy = 14;

describe('no private key is told', () => {
  function holdsKey(text: string): boolean {
    const beginnings = new Set(planted.flatMap(formsOf).map((form) => form.slice(0, knownBy)));
    for (let at = 0; at + knownBy <= text.length; at += 1) if (beginnings.has(text.slice(at, at + knownBy))) return true;
    return false;
  }

  test('in what any call answers an administrator', { tags: 'full' }, async () => {
    const admin = await test_app.makeUser('super');
    let answered = 0;
    for (const [group, { calls }] of Object.entries(groups))
      for (const [action, call] of Object.entries(calls as Record<string, Call>)) {
        // Some of these end the session that asks.
        if (call.writes || group === 'admin') continue;
        for (const input of [{}, { page: 1, page_size: 200 }, { page: 3, page_size: 200 }, { id: 1_000 }]) {
          const { status, body } = await test_app.send(admin, `${group}/${action}`, input);
          if (status === 200) answered += 1;
          expect(holdsKey(JSON.stringify(body)), `${group}/${action}`).toBe(false);
        }
      }
    expect(answered).toBeGreaterThan(80);
  });

  test('in what the process logs, whatever goes wrong while a key is used', async () => {
    const logged: string[] = [];
    const own = await createTestApp({ logger: pino({ level: 'trace' }, { write: (line) => void logged.push(line) }) });
    onTestFinished(() => own.close());
    const [vault, admin, secret] = [createVault(readMasterKey(own.dataDir)), await own.makeUser('super'), randomBytes(20)];
    await own.db.insert(tron_wallet).values(walletsOf(vault).slice(0, 2));
    await own.db.execute(sql`
      INSERT INTO second_factor (user_id, secret, confirmed_at) VALUES (${admin.id}, ${vault.seal(secret, totpLabel(admin.id))}, now())`);
    await own.db.execute(sql`UPDATE user_account SET password_hash = ${await hashPassword('correct-password-1')} WHERE id = ${admin.id}`);
    // Its key was sealed for another address: opening it fails in the middle of the call.
    await own.db.execute(sql`UPDATE tron_wallet SET address = ${toBase58(`41${'0'.repeat(40)}`)} WHERE id = 1001`);
    const reveal = (input: object, steps = 0) =>
      own.send(admin, 'tron/reveal', { password: 'correct-password-1', totp: totpCode(secret, stepOf(new Date()) + steps), ...input });
    expect((await reveal({ id: 1_001 }, -1)).status).toBe(500);
    expect((await reveal({ id: 1_000 })).body.private_key).toBe(planted[0]?.toString('hex'));
    for (const input of [{ id: 'x' }, { id: 1_000, private_key: planted[0]?.toString('hex') }])
      expect((await reveal(input)).status).toBe(400);
    expect(logged.join('')).toContain('a call failed');
    expect(holdsKey(logged.join(''))).toBe(false);
  });

  test('in what is exported', async () => {
    const admin = await test_app.makeUser('super');
    await test_app.send(admin, 'tron/inquire', { page_size: 200 });
    for (const [path, body] of [
      ['log/export', { format: 'csv' }],
      ['qr_code_list/export', { format: 'csv' }],
      ['export_domain_resolution/export', { filters: {}, format: 'csv' }],
    ] as const) {
      const { body: started } = await test_app.send(admin, path, body);
      const { rows } = await test_app.db.execute<{ kind: string; input: { filters: unknown } }>(
        sql`SELECT kind, input FROM async_operation WHERE id = ${started.operation_id}`,
      );
      const source = exportSources.find(({ name }) => `${name}_export` === rows[0]?.kind);
      const reading = await source?.open(rows[0]?.input.filters, await exportJobOf(test_app, admin));
      const portions = await Array.fromAsync(reading?.portions ?? []);
      expect(source, path).toBeDefined();
      expect(holdsKey(JSON.stringify(portions)), path).toBe(false);
    }
  });

  test('in any table of the database, its log included', async () => {
    const { rows } = await test_app.db.execute<{ name: string }>(
      sql`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    expect(rows.length).toBeGreaterThan(60);
    for (const { name } of rows) {
      const table = await test_app.db.execute<{ text: string }>(sql`SELECT t::text AS text FROM ${sql.identifier(name)} AS t`);
      expect(holdsKey(table.rows.map(({ text }) => text).join('\n')), name).toBe(false);
    }
    // The search itself finds what is there.
    expect(holdsKey(`x${planted[7]?.toString('hex')}`)).toBe(true);
    expect(holdsKey(createHash('sha256').update('x').digest('hex'))).toBe(false);
  });
});
