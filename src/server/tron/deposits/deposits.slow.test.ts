import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactAgain } from '../../kit/postgres/database.ts';
import type { TestUser } from '../../kit/testing/app.ts';
import { availableOf } from '../../ledger/testing/money.ts';
import { booksOf, createTronSite, type TronSite } from '../testing/site.ts';
import { tron_position } from '../tron.table.ts';
import { recordTransfers, walletsAmong } from './credit.ts';
import { openPosition, rescan, scanOn } from './scan.ts';
import { transfersIn } from './transfers.ts';

let site: TronSite;
const users: TestUser[] = [];
const addresses: string[] = [];
beforeAll(async () => {
  site = await createTronSite();
  for (let number = 0; number < 10; number += 1) {
    const user = await site.makeUser('customer');
    users.push(user);
    addresses.push(await site.addressOf(user));
  }
});
afterAll(() => site.close());

const addressFor = (index: number): string => addresses[index % addresses.length] ?? '';
const wealth = async () => {
  let sum = 0n;
  for (const { id } of users) sum += await availableOf(site.db, id);
  return sum;
};

test('1,000 payments, each delivered five times by four watchers at once, are counted 1,000 times', async () => {
  const from = (await site.read()).block;
  for (let index = 0; index < 1_000; index += 1) {
    site.tron.sendTokens(addressFor(index), 1_000_000n + BigInt(index));
    if (index % 20 === 19) site.tron.makeBlock();
  }
  site.tron.makeSolid();
  const watch = async () => {
    const scanner = await site.scanner();
    for (let at = await openPosition(scanner); ; ) {
      const next = await scanOn(scanner, at);
      if (!next) break;
      at = next;
    }
  };
  await Promise.all(Array.from({ length: 4 }, watch));
  const [position] = await site.db.select().from(tron_position);
  // Four times more, past the position and each other.
  for (let time = 0; time < 4; time += 1)
    await Promise.all(Array.from({ length: 4 }, async () => rescan(await site.scanner(), from + 1, position?.block ?? 0, () => {})));
  const { sum, chain, counted } = await booksOf(site);
  const expected = 1_000n * 1_000_000n + BigInt((999 * 1000) / 2);
  expect([await wealth(), sum, -chain, counted]).toEqual([expected, 0, Number(expected), Number(expected)]);
}, 180_000);

test('the same transfers given to many transactions at once are counted once', async () => {
  const before = await wealth();
  site.tron.sendTokens(addressFor(0), 3_000_000n);
  const block = site.tron.makeBlock();
  site.tron.makeSolid();
  const { config, node } = await site.scanner();
  const transfers = transfersIn(await node.infos(block), config.contract);
  const wallets = await walletsAmong(site.db, transfers);
  await Promise.all(Array.from({ length: 16 }, () => transactAgain(site.db, (tx) => recordTransfers(tx, transfers, wallets, config))));
  expect((await wealth()) - before).toBe(3_000_000n);
});

test('through 500 random reorganisations nothing is counted before it is solid, and all that stayed is counted', async () => {
  await site.read();
  const before = await wealth();
  const sent = new Map<string, bigint>();
  for (let round = 0; round < 500; round += 1) {
    const amount = 1_000_000n + BigInt(randomInt(1_000_000));
    sent.set(site.tron.sendTokens(addressFor(round), amount), amount);
    site.tron.makeBlock();
    site.tron.makeBlocks(1 + randomInt(3));
    site.tron.reorganise(1 + randomInt(18), Math.random() < 0.5);
    if (round % 5 === 0) {
      await site.read();
      let solid = 0n;
      for (const [id, one] of sent) if ((site.tron.chain.placeOf(id) ?? Number.MAX_SAFE_INTEGER) <= site.tron.chain.solid()) solid += one;
      expect((await wealth()) - before).toBe(solid);
    }
  }
  site.tron.makeSolid();
  await site.read();
  let stayed = 0n;
  for (const [id, one] of sent) if (site.tron.chain.placeOf(id) !== undefined) stayed += one;
  expect((await wealth()) - before).toBe(stayed);
  expect(stayed).toBeGreaterThan(0n);
  expect((await booksOf(site)).sum).toBe(0);
}, 180_000);

test('more than a hundred blocks are read in a second, where the machine has nothing else to do', async () => {
  await site.read();
  for (let block = 0; block < 1_500; block += 1) {
    if (block % 100 === 0) site.tron.sendTokens(addressFor(block), 2_000_000n);
    site.tron.makeBlock();
  }
  site.tron.makeSolid();
  const scanner = await site.scanner();
  const rates: number[] = [];
  for (let at = await openPosition(scanner); ; ) {
    const startedAt = performance.now();
    const next = await scanOn(scanner, at);
    if (!next) break;
    rates.push(((next.block - at.block) / (performance.now() - startedAt)) * 1000);
    at = next;
  }
  // Other tests run beside this one: the fastest quarter says what reading takes by itself.
  const fastest = rates.sort((one, other) => other - one)[Math.floor(rates.length / 4)] ?? 0;
  expect(fastest).toBeGreaterThan(100);
});
