import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { treasury } from '../../../../simulators/tron/network.ts';
import { trxOf } from '../../../../simulators/tron/state.ts';
import type { TestUser } from '../../kit/testing/app.ts';
import { ledger_verification } from '../../ledger/ledger.table.ts';
import { findFaults } from '../../ledger/ledger.verify.ts';
import { toHex } from '../protocol/address.ts';
import { advanceSend, type SendPoint } from '../sending/engine.ts';
import type { SendRow } from '../sending/sends.ts';
import {
  accountsOf,
  advanceAll,
  Killed,
  letExpire,
  newSender,
  readyToCollect,
  rowOf,
  sendsOf,
  settleAll,
  transfersOnChain,
} from '../testing/sending.ts';
import { configure, createTronSite, type TronSite } from '../testing/site.ts';
import { tron_collection, tron_send, tron_send_attempt, tron_wallet } from '../tron.table.ts';
import { privateKeyOf, walletOf } from '../wallets/wallets.ts';
import { collect, previewCollection } from './collecting.ts';

let site: TronSite;
let admin: TestUser;
let collecting: string;
let fee: string;
beforeAll(async () => {
  site = await createTronSite();
  admin = await site.makeUser('super');
  ({ collecting, fee } = await readyToCollect(site));
});
afterAll(() => site.close());

const begin = (ids?: readonly number[]) =>
  collect(site.means, { ids, actor_id: admin.id, signal: new AbortController().signal, progress: () => {} });

/** A user who paid, and his wallet. */
async function payer(amount = 25_000_000n): Promise<{ user: TestUser; wallet: number; address: string; amount: bigint }> {
  const user = await site.makeUser('customer');
  await site.pay(user, amount);
  const { id, address } = await walletOf(site.db, site.means.vault, user.id);
  return { user, wallet: id, address, amount };
}
const collectionOf = async (wallet: number) => {
  const rows = await site.db.select().from(tron_collection).where(eq(tron_collection.wallet_id, wallet)).orderBy(tron_collection.id);
  return rows.at(-1);
};
const sendOf = async (collection: number | undefined, purpose: SendRow['purpose']) =>
  (await sendsOf(site)).find((send) => send.ref_id === collection && send.purpose === purpose);

/** Goes on until TRX for the fee is there and the collection itself waits to be signed. */
async function untilSweep(wallet: number): Promise<SendRow> {
  for (let round = 0; round < 4; round += 1) {
    const sweep = await sendOf((await collectionOf(wallet))?.id, 'sweep');
    if (sweep) return sweep;
    await advanceAll(site, await newSender(site));
    site.tron.makeSolid();
    await site.read();
  }
  throw new Error('the TRX did not arrive');
}

/** On the chain once, booked once, and the ledger adds up. */
async function expectCollectedOnce({ wallet, address, amount }: { wallet: number; address: string; amount: bigint }): Promise<void> {
  expect(await collectionOf(wallet)).toMatchObject({ state: 'booked', amount });
  expect(transfersOnChain(site, address, collecting)).toBe(1);
  const { rows } = await site.db.execute(sql`
    SELECT count(*)::int AS number FROM ledger_transfer JOIN tron_collection ON ref_id = tron_collection.id::text
    WHERE kind = 'collection' AND wallet_id = ${wallet}`);
  expect(rows).toEqual([{ number: 1 }]);
  expect((await findFaults(site.db)).faults).toEqual([]);
}

