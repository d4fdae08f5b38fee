import { isTurnMessage, type TurnAnswer, type TurnMessage, type TurnQuestion } from './turns.ts';

/** Called with the target whose turn it is; 0 where nobody said so in time: the process goes on by itself. */
type Again = (target: number) => void;

export interface SharedTurns {
  /** The target whose turn it is; undefined where it is asked for: `again` is called then. Who only looks leaves the turn to the next. */
  next(code: number, targets: number[], again: Again, isLook?: boolean): number | undefined;
  /** Takes in what the supervisor says. */
  hear(message: unknown): void;
}

/** The turns of a code among some of its targets. */
interface Turns {
  key: string;
  code: number;
  targets: number[];
  /** Dealt and not taken, until a moment, the next one at `taken`. */
  dealt: number[];
  taken: number;
  until: number;
  /** Visits that wait for an answer, in their order. */
  waiting: Again[];
  isAsked: boolean;
}

/** A question that was sent: who looks waits for it alone. */
type Asked = { at: number; turns: Turns } | { at: number; look: Again };

const answerMilliseconds = 250;
const sweepMilliseconds = 50;
/** A supervisor that did not answer is left alone for so long, so that not every visit waits for it. */
const restMilliseconds = 1_000;
/** What is left of a block is not used later: it would be out of turn once a code is quiet again. */
const blockMilliseconds = 250;
/** The next block is asked for when so much of one is left, so that no visit waits for it. */
const lowShare = 0.5;
/** Questions gather while rounds of the event loop bring more of them, as many at the most. */
const maxRounds = 8;

/**
 * Asks the supervisor for turns: one question at a time for a code, whatever visits wait for it, and all that come together in one message.
 */
export function createSharedTurns(send: (message: TurnMessage<TurnQuestion>) => void): SharedTurns {
  const known = new Map<string, Turns>();
  const asked = new Map<number, Asked>();
  let questions: TurnQuestion[] = [];
  let latestId = 0;
  let restUntil = 0;
  let sweeper: NodeJS.Timeout | undefined;

  function ask(question: Omit<TurnQuestion, 'id'>, of: { turns: Turns } | { look: Again }): void {
    latestId += 1;
    asked.set(latestId, { at: performance.now(), ...of });
    if (questions.push({ id: latestId, ...question }) === 1) setImmediate(gather, 1, 1);
    sweeper ??= setInterval(sweep, sweepMilliseconds).unref();
  }

  function askFor(turns: Turns): void {
    turns.isAsked = true;
    ask({ code: turns.code, targets: turns.targets }, { turns });
  }

  function waitFor(turns: Turns, again: Again): void {
    known.set(turns.key, turns);
    turns.waiting.push(again);
    if (!turns.isAsked) askFor(turns);
  }

  function gather(before: number, rounds: number): void {
    if (questions.length > before && rounds < maxRounds) setImmediate(gather, questions.length, rounds + 1);
    else flush();
  }

  function flush(): void {
    const sent = questions;
    questions = [];
    // As many as wait by now.
    for (const question of sent) {
      const of = asked.get(question.id);
      if (of && 'turns' in of) question.visits = of.turns.waiting.length;
    }
    send({ turns: sent });
  }

  /** Gives up what was not answered in time, and forgets blocks that nobody took. */
  function sweep(): void {
    const now = performance.now();
    for (const [id, one] of asked) {
      if (now - one.at < answerMilliseconds) break;
      asked.delete(id);
      restUntil = now + restMilliseconds;
      if ('look' in one) one.look(0);
      else {
        one.turns.isAsked = false;
        for (const again of one.turns.waiting.splice(0)) again(0);
      }
    }
    for (const [key, turns] of known) if (!turns.isAsked && now > turns.until) known.delete(key);
    if (known.size > 0 || asked.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  /** The next target that was dealt, which stays where it is only looked at. */
  function take(turns: Turns, isLook: boolean): number | undefined {
    if (turns.taken === turns.dealt.length || performance.now() > turns.until) return undefined;
    const target = turns.dealt[turns.taken];
    if (isLook) return target;
    turns.taken += 1;
    if (!turns.isAsked && turns.dealt.length > 1 && turns.dealt.length - turns.taken < lowShare * turns.dealt.length) askFor(turns);
    return target;
  }

  function serve(turns: Turns, dealt: number[]): void {
    turns.isAsked = false;
    // Where none are dealt ahead, the code is quiet again, and what is left would be out of turn.
    const left = dealt.length === 0 || performance.now() > turns.until ? [] : turns.dealt.slice(turns.taken);
    const all = [...left, ...dealt];
    const served = turns.waiting.splice(0, all.length);
    turns.dealt = all.slice(served.length);
    turns.taken = 0;
    turns.until = performance.now() + blockMilliseconds;
    if (turns.waiting.length > 0) askFor(turns);
    else if (turns.dealt.length === 0) known.delete(turns.key);
    for (const [index, again] of served.entries()) again(all[index] ?? 0);
  }

  return {
    next(code, targets, again, isLook = false) {
      const key = `${code}:${targets.join()}`;
      const turns = known.get(key);
      const held = turns && take(turns, isLook);
      if (held !== undefined) return held;
      if (performance.now() < restUntil) return 0;
      if (isLook) ask({ code, targets, look: true }, { look: again });
      else waitFor(turns ?? { key, code, targets, dealt: [], taken: 0, until: 0, waiting: [], isAsked: false }, again);
      return undefined;
    },
    hear(message) {
      if (!isTurnMessage<TurnAnswer>(message)) return;
      for (const { id, targets } of message.turns) {
        const one = asked.get(id);
        asked.delete(id);
        if (one && 'look' in one) one.look(targets[0] ?? 0);
        else if (one) serve(one.turns, targets);
      }
    },
  };
}
