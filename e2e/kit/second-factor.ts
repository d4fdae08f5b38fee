import { sql } from 'drizzle-orm';
import { openDatabase, openPool } from '../../src/server/kit/postgres/database.ts';
import { runningPostgres } from '../../src/server/kit/postgres/postgres-address.ts';
import { base32, stepOf, totpCode } from '../../src/server/users/login/totp.ts';
import type { Product } from './product.ts';
import type { User } from './users.ts';

export type Proven = User & {
  /** What proves him. A code counts once, and nobody waits half a minute for the next: those that were used are forgotten. */
  proof: () => Promise<{ password: string; totp: string }>;
  close: () => Promise<void>;
};

/** The bytes of an authenticator's key. */
function secretOf(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Gives a user of a product of the journey's own a second factor that the test has the key of. */
export async function withSecondFactor(product: Product, user: User): Promise<Proven> {
  const url = runningPostgres(product.dataDir);
  if (!url) throw new Error('the product has a database of its own');
  const pool = openPool(url, { warn: () => {} }, 1);
  const db = openDatabase(pool);
  const { password } = user;
  const { secret } = await user.call<{ secret: string }>('update_password/enrol_second_factor', { password });
  const key = secretOf(secret);
  if (base32(key) !== secret) throw new Error('the key was not understood');
  const code = () => totpCode(key, stepOf(new Date()));
  await user.call('update_password/confirm_second_factor', { totp: code() });
  return {
    ...user,
    async proof() {
      await db.execute(sql`UPDATE second_factor SET last_step = 0`);
      return { password, totp: code() };
    },
    close: () => pool.end(),
  };
}
