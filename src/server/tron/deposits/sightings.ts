import { and, eq, gt, sql } from 'drizzle-orm';
import { socketTypes } from '../../../contract/socket.ts';
import { pushToPages } from '../../kit/messages/push.ts';
import { transact } from '../../kit/postgres/database.ts';
import { tron_position, usdt_sighting } from '../tron.table.ts';
import { walletsAmong } from './credit.ts';
import type { Position, Scanner } from './scan.ts';
import { transfersIn } from './transfers.ts';

/** Blocks above the solid ones; an earlier one was read when it was new. */
const maxBlocks = 30;

/**
 * Looks for payments in blocks that are not solid yet, for those who wait for one: they see it within seconds, and it counts a minute later.
 * All such blocks are read anew each time: a reorganisation may have changed any of them.
 */
export async function lookForSightings({ db, config, node }: Scanner, position: Position): Promise<void> {
  const head = await node.head();
  if (head.number === position.seen_block) return;
  const from = Math.max(position.block, head.number - maxBlocks) + 1;
  const infos = (
    await Promise.all(Array.from({ length: Math.max(0, head.number - from + 1) }, (_, index) => node.freshInfos(from + index)))
  ).flat();
  const transfers = transfersIn(infos, config.contract);
  const wallets = await walletsAmong(db, transfers);
  const rows = transfers.flatMap(({ receiver, ...transfer }) => {
    const user_id = wallets.get(receiver)?.user_id;
    return user_id && !wallets.has(transfer.sender) ? [{ ...transfer, contract: config.contract, user_id }] : [];
  });
  await transact(db, async (tx) => {
    const gone = await tx
      .delete(usdt_sighting)
      .where(and(eq(usdt_sighting.contract, config.contract), gt(usdt_sighting.block, position.block)))
      .returning({ fingerprint: usdt_sighting.fingerprint, user_id: usdt_sighting.user_id });
    if (rows.length > 0) await tx.insert(usdt_sighting).values(rows).onConflictDoNothing();
    await tx.update(tron_position).set({ seen_block: head.number }).where(eq(tron_position.contract, config.contract));
    // Who waits sees each further block.
    const users = [...new Set([...rows, ...gone].map(({ user_id }) => user_id))];
    if (users.length > 0) await pushToPages(tx, { to: { user_ids: users }, type: socketTypes.deposit, content: { state: 'confirming' } });
  });
}

/** So many blocks stand above a sighting, as far as the network was looked at. */
export const confirmationsOf = sql<number>`greatest(0, coalesce((SELECT seen_block FROM tron_position WHERE tron_position.contract = usdt_sighting.contract), 0) - usdt_sighting.block)`;
