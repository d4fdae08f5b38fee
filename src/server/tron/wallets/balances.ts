import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import type { TronNode } from '../node/node.ts';
import { toHex } from '../protocol/address.ts';
import type { PayConfigRow } from '../tron.means.ts';
import { tron_wallet } from '../tron.table.ts';
import type { WalletRow } from './wallets.ts';

type Nodes = { node: TronNode; config: PayConfigRow };

/** Asks the network what a wallet holds now, and keeps it. */
export async function readBalances(db: Database, { node, config }: Nodes, { id, address }: Pick<WalletRow, 'id' | 'address'>) {
  const hex = toHex(address);
  const [trx_balance, usdt_balance] = await Promise.all([node.trx(hex), node.tokens(toHex(config.contract), hex)]);
  await db.update(tron_wallet).set({ trx_balance, usdt_balance, balance_at: sql`now()` }).where(eq(tron_wallet.id, id));
  return { trx_balance, usdt_balance };
}
