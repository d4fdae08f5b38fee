import { and, eq, inArray, sql } from 'drizzle-orm';
import type { RestoredCopyState, restoredCopy } from '../../contract/system/restored-copy.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Service } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { countWaitingPushes } from '../pushes/pushes.public.ts';
import { tron_send } from '../tron/tron.table.ts';
import { countWaitingWebhooks } from '../webhooks/webhooks.public.ts';
import { withdrawal } from '../withdrawals/withdrawals.table.ts';
import { readRestoredCopy } from './restored-copy.public.ts';
import { restored_copy } from './restored-copy.table.ts';

async function readState(db: Database): Promise<RestoredCopyState> {
  const copy = await readRestoredCopy(db);
  const isUnsent = inArray(tron_send.state, ['queued', 'signed']);
  const approved = await db.$count(withdrawal, and(eq(withdrawal.state, 'approved'), eq(withdrawal.payout, 'server')));
  const planned = await db.$count(tron_send, and(isUnsent, eq(tron_send.purpose, 'payout')));
  return {
    backed_up_at: copy?.backed_up_at ?? null,
    restored_at: copy?.restored_at ?? null,
    waiting: {
      webhooks: await countWaitingWebhooks(db),
      pushes: await countWaitingPushes(db),
      payouts: approved + planned,
      collections: await db.$count(tron_send, and(isUnsent, sql`${tron_send.purpose} <> 'payout'`)),
    },
  };
}

export const restoredCopyService: Service<typeof restoredCopy> = {
  inquire: (_input, { db }) => readState(db),

  declare_site: (_input, context) =>
    transact(context.db, async (tx) => {
      const { waiting } = await readState(tx);
      const [copy] = await tx.delete(restored_copy).returning();
      if (!copy) throw new AppError(409, 'restored_copy.released');
      await recordAct(tx, context, { type: 'restored_copy/declare_site', content: { backed_up_at: copy.backed_up_at, ...waiting } });
      return readState(tx);
    }),
};
