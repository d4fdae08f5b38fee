import { and, desc, eq, sql } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import { type actingWithdrawalList, withdrawalFee, type withdrawalList } from '../../contract/money/withdrawal-list.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseImpersonator, type Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transactAgain } from '../kit/postgres/database.ts';
import { equals } from '../kit/rows/list.ts';
import { balanceOf, isLedgerSound, withdrawableOf } from '../ledger/ledger.public.ts';
import { heldSharesOf } from '../orders/held-shares.public.ts';
import { isAddress, isBlackListed, isSiteAddress, readPaymentTerms } from '../tron/tron.public.ts';
import { filePayments, paymentsToMake } from './withdrawals.payments.ts';
import { settleWithdrawal } from './withdrawals.public.ts';
import { listWithdrawals, readWithdrawal } from './withdrawals.rows.ts';
import { clear, giveBack, lockUser, reserve, transition } from './withdrawals.states.ts';
import { type StoredWithdrawal, withdrawal } from './withdrawals.table.ts';
import { refreshPages, tellUser } from './withdrawals.telling.ts';
import { outcomeOf } from './withdrawals.verifying.ts';

const knownAddresses = 5;
const hourMilliseconds = 3_600_000;

const decided = () => new AppError(409, 'withdrawal.decided');

async function refuseWhileFrozen(db: Database): Promise<void> {
  if (!(await isLedgerSound(db))) throw new AppError(409, 'withdrawal.frozen');
}

/** The last ones first that something was paid to. */
async function paidAddresses({ db, scope }: Context): Promise<string[]> {
  const rows = await db
    .select({ address: withdrawal.address })
    .from(withdrawal)
    .where(and(eq(withdrawal.user_id, scope.owner_id), eq(withdrawal.state, 'paid')))
    .groupBy(withdrawal.address)
    .orderBy(desc(sql`max(${withdrawal.id})`))
    .limit(knownAddresses);
  return rows.map(({ address }) => address);
}

/** The amount in millionths and its fee, where the settings allow it. */
async function pricedAmount(amount: string, { settings }: Context): Promise<{ wanted: bigint; fee: bigint }> {
  const { withdrawal_minimum, withdrawal_fee, withdrawal_fee_percent } = await settings();
  const wanted = millionthsOf(amount);
  if (wanted < millionthsOf(withdrawal_minimum)) throw invalidField('amount', 'below_minimum');
  const fee = withdrawalFee(wanted, { fee: withdrawal_fee, fee_percent: withdrawal_fee_percent });
  if (fee >= wanted) throw invalidField('amount', 'below_fee');
  return { wanted, fee };
}

export const actingWithdrawalListService: Service<typeof actingWithdrawalList> = {
  inquire: (input, context) => listWithdrawals(input, context, eq(withdrawal.user_id, context.scope.owner_id)),

  async terms(_input, context) {
    const { db, scope, settings } = context;
    const { withdrawal_minimum, withdrawal_fee, withdrawal_fee_percent, withdrawal_cool_off_hours } = await settings();
    const own = { owner_id: scope.owner_id };
    return {
      network: (await readPaymentTerms(db)).network,
      balance: amountOf(await balanceOf(db, { kind: 'user_available', ...own })),
      withdrawable: amountOf(await withdrawableOf(db, scope.owner_id)),
      held: amountOf(await balanceOf(db, { kind: 'user_hold', ...own })),
      shares: await heldSharesOf(db, scope.owner_id),
      minimum: withdrawal_minimum,
      fee: withdrawal_fee,
      fee_percent: withdrawal_fee_percent,
      cool_off_hours: withdrawal_cool_off_hours,
      frozen: !(await isLedgerSound(db)),
      addresses: await paidAddresses(context),
    };
  },

  async add({ amount, address }, context) {
    const { db, scope, now, audit } = context;
    refuseImpersonator(context);
    if (!isAddress(address)) throw invalidField('address', 'tron_address');
    if (await isSiteAddress(db, address)) throw invalidField('address', 'own_address');
    const { wanted, fee } = await pricedAmount(amount, context);
    await refuseWhileFrozen(db);
    const [row] = await db
      .insert(withdrawal)
      .values({ user_id: scope.owner_id, amount: amountOf(wanted), fee: amountOf(fee), address, created_at: now.toISOString() })
      .returning();
    if (!row) throw new Error('the withdrawal was not returned');
    await reserve(db, row);
    await tellUser(db, row, 'asked');
    audit({ after: { id: row.id, amount: row.amount, fee: row.fee, address } });
    return readWithdrawal(db, row.id, context);
  },

  async cancel({ id }, context) {
    const { db, scope, now, audit } = context;
    const isOwn = and(eq(withdrawal.id, id), eq(withdrawal.user_id, scope.owner_id));
    if ((await db.$count(withdrawal, isOwn)) === 0) throw notFound();
    await lockUser(db, scope.owner_id);
    const row = await transition(db, id, 'cancel');
    if (!row) throw decided();
    await giveBack(db, row, 'hold', context.actor.user_id, now);
    await refreshPages(db, row);
    audit({ before: { state: 'waiting' }, after: { id, state: row.state, amount: row.amount } });
    return { affected: 1 };
  },
};

