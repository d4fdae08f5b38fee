import type { DetectorAnswer } from '../../../contract/detection/detectors.ts';
import type { BeatState } from '../../../contract/detection/domain-monitor.ts';
import { blockStatus, type blockStatuses } from '../../../contract/enums.ts';

export type BlockStatus = (typeof blockStatuses)[number];

/** What a detector said last, and how often in a row, answers that came close after each other counted once. */
export type Opinion = { answer: 'normal' | 'blocked'; at: number; counted: number; counted_at: number };

/** What is known of an address from one check to the next. */
export type Known = {
  status: BlockStatus | null;
  /** By the detector's id. */
  opinions: Readonly<Record<string, Opinion>>;
  /** Checks one after another in which no detector could tell. */
  untold: number;
};
export const nothingKnown: Known = { status: null, opinions: {}, untold: 0 };

export type Voice = { detector_id: number; answer: DetectorAnswer };

export type Rules = {
  /** Detectors that know messengers and are switched on, whether or not they work at the moment. */
  detectors: readonly { id: number; weight: number }[];
  /** So many of them must agree. */
  confirmations: number;
  /** Where there are fewer: answers of one count as several when they are so far apart. */
  again_ms: number;
  /** What was said longer ago counts no more. */
  fresh_ms: number;
};

export type Verdict = {
  known: Known;
  state: Extract<BeatState, 'normal' | 'suspected' | 'blocked' | 'failed'>;
  /** Detectors say both. */
  disputed: boolean;
  /** One more answer might change the status: worth asking again before its time. */
  is_open: boolean;
};

/** Checks in a row in which nobody could tell, after which a status that was known is known no more. */
const maxUntold = 3;

const isTold = (answer: DetectorAnswer): answer is Opinion['answer'] => answer === 'normal' || answer === 'blocked';

/**
 * What one more check makes of what is known. An address becomes blocked, and a blocked one normal, only when enough detectors say so and
 * their weights outweigh the others'. A detector that could not tell has no voice in this: it makes nothing normal and nothing blocked.
 */
export function judge(before: Known, voices: readonly Voice[], rules: Rules, now: number): Verdict {
  const opinions = opinionsAfter(before.opinions, voices, rules, now);
  const told = new Set(voices.map(({ answer }) => answer).filter(isTold));
  if (told.size === 0) return judgeUntold(before, voices, opinions);
  const [blocked, normal] = [partyOf('blocked', opinions, rules), partyOf('normal', opinions, rules)];
  const status = statusAfter(before.status, { blocked, normal, told });
  const disputed = blocked.voices > 0 && normal.voices > 0;
  const isBlocked = status === blockStatus.blocked;
  const state = isBlocked ? 'blocked' : blocked.voices > 0 ? 'suspected' : 'normal';
  return { known: { status, opinions, untold: 0 }, state, disputed, is_open: isBlocked ? normal.voices > 0 : blocked.voices > 0 };
}

function opinionsAfter(before: Known['opinions'], voices: readonly Voice[], { detectors, again_ms, fresh_ms }: Rules, now: number) {
  const opinions: Record<string, Opinion> = {};
  for (const { id } of detectors) {
    const known = before[id];
    if (known && now - known.at <= fresh_ms) opinions[id] = known;
  }
  const ids = new Set(detectors.map(({ id }) => id));
  for (const { detector_id, answer } of voices) {
    if (!isTold(answer) || !ids.has(detector_id)) continue;
    const known = opinions[detector_id];
    const isSame = known?.answer === answer;
    const counts = !known || !isSame || now - known.counted_at >= again_ms;
    opinions[detector_id] = {
      answer,
      at: now,
      counted: (isSame ? known.counted : 0) + (counts ? 1 : 0),
      counted_at: counts ? now : known.counted_at,
    };
  }
  return opinions;
}

function judgeUntold(before: Known, voices: readonly Voice[], opinions: Known['opinions']): Verdict {
  const untold = before.untold + (voices.length > 0 ? 1 : 0);
  // A block that is known is not forgotten because nobody can see it at the moment.
  const isForgotten = untold >= maxUntold && before.status !== blockStatus.blocked;
  const status = isForgotten ? blockStatus.failed : before.status;
  const answers = new Set(Object.values(opinions).map(({ answer }) => answer));
  return { known: { status, opinions, untold }, state: 'failed', disputed: answers.size > 1, is_open: false };
}

type Party = { voices: number; weight: number; isEnough: boolean };

/** Those who say the same. Where there are fewer detectors than must agree, all of them must, and often enough. */
function partyOf(answer: Opinion['answer'], opinions: Known['opinions'], { detectors, confirmations }: Rules): Party {
  const own = detectors.flatMap(({ id, weight }) => {
    const opinion = opinions[id];
    return opinion?.answer === answer ? [{ weight, counted: opinion.counted }] : [];
  });
  const counted = own.reduce((sum, opinion) => sum + opinion.counted, 0);
  const areAll = own.length > 0 && own.length === detectors.length;
  return {
    voices: own.length,
    weight: own.reduce((sum, opinion) => sum + opinion.weight, 0),
    isEnough: own.length >= confirmations || (detectors.length < confirmations && areAll && counted >= confirmations),
  };
}

type Parties = { blocked: Party; normal: Party; told: ReadonlySet<Opinion['answer']> };

function statusAfter(before: BlockStatus | null, { blocked, normal, told }: Parties): BlockStatus | null {
  if (told.has('blocked') && blocked.isEnough && blocked.weight > normal.weight) return blockStatus.blocked;
  if (!told.has('normal') || normal.weight <= blocked.weight) return before;
  if (before === blockStatus.blocked && !normal.isEnough) return before;
  return blockStatus.normal;
}

/** The verdict of one look at an address of which nothing is known: those who were asked must agree, as far as there are enough of them. */
export function judgeOnce(
  voices: readonly Voice[],
  rules: Pick<Rules, 'detectors' | 'confirmations'>,
): { status: BlockStatus; disputed: boolean } {
  const told = voices.filter(({ answer }) => isTold(answer));
  const weightOf = (answer: Opinion['answer']) => {
    const ids = new Set(told.filter((voice) => voice.answer === answer).map(({ detector_id }) => detector_id));
    return { number: ids.size, weight: rules.detectors.reduce((sum, { id, weight }) => sum + (ids.has(id) ? weight : 0), 0) };
  };
  const [blocked, normal] = [weightOf('blocked'), weightOf('normal')];
  const disputed = blocked.number > 0 && normal.number > 0;
  const needed = Math.min(rules.confirmations, Math.max(told.length, 1));
  if (blocked.number >= needed && blocked.weight > normal.weight) return { status: blockStatus.blocked, disputed };
  if (normal.number > 0 && normal.weight > blocked.weight) return { status: blockStatus.normal, disputed };
  return { status: blockStatus.failed, disputed };
}
