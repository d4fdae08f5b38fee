import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { count, done, id, ids, line, oneOf, rank, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { platformConfig, platformTypes } from './platform-config.ts';

const name = line(60).min(1, 'required');
const remark = line(200);
/** Long enough to be told from the text around it, where it has to be masked. */
const key = line(500)
  .min(4)
  .regex(/^[\x20-\x7e]*$/, 'plain_characters');
/** The address that a test makes a link of. */
const destination = z
  .string()
  .trim()
  .min(1, 'required')
  .max(4096)
  .regex(/^https?:\/\/[^\s/?#]+/i, 'invalid_url');

export const platform = z.object({
  id,
  name: z.string(),
  type: oneOf(platformTypes),
  config: platformConfig,
  /** Where the picture of type 15 is seen. */
  picture_url: z.string().nullable(),
  /** Whether a key is kept; it is never sent. */
  has_key: z.boolean(),
  enabled: z.boolean(),
  sort: z.number(),
  remark: z.string(),
  /** Links it has made. */
  used: count,
  /** What went wrong the last time; null since it last made a link. */
  last_error: z.string().nullable(),
  last_error_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type Platform = z.infer<typeof platform>;

const shownHeader = z.object({ name: z.string(), value: z.string() });
/** What a test sent and got. Keys are masked. */
export const platformTest = z.object({
  link: z.string().nullable(),
  /** Why there is no link, in words. */
  error: z.string().nullable(),
  request: z.object({ method: z.string(), url: z.string(), headers: z.array(shownHeader), body: z.string().nullable() }).nullable(),
  answer: z
    .object({ status: count, url: z.string(), headers: z.array(shownHeader), body: z.string(), is_cut: z.boolean(), milliseconds: count })
    .nullable(),
  /** What was read from the answer, before it was judged. */
  read: z.string().nullable(),
});
export type PlatformTest = z.infer<typeof platformTest>;

export const urlKeyPlatform = group('url_key_platform', {
  inquire: call({
    summary: 'The platforms that make short links, with what went wrong last.',
    access: holders('url_key_platform'),
    input: listInput(['id', 'name', 'type', 'sort', 'used', 'last_error_at', 'created_at', 'updated_at'], {
      search: z.string().max(100).optional(),
      type: oneOf(platformTypes).optional(),
      enabled: z.boolean().optional(),
      failing: z.boolean().optional(),
    }),
    output: pageOf(platform),
  }),
  add: call({
    summary: 'Add a platform. Its key is kept encrypted and never sent again.',
    access: holders('url_key_platform.add'),
    input: z.object({
      name,
      config: platformConfig,
      key: key.nullable().optional(),
      enabled: z.boolean().optional(),
      sort: rank.optional(),
      remark: remark.optional(),
    }),
    output: platform,
    writes: true,
    secrets: ['key'],
  }),
  update: call({
    summary: 'Change a platform. A key left out stays; null takes it off.',
    access: holders('url_key_platform.update'),
    input: z.object({
      id,
      name: name.optional(),
      config: platformConfig.optional(),
      key: key.nullable().optional(),
      enabled: z.boolean().optional(),
      sort: rank.optional(),
      remark: remark.optional(),
    }),
    output: platform,
    writes: true,
    secrets: ['key'],
  }),
  update_enabled: call({
    summary: 'Switch platforms on or off. Links that one has made go on working.',
    access: holders('url_key_platform.update'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  test: call({
    summary:
      'Make a link as a saved platform would, or as what was typed would; nothing is kept of it. Shows request and answer, keys masked.',
    access: holders('url_key_platform.test'),
    input: z.object({ id: id.optional(), config: platformConfig.optional(), key: key.nullable().optional(), url: destination }),
    output: platformTest,
    limit: { max: 30, seconds: 60 },
    secrets: ['key'],
  }),
  remove: call({
    summary: 'Remove platforms that no short code comes from.',
    access: holders('url_key_platform.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
