import type { LogDifference } from '../../contract/system/log.ts';

const mostDifferences = 500;
const deepest = 6;

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object';

/** Every place where the two states differ, by its path; a list is compared place by place. At most 500 of them. */
export function differencesBetween(before: unknown, after: unknown): LogDifference[] {
  const found: LogDifference[] = [];
  compare(before, after, [], found);
  return found;
}

function compare(before: unknown, after: unknown, path: string[], found: LogDifference[]): void {
  if (found.length >= mostDifferences || JSON.stringify(before) === JSON.stringify(after)) return;
  const isSameKind = isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after);
  if (!isSameKind || path.length >= deepest) {
    // Both come out of JSON columns; a missing side stays missing.
    found.push({ path: path.join('.'), before, after } as LogDifference);
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
    compare(
      Object.hasOwn(before, key) ? before[key] : undefined,
      Object.hasOwn(after, key) ? after[key] : undefined,
      [...path, key],
      found,
    );
}
