import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAlikes, treasury, usdt } from '../../../simulators/tron/network.ts';
import { transferLog } from '../../../simulators/tron/tokens.ts';
import { addressOfPrivateKey, toBase58 } from './protocol/address.ts';
import { createTronSite, type TronSite } from './testing/site.ts';
import { paymentsReadUntil, verifyPayout } from './tron.public.ts';

let site: TronSite;
beforeAll(async () => {
  site = await createTronSite();
});
afterAll(() => site.close());

const stranger = () => addressOfPrivateKey(new Uint8Array(randomBytes(32)));
const stateOf = async (hash: string, address: string, amount: bigint) => (await verifyPayout(site.means, hash, address, amount)).state;

test('a payout is verified once it is solid, to the millionth and the address', async () => {
  const [to, another] = [toBase58(stranger()), toBase58(stranger())];
  const hash = site.tron.sendTokens(to, 7_000_000n);
  expect(await stateOf(hash, to, 7_000_000n)).toBe('missing');
  site.tron.makeBlock();
  expect(await stateOf(hash, to, 7_000_000n)).toBe('confirming');
  site.tron.makeSolid();
  expect(await stateOf(hash, to, 7_000_000n)).toBe('paid');
  expect(await stateOf(hash, to, 6_999_999n)).toBe('wrong');
  expect(await stateOf(hash, to, 7_000_001n)).toBe('wrong');
  expect(await stateOf(hash, another, 7_000_000n)).toBe('wrong');
  for (const other of ['', 'x', hash.toUpperCase(), randomBytes(32).toString('hex')])
    expect(await stateOf(other, to, 7_000_000n)).toBe('missing');
});

test('what failed, or is of another token, is no payout', async () => {
  const to = stranger();
  const ids = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')] as const;
  site.tron.makeBlock([
    site.tron.place({ id: ids[0], result: 'REVERT', logs: [transferLog(usdt, treasury, to, 5n)] }),
    site.tron.place({ id: ids[1], logs: [transferLog(lookAlikes[0], treasury, to, 5n)] }),
  ]);
  const trx = site.tron.sendTrx(toBase58(to), 5n);
  site.tron.makeSolid();
  for (const hash of [...ids, trx]) expect(await stateOf(hash, toBase58(to), 5n)).toBe('wrong');
});

test('payments are read up to the time of the last block, whatever the clock says', async () => {
  const { block } = await site.read();
  expect(Date.parse((await paymentsReadUntil(site.db)) ?? '')).toBe(site.tron.chain.timestampOf(block));
});
