import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowOf, stranger } from '../testing/sending.ts';
import { createTronSite, type TronSite } from '../testing/site.ts';
import { tron_send, tron_send_attempt } from '../tron.table.ts';
import { walletOf } from '../wallets/wallets.ts';
import { moveSend, type SendRow } from './sends.ts';
import { type SendState, sendEvents, sendStates, transitions } from './states.ts';

let site: TronSite;
let wallet_id: number;
let sends = 0;
beforeAll(async () => {
  site = await createTronSite();
  wallet_id = (await walletOf(site.db, site.means.vault, (await site.makeUser('customer')).id)).id;
});
afterAll(() => site.close());

const bytes = Buffer.from('00', 'hex');

async function put(state: SendState): Promise<SendRow> {
  sends += 1;
  const signed = ['signed', 'broadcast', 'solid_ok', 'solid_failed'].includes(state);
  const own = signed ? { transaction_hash: `${sends}`, raw: bytes, signature: bytes, expiration: 1 } : {};
  const [row] = await site.db
    .insert(tron_send)
    .values({
      ...{ purpose: 'payout', ref_id: sends, wallet_id, contract: 'x', asset: 'USDT', receiver: stranger() },
      ...{ amount: 1n, fee_limit: 0n, state, ...own },
    })
    .returning();
  if (!row) throw new Error('the row was made');
  return row;
}

test('every event comes upon every state as the table says, and upon a row that has changed meanwhile not at all', async () => {
  for (const state of sendStates)
    for (const event of sendEvents) {
      const row = await put(state);
      const set = event === 'sign' ? { transaction_hash: `${row.ref_id}`, raw: bytes, signature: bytes, expiration: 1, attempts: 1 } : {};
      const wanted = transitions[state][event];
      expect((await moveSend(site.db, row, event, set))?.state, `${state} ${event}`).toBe(wanted);
      expect((await rowOf(site, row.id)).state).toBe(wanted ?? state);
      if (wanted && wanted !== state) expect(await moveSend(site.db, row, event, set)).toBeUndefined();
    }
});

test('a send has one transaction at most that may count', async () => {
  const { id: send_id } = await put('signed');
  const attempt = (letter: string) => ({ send_id, transaction_hash: letter.repeat(64), expiration: 1 });
  await site.db.insert(tron_send_attempt).values(attempt('e'));
  await expect(site.db.insert(tron_send_attempt).values(attempt('f'))).rejects.toMatchObject({ cause: { code: '23505' } });
});
