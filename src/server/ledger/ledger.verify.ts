import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Verification } from '../../contract/money/bill.ts';
import type { Database } from '../kit/postgres/database.ts';
import { user_account } from '../users/users.table.ts';
import { ledger_verification } from './ledger.table.ts';

type Fault = Verification['faults'][number];
type Row = { place: string; expected: string; found: string };

/** So many of a kind are told; one is reason enough to look. */
const maxFaults = 20;

const accountName = sql`concat_ws(' ', account.kind, account.owner_id, account.asset)`;

const usdtOf = (millionths: SQL) => sql`(${millionths} / 1000000.0)::numeric(30, 6)::text`;

/** Each statement finds what breaks one rule: where it is, what should be there, and what is. */
const rules: Record<Fault['code'], SQL> = {
  asset_sum: sql`
    SELECT asset AS place, '0' AS expected, sum(balance)::text AS found FROM ledger_account GROUP BY asset HAVING sum(balance) <> 0`,
  transfer_sum: sql`
    SELECT transfer.id::text AS place, '0' AS expected, coalesce(sum(amount)::text, 'none') AS found
    FROM ledger_transfer AS transfer LEFT JOIN (ledger_entry AS entry JOIN ledger_account AS account ON account.id = entry.account_id)
      ON entry.transfer_id = transfer.id
    GROUP BY transfer.id, account.asset HAVING coalesce(sum(amount), 1) <> 0`,
  balance: sql`
    SELECT ${accountName} AS place, coalesce(sum(amount), 0)::text AS expected, account.balance::text AS found
    FROM ledger_account AS account LEFT JOIN ledger_entry AS entry ON entry.account_id = account.id
    GROUP BY account.id HAVING coalesce(sum(amount), 0) <> account.balance`,
  version: sql`
    SELECT ${accountName} AS place, count(entry.id)::text AS expected, account.version::text AS found
    FROM ledger_account AS account LEFT JOIN (
      SELECT *, sum(amount) OVER (PARTITION BY account_id ORDER BY account_version) AS running FROM ledger_entry
    ) AS entry ON entry.account_id = account.id
    GROUP BY account.id
    HAVING count(entry.id) <> account.version OR coalesce(max(account_version), 0) <> account.version OR bool_or(running <> balance_after)`,
  negative: sql`
    SELECT ${accountName} AS place, '>= 0' AS expected, balance::text AS found FROM ledger_account AS account
    WHERE balance < 0 AND kind IN ('user_available', 'user_hold', 'share_hold', 'suspense', 'payout_clearing')
      OR balance > 0 AND kind = 'share_debt'`,
  rule_off: sql`
    SELECT name AS place, 'O' AS expected, coalesce(tgenabled::text, 'none') AS found
    FROM unnest(ARRAY['ledger_transfer_unchanged', 'ledger_entry_unchanged', 'ledger_account_kept', 'ledger_account_unchanged',
      'ledger_account_begins_empty', 'ledger_entry_moves_balance', 'ledger_transfer_balances', 'ledger_entry_balances']) AS name
      LEFT JOIN pg_trigger ON tgname = name WHERE tgenabled IS DISTINCT FROM 'O'`,
  paid_order: sql`
    SELECT paid.order_no AS place, '1' AS expected, count(transfer.id)::text AS found
    FROM combo_order AS paid LEFT JOIN ledger_transfer AS transfer
      ON transfer.kind = 'order' AND transfer.ref_type = 'order' AND transfer.ref_id = paid.id::text
    WHERE paid.status = 2 AND paid.amount > 0 GROUP BY paid.id HAVING count(transfer.id) <> 1`,
  deposit: sql`
    SELECT coalesce(fingerprint, ref_id) AS place, ${usdtOf(sql`coalesce(moved.amount, 0)`)} AS expected,
      ${usdtOf(sql`coalesce(booked.amount, 0)`)} AS found
    FROM (SELECT fingerprint, amount FROM usdt_transaction WHERE type = 'deposit') AS moved
      FULL JOIN (SELECT transfer.ref_id, -sum(entry.amount) AS amount FROM ledger_transfer AS transfer
        JOIN ledger_entry AS entry ON entry.transfer_id = transfer.id JOIN ledger_account AS account ON account.id = entry.account_id
        WHERE transfer.ref_type = 'usdt_transaction' AND transfer.kind IN ('deposit', 'deposit_aside') AND account.kind = 'chain_deposit'
        GROUP BY transfer.ref_id) AS booked ON booked.ref_id = moved.fingerprint
    WHERE moved.amount IS DISTINCT FROM booked.amount`,
  // Both are of one block: what a node said of a wallet, and what was written down of its transfers up to there.
  chain_wallet: sql`
    SELECT wallet.address AS place, ${usdtOf(sql`coalesce(sum(moved.amount), 0)`)} AS expected, ${usdtOf(sql`reading.usdt_balance`)} AS found
    FROM tron_reading AS reading JOIN tron_wallet AS wallet ON wallet.id = reading.wallet_id
      JOIN tron_position AS position ON position.contract = reading.contract AND position.block >= reading.block
      LEFT JOIN (SELECT contract, block, receiver AS address, amount FROM usdt_transaction
        UNION ALL SELECT contract, block, sender, -amount FROM usdt_transaction) AS moved
        ON moved.address = wallet.address AND moved.contract = reading.contract AND moved.block <= reading.block
    GROUP BY wallet.id, reading.wallet_id HAVING coalesce(sum(moved.amount), 0) <> reading.usdt_balance`,
};

