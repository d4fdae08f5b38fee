import { socketTypes } from '../../contract/socket.ts';
import { notify, type Speech } from '../kit/messages/notify.ts';
import { pushToPages } from '../kit/messages/push.ts';
import type { Database } from '../kit/postgres/database.ts';
import { toldOf } from './withdrawals.states.ts';
import type { StoredWithdrawal } from './withdrawals.table.ts';

type Happening = 'asked' | 'approved' | 'rejected' | 'paid';

/** USDT without zeros that say nothing, two decimals at least. */
const shown = (amount: string): string => amount.replace(/(\.\d{2}\d*?)0+$/, '$1');

/** Open pages of the user show it at once. */
export const refreshPages = (tx: Database, { id, user_id }: StoredWithdrawal) =>
  pushToPages(tx, { to: { user_ids: [user_id] }, type: socketTypes.withdrawal, content: { id } });

/** Tells who asked for it: a site message, an event for his webhooks and pushes, and his open pages. */
export async function tellUser(tx: Database, row: StoredWithdrawal, what: Happening): Promise<void> {
  const data = toldOf(row);
  const told = { address: row.address, amount: shown(row.amount), arrives: shown(data.arrives), reason: row.reason };
  const of = ({ say }: Speech, part: string) => say(`withdrawal_list.message.${what}.${part}`, told);
  await notify(tx, row.user_id, {
    kind: what === 'rejected' ? 'reminder' : 'info',
    place: 'withdrawals',
    words: (speech) => ({ title: of(speech, 'title'), content: of(speech, 'content') }),
    events: [{ type: `withdrawal.${what}`, data }],
  });
  await refreshPages(tx, row);
}