describe('collecting', () => {
  test('moves what users paid to the collecting address, with TRX for the fee where it lacks, and books both', async () => {
    const before = await accountsOf(site);
    const one = await payer();
    const plan = await previewCollection(site.means, [one.wallet]);
    expect(plan).toMatchObject({ number: 1, amount: '25.000000', collecting_address: collecting, fee_address: fee });
    expect(plan.wallets).toMatchObject([{ address: one.address, skip: null }]);
    expect(await begin([one.wallet])).toMatchObject({ begun: 1, amount: 25_000_000n });
    await settleAll(site);
    await expectCollectedOnce(one);
    const row = await collectionOf(one.wallet);
    const spent = (await sendsOf(site)).filter((send) => send.ref_id === row?.id).reduce((sum, send) => sum + (send.fee ?? 0n), 0n);
    expect(row?.fee).toBe(spent);
    expect(Number(plan.cost)).toBeGreaterThanOrEqual(Number(spent) / 1e6);
    const after = await accountsOf(site);
    const change = (name: string) => (after[name] ?? 0n) - (before[name] ?? 0n);
    expect([change('chain_hot USDT'), change('chain_deposit USDT')]).toEqual([-25_000_000n, 0n]);
    expect([change('chain_hot TRX'), change('network_fee TRX')]).toEqual([spent, -spent]);
  });

  test('is planned with what energy of the fee wallet’s own stake would save, and for how many wallets that is enough', async () => {
    const [one, other] = [await payer(), await payer()];
    site.tron.sendTokens(collecting, 1n);
    site.tron.makeSolid();
    const plan = async () => (await previewCollection(site.means, [one.wallet, other.wallet])).energy;
    expect(await plan()).toBeNull();
    // What others delegated to it is not its own to delegate.
    site.tron.giveEnergy(fee, { lent: 500_000n });
    expect(await plan()).toBeNull();
    // Of 200,000 energy 50,000 are used; a wallet takes 64,285 and a tenth.
    site.tron.giveEnergy(fee, { staked: 20_000_000_000n, lent: 500_000n, used: 50_000n });
    expect(await plan()).toEqual({ available: 150_000, wallets: 2, burnt: '8.821400', delegated: '2.350000', cheaper: 'delegate' });
    site.tron.giveEnergy(fee, { staked: 5_000_000_000n });
    expect(await plan()).toMatchObject({ available: 50_000, wallets: 0 });
    site.tron.giveEnergy(fee, {});
    await begin([one.wallet, other.wallet]);
    await settleAll(site);
  });

  test('leaves wallets below the threshold, unless they are named', async () => {
    const small = await payer(3_000_000n);
    expect(await begin()).toMatchObject({ begun: 0 });
    expect(await begin([small.wallet])).toMatchObject({ begun: 1 });
    await settleAll(site);
    await expectCollectedOnce(small);
  });

  test('neither begins nor goes on before it is signed while the ledger does not add up', async () => {
    const [one, other] = [await payer(), await payer()];
    await begin([one.wallet]);
    const fault = { code: 'asset_sum' as const, where: 'USDT', expected: '0', found: '1' };
    await site.db.insert(ledger_verification).values({ transfers: 1, entries: 2, faults: [fault] });
    await expect(begin([other.wallet])).rejects.toMatchObject({ code: 'tron.frozen' });
    expect((await site.call(admin, 'tron', 'collect_all', {})).body.code).toBe('tron.frozen');
    await settleAll(site);
    expect((await sendsOf(site)).filter(({ state }) => state !== 'solid_ok').map(({ state }) => state)).toEqual(['queued']);
    await site.call(admin, 'bill', 'verify', {});
    await settleAll(site);
    await expectCollectedOnce(one);
  });

  test('begins once for a wallet, however often it is asked for', async () => {
    const one = await payer();
    const begun = await Promise.all(Array.from({ length: 4 }, () => begin([one.wallet])));
    expect(begun.reduce((sum, { begun: number }) => sum + number, 0)).toBe(1);
    await settleAll(site);
    await expectCollectedOnce(one);
    expect(await begin([one.wallet])).toMatchObject({ begun: 0, skipped: 0 });
  });

  test('takes what is solid and counted only', async () => {
    const one = await payer();
    site.tron.sendTokens(one.address, 9_000_000n);
    site.tron.makeBlock();
    await begin([one.wallet]);
    expect(await collectionOf(one.wallet)).toMatchObject({ amount: 25_000_000n });
    await settleAll(site);
    await expectCollectedOnce(one);
    expect(await begin([one.wallet])).toMatchObject({ begun: 1, amount: 9_000_000n });
    await settleAll(site);
  });

  test('leaves out what would cost more than the limit, and what there is no TRX for', async () => {
    const one = await payer();
    await configure(site, { fee_limit: 1_000_000n });
    expect((await previewCollection(site.means, [one.wallet])).wallets).toMatchObject([{ skip: 'over_limit' }]);
    expect(await begin([one.wallet])).toMatchObject({ begun: 0, skipped: 1 });
    await configure(site, { fee_limit: 30_000_000n });
    expect(await begin([one.wallet])).toMatchObject({ begun: 1 });
    await settleAll(site);
  });

  test('spends nothing on a wallet that USDT’s contract has listed, whenever it was, and says why', async () => {
    const feeTrx = () => site.tron.chain.state.read(trxOf(toHex(fee)));
    const [one, other] = [await payer(), await payer()];
    site.tron.blacklist(one.address);
    const before = feeTrx();
    expect((await previewCollection(site.means, [one.wallet])).wallets).toMatchObject([{ skip: 'blacklisted', fund_amount: '0.000000' }]);
    expect(await begin([one.wallet, other.wallet])).toMatchObject({ begun: 1, skipped: 1 });
    // Listed once its collection waits for the TRX, and one that is listed once the TRX is there.
    site.tron.blacklist(other.address);
    await settleAll(site);
    expect(feeTrx()).toBe(before);
    const told = async (id?: number) =>
      (await site.call(admin, 'tron_transaction_summary', 'inquire', {})).body.content.find((row) => row.id === id)?.remark;
    expect(await told((await collectionOf(other.wallet))?.id)).toContain('USDT 合约的黑名单');
    const late = await payer();
    await begin([late.wallet]);
    const sweep = await untilSweep(late.wallet);
    site.tron.blacklist(late.address);
    await settleAll(site);
    expect(await rowOf(site, sweep.id)).toMatchObject({ state: 'held', transaction_hash: null });
    expect(await told(sweep.ref_id)).toContain('USDT 合约的黑名单');
  });
});

