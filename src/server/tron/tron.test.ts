import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '../kit/testing/app.ts';
import { createVault } from '../kit/vault.ts';
import { availableOf } from '../ledger/testing/money.ts';
import { hashPassword } from '../users/login/passwords.ts';
import { stepOf, totpCode } from '../users/login/totp.ts';
import { openKey, rewrapKey, sealKey } from './keys/envelope.ts';
import { addressOfPrivateKey, toBase58 } from './protocol/address.ts';
import { configure, createTronSite, type TronSite } from './testing/site.ts';
import { readPayConfig } from './tron.means.ts';
import { mainContract } from './tron.networks.ts';
import { tronKinds } from './tron.operations.ts';
import { configurePayments } from './tron.seed.ts';
import { pay_config, tron_wallet } from './tron.table.ts';
import { makeMissingWallets, privateKeyOf, walletOf } from './wallets/wallets.ts';

let site: TronSite;
let admin: TestUser;
let user: TestUser;
let other: TestUser;
const password = 'correct-horse-1';
beforeAll(async () => {
  site = await createTronSite();
  [admin, user, other] = [await site.makeUser('super'), await site.makeUser('customer'), await site.makeUser('customer')];
  await site.db.execute(sql`UPDATE user_account SET password_hash = ${await hashPassword(password)} WHERE id = ${admin.id}`);
});
afterAll(() => site.close());

const elsewhere = toBase58(addressOfPrivateKey(new Uint8Array(randomBytes(32))));

describe('a wallet', () => {
  test('is made once for a user, also when he is asked for at once, and its key opens for it alone', async () => {
    const { vault } = site.means;
    const made = await Promise.all(Array.from({ length: 8 }, () => walletOf(site.db, vault, user.id)));
    expect(new Set(made.map(({ address }) => address)).size).toBe(1);
    const [one] = made;
    const theirs = await walletOf(site.db, vault, other.id);
    if (!one) throw new Error('the wallet was made');
    expect(toBase58(addressOfPrivateKey(privateKeyOf(vault, one)))).toBe(one.address);
    expect(theirs.address).not.toBe(one.address);
    expect(() => privateKeyOf(vault, { ...one, id: theirs.id })).toThrow();
    expect(() => privateKeyOf(vault, { ...one, address: theirs.address })).toThrow();
    expect(() => privateKeyOf(createVault(randomBytes(32)), one)).toThrow();
  });

  test('has an envelope whose data key can be wrapped anew', () => {
    const [from, to] = [createVault(randomBytes(32)), createVault(randomBytes(32))];
    const key = randomBytes(32);
    const owner = { id: 7, address: elsewhere };
    const moved = rewrapKey(from, to, sealKey(from, key, owner));
    expect(openKey(to, moved, owner).equals(key)).toBe(true);
    expect(() => openKey(from, moved, owner)).toThrow();
    for (let at = 0; at < moved.length; at += 1) {
      const changed = Buffer.from(moved);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => openKey(to, changed, owner)).toThrow();
    }
  });

  test('is listed without any key, and found by address in both forms and by account', async () => {
    const address = await site.addressOf(user);
    const [row] = await site.db.select().from(tron_wallet).where(eq(tron_wallet.address, address));
    const key = row ? privateKeyOf(site.means.vault, row).toString('hex') : '';
    const { body } = await site.call(admin, 'tron', 'inquire', { search: address });
    expect(body.content).toMatchObject([{ address, account: user.account }]);
    expect(JSON.stringify(body)).not.toContain(key);
    const hex = body.content[0]?.address_hex ?? '';
    expect((await site.call(admin, 'tron', 'inquire', { search: hex })).body.total).toBe(1);
    expect((await site.call(admin, 'tron', 'inquire', { search: user.account })).body.total).toBe(1);
    expect((await site.call(user, 'tron', 'inquire', {})).status).toBe(403);
  });

  test('shows its key by password and second factor only, and the log says who saw it', async () => {
    const { id } = await walletOf(site.db, site.means.vault, user.id);
    const wrong = await site.call(admin, 'tron', 'reveal', { id, password, totp: '123456' });
    expect(wrong.body.code).toBe('second_factor.not_enabled');
    const secret = randomBytes(20);
    const sealed = site.means.vault.seal(secret, `totp:${admin.id}`);
    await site.db.execute(sql`INSERT INTO second_factor (user_id, secret, confirmed_at) VALUES (${admin.id}, ${sealed}, now())`);
    const totp = totpCode(secret, stepOf(new Date()));
    expect((await site.call(admin, 'tron', 'reveal', { id, password: 'wrong', totp })).body.fields).toEqual({ password: 'wrong_password' });
    const { body } = await site.call(admin, 'tron', 'reveal', { id, password, totp });
    expect(toBase58(addressOfPrivateKey(Buffer.from(body.private_key, 'hex')))).toBe(await site.addressOf(user));
    expect((await site.call(admin, 'tron', 'reveal', { id, password, totp })).body.fields).toEqual({ totp: 'wrong_code' });
    const { rows } = await site.db.execute(sql`SELECT content, changes FROM log WHERE type = 'tron/reveal'`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(body.private_key);
    await site.db.execute(sql`DELETE FROM second_factor WHERE user_id = ${admin.id}`);
  });

  test('that holds nothing can be removed: its user gets another, and what comes to the old one is still his', async () => {
    const someone = await site.makeUser('customer');
    const before = await walletOf(site.db, site.means.vault, someone.id);
    await site.pay(someone, 3_000_000n);
    await site.call(admin, 'tron', 'balance', { id: before.id });
    const refused = await site.call(admin, 'tron', 'remove', { ids: [before.id] });
    expect(refused.body.code).toBe('tron.wallet_funded');
    await site.db.update(tron_wallet).set({ usdt_balance: 0n }).where(eq(tron_wallet.id, before.id));
    expect((await site.call(admin, 'tron', 'remove', { ids: [before.id] })).body).toEqual({ affected: 1 });
    expect(await site.addressOf(someone)).not.toBe(before.address);
    site.tron.sendTokens(before.address, 2_000_000n);
    site.tron.makeSolid();
    await site.read();
    expect(await availableOf(site.db, someone.id)).toBe(5_000_000n);
  });

  test('is made for all who have none, with one for fees', async () => {
    await site.makeUser('customer');
    await site.makeUser('agent');
    expect((await site.call(admin, 'tron', 'generate', {})).body.affected).toBeGreaterThanOrEqual(3);
    expect(await makeMissingWallets(site.db, site.means.vault)).toBe(0);
    expect((await site.call(admin, 'tron', 'inquire', { purpose: 'fee' })).body.total).toBe(1);
  });
});