/** Each rule is one statement and so sees the ledger of one moment, whatever is moved meanwhile. */
export async function findFaults(db: Database): Promise<Pick<Verification, 'transfers' | 'entries' | 'faults'>> {
  const faults: Fault[] = [];
  for (const [code, rule] of Object.entries(rules)) {
    const { rows } = await db.execute<Row>(sql`${rule} LIMIT ${maxFaults}`);
    faults.push(...rows.map(({ place, ...fault }) => ({ code: code as Fault['code'], where: place, ...fault })));
  }
  const { rows } = await db.execute<{ transfers: number; entries: number }>(
    sql`SELECT (SELECT count(*) FROM ledger_transfer) AS transfers, (SELECT count(*) FROM ledger_entry) AS entries`,
  );
  return { transfers: 0, entries: 0, ...rows[0], faults };
}

const lifter = alias(user_account, 'lifter');

/** What the last verification found; undefined before the first. */
export async function lastVerification(db: Database): Promise<Verification | undefined> {
  const { lifted_by: _by, ...columns } = getTableColumns(ledger_verification);
  const [last] = await db
    .select({ ...columns, lifted_by_account: sql<string | null>`${lifter.account}` })
    .from(ledger_verification)
    .leftJoin(lifter, eq(lifter.id, ledger_verification.lifted_by))
    .orderBy(desc(ledger_verification.id))
    .limit(1);
  return last;
}

/** Goes over the ledger and keeps what was found. What was let go on goes on while the same is found. */
export async function verifyLedger(db: Database): Promise<Verification> {
  const found = await findFaults(db);
  await db.execute(sql`
    INSERT INTO ledger_verification (transfers, entries, faults, lifted_at, lifted_by, lift_reason)
    SELECT ${found.transfers}, ${found.entries}, given.faults, last.lifted_at, last.lifted_by, coalesce(last.lift_reason, '')
    FROM (SELECT ${JSON.stringify(found.faults)}::jsonb AS faults) AS given
      LEFT JOIN LATERAL (SELECT * FROM ledger_verification ORDER BY id DESC LIMIT 1) AS last ON last.faults = given.faults AND last.faults <> '[]'`);
  const kept = await lastVerification(db);
  if (!kept) throw new Error('the verification was not returned');
  return kept;
}
