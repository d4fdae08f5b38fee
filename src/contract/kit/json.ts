import { z } from 'zod';

const maximumDepth = 8;

const isShallow = (value: unknown, depth = maximumDepth): boolean =>
  value === null || typeof value !== 'object' || (depth > 0 && Object.values(value).every((part) => isShallow(part, depth - 1)));

/** PostgreSQL stores neither NUL nor half a surrogate pair in JSON. */
const isStorable = (value: unknown): boolean => !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(JSON.stringify(value));

/**
 * An object of free form, at most `max` characters as JSON. Its depth is limited before anything else looks at it: a checker that calls
 * itself for every level would run out of stack on what a parser accepts.
 */
export const freeForm = (max: number) =>
  z
    .record(z.string().max(40), z.unknown())
    .refine((value) => isShallow(value), { error: 'too_deep', abort: true })
    .refine((value) => JSON.stringify(value).length <= max, { error: 'too_large', abort: true })
    .refine(isStorable, { error: 'invalid_characters', abort: true })
    .pipe(z.record(z.string(), z.json()));
