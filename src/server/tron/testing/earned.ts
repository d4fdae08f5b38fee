import { least } from '../../../contract/money/amounts.ts';
import type { BalanceEdit } from '../../../contract/money/ledger.ts';

/** How a user's available money was moved, in its order. An order that was given back is no move any more. */
export type Move = { of: 'earned' | 'order' | 'deposit' | BalanceEdit; amount: bigint };

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

/** What is left of what he was given. Each millionth is a coin that knows where it came from, and who takes some says which he takes first. */
export function grantedIn(moves: readonly Move[]): bigint {
  let coins: { isGift: boolean; amount: bigint }[] = [];
  for (const { of, amount } of moves.filter((move) => move.of !== 'earned')) {
    if (amount > 0n) {
      coins.push({ isGift: of === 'gift', amount });
      continue;
    }
    let missing = -amount;
    coins = coins.toSorted((one, other) => Number(other.isGift) - Number(one.isGift)).map((coin) => ({ ...coin }));
    if (of === 'payment') coins.reverse();
    for (const coin of coins) {
      const taken = least(coin.amount, missing);
      coin.amount -= taken;
      missing -= taken;
    }
  }
  return coins.reduce((sum, { isGift, amount }) => (isGift ? sum + amount : sum), 0n);
}
