import { eq } from 'drizzle-orm';
import type { MessageKind } from '../../contract/enums.ts';
import type { EventType } from '../../contract/events.ts';
import { settingsOf } from '../../contract/settings.ts';
import { notify, type Speech } from '../kit/messages/notify.ts';
import type { Database } from '../kit/postgres/database.ts';
import { setting } from '../settings/settings.table.ts';
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
  const words = ({ say, time }: Speech) => {
    const params = { name: combo.name, amount: shown(amount), order_no, time: ends_at ? time(ends_at) : '' };
    const of = (part: string) => say(`push_text.order_${state}.${part}`, params);
    return { title: of('one'), content: [of('line'), '', of('advice')] };
  };
  const events = [{ type: event, data: { id, order_no, name: combo.name, amount, ends_at } }];
  await notify(tx, user_id, { kind, place: 'order', place_id: id, words, events });
}
