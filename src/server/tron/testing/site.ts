import { eq, sql } from 'drizzle-orm';
import { startTron, type TronSimulator } from '../../../../simulators/tron/tron.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { createVault, readMasterKey } from '../../kit/vault.ts';
import { openPosition, type Scanner } from '../deposits/scan.ts';
import { readOn } from '../deposits/watcher.ts';
import { type Means, openNodes } from '../tron.means.ts';
import { pay_config, type tron_position } from '../tron.table.ts';
import { walletOf } from '../wallets/wallets.ts';

export type TronSite = TestApp & {
  tron: TronSimulator;
  means: Means;
  scanner: () => Promise<Scanner>;
  /** Reads to the network's end, as the watcher does. */
  read: () => Promise<typeof tron_position.$inferSelect>;
  addressOf: (user: TestUser) => Promise<string>;
  /** A payment that is solid and was read. */
  pay: (user: TestUser, millionths: bigint) => Promise<string>;
};

/** The real app beside a simulated network whose blocks are made by the test. */
export async function createTronSite(options: Parameters<typeof createTestApp>[0] = {}): Promise<TronSite> {
  const [app, tron] = await Promise.all([createTestApp(options), startTron()]);
  const { db } = app;
  tron.makeBlocks(30);
  const vault = createVault(readMasterKey(app.dataDir));
  const means: Means = { db, vault, network: guardNetwork([]) };
  await db.update(pay_config).set({ url: tron.url });
  const scanner = async (): Promise<Scanner> => ({ db, ...(await openNodes(means)) });
  const read = async () => {
    const own = await scanner();
    return readOn(own, await openPosition(own));
  };
  await read();
  const addressOf = async (user: TestUser) => (await walletOf(db, vault, user.id)).address;
  return {
    ...app,
    tron,
    means,
    scanner,
    read,
    addressOf,
    async pay(user, millionths) {
      const id = tron.sendTokens(await addressOf(user), millionths);
      tron.makeSolid();
      await read();
      return id;
    },
    async close() {
      await tron.stop();
      await app.close();
    },
  };
}

/** The sum of all accounts, and of what the watcher wrote down as it is counted in them. */
export async function booksOf({ db }: TestApp): Promise<{ sum: number; chain: number; counted: number }> {
  const { rows } = await db.execute<{ sum: number; chain: number; counted: number }>(sql`
    SELECT (SELECT coalesce(sum(amount), 0)::float8 FROM ledger_entry) AS sum,
      (SELECT coalesce(sum(balance), 0)::float8 FROM ledger_account WHERE kind = 'chain_deposit') AS chain,
      (SELECT coalesce(sum(amount), 0)::float8 FROM usdt_transaction WHERE type = 'deposit') AS counted`);
  return rows[0] ?? { sum: -1, chain: 0, counted: 0 };
}

export const configure = ({ db }: TestApp, values: Partial<typeof pay_config.$inferInsert>) =>
  db.update(pay_config).set(values).where(eq(pay_config.id, 1));
