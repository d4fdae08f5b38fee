import { and, eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { tron_send, tron_send_attempt } from '../tron.table.ts';
import { type SendEvent, type SendPurpose, transitions } from './states.ts';

export type SendRow = typeof tron_send.$inferSelect;
export type NewSend = Pick<SendRow, 'purpose' | 'ref_id' | 'wallet_id' | 'contract' | 'asset' | 'receiver' | 'amount' | 'fee_limit'>;
type Set = Omit<PgUpdateSetSource<typeof tron_send>, 'id' | 'state' | 'purpose' | 'ref_id'>;

/** What a purpose does in the transaction of its send's change. */
export type SendHooks = {
  signed?: (tx: Database, send: SendRow) => Promise<void>;
  ok: (tx: Database, send: SendRow) => Promise<void>;
  failed?: (tx: Database, send: SendRow) => Promise<void>;
  cancelled?: (tx: Database, send: SendRow) => Promise<void>;
};
export type Hooks = Record<SendPurpose, SendHooks>;

/** Asks for something to be sent, once for each purpose and reference; the transaction decides whether it is. */
export async function enqueueSend(tx: Database, send: NewSend): Promise<boolean> {
  const made = await tx.insert(tron_send).values(send).onConflictDoNothing().returning({ id: tron_send.id });
  return made.length > 0;
}

/**
 * Changes the state of a send as the event says, and what hangs on it, if it still is as it was read: of several who come at once one does.
 * Undefined where it was not any more, or where the event cannot come upon its state.
 */
export async function moveSend(tx: Database, send: SendRow, event: SendEvent, set: Set = {}): Promise<SendRow | undefined> {
  const state = transitions[send.state][event];
  if (!state) return undefined;
  const [moved] = await tx
    .update(tron_send)
    .set({ ...set, state, updated_at: sql`now()` })
    .where(
      and(
        eq(tron_send.id, send.id),
        eq(tron_send.state, send.state),
        sql`${tron_send.transaction_hash} IS NOT DISTINCT FROM ${send.transaction_hash}`,
        eq(tron_send.attempts, send.attempts),
      ),
    )
    .returning();
  return moved;
}

const nothingSigned = { transaction_hash: null, raw: null, signature: null, expiration: null, broadcast_at: null };
const attemptOf = ({ id, transaction_hash }: SendRow) =>
  and(eq(tron_send_attempt.send_id, id), eq(tron_send_attempt.transaction_hash, transaction_hash ?? ''));

/** No block can have the transaction any more: another one may be signed. */
export const expireSend = (db: Database, send: SendRow): Promise<SendRow | undefined> =>
  transact(db, async (tx) => {
    const moved = await moveSend(tx, send, 'expired', { ...nothingSigned, due_at: sql`now()` });
    if (moved) await tx.update(tron_send_attempt).set({ outcome: 'expired' }).where(attemptOf(send));
    return moved;
  });

/** A solid block has the transaction. What it was for is settled in the same transaction. */
export const finishSend = (
  db: Database,
  hooks: Hooks,
  send: SendRow,
  { ok, block, fee, error }: { ok: boolean; block: number; fee: bigint; error: string | null },
): Promise<SendRow | undefined> =>
  transact(db, async (tx) => {
    const moved = await moveSend(tx, send, ok ? 'found_ok' : 'found_failed', { block, fee, last_error: error });
    if (!moved) return undefined;
    await tx
      .update(tron_send_attempt)
      .set({ outcome: ok ? 'ok' : 'failed' })
      .where(attemptOf(send));
    const own = hooks[moved.purpose];
    if (ok) await own.ok(tx, moved);
    else await own.failed?.(tx, moved);
    return moved;
  });

/** An administrator's: held, failed ones are sent again; those of which nothing can count any more are given up. */
export async function retrySend(tx: Database, send: SendRow): Promise<SendRow | undefined> {
  return moveSend(tx, send, 'retry', { ...nothingSigned, attempts: 0, last_error: null, block: null, due_at: sql`now()` });
}

export async function cancelSend(tx: Database, hooks: Hooks, send: SendRow): Promise<SendRow | undefined> {
  const moved = await moveSend(tx, send, 'cancel');
  if (moved) await hooks[moved.purpose].cancelled?.(tx, moved);
  return moved;
}
