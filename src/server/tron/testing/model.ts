import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../../contract/money/amounts.ts';
import { type BalanceEdit, kindOfEdit } from '../../../contract/money/ledger.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type Database, transact, transactAgain } from '../../kit/postgres/database.ts';
import type { TestApp } from '../../kit/testing/app.ts';
import { grantedOf, isInsufficient, post, withdrawableOf } from '../../ledger/ledger.public.ts';
import { earn } from '../../ledger/testing/money.ts';
import { settleOpenOrders } from '../../orders/orders.public.ts';
import { combo_order, vip_combo } from '../../orders/orders.table.ts';
import { refund } from '../../orders/settling.ts';
import { settleWithdrawal } from '../../withdrawals/withdrawals.public.ts';
import { clear, giveBack, reserve, transition } from '../../withdrawals/withdrawals.states.ts';
import { type StoredWithdrawal, withdrawal } from '../../withdrawals/withdrawals.table.ts';
import { bookCollections } from '../collections/collections.ts';
import { recordTransfers, walletsAmong } from '../deposits/credit.ts';
import { recordPayouts } from '../deposits/payouts.ts';
import { tron_collection, tron_wallet } from '../tron.table.ts';
import { earnedOf, grantedIn, type Move } from './earned.ts';
import { type Decision, type Step, userCount } from './steps.ts';

const minimum_deposit = 5_000_000n;
const price = 30_000_000n;
const fee = 1_000_000n;

/** What the money of a site does, as arithmetic. */
export type Model = {
  available: bigint[];
  moves: Move[][];
  held: bigint[];
  aside: bigint[];
  /** The order that waits, and those that were paid, the last one at the end. */
  waiting: boolean[];
  paid: number[];
  withdrawals: { user: number; amount: bigint; state: 'waiting' | 'approved' | 'over' }[];
  deposits: { user: number; amount: bigint }[];
  /** What was counted on the wallet of each user and is not collected yet. */
  uncollected: bigint[];
  clearing: bigint;
  revenue: bigint;
  adjust: bigint;
  deposit: bigint;
  hot: bigint;
  kept: bigint;
};

export const newModel = (): Model => ({
  ...{
    available: zeros(),
    moves: Array.from({ length: userCount }, () => []),
    held: zeros(),
    aside: zeros(),
    waiting: Array(userCount).fill(false),
    paid: Array(userCount).fill(0),
  },
  ...{ withdrawals: [], deposits: [], uncollected: zeros(), clearing: 0n, revenue: 0n, adjust: 0n, deposit: 0n, hot: 0n, kept: 0n },
});
const zeros = (): bigint[] => Array.from({ length: userCount }, () => 0n);

/** Users, their wallets and what was made of the model's deposits, orders and withdrawals, by their place there. */
export type Real = {
  db: Database;
  users: number[];
  wallets: { id: number; address: string }[];
  admin: number;
  combo: number;
  withdrawals: number[];
  hashes: string[];
};

const payer = 'wallet of the administrators';
const config = { contract: 'model', minimum_deposit, collecting_address: 'collecting', payout_addresses: [payer] };

/** Whoever got money pays the order that waits. */
function payWaiting(model: Model, user: number): void {
  if (!model.waiting[user] || (model.available[user] ?? 0n) < price) return;
  model.waiting[user] = false;
  model.paid[user] = (model.paid[user] ?? 0) + 1;
  move(model, user, 'order', -price);
  model.revenue += price;
}
function add(values: bigint[], user: number, amount: bigint): void {
  values[user] = (values[user] ?? 0n) + amount;
}

function move(model: Model, user: number, of: Move['of'], amount: bigint): void {
  add(model.available, user, amount);
  model.moves[user]?.push({ of, amount });
}

async function receive(real: Real, user: number, amount: bigint, hash: string): Promise<void> {
  const receiver = real.wallets[user]?.address ?? '';
  const transfer = { transaction_hash: hash, block: 1, at: new Date().toISOString(), sender: 'payer', receiver, amount };
  const transfers = [{ ...transfer, fingerprint: `${hash}:0` }];
  await transactAgain(real.db, async (tx) => recordTransfers(tx, transfers, await walletsAmong(tx, transfers), config));
}

