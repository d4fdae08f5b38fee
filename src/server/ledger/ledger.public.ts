import { type SQL, sql } from 'drizzle-orm';
import { least } from '../../contract/money/amounts.ts';
import type { TransferKind } from '../../contract/money/ledger.ts';
import { violatedConstraint } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { AccountKind, Asset } from './ledger.table.ts';

/** Accounts of users (`user_available`, `user_hold`, `share_hold`, `share_debt`) have an owner, those of the site none. USDT unless it is said otherwise. */
export type AccountKey = { kind: AccountKind; owner_id?: number; asset?: Asset };
export type Entry = { account: AccountKey; amount: bigint };
export type Transfer = {
  kind: TransferKind;
  /** What it is made for: of one kind there is one transfer for each. */
  ref: { type: string; id: string };
  actor_id?: number | null;
  note?: string;
  /** Millionths; they sum to 0 for each asset. One that is 0 moves nothing and is left out. */
  entries: readonly Entry[];
};

/**
 * Moves money within the caller's transaction, once for each kind and reference: repeated, it moves nothing and answers the first transfer.
 * Two that come at once wait for each other. What the ledger refuses (a sum that is not 0, a user's balance below 0: `isInsufficient`)
 * fails the transaction.
 */
export async function post(tx: Database, transfer: Transfer): Promise<{ posted: boolean; transfer_id: string }> {
  const entries = transfer.entries.filter(({ amount }) => amount !== 0n);
  const { kind, ref, actor_id = null, note = '' } = transfer;
  const inserted = await tx.execute<{ id: string }>(sql`
    INSERT INTO ledger_transfer (kind, ref_type, ref_id, actor_id, note) VALUES (${kind}, ${ref.type}, ${ref.id}, ${actor_id}, ${note})
    ON CONFLICT (kind, ref_type, ref_id) DO NOTHING RETURNING id`);
  const transfer_id = inserted.rows[0]?.id;
  if (!transfer_id) return { posted: false, transfer_id: await idOf(tx, transfer) };
  await insertEntries(tx, transfer_id, entries);
  return { posted: true, transfer_id };
}

/** Whether somebody would have had less than nothing. */
export const isInsufficient = (error: unknown): boolean => violatedConstraint(error) === 'ledger_account_kind_balance_check';

async function idOf(tx: Database, { kind, ref }: Transfer): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`SELECT id FROM ledger_transfer WHERE kind = ${kind} AND ref_type = ${ref.type} AND ref_id = ${ref.id}`,
  );
  if (!rows[0]) throw new Error('the transfer that stood in the way is not visible');
  return rows[0].id;
}

