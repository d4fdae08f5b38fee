import { z } from 'zod';

/** A row's id: a positive safe integer, the same on the wire and in the database. */
export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** As many rows as one call may change. */
export const maxIds = 5000;
export const ids = z.array(id).min(1).max(maxIds);
/** All that fit a list's filters, as far as one call may change them. */
export const selectedIds = z.object({ ids: z.array(id), /** More fit than these. */ is_cut: z.boolean() });
/** ISO 8601 in UTC, as every time on the wire. */
export const time = z.iso.datetime().max(40);
/** When a row was made, and when it was last changed. */
export const timestamps = { created_at: time, updated_at: time };
/** Since when and why an administrator froze it; null: it isn't frozen. */
export const freezing = { frozen_at: time.nullable(), frozen_reason: z.string() };
export const request_id = z.uuid();
/** One of a closed list of numbers that the specification fixed, such as `rotation_mode`. */
export const oneOf = <const T extends readonly number[]>(values: T) =>
  z.union(values.map((value) => z.literal(value)) as unknown as [z.ZodLiteral<T[number]>, z.ZodLiteral<T[number]>]) as z.ZodType<
    T[number],
    T[number]
  >;
/** A single line of text without control characters and halves of surrogate pairs, trimmed, of `max` characters at most. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here.
    .regex(/^[^\u0000-\u001f\u007f\p{Cs}]*$/u, 'invalid_characters');
/** Text of several lines; NUL and half a surrogate pair, which PostgreSQL cannot store, are refused. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !/\0|\p{Cs}/u.test(value), 'invalid_characters');
/** An address a visitor is sent to; which schemes are allowed is a setting, checked by the server. */
export const targetUrl = z
  .string()
  .trim()
  .min(1, 'required')
  .max(4096)
  .regex(/^[a-z][a-z0-9+.-]*:[^\s]+$/i, 'invalid_url');
export const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'invalid_color')
  .max(7);
/** A registered host name in its own script, where it has one and can't be taken for another name. */
export const hostUnicode = z.string().nullable();
export const count = z.number().int().nonnegative();
/** A calendar day of the site's time zone, `YYYY-MM-DD`; beyond these years date arithmetic changes its spelling. */
export const day = z.iso.date().refine((value) => value >= '2000-01-01' && value < '2200-01-01', 'invalid_format');
/** A place among others: the larger one ranks first. */
export const rank = z.number().int().min(0).max(1_000_000_000);
export const done = z.object({ affected: count });