async function edit(model: Model, real: Real, { user, amount, as }: { user: number; amount: bigint; as: BalanceEdit }): Promise<void> {
  if (amount === 0n) return;
  const isPossible = (model.available[user] ?? 0n) + amount >= 0n;
  const owner_id = real.users[user] ?? 0;
  const done = transactAgain(real.db, async (tx) => {
    await post(tx, {
      kind: kindOfEdit[as],
      ref: { type: 'model', id: randomUUID() },
      entries: [
        { account: { kind: 'admin_adjust' }, amount: -amount },
        { account: { kind: 'user_available', owner_id }, amount },
      ],
    });
    if (amount > 0n) await settleOpenOrders(tx, owner_id);
  });
  if (!isPossible) {
    if (!isInsufficient(await done.catch((error: unknown) => error))) throw new Error('more was taken than there is');
    return;
  }
  await done;
  move(model, user, as, amount);
  model.adjust -= amount;
  if (amount > 0n) payWaiting(model, user);
}

/** One that waits for money. */
export const newOrder = (db: Database, user_id: number, combo_id: number) =>
  db.insert(combo_order).values({
    ...{ order_no: randomUUID(), user_id, combo_id, price: amountOf(price), amount: amountOf(price), days: 30 },
    combo: { name: 'model', days: 30, quotas: { live_codes: null, domains: null, short_codes: null, monitors: null } } as never,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  });

async function order(model: Model, real: Real, user: number): Promise<void> {
  if (model.waiting[user]) return;
  const user_id = real.users[user] ?? 0;
  await transactAgain(real.db, async (tx) => {
    await newOrder(tx, user_id, real.combo);
    await settleOpenOrders(tx, user_id);
  });
  model.waiting[user] = true;
  payWaiting(model, user);
}

async function giveOrderBack(model: Model, real: Real, user: number): Promise<void> {
  if (!model.paid[user]) return;
  const user_id = real.users[user] ?? 0;
  const { rows } = await real.db.execute<{ id: number }>(
    sql`SELECT id FROM combo_order WHERE user_id = ${user_id} AND state = 'paid' ORDER BY paid_at DESC, id DESC LIMIT 1`,
  );
  const [paid] = await real.db
    .select()
    .from(combo_order)
    .where(eq(combo_order.id, Number(rows[0]?.id)));
  if (!paid) throw new Error('a paid order was expected');
  await transactAgain(real.db, (tx) => refund(tx, paid, { actor_id: real.admin, reason: 'model' }));
  // Who asks again is refused.
  const again = await transactAgain(real.db, (tx) => refund(tx, paid, { actor_id: real.admin, reason: 'model' })).catch(
    (error: unknown) => error,
  );
  if (!(again instanceof AppError)) throw new Error('an order was refunded twice');
  model.paid[user] = (model.paid[user] ?? 0) - 1;
  model.revenue -= price;
  add(model.available, user, price);
  const moves = model.moves[user] ?? [];
  moves.splice(
    moves.findLastIndex(({ of }) => of === 'order'),
    1,
  );
}

async function ask(model: Model, real: Real, user: number, amount: bigint): Promise<void> {
  const user_id = real.users[user] ?? 0;
  const made = transactAgain(real.db, async (tx) => {
    const values = { user_id, amount: amountOf(amount), fee: amountOf(fee), address: randomUUID() };
    const [row] = await tx.insert(withdrawal).values(values).returning();
    if (!row) throw new Error('the withdrawal was made');
    await reserve(tx, row);
    return row.id;
  });
  if (earnedOf(model.moves[user] ?? []) < amount) {
    if (!((await made.catch((error: unknown) => error)) instanceof AppError)) throw new Error('more was reserved than was earned');
    return;
  }
  real.withdrawals.push(await made);
  model.withdrawals.push({ user, amount, state: 'waiting' });
  move(model, user, 'earned', -amount);
  add(model.held, user, amount);
}

/** What a declared wallet sends, read twice as where blocks are read again. Answers whether it paid the withdrawal. */
async function receiveFromDeclared(tx: Database, { id, address, amount }: StoredWithdrawal): Promise<boolean> {
  const hash = randomUUID();
  const sent = { transaction_hash: hash, block: 1, at: new Date(Date.now() + 60_000).toISOString(), fingerprint: `${hash}:0` };
  const transfer = { ...sent, sender: payer, receiver: address, amount: millionthsOf(amount) - fee };
  await recordPayouts(tx, [transfer], config);
  await recordPayouts(tx, [transfer], config);
  return (await tx.$count(withdrawal, and(eq(withdrawal.id, id), eq(withdrawal.transaction_hash, hash)))) === 1;
}

