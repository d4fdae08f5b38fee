import { blockStatus } from '../../../contract/enums.ts';
import { judge, type Known, nothingKnown, type Opinion, type Rules, type Voice } from '../checks/verdict.ts';

/** A generator of numbers from 0 to 1 that repeats itself for a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How a detector behaves: the chances that it says the opposite, fails, answers too late, or is not asked for want of its limits. */
export type Behaviour = { id: number; weight: number; lies: number; fails: number; timesOut: number; throttles: number };

export function someBehaviour(id: number, random: () => number): Behaviour {
  const chance = (most: number) => random() ** 2 * most;
  return { id, weight: 1 + Math.floor(random() * 3), lies: chance(0.5), fails: chance(0.8), timesOut: chance(0.5), throttles: chance(0.8) };
}

function voiceOf({ id, lies, fails, timesOut, throttles }: Behaviour, isBlocked: boolean, random: () => number): Voice[] {
  if (random() < throttles) return [];
  if (random() < fails || random() < timesOut) return [{ detector_id: id, answer: 'failed' }];
  return [{ detector_id: id, answer: isBlocked !== random() < lies ? 'blocked' : 'normal' }];
}

export type Run = {
  checks: number;
  falseAlarms: number;
  /** Against the rules: what must never happen. */
  faults: string[];
  /** From the block to its verdict; undefined where it was never blocked or never seen. */
  detectionSeconds: number | undefined;
};

type Options = {
  random: () => number;
  behaviours: readonly Behaviour[];
  checks: number;
  intervalSeconds: number;
  confirmations: number;
  againSeconds: number;
};

/**
 * One domain over many checks, with the rules as they are shipped. It is healthy at first, and blocked from some moment on in every other
 * run. Every change of status is held against a book of its own on what each detector said.
 */
export function runOnce({ random, behaviours, checks, intervalSeconds, confirmations, againSeconds }: Options): Run {
  const rules: Rules = {
    detectors: behaviours.map(({ id, weight }) => ({ id, weight })),
    confirmations,
    again_ms: againSeconds * 1000,
    fresh_ms: Math.max(180, 2.5 * intervalSeconds) * 1000,
  };
  const blockedFrom = random() < 0.5 ? Math.floor(random() * checks) : Number.POSITIVE_INFINITY;
  const book: { at: number; detector: number; answer: Opinion['answer'] }[] = [];
  const run: Run = { checks, falseAlarms: 0, faults: [], detectionSeconds: undefined };
  let known: Known = nothingKnown;
  let now = 0;
  let blockedAt = 0;
  for (let check = 0; check < checks; check += 1) {
    if (check === blockedFrom) blockedAt = now;
    const isBlocked = check >= blockedFrom;
    const voices = behaviours.flatMap((behaviour) => voiceOf(behaviour, isBlocked, random));
    for (const { detector_id, answer } of voices)
      if (answer === 'normal' || answer === 'blocked') book.push({ at: now, detector: detector_id, answer });
    const before = known.status;
    const verdict = judge(known, voices, rules, now);
    known = verdict.known;
    run.faults.push(...faultsOf({ before, after: known.status, voices, book, now, rules }));
    if (known.status === blockStatus.blocked && before !== blockStatus.blocked) {
      if (!isBlocked) run.falseAlarms += 1;
      else run.detectionSeconds ??= (now - blockedAt) / 1000;
    }
    const seconds = verdict.is_open ? Math.min(intervalSeconds, againSeconds + 1) : intervalSeconds * (0.9 + random() * 0.2);
    now += seconds * 1000;
  }
  return run;
}

/** So many runs, each with one to five detectors of its own. The first faults are told. */
export function runMany(runs: number): { faults: string[]; falseAlarms: number; seen: number } {
  const sums = { faults: [] as string[], falseAlarms: 0, seen: 0 };
  for (let run = 0; run < runs; run += 1) {
    const random = seeded(run);
    const detectors = 1 + Math.floor(random() * 5);
    const behaviours = Array.from({ length: detectors }, (_, index) => someBehaviour(index + 1, random));
    const result = runOnce({ random, behaviours, checks: 20, intervalSeconds: 300, confirmations: 2, againSeconds: 60 });
    if (sums.faults.length < 10) sums.faults.push(...result.faults.map((fault) => `run ${run}: ${fault}`));
    sums.falseAlarms += result.falseAlarms;
    if (result.detectionSeconds !== undefined) sums.seen += 1;
  }
  return sums;
}

