import type { z } from 'zod';
import type { Call } from '../../../contract/kit/call.ts';
import { type FieldIssue, fieldIssues } from '../../../contract/kit/issues.ts';

export type Values = Record<string, unknown>;

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

/** The schema below a dotted path of an object's shape; undefined where lists or other kinds stand between. */
function schemaAt(call: Call, path: string): z.ZodType | undefined {
  const shape = call.input.shape as Record<string, z.ZodType | undefined>;
  return path.includes('.') ? undefined : shape[path];
}

const isEmpty = (value: unknown) => value === undefined || value === '' || value === null;

/**
 * Whether a field must be filled in: its schema takes neither a missing value, nor null, nor an empty text.
 * A field of an update may be missing, but what it holds (`initial`) cannot be emptied then.
 */
export function isRequiredField(call: Call, path: string, initial?: unknown): boolean {
  const schema = schemaAt(call, path);
  if (schema === undefined || accepts(schema, null) || accepts(schema, '')) return false;
  return !accepts(schema, undefined) || !isEmpty(initial);
}

/**
 * What a form's values mean on the wire. A field that was emptied becomes null where the contract takes null and stays empty
 * otherwise, for the contract to refuse; a field that was empty from the start is left out where it may be missing.
 */
export function wireValues(call: Call, values: Values, initial: Values): Values {
  const result: Values = {};
  for (const [key, value] of Object.entries(values)) {
    const schema = schemaAt(call, key);
    if (!schema || !isEmpty(value)) result[key] = value;
    else if (initial[key] === undefined && accepts(schema, undefined)) continue;
    else if (accepts(schema, null)) result[key] = null;
    else if (accepts(schema, '') || !isEmpty(initial[key]) || !accepts(schema, undefined)) result[key] = '';
  }
  return result;
}

/** Whether two sets of values say the same, whatever the order of their keys. */
export function sameValues(one: unknown, other: unknown): boolean {
  const sorted = (value: unknown) =>
    JSON.stringify(value, (_key, part) =>
      part && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    );
  return sorted(one) === sorted(other);
}

/** The value at a dotted path of objects and lists. */
export const valueAt = (input: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], input);

/** Everything the contract finds wrong with an input before it is sent. */
export function issuesOf(call: Call, input: unknown): FieldIssue[] {
  const parsed = call.input.safeParse(input);
  if (parsed.success) return [];
  // An emptied field is missing, whatever else its emptiness breaks; a contract may have words of its own for that (`role_name_required`).
  return fieldIssues(parsed.error).map((issue) =>
    isEmpty(valueAt(input, issue.path)) && issue.code !== 'unknown' && !issue.code.endsWith('_required')
      ? { ...issue, code: 'required', params: {} }
      : issue,
  );
}

export type NamePath = readonly (string | number)[];
export const toNamePath = (path: string): (string | number)[] => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

type Placed = { name: (string | number)[]; errors: string[] };

/**
 * Sorts messages by the form's fields: each goes to its own field or the nearest one around it; the rest is returned apart. What several
 * items of a list have in common is said once, with their numbers by `ofItems`, which is told the list's path.
 */
export function placeErrors(
  messages: ReadonlyMap<string, string>,
  fieldPaths: readonly string[],
  ofItems: (words: string, numbers: readonly number[], list: string) => string,
): { placed: Placed[]; apart: string[] } {
  const placed = new Map<string, Map<string, number[]>>();
  const apart: string[] = [];
  for (const [path, words] of messages) {
    const home = fieldPaths
      .filter((field) => path === field || path.startsWith(`${field}.`))
      .sort((a, b) => b.length - a.length)
      .at(0);
    if (home === undefined) {
      apart.push(words);
      continue;
    }
    const faults = placed.get(home) ?? new Map<string, number[]>();
    const item = /^\.(\d+)/.exec(path.slice(home.length))?.[1];
    faults.set(words, [...(faults.get(words) ?? []), ...(item === undefined ? [] : [Number(item) + 1])]);
    placed.set(home, faults);
  }
  const said = (path: string, faults: ReadonlyMap<string, number[]>) =>
    [...faults].map(([words, numbers]) => (numbers.length > 0 ? ofItems(words, [...new Set(numbers)], path) : words));
  return { placed: [...placed].map(([path, faults]) => ({ name: toNamePath(path), errors: said(path, faults) })), apart };
}
