import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TronWeb } from 'tronweb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { treasury, usdt } from '../../../../simulators/tron/network.ts';
import { startTron, type TronSimulator } from '../../../../simulators/tron/tron.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { addressOfPrivateKey, toBase58 } from '../protocol/address.ts';
import { signTransaction, tokenTransfer } from '../protocol/transaction.ts';
import { createNode, type TronNode } from './node.ts';

let tron: TronSimulator;
let node: TronNode;
const nodeAt = (url: string) => createNode({ network: guardNetwork(['127.0.0.1/32']), endpoint: { url, api_key: '' } });

beforeAll(async () => {
  tron = await startTron();
  node = nodeAt(tron.url);
});
afterEach(() => tron.faults.clear());
afterAll(() => tron.stop());

const newKey = () => {
  const key = new Uint8Array(randomBytes(32));
  const address = addressOfPrivateKey(key);
  return { key, address, text: toBase58(address) };
};

/** A wallet with TRX and USDT. */
async function rich() {
  const wallet = newKey();
  tron.sendTrx(wallet.text, 100_000_000n);
  tron.sendTokens(wallet.text, 5_000_000n);
  tron.makeBlock();
  return wallet;
}

async function transfer(from: { key: Uint8Array; address: string }, to: string, amount: bigint, fee_limit = 30_000_000n) {
  const head = await node.head();
  const timing = { timestamp: head.timestamp, expiration: head.timestamp + 60_000 };
  return signTransaction({ act: tokenTransfer(from.address, usdt, to, amount), reference: head, ...timing, fee_limit }, from.key);
}

test('a payment is pooled, then in a block, then solid, and its balances and fee are those of the chain', async () => {
  const [from, to] = [await rich(), newKey()];
  const signed = await transfer(from, to.address, 2_000_000n);
  expect(await node.broadcast(signed)).toEqual({ outcome: 'pooled', code: '' });
  expect(await node.broadcast(signed)).toEqual({ outcome: 'known', code: 'DUP_TRANSACTION_ERROR' });
  expect(await node.info(signed.id, { solid: false })).toBeUndefined();
  const block = tron.makeBlock();
  expect(await node.info(signed.id, { solid: false })).toMatchObject({ block, result: 'SUCCESS' });
  expect(await node.info(signed.id, { solid: true })).toBeUndefined();
  tron.makeSolid();
  const info = await node.info(signed.id, { solid: true });
  expect(info?.logs).toHaveLength(1);
  expect(info?.fee).toBe(13_028_500n);
  expect([await node.tokens(usdt, from.address), await node.tokens(usdt, to.address)]).toEqual([3_000_000n, 2_000_000n]);
  expect(await node.trx(from.address)).toBe(100_000_000n - 13_028_500n);
  expect((await node.infos(block)).map(({ id }) => id)).toEqual([signed.id]);
  expect(await node.transferEnergy(usdt, from.address, to.address, 1n)).toBe(64_285n);
  await expect(node.transferEnergy(usdt, from.address, to.address, 10n ** 12n)).rejects.toMatchObject({ code: 'tron.reverted' });
});

test('a call that would cost more than its limit does nothing, and costs its limit', async () => {
  const [from, to] = [await rich(), newKey()];
  const signed = await transfer(from, to.address, 1_000_000n, 5_000_000n);
  await node.broadcast(signed);
  tron.makeSolid();
  expect(await node.info(signed.id, { solid: true })).toMatchObject({ result: 'OUT_OF_ENERGY', fee: 5_000_000n, logs: [] });
  expect(await node.tokens(usdt, to.address)).toBe(0n);
});

