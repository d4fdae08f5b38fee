import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lookAlikes, treasury, usdt } from '../../../../simulators/tron/network.ts';
import { transferLog } from '../../../../simulators/tron/tokens.ts';
import { startTron } from '../../../../simulators/tron/tron.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import type { TestUser } from '../../kit/testing/app.ts';
import { availableOf } from '../../ledger/testing/money.ts';
import { createNode } from '../node/node.ts';
import { toHex } from '../protocol/address.ts';
import { booksOf, createTronSite, type TronSite } from '../testing/site.ts';
import { tron_position, usdt_sighting, usdt_transaction } from '../tron.table.ts';
import { siteWallet } from '../wallets/wallets.ts';
import { openPosition, rescan, scanOn } from './scan.ts';

let site: TronSite;
let user: TestUser;
beforeAll(async () => {
  site = await createTronSite();
});
beforeEach(async () => {
  user = await site.makeUser('customer');
});
afterAll(() => site.close());

const balance = (of: TestUser = user) => availableOf(site.db, of.id);
const rowsOf = (of: TestUser = user) => site.db.select().from(usdt_transaction).where(eq(usdt_transaction.user_id, of.id));

/** Whatever a block may hold, solid and read. */
async function place(...placed: Parameters<TronSite['tron']['place']>[0][]): Promise<void> {
  site.tron.makeBlock(placed.map((one) => site.tron.place(one)));
  site.tron.makeSolid();
  await site.read();
}

describe('a payment', () => {
  test('is seen while it is not solid, and counted once it is', async () => {
    const address = await site.addressOf(user);
    site.tron.sendTokens(address, 25_000_000n);
    site.tron.makeBlock();
    await site.read();
    expect(await balance()).toBe(0n);
    expect(await site.db.select().from(usdt_sighting).where(eq(usdt_sighting.user_id, user.id))).toMatchObject([{ amount: 25_000_000n }]);
    site.tron.makeSolid();
    await site.read();
    expect(await balance()).toBe(25_000_000n);
    expect(await site.db.$count(usdt_sighting, eq(usdt_sighting.user_id, user.id))).toBe(0);
    expect(await rowsOf()).toMatchObject([{ type: 'deposit', state: 'credited', amount: 25_000_000n, receiver: address }]);
  });

  test('that was taken back before it was solid is not counted, and is seen no more', async () => {
    site.tron.sendTokens(await site.addressOf(user), 25_000_000n);
    site.tron.makeBlock();
    await site.read();
    site.tron.reorganise(1, false);
    site.tron.makeBlock();
    await site.read();
    expect(await site.db.$count(usdt_sighting, eq(usdt_sighting.user_id, user.id))).toBe(0);
    site.tron.makeSolid();
    await site.read();
    expect(await balance()).toBe(0n);
  });

  test('below the minimum is kept aside until the sum reaches it', async () => {
    await site.pay(user, 600_000n);
    expect([await balance(), (await rowsOf())[0]?.state]).toEqual([0n, 'aside']);
    await site.pay(user, 300_000n);
    expect(await balance()).toBe(0n);
    await site.pay(user, 100_000n);
    expect(await balance()).toBe(1_000_000n);
    expect((await rowsOf()).map(({ state }) => state)).toEqual(['credited', 'credited', 'credited']);
  });

  test('to a wallet of nobody is kept, and is nobody’s balance', async () => {
    const { address, id } = await siteWallet(site.db, site.means.vault, 'fee');
    site.tron.sendTokens(address, 5_000_000n);
    site.tron.makeSolid();
    await site.read();
    expect(await site.db.select().from(usdt_transaction).where(eq(usdt_transaction.wallet_id, id))).toMatchObject([{ state: 'nobody' }]);
    const { sum, chain, counted } = await booksOf(site);
    expect([sum, -chain]).toEqual([0, counted]);
  });
});