describe('recharging', () => {
  test('shows the own address, payments on their way, and what came of them; another user’s are his own', async () => {
    const payer = await site.makeUser('customer');
    const first = await site.call(payer, 'balance_recharge', 'inquire', {});
    expect(first.body).toMatchObject({ network: 'test', balance: '0.000000', confirming: [], minimum_deposit: '1.000000' });
    site.tron.sendTokens(first.body.address, 12_500_000n);
    site.tron.makeBlocks(3);
    await site.read();
    const { confirming } = (await site.call(payer, 'balance_recharge', 'inquire', {})).body;
    expect(confirming).toMatchObject([{ amount: '12.500000', confirmations: 2 }]);
    site.tron.makeSolid();
    await site.read();
    expect((await site.call(payer, 'balance_recharge', 'inquire', {})).body).toMatchObject({ balance: '12.500000', confirming: [] });
    const { body } = await site.call(payer, 'balance_recharge', 'deposits', {});
    expect(body.content).toMatchObject([{ amount: '12.500000', state: 'credited' }]);
    expect((await site.call(other, 'balance_recharge', 'deposits', {})).body.total).toBe(0);
    const record = await site.call(admin, 'usdt_transaction_record', 'inquire', { search: payer.account, type: 'deposit' });
    expect(record.body.content).toMatchObject([{ amount: '12.500000', receiver: first.body.address, account: payer.account }]);
    // What is sent to be seen only is not shown, unless it is looked for.
    await site.pay(payer, 1n);
    const smallest = async (dust: boolean) =>
      (await site.call(admin, 'usdt_transaction_record', 'inquire', { dust, sort: 'amount', order: 'asc' })).body.content[0]?.amount;
    expect(await smallest(true)).toBe('0.000001');
    expect(await smallest(false)).not.toBe('0.000001');
  });

  test('is read again as an operation, from a block that was read', async () => {
    const { body } = await site.call(admin, 'usdt_transaction_record', 'position', {});
    expect(body).toMatchObject({ network: 'test', last_error: null });
    const late = await site.call(admin, 'usdt_transaction_record', 'rescan', { block: (body.block ?? 0) + 1 });
    expect(late.body.fields).toEqual({ block: 'block_not_read' });
    const block = (body.block ?? 0) - 40;
    expect((await site.call(admin, 'usdt_transaction_record', 'rescan', { block })).status).toBe(200);
    const kind = tronKinds(site.means).find((one) => one.kind === 'usdt_rescan');
    const job = { db: site.db, signal: new AbortController().signal, progress: () => {} };
    const result = await kind?.run({ block }, job as never);
    expect(result?.message).toMatchObject({ params: { blocks: 41 } });
    const synchronise = tronKinds(site.means).find((one) => one.kind === 'tron_synchronise');
    await synchronise?.run({}, job as never);
    expect(await site.db.$count(tron_wallet, sql`balance_at IS NULL AND removed_at IS NULL`)).toBe(0);
  });
});

