import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm';
import { amountOf } from '../../contract/money/amounts.ts';
import type { tronGroup, Wallet } from '../../contract/money/tron.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { transact } from '../kit/postgres/database.ts';
import { contains, isOneOf, list, matches } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { previewCollection, requireCollection } from './collections/collecting.ts';
import { toBase58, toHex } from './protocol/address.ts';
import { openNodes } from './tron.means.ts';
import { tron_wallet } from './tron.table.ts';
import { readBalances } from './wallets/balances.ts';
import { makeMissingWallets, privateKeyOf } from './wallets/wallets.ts';

/** All that is told of a wallet: a private key is in no list. */
const fields = {
  id: tron_wallet.id,
  address: tron_wallet.address,
  public_key: sql<string>`encode(${tron_wallet.public_key}, 'hex')`,
  purpose: tron_wallet.purpose,
  user_id: tron_wallet.user_id,
  account: user_account.account,
  trx_balance: tron_wallet.trx_balance,
  usdt_balance: tron_wallet.usdt_balance,
  balance_at: tron_wallet.balance_at,
  removed_at: tron_wallet.removed_at,
  created_at: tron_wallet.created_at,
};
const joins = [[user_account, eq(user_account.id, tron_wallet.user_id)]] as const;
type Row = Omit<Wallet, 'address_hex' | 'trx_balance' | 'usdt_balance'> & { trx_balance: bigint; usdt_balance: bigint };

const shown = ({ trx_balance, usdt_balance, ...row }: Row): Wallet => ({
  ...row,
  address_hex: toHex(row.address),
  trx_balance: amountOf(trx_balance),
  usdt_balance: amountOf(usdt_balance),
});

/** An address is found in either form. */
const addressOf = (search: string | undefined): string | undefined => {
  const text = search?.trim() ?? '';
  if (!/^(0x)?41[0-9a-f]{40}$/i.test(text)) return search;
  return toBase58(text.toLowerCase().replace(/^0x/, ''));
};

/** @param network keeps requests away from addresses inside */
export const createTronService = (network: GuardedNetwork): Service<typeof tronGroup> => ({
  async inquire({ search, purpose, removed, funded, ...input }, { db }) {
    const where = and(
      contains([tron_wallet.address, user_account.account], addressOf(search)),
      matches(tron_wallet, { purpose }),
      removed === undefined ? undefined : removed ? isNotNull(tron_wallet.removed_at) : isNull(tron_wallet.removed_at),
      funded === undefined
        ? undefined
        : funded
          ? or(sql`usdt_balance > 0`, sql`trx_balance > 0`)
          : sql`usdt_balance = 0 AND trx_balance = 0`,
    );
    const page = await list(db, input, { fields, from: tron_wallet, joins, where, sorts: tron_wallet, key: tron_wallet.id });
    return { ...page, content: page.content.map((row) => shown(row as Row)) };
  },

  generate: async (_input, { db, vault }) => ({ affected: await makeMissingWallets(db, vault) }),

  async balance({ id }, { db, vault }) {
    const find = async () => {
      const [row] = await db
        .select(fields)
        .from(tron_wallet)
        .leftJoin(...joins[0])
        .where(eq(tron_wallet.id, id));
      if (!row) throw notFound();
      return row as Row;
    };
    await readBalances(db, await openNodes({ db, vault, network }), await find());
    return shown(await find());
  },

  synchronise: async (_input, { db, actor, language }) => ({
    operation_id: await startOperation(db, { kind: 'tron_synchronise', input: {}, actor, language }),
  }),

  plan: ({ ids }, { db, vault }) => previewCollection({ db, vault, network }, ids),

  async collect({ ids }, { db, actor, language }) {
    await requireCollection(db);
    return { operation_id: await startOperation(db, { kind: 'tron_collect', input: { ids }, actor, language }) };
  },

  async collect_all(_input, { db, actor, language }) {
    await requireCollection(db);
    return { operation_id: await startOperation(db, { kind: 'tron_collect', input: {}, actor, language }) };
  },

  async reveal({ id }, context) {
    const { db, vault } = context;
    const [wallet] = await db.select().from(tron_wallet).where(eq(tron_wallet.id, id));
    if (!wallet) throw notFound();
    // What is not in the log is not shown.
    await transact(db, (tx) =>
      recordAct(tx, context, { type: 'tron/reveal', content: { id, address: wallet.address }, changes: undefined }),
    );
    const key = privateKeyOf(vault, wallet);
    const private_key = key.toString('hex');
    key.fill(0);
    return { private_key };
  },

  async remove({ ids }, { db, audit }) {
    const rows = await db
      .select({ id: tron_wallet.id, address: tron_wallet.address, usdt: tron_wallet.usdt_balance, trx: tron_wallet.trx_balance })
      .from(tron_wallet)
      .where(and(isOneOf(tron_wallet.id, ids), isNull(tron_wallet.removed_at)))
      .orderBy(tron_wallet.id)
      .for('update');
    const funded = rows.find(({ usdt, trx }) => usdt > 0n || trx > 0n);
    if (funded) throw new AppError(409, 'tron.wallet_funded', { params: { address: funded.address } });
    const removed = await db
      .update(tron_wallet)
      .set({ removed_at: sql`now()` })
      .where(
        isOneOf(
          tron_wallet.id,
          rows.map(({ id }) => id),
        ),
      )
      .returning({ id: tron_wallet.id });
    audit({ before: rows.map(({ id, address }) => ({ id, address })) });
    return { affected: removed.length };
  },
});