async function decide(model: Model, real: Real, kind: Decision, at: number): Promise<void> {
  if (model.withdrawals.length === 0) return;
  const index = at % model.withdrawals.length;
  const own = model.withdrawals[index];
  const id = real.withdrawals[index] ?? 0;
  if (!own) return;
  const decided = { decided_by: real.admin, decided_at: new Date().toISOString() };
  const did = await transactAgain(real.db, async (tx) => {
    const [before] = await tx.select().from(withdrawal).where(eq(withdrawal.id, id)).for('update');
    if (kind === 'settle') {
      await transition(tx, id, 'begin_payout');
      return settleWithdrawal(tx, id, { transaction_id: `model ${id}`, network_fee: 3n });
    }
    if (kind === 'match') return before !== undefined && receiveFromDeclared(tx, before);
    const row = await transition(tx, id, kind, kind === 'approve' ? { ...decided, payout: 'hash' } : { ...decided, reason: 'model' });
    if (!row) return false;
    if (kind === 'approve') await clear(tx, row, real.admin);
    else await giveBack(tx, row, before?.state === 'waiting' ? 'hold' : 'clearing', real.admin, new Date());
    return true;
  });
  const isPaid = kind === 'settle' || kind === 'match';
  const isPossible = kind === 'approve' ? own.state === 'waiting' : isPaid ? own.state === 'approved' : own.state !== 'over';
  if (did !== isPossible) throw new Error(`${kind} of a withdrawal that is ${own.state}: ${did}`);
  if (!did) return;
  if (kind === 'approve') {
    add(model.held, own.user, -own.amount);
    model.clearing += own.amount;
    own.state = 'approved';
    return;
  }
  if (isPaid) {
    model.clearing -= own.amount;
    model.hot += own.amount - fee;
    model.kept += fee;
  } else {
    if (own.state === 'waiting') add(model.held, own.user, -own.amount);
    else model.clearing -= own.amount;
    move(model, own.user, 'earned', own.amount);
    payWaiting(model, own.user);
  }
  own.state = 'over';
}

async function collectOne(model: Model, real: Real, user: number): Promise<void> {
  const amount = model.uncollected[user] ?? 0n;
  const wallet = real.wallets[user];
  if (amount === 0n || !wallet) return;
  await real.db
    .insert(tron_collection)
    .values({ wallet_id: wallet.id, contract: 'model', receiver: 'collecting', amount, state: 'sweep_solid' });
  await Promise.all([bookCollections(real.db), bookCollections(real.db)]);
  model.uncollected[user] = 0n;
  model.deposit += amount;
  model.hot -= amount;
}

/** Does a step in the site and in the model. Fails where the site did what the model says is impossible, or the other way round. */
export async function run(step: Step, model: Model, real: Real): Promise<void> {
  switch (step.kind) {
    case 'deposit': {
      const hash = randomUUID();
      await receive(real, step.user, step.amount, hash);
      real.hashes.push(hash);
      model.deposits.push({ user: step.user, amount: step.amount });
      model.deposit -= step.amount;
      add(model.uncollected, step.user, step.amount);
      const together = (model.aside[step.user] ?? 0n) + (step.amount >= minimum_deposit ? 0n : step.amount);
      if (step.amount >= minimum_deposit) move(model, step.user, 'deposit', step.amount);
      model.aside[step.user] = together;
      if (together >= minimum_deposit) {
        move(model, step.user, 'deposit', together);
        model.aside[step.user] = 0n;
      }
      return payWaiting(model, step.user);
    }
    case 'redeliver': {
      const index = step.at % Math.max(1, model.deposits.length);
      const own = model.deposits[index];
      return own && receive(real, own.user, own.amount, real.hashes[index] ?? '');
    }
    case 'edit':
      return edit(model, real, step);
    case 'earn':
      await earn(real.db, real.users[step.user] ?? 0, step.amount);
      move(model, step.user, 'earned', step.amount);
      model.revenue -= step.amount;
      return;
    case 'order':
      return order(model, real, step.user);
    case 'refund':
      return giveOrderBack(model, real, step.user);
    case 'ask':
      return ask(model, real, step.user, step.amount);
    case 'collect':
      return collectOne(model, real, step.user);
    default:
      return decide(model, real, step.kind, step.at);
  }
}

