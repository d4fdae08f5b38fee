import type { z } from 'zod';

export type FieldIssue = { path: string; code: string; params: Record<string, string | number> };

type Issue = z.core.$ZodIssue;

/** The translation key below `errors.field` for one thing that is wrong, with the figures its text needs. */
function codeOf(issue: Issue): Pick<FieldIssue, 'code' | 'params'> {
  switch (issue.code) {
    case 'invalid_type':
      return (
        own(issue) ?? {
          code: issue.input === undefined && /received undefined/.test(issue.message) ? 'required' : 'invalid_type',
          params: {},
        }
      );
    case 'too_small':
      return (
        own(issue) ?? {
          code: issue.origin === 'string' ? 'too_short' : issue.origin === 'array' ? 'too_few' : 'too_small',
          params: { minimum: Number(issue.minimum) },
        }
      );
    case 'too_big':
      return (
        own(issue) ?? {
          code: issue.origin === 'string' ? 'too_long' : issue.origin === 'array' ? 'too_many' : 'too_large',
          params: { maximum: Number(issue.maximum) },
        }
      );
    case 'invalid_value':
    case 'invalid_union':
      return { code: 'invalid_choice', params: {} };
    default:
      return own(issue) ?? { code: 'invalid_format', params: {} };
  }
}

/** A code that the schema itself gave as its message, such as `invalid_file_name`. */
const own = (issue: Issue): Pick<FieldIssue, 'code' | 'params'> | undefined =>
  /^[a-z][a-z_]*$/.test(issue.message) ? { code: issue.message, params: {} } : undefined;

const maxPathLength = 200;

/**
 * What is wrong, field by field, of `limit` fields at most; the first fault of a field wins. Paths are joined by dots, `targets.0.content`,
 * and cut off where unknown keys make them long.
 */
export function fieldIssues(error: { issues: readonly Issue[] }, limit = Number.POSITIVE_INFINITY): FieldIssue[] {
  const byPath = new Map<string, FieldIssue>();
  for (const issue of error.issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
    for (const key of keys) {
      if (byPath.size >= limit) return [...byPath.values()];
      const path = [...issue.path, ...(key === undefined ? [] : [key])].join('.').slice(0, maxPathLength);
      const found = key === undefined ? codeOf(issue) : { code: 'unknown', params: {} };
      if (!byPath.has(path)) byPath.set(path, { path, ...found });
    }
  }
  return [...byPath.values()];
}