/** What administrators decide about: anybody's but their own. */
async function readForeign(id: number, { db, scope, actor }: Context): Promise<StoredWithdrawal> {
  if (!scope.all) throw new AppError(403, 'forbidden');
  const [row] = await db.select().from(withdrawal).where(eq(withdrawal.id, id));
  if (!row) throw notFound();
  if (row.user_id === actor.user_id || row.user_id === actor.impersonator?.id) throw new AppError(403, 'withdrawal.own');
  return row;
}

/** Who took over somebody's session cannot have his balance paid to an address of his own at once. */
async function refuseNewAddress(tx: Database, row: StoredWithdrawal, context: Context): Promise<void> {
  const { cooling_until } = await readWithdrawal(tx, row.id, context);
  if (cooling_until === null) return;
  const hours = Math.ceil((Date.parse(cooling_until) - context.now.getTime()) / hourMilliseconds);
  throw new AppError(409, 'withdrawal.new_address', { params: { hours } });
}

/** Approvals wait for each other, so that two at once do not pass the cap together. */
async function refuseBeyondCap(tx: Database, row: StoredWithdrawal, { settings, now }: Context): Promise<void> {
  const { withdrawal_daily_cap, time_zone } = await settings();
  const cap = millionthsOf(withdrawal_daily_cap);
  if (cap === 0n) return;
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode withdrawals of a day'))`);
  const { rows } = await tx.execute<{ sum: string }>(sql`
    SELECT coalesce(sum(amount), 0)::text AS sum FROM withdrawal
    WHERE state IN ('approved', 'confirming', 'paying', 'paid')
      AND decided_at >= date_trunc('day', ${now.toISOString()}::timestamptz AT TIME ZONE ${time_zone}) AT TIME ZONE ${time_zone}`);
  const used = BigInt(rows[0]?.sum ?? '0');
  if (used + millionthsOf(row.amount) <= cap) return;
  throw new AppError(409, 'withdrawal.daily_cap', { params: { cap: withdrawal_daily_cap, used: amountOf(used) } });
}

/** A hash as people paste it. */
function hashOf(text: string): string {
  const hash = text.toLowerCase().replace(/^0x/, '');
  if (!/^[0-9a-f]{64}$/.test(hash)) throw invalidField('transaction_hash', 'transaction_hash');
  return hash;
}

