import { urgentTypes } from '../../contract/detection/shield-push.ts';
import type { Language, MessageKind, MessagePlace } from '../../contract/enums.ts';
import type { EventType } from '../../contract/events.ts';
import { readableHost } from '../domains/domains.public.ts';
import { translate } from '../kit/messages/messages.ts';
import { truncate } from '../kit/texts.ts';

/** An event that is told, and what was done about it where it is the fall of a domain. */
export type Told = { id: number; type: string; data: Record<string, unknown>; at: string; handling: string | null };
export type Text = { title: string; content: string; kind: MessageKind; place: MessagePlace | null; place_id: number | null };
type Options = { language: Language; time_zone: string; number: number };

const maxLines = 20;
const maxName = 80;
const maxTitle = 200;

export const isUrgent = (type: EventType): boolean => urgentTypes.includes(type);

/** Events with a text of their own; of all others their name and what they happened to is told. */
const worded = [
  'domain.blocked',
  'domain.suspected',
  'domain.unblocked',
  'domain.replaced',
  'domain.certificate_expiring',
  'domain.registration_expiring',
  'domain.pool_low',
  'detector.failed',
  'detection.blind',
  'detection.restored',
  'code.exhausted',
  'code.target_expiring',
  'visits.fell',
  'visits.rose',
  'membership.ended',
  'membership.ending',
  'order.paid',
  'order.expired',
  'order.refunded',
  'payments.stalled',
  'payments.resumed',
  'host.strained',
  'host.recovered',
  'backup.failed',
  'backup.overdue',
  'backup.drill_failed',
  'backup.drill_overdue',
] as const satisfies readonly EventType[];
const isWorded = (type: string): boolean => worded.some((own) => own === type);
/** Of several the gravest comes first. */
const order: readonly string[] = worded;

const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** `12.500000` as people read it. */
const shownAmount = (amount: string): string => amount.replace(/(\.\d{2}\d*?)0+$/, '$1');

/** What an event happened to, as its reader calls it. */
function subjectOf({ type, data }: Told): string {
  if (type.startsWith('domain.')) return truncate(readableHost(word(data.from_host) || word(data.host)), maxName);
  return truncate(word(data.name) || word(data.file_name) || word(data.short), maxName);
}

