import { sql } from 'drizzle-orm';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openDatabase, openPool } from '../../src/server/kit/postgres/database.ts';
import { runningPostgres } from '../../src/server/kit/postgres/postgres-address.ts';
import { base32, stepOf, totpCode } from '../../src/server/users/login/totp.ts';
import { openPage } from './journey.ts';
import type { Product } from './product.ts';
import { tokenOf } from './seed.ts';

export type Proven = {
  token: string;
  /** A call in his name. */
  call: <O>(path: string, input?: object) => Promise<O>;
  /** What proves him. A code counts once, and nobody waits half a minute for the next: those that were used are forgotten. */
  proof: () => Promise<{ password: string; totp: string }>;
  open: (browser: Browser, options: BrowserContextOptions) => Promise<Page>;
  close: () => Promise<void>;
};

/** The bytes of an authenticator's key. */
function secretOf(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The administrator of a product whose data folder is known, with a second factor that the test has the key of. */
export async function withSecondFactor({ backOffice, password }: Product, dataDir: string): Promise<Proven> {
  const token = await tokenOf(backOffice, 'admin', password);
  const url = runningPostgres(dataDir);
  if (!url) throw new Error('the product has a database of its own');
  const pool = openPool(url, { warn: () => {} }, 1);
  const db = openDatabase(pool);
  async function call<O>(path: string, input: object = {}): Promise<O> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as O;
  }
  const { secret } = await call<{ secret: string }>('update_password/enrol_second_factor', { password });
  const key = secretOf(secret);
  if (base32(key) !== secret) throw new Error('the key was not understood');
  const code = () => totpCode(key, stepOf(new Date()));
  await call('update_password/confirm_second_factor', { totp: code() });
  return {
    token,
    call,
    async proof() {
      await db.execute(sql`UPDATE second_factor SET last_step = 0`);
      return { password, totp: code() };
    },
    async open(browser, options) {
      const origins = [{ origin: backOffice, localStorage: [{ name: 'livecode.token', value: token }] }];
      const page = await openPage(browser, { ...options, storageState: { cookies: [], origins } });
      await page.goto(backOffice);
      await page.locator('#main').waitFor();
      return page;
    },
    close: () => pool.end(),
  };
}
