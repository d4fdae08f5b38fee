import { createHash } from 'node:crypto';
import { type Executed, execute, type Pending } from './execute.ts';
import { createState, tokensOf, trxOf } from './state.ts';
import type { Token } from './tokens.ts';

export const blockMilliseconds = 3_000;
/** So many blocks stand above one before it is solid: 19 of 27 representatives have built on it. */
export const solidLag = 19;

export type Block = { number: number; id: string; parent: string; timestamp: number; transactions: Executed[] };
/** From a block on, time goes on from a moment, and blocks have hashes of their own: a new start, or a reorganisation. */
type Segment = { from: number; timestamp: number; salt: number };
type Full = { transactions: Executed[]; written: [string, bigint | undefined][] };

export type Genesis = {
  at: number;
  tokens: readonly Token[];
  trx: Record<string, bigint>;
  held: { token: string; address: string; amount: bigint }[];
};
export type Chain = ReturnType<typeof createChain>;

/** Blocks with nothing in them are not kept: their hashes follow from number, segment and salt, so that a year of them costs nothing. */
export function createChain({ at, tokens, trx, held }: Genesis) {
  const state = createState();
  const known = new Map(tokens.map((token) => [token.address, token]));
  for (const [address, amount] of Object.entries(trx)) state.write(trxOf(address), amount);
  for (const { token, address, amount } of held) state.write(tokensOf(token, address), amount);
  state.cut();
  const segments: Segment[] = [{ from: 0, timestamp: at, salt: 0 }];
  const blocks = new Map<number, Full>();
  const places = new Map<string, number>();
  let head = 0;

  const segmentOf = (number: number): Segment => segments.findLast(({ from }) => from <= number) ?? { from: 0, timestamp: at, salt: 0 };
  const timestampOf = (number: number): number => {
    const { from, timestamp } = segmentOf(number);
    return timestamp + (number - from) * blockMilliseconds;
  };
  function idOf(number: number): string {
    const content = blocks.get(number)?.transactions.map(({ id }) => id) ?? [];
    const hash = createHash('sha256')
      .update(`${segmentOf(number).salt} ${number} ${timestampOf(number)} ${content.join(' ')}`)
      .digest('hex');
    return number.toString(16).padStart(16, '0') + hash.slice(16);
  }
  const parentOf = (number: number): string => (number === 0 ? '0'.repeat(64) : idOf(number - 1));

  return {
    state,
    tokens: known,
    head: () => head,
    solid: () => Math.max(0, head - solidLag),
    timestampOf,
    idOf,
    placeOf: (id: string): number | undefined => places.get(id),
    transactionsOf: (number: number): readonly Executed[] => blocks.get(number)?.transactions ?? [],
    block: (number: number): Block => ({
      number,
      id: idOf(number),
      parent: parentOf(number),
      timestamp: timestampOf(number),
      transactions: blocks.get(number)?.transactions ?? [],
    }),

    /** The next block, with what of these fits in; what is placed as it is did happen, whatever the state says. */
    append(pending: readonly Pending[], placed: readonly Executed[] = []): Executed[] {
      head += 1;
      const made = pending.flatMap((one) => execute(state, known, one, timestampOf(head)) ?? []);
      const transactions = [...made, ...placed];
      if (transactions.length > 0) blocks.set(head, { transactions, written: state.cut() });
      for (const { id } of transactions) places.set(id, head);
      return transactions;
    },

    /** So many blocks with nothing in them. */
    skip(count: number): void {
      head += count;
    },

    /** Takes the last blocks back and puts empty ones in their place, as another branch would. Answers what was in them. */
    reorganise(depth: number): Executed[] {
      const from = Math.max(1, head - depth + 1);
      const dropped: Executed[] = [];
      for (let number = head; number >= from; number -= 1) {
        const full = blocks.get(number);
        if (!full) continue;
        state.undo(full.written);
        blocks.delete(number);
        for (const { id } of full.transactions) places.delete(id);
        dropped.unshift(...full.transactions);
      }
      const salt = Math.max(...segments.map((segment) => segment.salt)) + 1;
      const timestamp = timestampOf(from);
      while ((segments.at(-1)?.from ?? 0) >= from) segments.pop();
      segments.push({ from, timestamp, salt });
      return dropped;
    },

    /** Time begins anew at a later block: the network was off meanwhile. */
    resume(number: number, timestamp: number): void {
      head = number - 1;
      segments.push({ from: number, timestamp, salt: segmentOf(number).salt });
    },
  };
}
