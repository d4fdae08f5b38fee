import { eq } from 'drizzle-orm';
import type { MessageKind } from '../../contract/enums.ts';
import type { EventType } from '../../contract/events.ts';
import { settingsOf } from '../../contract/settings.ts';
import { emitEvents } from '../kit/messages/events.ts';
import { languageOf, translate } from '../kit/messages/messages.ts';
import { sendSystemMessage } from '../kit/messages/site-messages.ts';
import type { Database } from '../kit/postgres/database.ts';
import { setting } from '../settings/settings.table.ts';
import { user_account } from '../users/users.table.ts';
import type { StoredOrder } from './orders.table.ts';

type Told = Pick<StoredOrder, 'id' | 'order_no' | 'user_id' | 'combo' | 'amount'> & { ends_at?: string | null };
const states = {
  paid: { event: 'order.paid', kind: 'info' },
  expired: { event: 'order.expired', kind: 'reminder' },
  refunded: { event: 'order.refunded', kind: 'info' },
} as const satisfies Record<string, { event: EventType; kind: MessageKind }>;

/** `12.500000` as people read it. */
const shown = (amount: string): string => amount.replace(/(\.\d{2}\d*?)0+$/, '$1');

export async function timeZoneOf(db: Database): Promise<string> {
  return settingsOf(await db.select().from(setting).where(eq(setting.key, 'time_zone'))).time_zone;
}

/** Tells the buyer of what became of his order, in the transaction in which it became so: a site message, and an event. */
export async function tellOfOrder(tx: Database, order: Told, state: keyof typeof states): Promise<void> {
  const { id, order_no, user_id, combo, amount, ends_at = null } = order;
  const { event, kind } = states[state];
  const [buyer] = await tx.select({ language: user_account.language }).from(user_account).where(eq(user_account.id, user_id));
  const language = buyer?.language ?? languageOf(undefined);
  const clock = new Intl.DateTimeFormat(language, { timeZone: await timeZoneOf(tx), dateStyle: 'short', timeStyle: 'short' });
  const params = { name: combo.name, amount: shown(amount), order_no, time: ends_at ? clock.format(new Date(ends_at)) : '' };
  const say = (part: string) => translate(language, `push_text.order_${state}.${part}`, params);
  await emitEvents(tx, [{ type: event, owner_id: user_id, data: { id, order_no, name: combo.name, amount, ends_at } }]);
  await sendSystemMessage(tx, {
    user_ids: [user_id],
    kind,
    title: say('one'),
    content: [say('line'), '', say('advice')].join('\n'),
    place: 'order',
    place_id: id,
  });
}