describe('a worker that dies goes on with what was written down', () => {
  const points: SendPoint[] = ['chosen', 'signed', 'sent', 'broadcast', 'found', 'finished'];

  test('after every point of every transaction', async () => {
    const deaths = new Map<number, string>();
    const payers: Awaited<ReturnType<typeof payer>>[] = [];
    for (const purpose of ['fund', 'sweep'] as const)
      for (const point of points) {
        const one = await payer();
        await begin([one.wallet]);
        deaths.set((await collectionOf(one.wallet))?.id ?? 0, `${point} of ${purpose}`);
        payers.push(one);
      }
    const died: string[] = [];
    await settleAll(site, {
      reached(point, { purpose, ref_id }) {
        const planned = deaths.get(ref_id);
        if (planned !== `${point} of ${purpose}`) return;
        deaths.delete(ref_id);
        died.push(planned);
        throw new Killed(planned);
      },
    });
    expect(died).toHaveLength(2 * points.length);
    for (const one of payers) await expectCollectedOnce(one);
  });

  test('whatever goes wrong with the answers to its broadcasts', async () => {
    const kinds = ['lost', 'busy_503', 'throttle_429', 'throttle_403', 'error_in_200', 'truncated'] as const;
    const payers = [];
    for (const kind of kinds) {
      const one = await payer();
      await begin([one.wallet]);
      payers.push(one);
      site.tron.faults.plan(kind, 2, 'broadcasthex');
    }
    await settleAll(site);
    for (const one of payers) await expectCollectedOnce(one);
  });

  test('two workers at once send it once', async () => {
    const one = await payer();
    await begin([one.wallet]);
    for (let round = 0; round < 4; round += 1) {
      const workers = await Promise.all([newSender(site), newSender(site), newSender(site)]);
      await Promise.all(workers.map((worker) => advanceAll(site, worker)));
      site.tron.makeSolid();
      await site.read();
    }
    await settleAll(site);
    await expectCollectedOnce(one);
  });

  test('blocks that are taken back do not send it twice', async () => {
    const one = await payer();
    await begin([one.wallet]);
    await advanceAll(site, await newSender(site));
    site.tron.makeBlock();
    await advanceAll(site, await newSender(site));
    site.tron.reorganise(3, true);
    await settleAll(site);
    await expectCollectedOnce(one);
  });
});

