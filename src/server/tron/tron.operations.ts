import { asc, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { amountOf } from '../../contract/money/amounts.ts';
import { type OperationKind, operationKind } from '../kit/jobs/operations.ts';
import { collect } from './collections/collecting.ts';
import { openPosition, rescan } from './deposits/scan.ts';
import { type Means, openNodes } from './tron.means.ts';
import { tron_wallet } from './tron.table.ts';
import { readBalances } from './wallets/balances.ts';

/** Work on wallets and blocks that a user asks for and waits for. */
export const tronKinds = ({ vault, network }: Omit<Means, 'db'>): OperationKind[] => [
  operationKind('usdt_rescan', z.object({ block: z.number() }), async ({ block }, { db, signal, progress }) => {
    const scanner = { db, ...(await openNodes({ db, vault, network }, signal)), signal };
    const { block: last } = await openPosition(scanner);
    const total = Math.max(0, last - block + 1);
    progress(0, total);
    const number = await rescan(scanner, block, last, (read) => progress(read - block + 1, total));
    return { message: { key: 'async_operations.message.usdt_rescanned', params: { blocks: total, number } } };
  }),
  operationKind('tron_synchronise', z.object({}), async (_input, { db, signal, progress }) => {
    const nodes = await openNodes({ db, vault, network }, signal);
    const wallets = await db.select().from(tron_wallet).where(isNull(tron_wallet.removed_at)).orderBy(asc(tron_wallet.id));
    progress(0, wallets.length);
    for (const [index, wallet] of wallets.entries()) {
      signal.throwIfAborted();
      await readBalances(db, nodes, wallet);
      progress(index + 1, wallets.length);
    }
    return { message: { key: 'async_operations.message.tron_synchronised', params: { number: wallets.length } } };
  }),
  operationKind('tron_collect', z.object({ ids: z.array(z.number()).optional() }), async ({ ids }, { db, actor, signal, progress }) => {
    const { begun, skipped, amount } = await collect({ db, vault, network }, { ids, actor_id: actor.user_id, signal, progress });
    const params = { number: begun, skipped, amount: amountOf(amount).replace(/(\.\d{2}\d*?)0+$/, '$1') };
    return { message: { key: 'async_operations.message.tron_collected', params } };
  }),
];