test('what is not signed by its sender, too old, of another chain, or unpayable is refused', async () => {
  const [from, to, stranger] = [await rich(), newKey(), newKey()];
  const signed = await transfer(from, to.address, 1n);
  const foreign = await transfer({ key: stranger.key, address: stranger.address }, to.address, 1n);
  expect(await node.broadcast({ ...signed, signature: foreign.signature })).toMatchObject({ outcome: 'refused', code: 'SIGERROR' });
  expect(await node.broadcast(foreign)).toMatchObject({ outcome: 'refused', code: 'CONTRACT_VALIDATE_ERROR' });
  const head = await node.head();
  const intent = { act: tokenTransfer(from.address, usdt, to.address, 1n), timestamp: head.timestamp, fee_limit: 1n };
  const old = signTransaction({ ...intent, reference: head, expiration: head.timestamp - 1 }, from.key);
  expect(await node.broadcast(old)).toMatchObject({ code: 'TRANSACTION_EXPIRATION_ERROR' });
  const elsewhere = { ...head, id: head.id.slice(0, 16) + 'f'.repeat(48) };
  const other = signTransaction({ ...intent, reference: elsewhere, expiration: head.timestamp + 60_000 }, from.key);
  expect(await node.broadcast(other)).toMatchObject({ code: 'TAPOS_ERROR' });
});

test('a reorganisation takes back what was not solid, and the blocks have other hashes', async () => {
  const to = newKey();
  tron.sendTokens(to.text, 7n);
  const block = tron.makeBlock();
  const before = tron.chain.idOf(block);
  tron.reorganise(1, false);
  expect(tron.chain.idOf(block)).not.toBe(before);
  expect(await node.tokens(usdt, to.address)).toBe(0n);
  tron.makeBlocks(3);
  const blocks = await node.blocks(tron.chain.solid() - 5, tron.chain.solid() + 1);
  for (const [index, one] of blocks.entries()) if (index > 0) expect(one.parent).toBe(blocks[index - 1]?.id);
});

test('throttled, erroneous, cut and lost answers are asked for again; a broadcast whose answer is lost is not', async () => {
  for (const kind of ['throttle_403', 'throttle_429', 'busy_503', 'error_in_200', 'truncated', 'lost'] as const) {
    tron.faults.plan(kind, 1);
    expect((await node.head()).number).toBe(tron.chain.head());
  }
  const from = await rich();
  const signed = await transfer(from, newKey().address, 1n);
  tron.faults.plan('lost', 1, 'broadcasthex');
  expect(await node.broadcast(signed)).toMatchObject({ outcome: 'lost' });
  expect(await node.broadcast(signed)).toMatchObject({ outcome: 'known' });
});

test('other software of the network pays on it, too', async () => {
  const [from, to] = [await rich(), newKey()];
  const web = new TronWeb({ fullHost: tron.url, privateKey: Buffer.from(from.key).toString('hex') });
  expect(await web.trx.getBalance(from.text)).toBe(100_000_000);
  const built = await web.transactionBuilder.triggerSmartContract(
    toBase58(usdt),
    'transfer(address,uint256)',
    { feeLimit: 30_000_000 },
    [
      { type: 'address', value: to.text },
      { type: 'uint256', value: 1_500_000 },
    ],
    from.text,
  );
  const sent = await web.trx.sendRawTransaction(await web.trx.sign(built.transaction));
  expect(sent.result).toBe(true);
  tron.makeBlock();
  expect(await node.tokens(usdt, to.address)).toBe(1_500_000n);
});

test('a network that was off goes on above what anybody saw, with all balances', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'livecode-tron-'));
  const to = newKey();
  const first = await startTron({ folder });
  first.sendTokens(to.text, 9n);
  const block = first.makeBlock();
  const id = first.chain.idOf(block);
  first.sendTokens(to.text, 1n);
  first.makeBlock();
  first.reorganise(1, false);
  first.makeBlocks(15);
  const head = first.chain.head();
  await first.stop();
  const second = await startTron({ folder });
  expect(second.chain.head()).toBeGreaterThan(head);
  expect(second.chain.idOf(block)).toBe(id);
  expect(await nodeAt(second.url).tokens(usdt, to.address)).toBe(9n);
  expect(await nodeAt(second.url).isKnown(treasury)).toBe(true);
  await second.stop();
  rmSync(folder, { recursive: true });
});