const recordsOf = (entries: readonly Entry[]): SQL => {
  const records = entries.map(({ account: { kind, owner_id = null, asset = 'USDT' }, amount }) => ({
    ...{ kind, owner_id, asset },
    // As text: JSON has no integers of this size.
    amount: amount.toString(),
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS entry (kind text, owner_id bigint, asset text, amount bigint)`;
};

const isOfEntry = sql`ledger_account.kind = entry.kind AND ledger_account.asset = entry.asset
  AND ledger_account.owner_id IS NOT DISTINCT FROM entry.owner_id`;

/** Accounts come to be with their first entry. Entries are inserted, and their accounts locked, in the order of accounts. */
async function insertEntries(tx: Database, transfer_id: string, entries: readonly Entry[]): Promise<void> {
  const records = recordsOf(entries);
  await tx.execute(sql`
    INSERT INTO ledger_account (kind, owner_id, asset)
    SELECT DISTINCT kind, owner_id, asset FROM ${records} WHERE NOT EXISTS (SELECT FROM ledger_account WHERE ${isOfEntry})
    ORDER BY kind, owner_id, asset
    ON CONFLICT DO NOTHING`);
  const { rowCount } = await tx.execute(sql`
    INSERT INTO ledger_entry (transfer_id, account_id, amount)
    SELECT ${transfer_id}::uuid, ledger_account.id, amount FROM ${records} JOIN ledger_account ON ${isOfEntry}
    ORDER BY ledger_account.id`);
  if (rowCount !== entries.length) throw new Error(`${rowCount} of ${entries.length} entries were written`);
}

/** Millionths; 0 where the account has no entry yet. */
export async function balanceOf(tx: Database, { kind, owner_id, asset = 'USDT' }: AccountKey): Promise<bigint> {
  const { rows } = await tx.execute<{ balance: string }>(sql`
    SELECT balance::text FROM ledger_account
    WHERE kind = ${kind} AND asset = ${asset} AND owner_id IS NOT DISTINCT FROM ${owner_id ?? null}::bigint`);
  return BigInt(rows[0]?.balance ?? '0');
}

/** The same, locked until the transaction ends: what was found is still there when it is spent. */
export async function lockBalance(tx: Database, { kind, owner_id, asset = 'USDT' }: AccountKey): Promise<bigint> {
  const { rows } = await tx.execute<{ balance: string }>(sql`
    SELECT balance::text FROM ledger_account
    WHERE kind = ${kind} AND asset = ${asset} AND owner_id IS NOT DISTINCT FROM ${owner_id ?? null}::bigint FOR UPDATE`);
  return BigInt(rows[0]?.balance ?? '0');
}

/** Of a user's available money these move what he earned; everything else moves the rest of it first. */
const earnedKinds: readonly TransferKind[] = ['share', 'share_release', 'share_refund', 'withdrawal_hold', 'withdrawal_return'];
const isEarned = sql`transfer.kind = ANY(${sql.param(earnedKinds)}::text[])`;

/** What moved a user's available money; orders that were given back, and their refunds, are left out. */
const movesOf = (owner_id: number): SQL => sql`
  FROM ledger_account AS account JOIN ledger_entry AS entry ON entry.account_id = account.id
    JOIN ledger_transfer AS transfer ON transfer.id = entry.transfer_id
  WHERE account.kind = 'user_available' AND account.asset = 'USDT' AND account.owner_id = ${owner_id}
    AND transfer.kind <> 'order_refund' AND NOT (transfer.kind = 'order' AND EXISTS (SELECT FROM ledger_transfer AS refund
      WHERE refund.kind = 'order_refund' AND refund.ref_type = transfer.ref_type AND refund.ref_id = transfer.ref_id))`;

/**
 * The millionths that a user may withdraw: what he earned, less what he withdrew or owes, and less what he spent beyond the money that he
 * paid in or was given. An order that was given back counts as never paid. Exact as long as the caller has locked the user.
 */
export async function withdrawableOf(tx: Database, owner_id: number): Promise<bigint> {
  const { rows } = await tx.execute<{ millionths: string }>(sql`
    WITH moved AS (SELECT entry.amount, entry.account_version, ${isEarned} AS is_earned ${movesOf(owner_id)}), rest AS (SELECT sum(amount) OVER (ORDER BY account_version) AS so_far FROM moved WHERE NOT is_earned)
    SELECT greatest(0, coalesce((SELECT sum(amount) FROM moved WHERE is_earned), 0) + least(0, (SELECT min(so_far) FROM rest))
      + coalesce((SELECT balance FROM ledger_account WHERE kind = 'share_debt' AND asset = 'USDT' AND owner_id = ${owner_id}), 0)
    )::text AS millionths`);
  return BigInt(rows[0]?.millionths ?? '0');
}

/**
 * The millionths of a user's available money that were given to him. Orders, and gifts that are taken back, take granted money first;
 * payments that are taken back the money that was paid in; nothing takes what was earned before both are gone. An order that was given back
 * counts as never paid. Exact as long as the caller has locked the user. An order
 * for which a payment came in takes that.
 */
export async function grantedOf(tx: Database, owner_id: number): Promise<bigint> {
  const { rows } = await tx.execute<{ amount: string; kind: TransferKind; takes_paid: boolean }>(sql`
    SELECT entry.amount::text AS amount, transfer.kind, transfer.kind = 'balance_payment' OR transfer.kind = 'order' AND EXISTS (
      SELECT FROM ledger_transfer AS payment WHERE payment.kind = 'balance_payment' AND payment.ref_type = 'order'
        AND payment.ref_id = transfer.ref_id) AS takes_paid
    ${movesOf(owner_id)} AND NOT ${isEarned} ORDER BY entry.account_version`);
  const left = { granted: 0n, paid: 0n };
  for (const { kind, takes_paid, ...row } of rows) {
    const amount = BigInt(row.amount);
    if (amount > 0n) left[kind === 'balance_edit' ? 'granted' : 'paid'] += amount;
    else take(left, -amount, takes_paid ? ['paid', 'granted'] : ['granted', 'paid']);
  }
  return left.granted;
}

function take<Part extends string>(left: Record<Part, bigint>, amount: bigint, order: readonly Part[]): void {
  let missing = amount;
  for (const part of order) {
    const taken = least(left[part], missing);
    left[part] -= taken;
    missing -= taken;
  }
}

/** Whether the last verification found nothing wrong, or nothing but what an administrator let go on: only then does money leave the site. */
export async function isLedgerSound(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ is_sound: boolean }>(
    sql`SELECT jsonb_array_length(faults) = 0 OR lifted_at IS NOT NULL AS is_sound FROM ledger_verification ORDER BY id DESC LIMIT 1`,
  );
  return rows[0]?.is_sound ?? true;
}

/** Millionths that the database holds, as USDT with six decimals. */
export const amountSql = (millionths: SQL): SQL<string> => sql<string>`round(${millionths}::numeric / 1000000, 6)::text`;

/** A user's available millionths, in a query that has his id. */
export const availableSql = (user_id: SQL): SQL<number> =>
  sql<number>`coalesce((SELECT balance FROM ledger_account WHERE kind = 'user_available' AND asset = 'USDT' AND owner_id = ${user_id}), 0)`;

/** What a user has, in all: what is reserved for a withdrawal is his, and so are shares that are held. His debt is none of it. */
export const wealthSql = (user_id: SQL): SQL<number> =>
  sql<number>`coalesce((SELECT sum(balance) FROM ledger_account
    WHERE asset = 'USDT' AND kind <> 'share_debt' AND owner_id = ${user_id}), 0)`;
