import { socketTypes } from '../../contract/socket.ts';
import { languageOfUser } from '../kit/calls/user-language.ts';
import { emitEvents } from '../kit/messages/events.ts';
import { translate } from '../kit/messages/messages.ts';
import { pushToPages } from '../kit/messages/push.ts';
import { sendSystemMessage } from '../kit/messages/site-messages.ts';
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
  const language = await languageOfUser(tx, row.user_id);
  const data = toldOf(row);
  const words = { address: row.address, amount: shown(row.amount), arrives: shown(data.arrives), reason: row.reason };
  await sendSystemMessage(tx, {
    user_ids: [row.user_id],
    kind: what === 'rejected' ? 'reminder' : 'info',
    title: translate(language, `withdrawal_list.message.${what}.title`, words),
    content: translate(language, `withdrawal_list.message.${what}.content`, words),
    place: 'withdrawals',
  });
  await emitEvents(tx, [{ type: `withdrawal.${what}`, owner_id: row.user_id, data }]);
  await refreshPages(tx, row);
}
