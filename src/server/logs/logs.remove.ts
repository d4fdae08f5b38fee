import { and, desc, lte, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { leastRetentionDays } from '../../contract/system/log-config.ts';
import { type OperationKind, operationKind } from '../kit/jobs/operations.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { log } from '../kit/rows/tables.ts';
import type { Vault } from '../kit/vault.ts';
import { genesis, hashOfCheckpoint, signatureOf } from './logs.chain.ts';
import { isAlwaysKept, type LogRules, readRules } from './logs.rules.ts';
import { lastSeal, lockChain } from './logs.seal.ts';
import { log_checkpoint } from './logs.table.ts';

const rowsAtOnce = 2000;

type Removal = { reason: 'retention' | 'clear'; user_id: number | null };

/**
 * Removes sealed rows that match, in portions, each with its checkpoint in the chain. What is not sealed yet stays until the next time.
 * @param onPortion hears how many are gone so far; what it throws stops the removal between two portions
 */
export async function removeLogRows(
  db: Database,
  vault: Vault,
  which: SQL,
  removal: Removal,
  onPortion: (removed: number) => void = () => {},
): Promise<number> {
  let removed = 0;
  for (;;) {
    const number = await transact(db, (tx) => removePortion(tx, vault, which, removal));
    removed += number;
    onPortion(removed);
    if (number < rowsAtOnce) return removed;
  }
}

async function removePortion(tx: Database, vault: Vault, which: SQL, { reason, user_id }: Removal): Promise<number> {
  await lockChain(tx);
  const { last_id } = await lastSeal(tx);
  const found = await tx
    .select({ id: log.id })
    .from(log)
    .where(and(which, lte(log.id, last_id)))
    .limit(rowsAtOnce);
  if (found.length === 0) return 0;
  const list = sql.param(found.map((row) => row.id));
  const { rows } = await tx.execute<{ ids: string }>(
    sql`SELECT range_agg(int8range(id, id, '[]'))::text AS ids FROM unnest(${list}::bigint[]) AS id`,
  );
  const ids = rows[0]?.ids ?? '{}';
  const [last] = await tx
    .select({ id: log_checkpoint.id, hash: log_checkpoint.hash })
    .from(log_checkpoint)
    .orderBy(desc(log_checkpoint.id))
    .limit(1);
  const checkpoint = { id: (last?.id ?? 0) + 1, ids, reason, user_id, number: found.length };
  const hash = hashOfCheckpoint(last?.hash ?? genesis, checkpoint);
  await tx.insert(log_checkpoint).values({ ...checkpoint, hash, signature: signatureOf(vault, hash) });
  await tx.execute(sql`
    WITH gone AS (DELETE FROM log WHERE id = ANY(${list}::bigint[]) RETURNING type),
      counted AS (SELECT type, count(*) AS number FROM gone GROUP BY type)
    UPDATE log_type SET number = log_type.number - counted.number FROM counted WHERE counted.type = log_type.type`);
  await tx.execute(sql`DELETE FROM log_type WHERE number <= 0`);
  return found.length;
}

/** Days that rows of this type are kept; those of a type that is not kept go with the next removal. */
export function retentionDays(type: string, rules: LogRules, fallbackDays: number): number {
  const rule = rules.ruleOf(type);
  if (isAlwaysKept(type)) return Math.max(leastRetentionDays, rule?.retention_days ?? fallbackDays);
  return rule && !rule.kept ? 0 : (rule?.retention_days ?? fallbackDays);
}

/** Removes what is older than its rule says. */
export async function applyRetention(
  db: Database,
  vault: Vault,
  { now, log_retention_days }: { now: Date; log_retention_days: number },
): Promise<number> {
  const rules = await readRules(db);
  const { rows: types } = await db.execute<{ type: string }>(sql`SELECT type FROM log_type ORDER BY type`);
  let removed = 0;
  for (const { type } of types) {
    const days = retentionDays(type, rules, log_retention_days);
    const isOver = sql`${log.type} = ${type} AND ${log.at} < ${now.toISOString()}::timestamptz - make_interval(days => ${days})`;
    removed += await removeLogRows(db, vault, isOver, { reason: 'retention', user_id: null });
  }
  return removed;
}

/** What `log/clear` starts. */
export const clearLogKind = (vault: Vault): OperationKind =>
  operationKind(
    'log_clear',
    z.object({ older_than_days: z.number(), type: z.string().optional() }),
    async ({ older_than_days, type }, { db, now, person, signal, progress }) => {
      const isOld = sql`${log.at} < ${now.toISOString()}::timestamptz - make_interval(days => ${older_than_days})`;
      const which = sql`${type === undefined ? sql`true` : sql`${log.type} = ${type}`} AND ${isOld}`;
      progress(0, await db.$count(log, which));
      const removed = await removeLogRows(db, vault, which, { reason: 'clear', user_id: person.user_id }, (done) => {
        progress(done);
        signal.throwIfAborted();
      });
      return { message: { key: 'async_operations.message.cleared', params: { rows: removed } } };
    },
  );
