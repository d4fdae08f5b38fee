import { z } from 'zod';
import { channelKinds, maxChannels } from '../detection/shield-push.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { day, done, id, ids, line, time, timestamps } from '../kit/fields.ts';
import { languageCode } from '../system/language.ts';
import { visitQuestion } from './historical-statistics.ts';
import { statisticsScreens } from './statistics.ts';

export const digestPeriods = ['day', 'week'] as const;
export type DigestPeriod = (typeof digestPeriods)[number];
/** So many a user may have. */
export const maxDigests = 20;

const { from: _from, to: _to, ...question } = visitQuestion;
const digestQuestion = z.object(question);

const fields = {
  name: line(60).min(1, 'required'),
  every: z.enum(digestPeriods),
  /** 1 is Monday; says nothing of a daily one. */
  weekday: z.number().int().min(1).max(7),
  /** Of the site's clock. */
  hour: z.number().int().min(0).max(23),
  language: languageCode,
  channel_ids: z.array(id).min(1, 'required').max(maxChannels),
};

const digestChannel = z.object({ id, kind: z.enum(channelKinds), name: z.string(), target: z.string() });
export const visitDigestRow = z.object({
  id,
  ...z.object(fields).shape,
  question: digestQuestion,
  channels: z.array(digestChannel),
  enabled: z.boolean(),
  next_at: time,
  /** The days that were told last; null before the first time. */
  told: z.object({ from: day, to: day }).nullable(),
  sent_at: time.nullable(),
  ...timestamps,
});
export type VisitDigest = z.infer<typeof visitDigestRow>;

const access = requireAny(...statisticsScreens);

export const visitDigest = group('visit_digest', {
  inquire: call({
    summary: "The caller's digests of visits: figures that are sent to him every day or week.",
    access,
    input: z.object({}),
    output: z.object({ content: z.array(visitDigestRow) }),
  }),
  choices: call({
    summary: 'Where digests of the caller can be sent to.',
    access,
    input: z.object({}),
    output: z.object({ channels: z.array(digestChannel) }),
  }),
  add: call({
    summary: 'Have figures of visits sent every day or week, with the change against the period before.',
    access,
    input: z.object({ ...fields, question: digestQuestion }),
    output: z.object({ id, next_at: time }),
    writes: true,
  }),
  update_enabled: call({
    summary: 'Pause digests, or go on with them.',
    access,
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  send: call({
    summary: 'Send a digest at once, of the period that is over; the next one comes as it would have.',
    access,
    input: z.object({ id }),
    output: done,
    writes: true,
    limit: { max: 20, seconds: 600 },
  }),
  remove: call({ summary: 'Send digests no more.', access, input: z.object({ ids }), output: done, writes: true }),
});
