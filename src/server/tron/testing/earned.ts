/** How a user's available money was moved, in its order. An order that was given back is no move any more. */
export type Move = { of: 'earned' | 'order' | 'rest'; amount: bigint };

/** What is left of what he earned: everything but withdrawals takes the rest of his money first. */
export function earnedOf(moves: readonly Move[]): bigint {
  let [earned, rest] = [0n, 0n];
  for (const { of, amount } of moves) {
    if (of === 'earned') earned += amount;
    else rest += amount;
    if (rest >= 0n) continue;
    earned += rest;
    rest = 0n;
  }
  return earned;
}
