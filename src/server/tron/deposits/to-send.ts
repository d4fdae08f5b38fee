/** Millionths: the balance, what is kept below the minimum, the minimum itself, and payments on their way in their order. */
export type Means = { balance: bigint; aside: bigint; minimum: bigint; coming: readonly bigint[] };

// Math.max takes no bigint.
const greater = (one: bigint, other: bigint): bigint => (one >= other ? one : other);

/**
 * What a user has still to send so that his balance reaches an amount once everything on its way has arrived. Less than the minimum would be
 * kept aside: then it is that much, or what brings it up to the minimum with what is kept already.
 */
export function toSend(wanted: bigint, { balance, aside, minimum, coming }: Means): bigint {
  let has = balance;
  let kept = aside;
  for (const amount of coming) {
    if (amount < minimum) kept += amount;
    else has += amount;
    if (kept < minimum) continue;
    has += kept;
    kept = 0n;
  }
  if (has >= wanted) return 0n;
  const needed = greater(wanted - has, minimum);
  // A payment below the minimum comes to the balance together with what is kept; another one comes alone.
  return needed - kept < minimum ? needed - kept : needed;
}
