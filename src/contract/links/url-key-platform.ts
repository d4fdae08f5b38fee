import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { crud, updateEnabled } from '../kit/crud.ts';
import { count, id, line, oneOf, rank, time, timestamps } from '../kit/fields.ts';
import { platformConfig, platformTypes } from './platform-config.ts';

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
  ...timestamps,
});
export type Platform = z.infer<typeof platform>;

/** What everybody may know of a platform who makes links: no address, no key. */
export const platformChoice = platform.pick({ id: true, name: true, type: true });

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

const rows = crud('url_key_platform', {
  row: platform,
  fields: {
    name: line(60).min(1, 'required'),
    config: platformConfig,
    /** Kept encrypted and never sent again. Left out of a change it stays; null takes it off. */
    key: key.nullable().optional(),
    enabled: z.boolean().optional(),
    sort: rank.optional(),
    remark: line(200).optional(),
  },
  filters: {
    search: z.string().max(100).optional(),
    type: oneOf(platformTypes).optional(),
    enabled: z.boolean().optional(),
    failing: z.boolean().optional(),
  },
  sortable: ['id', 'name', 'type', 'sort', 'used', 'last_error_at', 'created_at', 'updated_at'],
  nouns: ['a platform that makes short links', 'platforms that make short links'],
});

export const urlKeyPlatform = group('url_key_platform', {
  ...rows,
  inquire: call({
    summary:
      'List platforms that make short links. With `data_only` all that are on, by name and type alone, without pages: for choices, and for whoever may make short links.',
    access: requireAny('url_key_platform', 'short_code', 'short_qr_code_list', 'qr_code_list'),
    input: rows.inquire.input.extend({ data_only: z.boolean().optional() }),
    output: z.union([rows.inquire.output, z.object({ content: z.array(platformChoice) })]),
  }),
  add: { ...rows.add, secrets: ['key'] },
  update: { ...rows.update, secrets: ['key'] },
  update_enabled: updateEnabled('url_key_platform', 'platforms'),
  test: call({
    summary:
      'Make a link as a saved platform would, or as what was typed would; nothing is kept of it. Shows request and answer, keys masked.',
    access: requireAny('url_key_platform.test'),
    input: z.object({ id: id.optional(), config: platformConfig.optional(), key: key.nullable().optional(), url: destination }),
    output: platformTest,
    limit: { max: 30, seconds: 60 },
    secrets: ['key'],
  }),
});
