import { z } from 'zod';

const maxDepth = 8;
/** Where the JSON schema of a value of free form says how many bytes it may take. */
export const maxBytesKey = 'x-maximum-bytes';
/** A character of UTF-8 takes at most so many bytes for each unit that JavaScript counts. */
const bytesPerUnit = 3;
const sized = (max: number) => ({ [maxBytesKey]: max * bytesPerUnit });

const isShallow = (value: unknown, depth = maxDepth): boolean =>
  value === null || typeof value !== 'object' || (depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1)));

/** PostgreSQL stores neither NUL nor half a surrogate pair in JSON. */
const isStorable = (value: unknown): boolean => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(JSON.stringify(value));

/** Checks in the order that keeps each one safe: the depth is limited before anything that calls itself for every level looks. */
const bounded = <T>(schema: z.ZodType<T, T>, max: number) =>
  schema
    .refine((value) => isShallow(value), { error: 'too_deep', abort: true })
    .refine((value) => JSON.stringify(value).length <= max, { error: 'too_large', abort: true })
    .refine(isStorable, { error: 'invalid_characters', abort: true });

/** Any JSON value but null, at most `max` characters as text. */
export const freeJson = (max: number) =>
  bounded(
    z.unknown().refine((value) => value !== undefined && value !== null, { error: 'required', abort: true }),
    max,
  )
    .pipe(z.json())
    .meta(sized(max));

/**
 * An object of free form, at most `max` characters as JSON.
 */
export const freeForm = (max: number) =>
  bounded(z.record(z.string().max(40), z.unknown()), max)
    .pipe(z.record(z.string(), z.json()))
    .meta(sized(max));
