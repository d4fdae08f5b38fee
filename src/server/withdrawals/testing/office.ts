import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { SettingKey } from '../../../contract/settings.ts';
import type { TestUser } from '../../kit/testing/app.ts';
import { earn } from '../../ledger/testing/money.ts';
import { addressOfPrivateKey, toBase58 } from '../../tron/protocol/address.ts';
import { createTronSite } from '../../tron/testing/site.ts';
import { hashPassword } from '../../users/login/passwords.ts';
import { withdrawal } from '../withdrawals.table.ts';

export const million = 1_000_000n;
export const password = 'withdraw-2026';
export const newAddress = () => toBase58(addressOfPrivateKey(new Uint8Array(randomBytes(32))));

export type Office = Awaited<ReturnType<typeof openOffice>>;

/** A site with a simulated network, an administrator with a password, and agents who withdraw. */
export async function openOffice() {
  const site = await createTronSite();

  async function administrator(): Promise<TestUser> {
    const user = await site.makeUser('super');
    await site.db.execute(sql`UPDATE user_account SET password_hash = ${await hashPassword(password)} WHERE id = ${user.id}`);
    return user;
  }
  const admin = await administrator();

  async function set(values: Partial<Record<SettingKey, unknown>>): Promise<void> {
    for (const [key, value] of Object.entries(values))
      await site.db.execute(sql`INSERT INTO setting (key, value) VALUES (${key}, ${JSON.stringify(value)}::jsonb)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
  }

  async function stored(id: number) {
    const [row] = await site.db.select().from(withdrawal).where(eq(withdrawal.id, id));
    if (!row) throw new Error('there is no such withdrawal');
    return row;
  }

  return {
    site,
    admin,
    administrator,
    set,
    stored,
    /** Settings as at first, without a wait for new addresses, and an agent who has earned 1000 USDT. */
    async newAgent(): Promise<TestUser> {
      await site.db.execute(sql`DELETE FROM setting WHERE key LIKE 'withdrawal_%'`);
      await set({ withdrawal_cool_off_hours: 0 });
      const agent = await site.makeUser('agent');
      await earn(site.db, agent.id, 1000n * million);
      return agent;
    },
    stateOf: async (id: number) => (await stored(id)).state,
    approve: (id: number, as = admin, proof: object = { password }) => site.call(as, 'withdrawal_list', 'approve', { id, ...proof }),
    reject: (id: number, as = admin) => site.call(as, 'withdrawal_list', 'reject', { id, reason: '地址有误' }),
    pay: (id: number, transaction_hash: string, as = admin) => site.call(as, 'withdrawal_list', 'pay', { id, transaction_hash }),
    /** Pays from a wallet of the administrator's. */
    payOnChain(address: string, amount: bigint, { solid = true } = {}): string {
      const hash = site.tron.sendTokens(address, amount);
      if (solid) site.tron.makeSolid();
      else site.tron.makeBlock();
      return hash;
    },
  };
}