/** What accounts hold that the model knows, summed over all runs so far. */
export type Totals = Record<string, bigint>;
export async function totalsOf(db: Database): Promise<Totals> {
  const { rows } = await db.execute<{ kind: string; sum: string }>(sql`
    SELECT kind, sum(balance)::text AS sum FROM ledger_account WHERE owner_id IS NULL AND asset = 'USDT' GROUP BY kind`);
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, BigInt(sum)]));
}

/** Where model and site differ; empty where they agree. */
export async function differences(model: Model, real: Real, before: Totals): Promise<string[]> {
  const found: string[] = [];
  const compare = (name: string, wanted: bigint, is: bigint) => {
    if (wanted !== is) found.push(`${name}: ${wanted} expected, ${is} found`);
  };
  const { rows } = await real.db.execute<{ kind: string; owner_id: number; balance: string }>(sql`
    SELECT kind, owner_id, balance::text AS balance FROM ledger_account WHERE owner_id = ANY(${sql.param(real.users)}::bigint[]) AND asset = 'USDT'`);
  for (const [index, owner] of real.users.entries())
    for (const [kind, wanted] of [
      ['user_available', model.available[index]],
      ['user_hold', model.held[index]],
    ] as const)
      compare(
        `${kind} ${index}`,
        wanted ?? 0n,
        BigInt(rows.find((row) => row.kind === kind && Number(row.owner_id) === owner)?.balance ?? '0'),
      );
  for (const [index, owner] of real.users.entries()) {
    compare(`withdrawable ${index}`, earnedOf(model.moves[index] ?? []), await withdrawableOf(real.db, owner));
    compare(`granted ${index}`, grantedIn(model.moves[index] ?? []), await grantedOf(real.db, owner));
  }
  const after = await totalsOf(real.db);
  const change = (kind: string) => (after[kind] ?? 0n) - (before[kind] ?? 0n);
  const aside = model.aside.reduce((sum, one) => sum + one, 0n);
  const site = { suspense: aside, payout_clearing: model.clearing, revenue: model.revenue, admin_adjust: model.adjust };
  for (const [kind, wanted] of Object.entries({ ...site, chain_deposit: model.deposit, chain_hot: model.hot, network_fee: model.kept }))
    compare(kind, wanted, change(kind));
  const { rows: sums } = await real.db.execute<{ sum: string }>(
    sql`SELECT coalesce(sum(balance), 0)::text AS sum FROM ledger_account GROUP BY asset`,
  );
  for (const { sum } of sums) compare('the sum of all accounts', 0n, BigInt(sum));
  return found;
}

/** Users of one run, with wallets; nothing of another run is theirs. */
export async function newReal({ db }: Pick<TestApp, 'db'>, admin: number, combo: number): Promise<Real> {
  const { rows: users } = await db.execute<{ id: number }>(sql`
    INSERT INTO user_account (account, password_hash, role_id, invitation_code)
    SELECT 'm' || gen_random_uuid(), '', role.id, substr(gen_random_uuid()::text, 1, 13) FROM role, generate_series(1, ${userCount}) WHERE kind = 'customer' AND built_in
    RETURNING id`);
  const ids = users.map(({ id }) => Number(id));
  const wallets = await db
    .insert(tron_wallet)
    .values(
      ids.map((user_id) => ({
        ...{ user_id, derivation_index: user_id + 1_000_000, address: randomUUID() },
        ...{ public_key: Buffer.alloc(1), private_key: Buffer.alloc(1) },
      })),
    )
    .returning({ id: tron_wallet.id, address: tron_wallet.address });
  return { db, users: ids, wallets, admin, combo, withdrawals: [], hashes: [] };
}

export async function newCombo({ db }: Pick<TestApp, 'db'>): Promise<number> {
  const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null };
  const [made] = await transact(db, (tx) =>
    tx
      .insert(vip_combo)
      .values({ name: 'model', price: amountOf(price), days: 30, quotas: quotas as never })
      .returning({ id: vip_combo.id }),
  );
  return made?.id ?? 0;
}

/** One run: all steps, then model and site are compared. Answers what differs, or what failed. */
export async function play(site: Pick<TestApp, 'db'>, sequence: readonly Step[], admin: number, combo: number): Promise<string[]> {
  const before = await totalsOf(site.db);
  const real = await newReal(site, admin, combo);
  const model = newModel();
  for (const [index, step] of sequence.entries()) {
    try {
      await run(step, model, real);
    } catch (error) {
      return [`step ${index} (${step.kind}) failed: ${error instanceof Error ? (error.cause ?? error) : error}`];
    }
  }
  return differences(model, real, before);
}