function paramsOf(told: Told, { language, time_zone }: Options): Record<string, string> {
  const { type, data, at, handling } = told;
  const clock = new Intl.DateTimeFormat(language, { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' });
  const moment = word(data.expires_at) || word(data.ends_at) || word(data.since) || at;
  const error = word(data.error);
  const known = translate(language, `errors.${error}`);
  return {
    name: subjectOf(told) || (type.startsWith('visits.') ? translate(language, 'push_text.all_codes') : ''),
    event: translate(language, `webhook.event.${type}`),
    time: clock.format(Number.isNaN(Date.parse(moment)) ? new Date(at) : new Date(moment)),
    done: handling === null ? '' : translate(language, `push_text.handling.${handling}`),
    to: truncate(readableHost(word(data.to_host)), maxName),
    days: word(data.days),
    visits: word(data.visits),
    usual: word(data.usual),
    percent: word(data.percent),
    hours: word(data.hours),
    amount: shownAmount(word(data.amount)),
    order_no: word(data.order_no),
    healthy: word(data.healthy),
    strain: translate(language, `monitor.alarm.${word(data.kind)}`, { value: word(data.value), limit: word(data.limit) }),
    strained: translate(language, `monitor.alarm_name.${word(data.kind)}`),
    type: translate(language, `domain_list.type_${word(data.type)}`),
    reason: truncate(word(data.reason), maxTitle),
    error: truncate(known === `errors.${error}` ? error : known, maxTitle),
  };
}

const keyOf = (type: string): string => (isWorded(type) ? type.replace('.', '_') : 'other');

/** "12 domains are blocked": the events of one type, by how many things they happened to. */
function headOf(type: string, told: readonly Told[], number: number, options: Options): string {
  const [first] = told;
  const subjects = new Set(told.map(subjectOf)).size;
  const count = told.length < options.number ? number : subjects;
  const params = first ? paramsOf(first, options) : {};
  return translate(options.language, `push_text.${keyOf(type)}.${count > 1 ? 'many' : 'one'}`, {
    ...params,
    number: count,
    ...(count > 1 ? {} : { count: Number(params.days) }),
  });
}

/** What is told of events, in the words of its reader. `number` of them happened, of which these are read. */
export function textOf(all: readonly Told[], options: Options): Text {
  const { language, number } = options;
  const byType = [...Map.groupBy(all, ({ type }) => type)].sort(([one], [other]) => placeIn(one) - placeIn(other));
  const title = byType
    .map(([type, told]) => headOf(type, told, told.length + (byType.length === 1 ? number - all.length : 0), options))
    .join(translate(language, 'common.comma'));
  const lines = byType
    .flatMap(([, told]) => told)
    .slice(0, maxLines)
    .map((told) => translate(language, `push_text.${keyOf(told.type)}.line`, paramsOf(told, options)).trim());
  if (number > lines.length) lines.push(translate(language, 'push_text.rest', { number: number - lines.length }));
  return { title: truncate(title, maxTitle), content: lines.join('\n'), kind: kindOf(all), ...placeOf(all) };
}

function placeIn(type: string): number {
  const at = order.indexOf(type);
  return at < 0 ? order.length : at;
}

function kindOf(all: readonly Told[]): MessageKind {
  const types = all.map(({ type }) => type as EventType);
  if (
    types.some((type) =>
      /^(domain\.(blocked|suspected|pool_low)|detect.*\.(failed|blind)|payments\.stalled|host\.strained|backup\..*|code\.exhausted)$/.test(
        type,
      ),
    )
  )
    return 'alert';
  return types.some((type) => isUrgent(type) || type === 'visits.fell') ? 'reminder' : 'info';
}

/** Of these the reader looks at the checks; of others at the domain itself. */
const isWatched = (type: string): boolean => /^domain\.(blocked|unblocked|suspected)$/.test(type);

/** Where its reader goes from there. */
function placeOf(all: readonly Told[]): Pick<Text, 'place' | 'place_id'> {
  const types = [...new Set(all.map(({ type }) => type))];
  const ids = [...new Set(all.map(({ data }) => data.id))];
  const monitors = [...new Set(all.map(({ data }) => data.monitor_id))];
  if (types.every(isWatched) && monitors.every((id) => typeof id === 'number'))
    return { place: 'monitor', place_id: monitors.length === 1 ? (monitors[0] ?? null) : null };
  if (types.every((type) => type.startsWith('domain.') && type !== 'domain.pool_low')) return { place: 'domains', place_id: null };
  if (types.every((type) => /^(code|visits)\./.test(type)) && ids.length === 1 && typeof ids[0] === 'number')
    return { place: 'live_code', place_id: ids[0] };
  if (types.every((type) => type.startsWith('visits.'))) return { place: 'visit_digest', place_id: null };
  if (types.every((type) => type === 'code.exhausted')) return { place: 'exhausted_codes', place_id: null };
  if (types.every((type) => type === 'code.target_expiring')) return { place: 'expiring_codes', place_id: null };
  if (types.every((type) => type.startsWith('membership.'))) return { place: 'membership', place_id: null };
  if (types.every((type) => type.startsWith('host.') || type.startsWith('backup.'))) return { place: 'hosts', place_id: null };
  if (types.every((type) => type.startsWith('payments.'))) return { place: 'payments', place_id: null };
  if (types.every((type) => type.startsWith('order.')))
    return { place: 'order', place_id: ids.length === 1 && typeof ids[0] === 'number' ? ids[0] : null };
  return { place: 'pushes', place_id: null };
}

/** Under `customer`, unless they say otherwise. */
const routes: Partial<Record<MessagePlace, string>> = {
  domains: 'domain_list',
  monitor: 'domain_monitor',
  exhausted_codes: 'qr_code_list?exhausted=true',
  expiring_codes: 'qr_code_list?expiring=true',
  membership: 'buy_vip_combo',
  order: 'user_order',
  hosts: 'monitor',
  payments: '/system/usdt_transaction_record',
};

type Goal = Pick<Text, 'place' | 'place_id'> & { is_administrator: boolean };

function routeOf({ place, place_id, is_administrator }: Goal): string {
  if (place === 'live_code' && place_id !== null) return `qr_code/${place_id}`;
  if (place === 'order' && place_id !== null) return `order_payment/${place_id}`;
  if (place === 'visit_digest') return `historical_statistics${place_id === null ? '' : `?digest=${place_id}`}`;
  const route = (place && routes[place]) ?? 'shield_push';
  if (place !== 'monitor') return route;
  return `${is_administrator ? 'admin_' : ''}${route}${place_id === null ? '' : `?act=details&id=${place_id}`}`;
}

/** The address of the screen that a push leads to; empty where the site does not know its own address. */
export function linkOf(goal: Goal, site_url: string): string {
  if (site_url === '') return '';
  const route = routeOf(goal);
  return `${site_url.replace(/\/+$/, '')}/#${route.startsWith('/') ? route : `/customer/${route}`}`;
}