type Step = {
  before: Known['status'];
  after: Known['status'];
  voices: readonly Voice[];
  book: readonly { at: number; detector: number; answer: Opinion['answer'] }[];
  now: number;
  rules: Rules;
};

function faultsOf({ before, after, voices, book, now, rules }: Step): string[] {
  if (before === after) return [];
  const faults: string[] = [];
  const told = voices.filter(({ answer }) => answer === 'normal' || answer === 'blocked');
  const saying = (answer: Opinion['answer']) => book.filter((entry) => entry.answer === answer && now - entry.at <= rules.fresh_ms);
  const number = (answer: Opinion['answer']) => new Set(saying(answer).map(({ detector }) => detector)).size;
  /** By so few detectors that one must count several times: as many answers, far enough apart. */
  const isRepeated = (answer: Opinion['answer']) => {
    let last = Number.NEGATIVE_INFINITY;
    let counted = 0;
    for (const { at } of saying(answer)) {
      if (at - last < rules.again_ms) continue;
      last = at;
      counted += 1;
    }
    return rules.detectors.length < rules.confirmations && counted >= rules.confirmations;
  };
  const isEnough = (answer: Opinion['answer']) => number(answer) >= rules.confirmations || isRepeated(answer);
  if (after === blockStatus.blocked && !isEnough('blocked')) faults.push(`blocked by ${number('blocked')}`);
  if (after === blockStatus.blocked && !voices.some(({ answer }) => answer === 'blocked')) faults.push('blocked though nobody said so');
  if (before === blockStatus.blocked && after === blockStatus.normal && !isEnough('normal'))
    faults.push(`unblocked by ${number('normal')}`);
  if (before === blockStatus.blocked && told.length === 0) faults.push('a check that failed ended a block');
  if (after === blockStatus.normal && !told.some(({ answer }) => answer === 'normal')) faults.push('normal though nobody said so');
  if (before === blockStatus.blocked && after === blockStatus.failed) faults.push('a block was forgotten');
  return faults;
}

/** What healthy detectors of the trade do: they seldom lie, and fail now and then. */
export const usualBehaviour = (id: number): Behaviour => ({ id, weight: 1, lies: 0.001, fails: 0.03, timesOut: 0.02, throttles: 0 });

export type Expectation = { detectors: number; mean: number; median: number; p95: number; missed: number };

/** The time from a block to its verdict, with so many detectors that behave as usual. */
export function expectDetection(
  detectors: number,
  runs: number,
  { intervalSeconds = 300, againSeconds = 60, confirmations = 2 } = {},
): Expectation {
  const times: number[] = [];
  let missed = 0;
  for (let run = 0; run < runs; run += 1) {
    const random = seeded(1_000_003 * detectors + run);
    const behaviours = Array.from({ length: detectors }, (_, index) => usualBehaviour(index + 1));
    const options = { random, behaviours, checks: 1, intervalSeconds, confirmations, againSeconds };
    const seconds = detectionOf(options);
    if (seconds === undefined) missed += 1;
    else times.push(seconds);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { detectors, mean: times.reduce((sum, time) => sum + time, 0) / times.length, median: at(0.5), p95: at(0.95), missed };
}

/** A domain that was normal until now is blocked at some moment between two checks. */
function detectionOf({ random, behaviours, intervalSeconds, confirmations, againSeconds }: Options): number | undefined {
  const rules: Rules = {
    detectors: behaviours,
    confirmations,
    again_ms: againSeconds * 1000,
    fresh_ms: Math.max(180, 2.5 * intervalSeconds) * 1000,
  };
  const normal = behaviours.map(({ id }): Voice => ({ detector_id: id, answer: 'normal' }));
  let { known } = judge(nothingKnown, normal, rules, 0);
  const first = random() * intervalSeconds;
  let seconds = first;
  for (let check = 0; check < 50; check += 1) {
    const now = (intervalSeconds + seconds) * 1000;
    const verdict = judge(
      known,
      behaviours.flatMap((behaviour) => voiceOf(behaviour, true, random)),
      rules,
      now,
    );
    known = verdict.known;
    if (known.status === blockStatus.blocked) return seconds;
    seconds += verdict.is_open ? Math.min(intervalSeconds, againSeconds + 1) : intervalSeconds;
  }
  return undefined;
}