describe('a transaction that no block took', () => {
  test('is signed again only when no block can take it any more', async () => {
    const one = await payer();
    await begin([one.wallet]);
    await untilSweep(one.wallet);
    site.tron.faults.plan('busy_503', 1, 'broadcasthex');
    await advanceAll(site, await newSender(site));
    const signed = await sendOf((await collectionOf(one.wallet))?.id, 'sweep');
    expect(signed).toMatchObject({ state: 'signed', attempts: 1 });
    if (!signed) throw new Error('it was signed');
    // Nobody sends it; time passes, but not enough to be certain.
    site.tron.makeBlocks(22);
    site.tron.chain.skip(20);
    await site.read();
    await advanceSend(await newSender(site), await rowOf(site, signed.id));
    expect(await rowOf(site, signed.id)).toMatchObject({ state: 'signed', transaction_hash: signed.transaction_hash });
    await letExpire(site);
    await advanceSend(await newSender(site), await rowOf(site, signed.id));
    expect(await rowOf(site, signed.id)).toMatchObject({ state: 'queued', transaction_hash: null });
    await settleAll(site);
    await expectCollectedOnce(one);
    const attempts = await site.db.select().from(tron_send_attempt).where(eq(tron_send_attempt.send_id, signed.id));
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['expired', 'ok']);
  });

  test('waits while our own reading of the blocks is behind', async () => {
    const one = await payer();
    await begin([one.wallet]);
    await untilSweep(one.wallet);
    site.tron.faults.plan('busy_503', 1, 'broadcasthex');
    await advanceAll(site, await newSender(site));
    const signed = await sendOf((await collectionOf(one.wallet))?.id, 'sweep');
    if (!signed) throw new Error('it was signed');
    site.tron.makeBlocks(100);
    site.tron.chain.skip(30);
    await advanceSend(await newSender(site), await rowOf(site, signed.id));
    expect((await rowOf(site, signed.id)).state).toBe('signed');
    await settleAll(site);
    await expectCollectedOnce(one);
  });

  test('is held after some attempts, and goes on when an administrator says so', async () => {
    const one = await payer();
    await begin([one.wallet]);
    const { id } = await untilSweep(one.wallet);
    await site.db.update(tron_send).set({ attempts: 5 }).where(eq(tron_send.id, id));
    await advanceAll(site, await newSender(site));
    const collection = (await collectionOf(one.wallet))?.id ?? 0;
    const { body } = await site.call(admin, 'tron_transaction_summary', 'inquire', { search: one.address });
    expect(body.content).toMatchObject([{ id: collection, is_held: true, status: 'under_way' }]);
    expect((await site.call(admin, 'tron_transaction_summary', 'retry', { ids: [collection] })).body).toEqual({ affected: 1 });
    await settleAll(site);
    await expectCollectedOnce(one);
  });
});

