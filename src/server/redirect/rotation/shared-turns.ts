import { isTurnMessage, type TurnAnswer, type TurnMessage, type TurnQuestion } from './turns.ts';

/** Called with the target whose turn it is; 0 where nobody said so in time: the process goes on by itself. */
type Again = (target: number) => void;

export interface SharedTurns {
  /** The target whose turn it is; undefined where it is asked for: `again` is called then. Who only looks leaves the turn to the next. */
  next(code: number, targets: number[], again: Again, isLook?: boolean): number | undefined;
  /** Takes in what the supervisor says. */
  hear(message: unknown): void;
}

interface Asked {
  key: string;
  code: number;
  again: Again;
}

const answerMilliseconds = 250;
/** A supervisor that did not answer is left alone for so long, so that not every visit waits for it. */
const restMilliseconds = 1_000;
/** What is left of a block is not used later: it would be out of turn once a code is quiet again. */
const blockMilliseconds = 250;

/** Asks the supervisor for turns, all that are wanted in one round of the event loop in one message. */
export function createSharedTurns(send: (message: TurnMessage<TurnQuestion>) => void): SharedTurns {
  const asked = new Map<number, Asked>();
  const blocks = new Map<number, { key: string; targets: number[]; until: number }>();
  let questions: TurnQuestion[] = [];
  let latestId = 0;
  let restUntil = 0;

  function settle(id: number, target: number): Asked | undefined {
    const one = asked.get(id);
    asked.delete(id);
    one?.again(target);
    return one;
  }

  function flush(): void {
    const sent = questions;
    questions = [];
    send({ turns: sent });
    setTimeout(() => {
      const late = sent.filter(({ id }) => asked.has(id));
      if (late.length > 0) restUntil = performance.now() + restMilliseconds;
      for (const { id } of late) settle(id, 0);
    }, answerMilliseconds).unref();
  }

  function takeHeld(code: number, key: string, isLook: boolean): number | undefined {
    const block = blocks.get(code);
    if (block === undefined) return undefined;
    const isGood = block.key === key && performance.now() < block.until;
    if (isLook && isGood) return block.targets[0];
    const target = isGood ? block.targets.shift() : undefined;
    if (target === undefined || block.targets.length === 0) blocks.delete(code);
    return target;
  }

  function keep({ code, key }: Asked, targets: number[]): void {
    const known = blocks.get(code);
    const before = known?.key === key && performance.now() < known.until ? known.targets : [];
    blocks.set(code, { key, targets: [...before, ...targets], until: performance.now() + blockMilliseconds });
  }

  return {
    next(code, targets, again, isLook = false) {
      const key = targets.join();
      const held = takeHeld(code, key, isLook);
      if (held !== undefined) return held;
      if (performance.now() < restUntil) return 0;
      latestId += 1;
      asked.set(latestId, { key, code, again });
      if (questions.push({ id: latestId, code, targets, ...(isLook && { look: true }) }) === 1) setImmediate(flush);
      return undefined;
    },
    hear(message) {
      if (!isTurnMessage<TurnAnswer>(message)) return;
      for (const { id, targets } of message.turns) {
        const [first = 0, ...rest] = targets;
        const one = settle(id, first);
        if (one && rest.length > 0) keep(one, rest);
      }
    },
  };
}
