import { z } from 'zod';
import { type EventType, eventType, eventTypes } from '../events.ts';
import { call, group, holders } from '../kit/call.ts';
import { count, done, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** What a webhook can ask for: a test is sent by hand. */
export const ownEventTypes = eventTypes.filter((type): type is Exclude<EventType, 'webhook.test'> => type !== 'webhook.test');

export const maximumWebhooks = 20;
/** What a secret begins with, as Standard Webhooks writes it; base64 follows. */
export const secretPrefix = 'whsec_';
/** Of an answer so much is kept. */
export const keptAnswerBytes = 1024;

/** How a receiver checks a delivery: the body of a function of Node, as the screen shows it. */
export const verifyExample = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isOurs(secret, headers, body) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', key).update(id + '.' + timestamp + '.' + body).digest();
  return headers['webhook-signature'].split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const webhook = z.object({
  id,
  owner_id: id,
  owner_account: z.string(),
  url: z.string(),
  /** Empty: every event. */
  events: z.array(z.string()),
  all_users: z.boolean(),
  enabled: z.boolean(),
  /** Why it was switched off by itself: the receiver answered 410, or nothing arrived for a day. */
  stopped: z.enum(['gone', 'failing']).nullable(),
  failing_since: time.nullable(),
  remark: z.string(),
  waiting: count,
  last_delivery_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type Webhook = z.infer<typeof webhook>;

export const delivery = z.object({
  id,
  event_id: id,
  type: z.string(),
  data: z.json(),
  at: time,
  state: z.enum(deliveryStates),
  attempts: count,
  /** While it waits. */
  next_attempt_at: time.nullable(),
  tried_at: time.nullable(),
  /** The HTTP status of the last answer; null where there was none. */
  status: z.number().int().nullable(),
  /** Its first 1024 bytes. */
  answer: z.string().nullable(),
  /** What went wrong without an answer, in the caller's language. */
  error: z.string().nullable(),
  duration_ms: count.nullable(),
});
export type Delivery = z.infer<typeof delivery>;

const fields = {
  url: z.string().trim().min(1, 'required').max(2000),
  /** None: every event, those of later releases included. */
  events: z
    .array(eventType.exclude(['webhook.test']))
    .max(100)
    .optional(),
  /** Events of all users; for administrators. */
  all_users: z.boolean().optional(),
  enabled: z.boolean().optional(),
  remark: line(200).optional(),
};

export const webhookGroup = group('webhook', {
  inquire: call({
    summary: 'The own webhooks; for administrators those of all users.',
    access: holders('webhook'),
    input: listInput(['id', 'url', 'created_at', 'updated_at'], {
      search: z.string().max(200).optional(),
      enabled: z.boolean().optional(),
      owner_id: id.optional(),
    }),
    output: pageOf(webhook),
  }),
  add: call({
    summary: 'Make a webhook. The answer holds the secret that its deliveries are signed with, this once.',
    access: holders('webhook.add'),
    input: z.object(fields),
    output: z.object({ id, secret: z.string() }),
  }),
  update: call({
    summary: 'Change a webhook. Switched on again, it sends what has been waiting.',
    access: holders('webhook.update'),
    input: z.object({ id, ...fields, url: fields.url.optional() }),
    output: done,
    writes: true,
  }),
  regenerate: call({
    summary: 'Give a webhook a new secret; the former one signs nothing more.',
    access: holders('webhook.update'),
    input: z.object({ id }),
    output: z.object({ secret: z.string() }),
  }),
  remove: call({
    summary: 'Remove webhooks with their deliveries.',
    access: holders('webhook.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  test: call({
    summary: 'Send the event `webhook.test` at once and answer what the receiver said.',
    access: holders('webhook.test'),
    input: z.object({ id }),
    output: delivery,
    limit: { max: 30, seconds: 60 },
  }),
  deliveries: call({
    summary: 'What was sent to a webhook within 30 days, newest first, and what became of it.',
    access: holders('webhook'),
    input: listInput(['id'], {
      webhook_id: id,
      state: z.enum(deliveryStates).optional(),
      type: eventType.optional(),
    }),
    output: pageOf(delivery),
  }),
  resend: call({
    summary: 'Send deliveries again, beginning with the first attempt.',
    access: holders('webhook.resend'),
    input: z.object({ ids }),
    output: done,
    writes: true,
    limit: { max: 60, seconds: 60 },
  }),
});
