import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../kit/calls/errors.ts';
import { type Database, transactAgain } from '../../kit/postgres/database.ts';
import { expireOrders } from '../../orders/orders.public.ts';
import type { NodeBlock, TransactionInfo } from '../node/answers.ts';
import type { TronNode } from '../node/node.ts';
import type { PayConfigRow } from '../tron.means.ts';
import { tron_position, usdt_sighting } from '../tron.table.ts';
import { recordTransfers, walletsAmong } from './credit.ts';
import { isPayout, recordPayouts } from './payouts.ts';
import { sameTransfers, transfersIn } from './transfers.ts';

export type Position = typeof tron_position.$inferSelect;
export type Scanner = { db: Database; config: PayConfigRow; node: TronNode; second: TronNode | undefined; signal?: AbortSignal };

/** A block of the main network with its transactions is large: so many headers are asked for at once. */
const blocksAtOnce = 20;
const requestsAtOnce = 8;

const disagree = (block: number) => new AppError(409, 'tron.disagree', { params: { block } });

/** Runs over items, so many at once, and answers in their order. */
async function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += requestsAtOnce)
    results.push(...(await Promise.all(items.slice(at, at + requestsAtOnce).map(run))));
  return results;
}

/** Blocks that follow each other, the first one on what was read before. */
function checkChain(blocks: readonly NodeBlock[], from: number, parent: string | undefined): void {
  for (const [index, block] of blocks.entries()) {
    const before = index === 0 ? parent : blocks[index - 1]?.id;
    if (block.number !== from + index || (before !== undefined && block.parent !== before)) throw disagree(from + index);
  }
}

/** The transfers of solid blocks that concern us, agreed on by both nodes where there are two. */
async function readBlocks(scanner: Scanner, from: number, to: number, parent: string | undefined) {
  const { config, node, second, db } = scanner;
  const blocks = await node.blocks(from, to + 1);
  checkChain(blocks, from, parent);
  const last = blocks.at(-1);
  if (!last) throw disagree(from);
  if (second) {
    const [theirs] = await second.blocks(last.number, last.number + 1);
    if (theirs?.id !== last.id) throw disagree(last.number);
  }
  const infos = await inParallel(blocks, async ({ number }) => ownInfos(await node.infos(number), number));
  const transfers = infos.flatMap((own) => transfersIn(own, config.contract));
  const wallets = await walletsAmong(db, transfers);
  const ours = transfers.filter((transfer) => wallets.has(transfer.sender) || wallets.has(transfer.receiver) || isPayout(transfer, config));
  if (second && ours.length > 0)
    for (const block of new Set(ours.map((transfer) => transfer.block))) {
      const theirs = transfersIn(ownInfos(await second.infos(block), block), config.contract);
      if (
        !sameTransfers(
          transfers.filter((transfer) => transfer.block === block),
          theirs,
        )
      )
        throw disagree(block);
    }
  return { last, ours, wallets };
}

/** A node that answers for another block than it was asked for is not believed. */
function ownInfos(infos: TransactionInfo[], block: number): TransactionInfo[] {
  if (infos.some((info) => info.block !== block)) throw disagree(block);
  return infos;
}

/** The last block that all nodes call solid. */
async function solidHead({ node, second }: Scanner): Promise<NodeBlock> {
  const heads = await Promise.all([node.solidHead(), ...(second ? [second.solidHead()] : [])]);
  return heads.reduce((least, head) => (head.number < least.number ? head : least));
}

/** Where reading begins: at the network's present end, the first time that its contract is configured. */
export async function openPosition(scanner: Scanner): Promise<Position> {
  const { db, config } = scanner;
  const isOwn = eq(tron_position.contract, config.contract);
  const [present] = await db.select().from(tron_position).where(isOwn);
  if (present) return present;
  const head = await solidHead(scanner);
  const at = { block: head.number, block_id: head.id, block_at: new Date(head.timestamp).toISOString() };
  const values = { contract: config.contract, ...at, first_block: head.number, solid_head: head.number, seen_block: head.number };
  await db.insert(tron_position).values(values).onConflictDoNothing();
  const [made] = await db.select().from(tron_position).where(isOwn);
  if (!made) throw new Error('the position was not returned');
  return made;
}

/**
 * Reads the blocks after a position and moves it, in the transaction that counts what stands in them. Another watcher that read them at the
 * same time finds the position moved, and has done nothing. Answers the position then; undefined where there is nothing more.
 */
export async function scanOn(scanner: Scanner, position: Position): Promise<Position | undefined> {
  const { db, config } = scanner;
  const head = await solidHead(scanner);
  if (head.number <= position.block) return undefined;
  const to = Math.min(head.number, position.block + blocksAtOnce);
  const { last, ours, wallets } = await readBlocks(scanner, position.block + 1, to, position.block_id);
  return transactAgain(db, async (tx) => {
    const [moved] = await tx
      .update(tron_position)
      .set({
        ...{ block: last.number, block_id: last.id, block_at: new Date(last.timestamp).toISOString(), solid_head: head.number },
        ...{ last_error: null, last_error_params: null, last_error_at: null, updated_at: sql`now()` },
      })
      .where(and(eq(tron_position.contract, config.contract), eq(tron_position.block, position.block)))
      .returning();
    if (!moved) {
      const [other] = await tx.select().from(tron_position).where(eq(tron_position.contract, config.contract));
      return other;
    }
    await recordTransfers(tx, ours, wallets, config);
    await recordPayouts(tx, ours, config);
    // After what these blocks pay for: an order's time is over when all of it was read.
    await expireOrders(tx, new Date(last.timestamp));
    await tx.delete(usdt_sighting).where(and(eq(usdt_sighting.contract, config.contract), sql`${usdt_sighting.block} <= ${last.number}`));
    return moved;
  });
}

/** Reads blocks again that were read before, for what a wallet or a contract was missing then. Answers how many transfers of ours it met. */
export async function rescan(scanner: Scanner, from: number, to: number, onRead: (block: number) => void): Promise<number> {
  let met = 0;
  let parent: string | undefined;
  for (let at = from; at <= to; at += blocksAtOnce) {
    scanner.signal?.throwIfAborted();
    const { last, ours, wallets } = await readBlocks(scanner, at, Math.min(to, at + blocksAtOnce - 1), parent);
    parent = last.id;
    await transactAgain(scanner.db, async (tx) => {
      await recordTransfers(tx, ours, wallets, scanner.config);
      await recordPayouts(tx, ours, scanner.config);
    });
    met += ours.length;
    onRead(last.number);
  }
  return met;
}
