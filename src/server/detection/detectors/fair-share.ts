/**
 * How much each may take of a budget that does not suffice for all: who needs less than an equal part takes what he needs, and the rest is
 * parted among the others anew. Infinite where it suffices.
 */
export function fairShare(needs: readonly number[], budget: number): number {
  const sorted = [...needs].sort((one, other) => one - other);
  let left = budget;
  for (const [index, need] of sorted.entries()) {
    const part = left / (sorted.length - index);
    if (need > part) return Math.max(0, Math.floor(part));
    left -= need;
  }
  return Number.POSITIVE_INFINITY;
}
