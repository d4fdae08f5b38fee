import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockStatus } from '../../../contract/enums.ts';
import { runMany } from '../testing/simulation.ts';
import { judge, judgeOnce, type Known, nothingKnown, type Rules, type Voice } from './verdict.ts';

const rules = (weights: readonly number[], confirmations = 2): Rules => ({
  detectors: weights.map((weight, index) => ({ id: index + 1, weight })),
  confirmations,
  again_ms: 60_000,
  fresh_ms: 750_000,
});
const says = (...answers: (Voice['answer'] | undefined)[]): Voice[] =>
  answers.flatMap((answer, index) => (answer ? [{ detector_id: index + 1, answer }] : []));
const minute = 60_000;

/** Checks one minute after another. */
function after(own: Rules, ...rounds: Voice[][]) {
  let known: Known = nothingKnown;
  return rounds.map((voices, index) => {
    const verdict = judge(known, voices, own, index * minute);
    known = verdict.known;
    return verdict;
  });
}
const statuses = (own: Rules, ...rounds: Voice[][]) => after(own, ...rounds).map(({ known }) => known.status);
const [ok, bad, failed] = ['normal', 'blocked', 'failed'] as const;
const { normal: isNormal, blocked: isBlocked, failed: isFailed } = blockStatus;

describe('with as many detectors as must agree', () => {
  const three = rules([1, 1, 1]);
  test('one alone blocks nothing, however often it says so', () => {
    expect(statuses(three, says(ok, ok, ok), says(bad), says(bad), says(bad), says(bad))).toEqual(Array(5).fill(isNormal));
    expect(after(three, says(ok, ok, ok), says(bad))[1]).toMatchObject({ state: 'suspected', disputed: true, is_open: true });
  });
  test('two block it against one, and two unblock it again', () => {
    expect(statuses(three, says(ok, ok, ok), says(bad, bad, ok), says(ok, bad, bad), says(ok, ok, bad))).toEqual([
      isNormal,
      isBlocked,
      isBlocked,
      isNormal,
    ]);
  });
  test('they need not say so in the same check', () => {
    expect(statuses(three, says(bad, failed, failed), says(failed, bad, failed))).toEqual([null, isBlocked]);
  });
  test('where they disagree the heavier side decides, and neither if they weigh the same', () => {
    expect(statuses(rules([1, 1, 3]), says(bad, bad, ok))).toEqual([isNormal]);
    expect(statuses(rules([1, 1, 2]), says(bad, bad, ok))).toEqual([null]);
    expect(statuses(rules([2, 2, 3]), says(bad, bad, ok))).toEqual([isBlocked]);
  });
});

describe('with fewer detectors than must agree', () => {
  const one = rules([1]);
  test('one must say so as often, far enough apart', () => {
    expect(statuses(one, says(ok), says(bad), says(bad))).toEqual([isNormal, isNormal, isBlocked]);
    const known = judge(nothingKnown, says(bad), one, 0).known;
    expect(judge(known, says(bad), one, 30_000).known.status).toBe(null);
    expect(judge(known, says(bad), one, 60_000).known.status).toBe(isBlocked);
  });
  test('another answer between begins it anew', () => {
    expect(statuses(one, says(ok), says(bad), says(ok), says(bad), says(bad))).toEqual([isNormal, isNormal, isNormal, isNormal, isBlocked]);
  });
  test('a block ends the same way', () => {
    expect(statuses(one, says(bad), says(bad), says(ok), says(ok))).toEqual([null, isBlocked, isBlocked, isNormal]);
  });
});

describe('a detector that could not tell', () => {
  test('makes nothing normal and nothing blocked; after three such checks in a row nothing is known any more', () => {
    expect(statuses(rules([1, 1]), says(failed, failed), says(failed), says(failed))).toEqual([null, null, isFailed]);
    expect(statuses(rules([1, 1]), says(ok, ok), says(failed), says(failed), says(failed))).toEqual([
      isNormal,
      isNormal,
      isNormal,
      isFailed,
    ]);
  });
  test('leaves a block as it is, for however long', () => {
    const rounds = Array.from({ length: 100 }, () => says(failed, failed));
    expect(new Set(statuses(rules([1, 1]), says(bad, bad), ...rounds))).toEqual(new Set([isBlocked]));
  });
  test('a check for which nobody had a turn counts for nothing', () => {
    expect(statuses(rules([1, 1]), says(ok, ok), [], [], [], [])).toEqual(Array(5).fill(isNormal));
  });
});

test('what was said too long ago counts no more, nor what a detector said that was switched off since', () => {
  const two = rules([1, 1]);
  const known = judge(nothingKnown, says(bad), two, 0).known;
  expect(judge(known, says(undefined, bad), two, two.fresh_ms + 1).known.status).toBe(null);
  expect(judge(known, says(undefined, bad), { ...two, detectors: two.detectors.slice(1), confirmations: 2 }, minute).known.status).toBe(
    null,
  );
});

const voice = fc.record({
  detector_id: fc.integer({ min: 1, max: 5 }),
  answer: fc.constantFrom(...(['normal', 'blocked', 'down', 'failed'] as const)),
});
test('checks in which nobody could tell never change what is known to be blocked, and never call anything normal', () => {
  fc.assert(
    fc.property(fc.array(fc.array(voice, { maxLength: 5 }), { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), (rounds, confirmations) => {
      const own = rules([1, 2, 1, 3, 1], confirmations);
      let known: Known = nothingKnown;
      for (const [index, voices] of rounds.entries()) {
        const before = known.status;
        known = judge(known, voices, own, index * minute).known;
        const isTold = voices.some(({ answer }) => answer === 'normal' || answer === 'blocked');
        if (!isTold) expect([before, isFailed]).toContain(known.status);
        if (!isTold && before === isBlocked) expect(known.status).toBe(isBlocked);
      }
    }),
  );
});

test('one look is blocked when those who were asked agree, as far as there are enough of them', () => {
  const two = rules([1, 1, 1]);
  expect(judgeOnce(says(bad, bad, ok), two)).toEqual({ status: isBlocked, disputed: true });
  expect(judgeOnce(says(bad, failed, failed), two)).toEqual({ status: isBlocked, disputed: false });
  expect(judgeOnce(says(bad, ok), two)).toEqual({ status: isFailed, disputed: true });
  expect(judgeOnce(says(failed, failed), two)).toEqual({ status: isFailed, disputed: false });
  expect(judgeOnce([], two)).toEqual({ status: isFailed, disputed: false });
});

test('in random runs no healthy domain is blocked by fewer than must agree, nor a blocked one called normal by a check that failed', () => {
  // A hundred thousand of them: verdict.slow.test.ts.
  const { faults, falseAlarms, seen } = runMany(2_000);
  expect(faults).toEqual([]);
  // The runs must reach what they are about: alarms by enough liars, and blocks that are seen.
  expect(falseAlarms).toBeGreaterThan(20);
  expect(seen).toBeGreaterThan(200);
});