test('an administrator holds what is not signed yet, and lets it go on; what is signed stays on its way', async () => {
  const one = await payer();
  await begin([one.wallet]);
  const id = (await collectionOf(one.wallet))?.id ?? 0;
  const hold = () => site.call(admin, 'tron_transaction_summary', 'hold', { ids: [id] });
  expect((await hold()).body).toEqual({ affected: 1 });
  await settleAll(site);
  expect(await collectionOf(one.wallet)).toMatchObject({ state: 'plan' });
  expect((await site.call(admin, 'tron_transaction_summary', 'retry', { ids: [id] })).body).toEqual({ affected: 1 });
  await untilSweep(one.wallet);
  await advanceAll(site, await newSender(site));
  expect((await hold()).body.code).toBe('tron_send.signed');
  await settleAll(site);
  await expectCollectedOnce(one);
});

test('what fails on the chain costs its fee, is shown as failed, and is collected anew by retry', async () => {
  const one = await payer();
  await begin([one.wallet]);
  await untilSweep(one.wallet);
  const collection = await collectionOf(one.wallet);
  site.tron.faults.plan('busy_503', 1, 'broadcasthex');
  await advanceAll(site, await newSender(site));
  // Somebody takes the TRX for the fee away while the transaction is signed already.
  const [wallet] = await site.db.select().from(tron_wallet).where(eq(tron_wallet.id, one.wallet));
  const owner = toHex(one.address);
  const left = site.tron.chain.state.read(`trx ${owner}`) - 500_000n;
  if (!wallet) throw new Error('the wallet was made');
  site.tron.sendAs(privateKeyOf(site.means.vault, wallet), { kind: 'trx', owner, to: treasury, amount: left }, 0n);
  site.tron.makeBlock();
  await settleAll(site);
  expect(await collectionOf(one.wallet)).toMatchObject({ id: collection?.id, state: 'failed', remark: 'tron_send.failed:OUT_OF_ENERGY' });
  expect(transfersOnChain(site, one.address, collecting)).toBe(0);
  const { body } = await site.call(admin, 'tron_transaction_summary', 'inquire', { status: 'fail' });
  expect(body.content).toMatchObject([{ id: collection?.id, status: 'fail', remark: expect.stringContaining('OUT_OF_ENERGY') }]);
  expect(body.content[0]?.fee).not.toBe('0.000000');
  expect((await site.call(admin, 'tron_transaction_summary', 'retry', { ids: [collection?.id ?? 0] })).body).toEqual({ affected: 1 });
  const { rows } = await site.db.execute(sql`SELECT input FROM async_operation WHERE kind = 'tron_collect' ORDER BY id DESC LIMIT 1`);
  expect(rows).toEqual([{ input: { ids: [one.wallet] } }]);
  await begin([one.wallet]);
  await settleAll(site);
  await expectCollectedOnce(one);
});

describe('the summary', () => {
  test('sums what was collected by day and by address', async () => {
    const one = await payer(31_000_000n);
    await begin([one.wallet]);
    await settleAll(site);
    const { body } = await site.call(admin, 'tron_transaction_summary', 'sums', { by: 'address', search: one.address });
    expect(body.content).toMatchObject([{ key: one.address, account: one.user.account, number: 1, amount: '31.000000' }]);
    const { body: days } = await site.call(admin, 'tron_transaction_summary', 'sums', { by: 'day' });
    expect(days.total).toBe(1);
    const { rows } = await site.db.execute(sql`SELECT sum(amount)::text AS sum FROM tron_collection WHERE state = 'booked'`);
    expect(days.total_amount.replace('.', '')).toBe(String(rows[0]?.sum));
    expect((await site.call(one.user, 'tron_transaction_summary', 'sums', { by: 'day' })).status).toBe(403);
  });

  test('collecting is asked for by calls that make operations', async () => {
    expect((await site.call(admin, 'tron', 'collect_all', {})).body.operation_id).toBeGreaterThan(0);
    await configure(site, { collecting_address: '' });
    expect((await site.call(admin, 'tron', 'collect_all', {})).body.code).toBe('tron.no_collecting_address');
    expect((await site.call(admin, 'tron', 'plan', {})).body.code).toBe('tron.no_collecting_address');
    await configure(site, { collecting_address: collecting });
  });
});