/** @param network keeps requests away from addresses inside */
export const createWithdrawalListService = (network: GuardedNetwork): Service<typeof withdrawalList> => ({
  inquire: ({ user_id, in_file, ...input }, context) => {
    const isFiled = in_file === undefined ? undefined : sql`(${withdrawal.file_id} IS NOT NULL) = ${in_file}`;
    return listWithdrawals(input, context, and(context.scope.sees(withdrawal.user_id), equals(withdrawal.user_id, user_id), isFiled));
  },

  async approve({ id }, context) {
    const { db, vault, actor, now } = context;
    const { state, address } = await readForeign(id, context);
    if (state !== 'waiting') throw decided();
    // A network that is silent now is asked again before the server signs.
    if (await isBlackListed({ db, vault, network }, address)) throw new AppError(409, 'withdrawal.blacklisted');
    const { withdrawal_payout: payout } = await context.settings();
    return transactAgain(db, async (tx) => {
      await refuseWhileFrozen(tx);
      const row = await readForeign(id, { ...context, db: tx });
      await refuseNewAddress(tx, row, context);
      await refuseBeyondCap(tx, row, context);
      const approved = await transition(tx, id, 'approve', { payout, decided_by: actor.user_id, decided_at: now.toISOString() });
      if (!approved) throw decided();
      await clear(tx, approved, actor.user_id);
      await tellUser(tx, approved, 'approved');
      const changes = { before: { state: row.state }, after: { state: approved.state, amount: row.amount, address: row.address } };
      await recordAct(tx, context, { type: 'withdrawal_list/approve', content: { id }, changes });
      return readWithdrawal(tx, id, context);
    });
  },

  async pay({ id, transaction_hash }, context) {
    const { db, vault, now } = context;
    const row = await readForeign(id, context);
    const hash = hashOf(transaction_hash);
    if (row.state !== 'approved') throw new AppError(409, 'withdrawal.not_payable');
    const outcome = await outcomeOf({ db, vault, network }, row, hash);
    if (outcome.state === 'refused') throw invalidField('transaction_hash', outcome.problem);
    return transactAgain(db, async (tx) => {
      const named = await transition(tx, id, 'name_hash', { transaction_hash: hash, problem: null, payout: 'hash' }).catch(
        (error: unknown) => {
          throw violatedConstraint(error) === 'withdrawal_transaction_hash_address_key'
            ? invalidField('transaction_hash', 'hash_used')
            : error;
        },
      );
      if (!named) throw new AppError(409, 'withdrawal.not_payable');
      if (outcome.state === 'paid') await settleWithdrawal(tx, id, { transaction_id: hash, network_fee: 0n }, now);
      else await refreshPages(tx, named);
      const changes = { before: { state: row.state }, after: { state: outcome.state, transaction_hash: hash } };
      await recordAct(tx, context, { type: 'withdrawal_list/pay', content: { id, transaction_hash: hash }, changes });
      return readWithdrawal(tx, id, context);
    });
  },

  async payments({ ids }, context) {
    if (!context.scope.all) throw new AppError(403, 'forbidden');
    return paymentsToMake(context, ids);
  },

  async export_payments(input, context) {
    if (!context.scope.all) throw new AppError(403, 'forbidden');
    await refuseWhileFrozen(context.db);
    const made = await filePayments(context, input);
    if (!made) throw new AppError(409, input.again === undefined ? 'withdrawal.nothing_to_pay' : 'withdrawal.nothing_again');
    context.audit({ after: { file: made.file, ids: made.ids } });
    return { csv: made.csv, payments: made.ids.length, file: made.file, later: made.later };
  },

  async reject({ id, reason }, context) {
    const { db, actor, now, audit } = context;
    const { user_id } = await readForeign(id, context);
    await lockUser(db, user_id);
    const [before] = await db.select({ state: withdrawal.state }).from(withdrawal).where(eq(withdrawal.id, id)).for('update');
    const row = await transition(db, id, 'reject', { reason, decided_by: actor.user_id, decided_at: now.toISOString() });
    if (!row || !before) throw decided();
    await giveBack(db, row, before.state === 'waiting' ? 'hold' : 'clearing', actor.user_id, now);
    await tellUser(db, row, 'rejected');
    audit({ before, after: { id, state: row.state, amount: row.amount, reason } });
    return readWithdrawal(db, id, context);
  },
});