describe('nothing is counted', () => {
  test('that another contract wrote, whatever it calls itself', async () => {
    const address = await site.addressOf(user);
    for (const contract of lookAlikes) for (let time = 0; time < 100; time += 1) site.tron.sendTokens(address, 1_000_000n, contract);
    site.tron.makeSolid();
    await site.read();
    expect([await balance(), await rowsOf()]).toEqual([0n, []]);
  });

  test('whose transaction did not succeed, whatever it logged', async () => {
    const to = toHex(await site.addressOf(user));
    const results = ['', 'DEFAULT', 'REVERT', 'OUT_OF_ENERGY', 'OUT_OF_TIME', 'BAD_JUMP_DESTINATION', 'OUT_OF_MEMORY', 'STACK_TOO_SMALL'];
    const further = [
      'STACK_TOO_LARGE',
      'ILLEGAL_OPERATION',
      'STACK_OVERFLOW',
      'JVM_STACK_OVER_FLOW',
      'UNKNOWN',
      'TRANSFER_FAILED',
      'INVALID_CODE',
    ];
    for (const result of [...results, ...further]) await place({ result, logs: [transferLog(usdt, treasury, to, 5_000_000n)] });
    expect([await balance(), await rowsOf()]).toEqual([0n, []]);
  });

  test('that is no transfer to the byte', async () => {
    const to = toHex(await site.addressOf(user));
    const good = transferLog(usdt, treasury, to, 5_000_000n);
    const [topic = '', from = '', receiver = ''] = good.topics;
    const wrong = [
      { ...good, data: `${good.data}00` },
      { ...good, data: good.data.slice(2) },
      { ...good, data: '' },
      { ...good, data: 'f'.repeat(64) },
      { ...good, topics: [topic, from] },
      { ...good, topics: [topic, from, receiver, receiver] },
      { ...good, topics: [topic, from, `1${receiver.slice(1)}`] },
      { ...good, topics: ['0'.repeat(64), from, receiver] },
      { ...good, topics: [] },
      transferLog(usdt, treasury, to, 0n),
    ];
    await place(...wrong.map((log) => ({ logs: [log] })));
    expect([await balance(), await rowsOf()]).toEqual([0n, []]);
    await place({ logs: [...wrong, good] });
    expect(await balance()).toBe(5_000_000n);
  });

  test('that comes from an address of ours, or as TRX', async () => {
    const other = await site.makeUser('customer');
    const [own, theirs] = [toHex(await site.addressOf(user)), toHex(await site.addressOf(other))];
    await place({ logs: [transferLog(usdt, theirs, own, 5_000_000n), transferLog(usdt, own, own, 5_000_000n)] });
    expect((await rowsOf()).map(({ type, state }) => `${type} ${state}`)).toEqual(['internal noted', 'internal noted']);
    site.tron.sendTrx(await site.addressOf(user), 9_000_000n);
    await place({ internal: [{ from: treasury, to: own, contract: usdt, amount: 9_000_000n }] });
    expect(await balance()).toBe(0n);
  });
});

describe('the blocks that are read', () => {
  test('must follow each other: a node that jumps to another chain counts nothing', async () => {
    site.tron.sendTokens(await site.addressOf(user), 5_000_000n);
    site.tron.makeSolid();
    site.tron.faults.plan('wrong_chain', 1, 'getblockbylimitnext');
    await expect(site.read()).rejects.toMatchObject({ code: 'tron.disagree' });
    expect(await balance()).toBe(0n);
    await site.read();
    expect(await balance()).toBe(5_000_000n);
  });

  test('must be the same at a second node where there is one', async () => {
    const liar = await startTron();
    const scanner = await site.scanner();
    const second = createNode({ network: guardNetwork(['127.0.0.1/32']), endpoint: { url: liar.url, api_key: '' } });
    liar.makeBlocks(site.tron.chain.head() + 60);
    site.tron.sendTokens(await site.addressOf(user), 5_000_000n);
    site.tron.makeSolid();
    const position = await openPosition(scanner);
    await expect(scanOn({ ...scanner, second }, position)).rejects.toMatchObject({ code: 'tron.disagree' });
    const honest = createNode({ network: guardNetwork(['127.0.0.1/32']), endpoint: { url: site.tron.url, api_key: '' } });
    await scanOn({ ...scanner, second: honest }, position);
    await site.read();
    expect(await balance()).toBe(5_000_000n);
    await liar.stop();
  });

  test('can be read again, which counts what was missed and nothing twice', async () => {
    await site.pay(user, 5_000_000n);
    const { block } = await site.read();
    const [row] = await rowsOf();
    const scanner = await site.scanner();
    expect(await rescan(scanner, (row?.block ?? 0) - 3, block, () => {})).toBe(1);
    expect(await balance()).toBe(5_000_000n);
  });

  test('are all read after a pause of the watcher', async () => {
    const address = await site.addressOf(user);
    const before = await site.read();
    for (let block = 0; block < 1_500; block += 1) {
      if (block % 100 === 0) site.tron.sendTokens(address, 2_000_000n);
      site.tron.makeBlock();
    }
    site.tron.makeSolid();
    const { block } = await site.read();
    expect(block - before.block).toBeGreaterThan(1_500);
    expect(await balance()).toBe(30_000_000n);
    const [position] = await site.db.select().from(tron_position);
    expect(Date.parse(position?.block_at ?? '')).toBe(site.tron.chain.timestampOf(block));
  });
});
