import { z } from 'zod';
import { id, line, text } from '../kit/fields.ts';

/** The 15 ways to make a short link, by the numbers on the wire and in the database. */
export const platformTypes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
export type PlatformType = (typeof platformTypes)[number];
/** Ways that ask another service for the link, or about it. */
export const requestingTypes: readonly PlatformType[] = [1, 4, 5, 6, 7, 8, 9, 10, 12];
/** Ways whose links only work for live codes, because they choose one of the code's addresses. */
export const liveCodeTypes: readonly PlatformType[] = [11, 12];

export const encodings = ['none', 'url', 'base64', 'base64url', 'hex'] as const;
export type Encoding = (typeof encodings)[number];
export const bodyKinds = ['none', 'json', 'form', 'text'] as const;
export const readingKinds = ['json', 'regex', 'body', 'location'] as const;
export const requestMethods = ['GET', 'POST', 'PUT'] as const;

/** What stands for something in a template. A text is what types 9, 10 and 12 post; a key is the platform's own. */
export const gaps = ['url', 'key', 'text'] as const;
export type Gap = (typeof gaps)[number];

/** An address whose host is the operator's word alone: what visitors' destinations fill in comes after it. */
const webTemplate = line(2000)
  .min(1, 'required')
  .regex(/^https?:\/\/[^\s/?#{}@\\]+([/?#]\S*)?$/i, 'invalid_template');
const withUrl = webTemplate.refine((value) => value.includes('{url}'), 'needs_url');
const randomTemplate = line(2000)
  .min(1, 'required')
  .regex(/^https?:\/\/[^\s/?#{}@\\]+([/?#]\S*)?$/i, 'invalid_template')
  .refine((value) => value.includes('*'), 'needs_asterisk');

const header = z.strictObject({
  name: line(100).regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'invalid_header'),
  value: line(2000).regex(/^[\x20-\x7e]*$/, 'invalid_header'),
});

/** Where in the answer the link stands. */
export const reading = z.strictObject({
  kind: z.enum(readingKinds),
  /** RFC 9535 for `json`, a regular expression for `regex` (its first group, or else all that it matches). */
  path: line(500).optional(),
  /** What stands before what was read, for services that answer only a part of the link. */
  prefix: line(300).optional(),
});
export type Reading = z.infer<typeof reading>;

const readable = reading.refine(({ kind, path }) => path !== undefined || (kind !== 'json' && kind !== 'regex'), {
  path: ['path'],
  message: 'required',
});
const timeout_seconds = z.number().int().min(1).max(30).optional();

const requestFields = {
  method: z.enum(requestMethods),
  url: webTemplate,
  headers: z.array(header).max(20).optional(),
  body_kind: z.enum(bodyKinds),
  body: text(8000).optional(),
  read: readable,
  timeout_seconds,
};
/** The text that is posted; `{url}` in it is the link. */
const posted = text(2000)
  .min(1, 'required')
  .refine((value) => value.includes('{url}'), 'needs_url');

/** One of our own short domains; null is the owner's first healthy one, else the platform's. */
const ownLink = { domain_id: id.nullable().optional(), length: z.number().int().min(4).max(16).optional() };

/** What each type needs to know. */
export const platformConfig = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal(1), url: withUrl, headers: requestFields.headers, read: readable, timeout_seconds }),
  z.strictObject({
    type: z.literal(2),
    prefix: line(1000)
      .min(1, 'required')
      .regex(/^https?:\/\/[^\s/?#{}@\\]+[/?#]\S*$/i, 'invalid_prefix'),
    encoding: z.enum(encodings),
    suffix: line(500).regex(/^\S*$/, 'no_spaces').optional(),
  }),
  z.strictObject({ type: z.literal(3), ...ownLink }),
  z.strictObject({ type: z.literal(4), ...requestFields }),
  z.strictObject({ type: z.literal(5), ...requestFields }),
  z.strictObject({ type: z.literal(6), base_url: webTemplate, domain_id: id, length: ownLink.length, timeout_seconds }),
  z.strictObject({ type: z.literal(7), url: withUrl, encoding: z.enum(encodings), checked: z.boolean().optional(), timeout_seconds }),
  z.strictObject({ type: z.literal(8), url: withUrl, encoding: z.enum(encodings), checked: z.boolean().optional(), timeout_seconds }),
  z.strictObject({ type: z.literal(9), ...requestFields, text: posted }),
  z.strictObject({ type: z.literal(10), ...requestFields, text: posted }),
  z.strictObject({ type: z.literal(11), ...ownLink }),
  z.strictObject({ type: z.literal(12), ...ownLink, ...requestFields, text: posted }),
  z.strictObject({
    type: z.literal(13),
    ...ownLink,
    label_length: z.number().int().min(4).max(20).optional(),
    /** Each visit is led to a new label under a wildcard entry domain, too: live codes only. */
    each_visit: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal(14), template: randomTemplate, characters: z.enum(['letters', 'digits', 'both']).optional() }),
  z.strictObject({
    type: z.literal(15),
    ...ownLink,
    title: line(64).min(1, 'required'),
    text: text(2000).optional(),
    /** The id of an uploaded picture. */
    picture_id: id.nullable().optional(),
  }),
]);
export type PlatformConfig = z.infer<typeof platformConfig>;
export type ConfigOf<T extends PlatformType> = Extract<PlatformConfig, { type: T }>;
export type RequestConfig = ConfigOf<4 | 5 | 9 | 10 | 12>;