describe('payment settings', () => {
  const update = (input: object) => site.call(admin, 'pay_config', 'update', input as never);

  test('tell payers what they need, and the rest to those who may see the screen', async () => {
    const shown = (await site.call(user, 'pay_config', 'inquire', {})).body;
    expect(shown).toMatchObject({ network: 'test', qr_code_switch: 1, settings: null });
    expect((await site.call(admin, 'pay_config', 'inquire', {})).body.settings).toMatchObject({ url: '', collecting_address: '' });
    expect((await site.call(user, 'pay_config', 'update', {})).status).toBe(403);
  });

  test('change at once where no money moves, and by the password where it does', async () => {
    expect((await update({ qr_code_switch: 2, minimum_deposit: '2.5' })).status).toBe(200);
    expect((await readPayConfig(site.db)).minimum_deposit).toBe(2_500_000n);
    await configure(site, { minimum_deposit: 1_000_000n });
    expect((await update({ collecting_address: elsewhere })).body.fields).toEqual({ password: 'required' });
    expect((await update({ collecting_address: elsewhere, password: 'wrong' })).body.fields).toEqual({ password: 'wrong_password' });
    expect((await update({ collecting_address: elsewhere, password })).status).toBe(200);
    const { rows } = await site.db.execute(sql`SELECT changes FROM log WHERE type = 'pay_config/update' ORDER BY id DESC LIMIT 1`);
    expect(rows[0]).toMatchObject({ changes: { after: { collecting_address: elsewhere } } });
  });

  test('refuse addresses with a wrong digit, and our own', async () => {
    const wrong = `${elsewhere.slice(0, -1)}${elsewhere.endsWith('x') ? 'y' : 'x'}`;
    expect((await update({ collecting_address: wrong, password })).body.fields).toEqual({ collecting_address: 'tron_address' });
    const own = await site.addressOf(user);
    expect((await update({ collecting_address: own, password })).body.fields).toEqual({ collecting_address: 'own_address' });
  });

  test('leave the network only when nobody holds money of it', async () => {
    await site.pay(user, 4_000_000n);
    const moved = { network: 'tron', url: 'https://api.trongrid.io', contract: mainContract, password };
    const refused = await update(moved);
    expect(refused.body.code).toBe('pay_config.money_left');
    expect((await readPayConfig(site.db)).network).toBe('test');
    expect((await update({ ...moved, url: '' })).body.fields).toEqual({ url: 'required' });
    expect((await update({ ...moved, second_url: moved.url })).body.fields).toEqual({ second_url: 'same_node' });
  });

  test('are tested against the nodes', async () => {
    const { body } = await site.call(admin, 'pay_config', 'test', {});
    expect(body.nodes).toMatchObject([{ block: site.tron.chain.head(), solid_block: site.tron.chain.solid() }]);
    const inside = await site.call(admin, 'pay_config', 'test', { network: 'tron', url: site.tron.url });
    expect(inside.body.code).toBe('outgoing.refused_address');
    expect((await site.call(admin, 'pay_config', 'inquire', {})).body.settings?.last_error).toBeNull();
  });

  test('come from the environment at the first start, and the address of the test network at each', async () => {
    const { db, means } = site;
    const before = await readPayConfig(db);
    const settings = { tronPort: 3999, tronUrl: undefined, tronContract: undefined, tronApiKey: undefined };
    await configurePayments(db, means.vault, settings);
    expect((await readPayConfig(db)).url).toBe('http://127.0.0.1:3999');
    await configurePayments(db, means.vault, { ...settings, tronUrl: 'https://api.trongrid.io' });
    expect((await readPayConfig(db)).network).toBe('test');
    await db.update(pay_config).set({ url: before.url });
  });
});
