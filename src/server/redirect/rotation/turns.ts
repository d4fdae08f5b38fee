/** What a redirect process asks: whose turn it is among those targets of a code that have visits left, in their order. */
export interface TurnQuestion {
  id: number;
  code: number;
  targets: number[];
  /** So many visits wait for theirs, one where it is not said; none where a block is to come before it is needed. */
  visits?: number;
  /** It stays that target's turn. */
  look?: boolean;
}

/** The targets of the next visits: of those that wait or, for a busy code, of a block of them. */
export interface TurnAnswer {
  id: number;
  targets: number[];
}

/** Messages between a redirect process and the supervisor. */
export type TurnMessage<T> = { turns: T[] };

/** Each side hears from the other only, so that what is inside needs no look. */
export const isTurnMessage = <T>(message: unknown): message is TurnMessage<T> =>
  typeof message === 'object' && message !== null && 'turns' in message;

interface Dealt {
  /** When each target had its last turn. */
  turns: Map<number, number>;
  latest: number;
  windowAt: number;
  /** In this window, and in the one before. */
  visits: number;
  rate: number;
}

const windowMilliseconds = 100;
/** From so many visits in a window on (1,000 a second) a code is busy: more than visits one after another can be. */
const busyVisits = 100;
/** A block is an eighth of a window's visits. */
const blocksPerWindow = 8;
const maxBlock = 256;
const maxCodes = 100_000;

/**
 * Deals the turns of round-robin codes for all redirect processes of a host, each target after the one whose turn is longest ago: one after
 * another while a code has less than 1,000 visits a second, in blocks beyond. It lives in the supervisor, which every process has a channel to,
 * and is kept in memory only: after a start each code begins with its first target.
 */
export function createTurns(now: () => number = () => performance.now()): {
  answer: (message: unknown) => TurnMessage<TurnAnswer> | undefined;
} {
  const codes = new Map<number, Dealt>();

  function codeOf(id: number): Dealt {
    const known = codes.get(id) ?? { turns: new Map(), latest: 0, windowAt: now(), visits: 0, rate: 0 };
    // At the end again, so that the first one is the one that was not asked for longest.
    codes.delete(id);
    codes.set(id, known);
    const [oldest] = codes.size > maxCodes ? codes.keys() : [];
    if (oldest !== undefined) codes.delete(oldest);
    return known;
  }

  function blockOf(code: Dealt): number {
    const age = now() - code.windowAt;
    if (age >= windowMilliseconds) {
      code.rate = age < 2 * windowMilliseconds ? code.visits : 0;
      code.visits = 0;
      code.windowAt = now();
    }
    return code.rate < busyVisits ? 1 : Math.min(maxBlock, Math.ceil(code.rate / blocksPerWindow));
  }

  function deal({ id, code: codeId, targets, visits = 1, look }: TurnQuestion): TurnAnswer {
    const code = codeOf(codeId);
    const inOrder = targets.toSorted((one, other) => (code.turns.get(one) ?? 0) - (code.turns.get(other) ?? 0));
    if (look) return { id, targets: inOrder.slice(0, 1) };
    const block = blockOf(code);
    const number = block > 1 ? Math.max(block, visits) : visits;
    code.visits += number;
    // Targets that are gone are forgotten now and then.
    if (code.turns.size > 2 * targets.length + 16)
      for (const known of code.turns.keys()) if (!targets.includes(known)) code.turns.delete(known);
    const dealt = Array.from({ length: number }, (_, index) => inOrder[index % inOrder.length] as number);
    for (const target of dealt) code.turns.set(target, ++code.latest);
    return { id, targets: dealt };
  }

  return {
    answer: (message) => (isTurnMessage<TurnQuestion>(message) ? { turns: message.turns.map(deal) } : undefined),
  };
}
