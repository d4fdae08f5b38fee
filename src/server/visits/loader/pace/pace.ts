import type { Loaded } from '../loading.ts';
import type { ProcessorTimes } from './processors.ts';

/** From so many visits a second of one source on it is worth waiting: loading them takes a tenth of a processor. */
const busyRate = 5_000;
/** Processors that rest less than this share of the time are short. */
const shortShare = 0.3;
/** So long visits go first at most: what is shown of them is as old then, and a moment. */
const maxWait = 4_000;
/** Shorter times tell nothing: systems count them by hundredths of a second. */
const minSample = 100;

/** Of so long a time at least a rate is made. */
const minRateTime = 250;
/** A source that was silent for so long has no rate. */
const silence = 60_000;

export type Pace = ReturnType<typeof createPace>;

type Source = { caughtUpAt: number; records: number; rate: number };

/**
 * Visits go before what is counted of them: while they come in such numbers that the processors have no rest, loading waits, up to four
 * seconds, and takes what came in few large batches. Whether the processors rest is looked at only while nothing is loaded, because
 * catching up takes all that is left of them.
 * @param times of the processors, as they are now
 * @param now milliseconds of a clock that is never set
 */
export function createPace(times: () => ProcessorTimes, now: () => number = () => performance.now()) {
  const sources = new Map<string, Source>();
  let loading = 0;
  let sampled = { at: now(), times: times() };
  let isShort = false;

  /** Whether the processors had no rest since they were looked at last. */
  function look(): boolean {
    const before = sampled;
    if (now() - before.at < minSample) return isShort;
    sampled = { at: now(), times: times() };
    const all = sampled.times.all - before.times.all;
    isShort = all > 0 && sampled.times.idle - before.times.idle < shortShare * all;
    return isShort;
  }

  /** Makes the rate of what came since the source was caught up with before. */
  function caughtUp(source: Source): void {
    source.rate = (source.records * 1000) / Math.max(minRateTime, now() - source.caughtUpAt);
    source.records = 0;
    source.caughtUpAt = now();
  }

  return {
    /** Whether a source's visits are left in the journal for now. */
    isToWait(name: string): boolean {
      const source = sources.get(name);
      if (!source || source.rate < busyRate || now() - source.caughtUpAt >= maxWait) return false;
      return loading > 0 ? isShort : look();
    },
    begin(): void {
      loading += 1;
    },
    end(name: string, { records, is_more }: Loaded): void {
      loading -= 1;
      for (const [other, { caughtUpAt }] of sources) if (now() - caughtUpAt > silence) sources.delete(other);
      const source = sources.get(name);
      if (source) source.records += records;
      if (source && !is_more) caughtUp(source);
      // What was there when it was seen first came nobody knows when.
      if (!source && !is_more) sources.set(name, { caughtUpAt: now(), records: 0, rate: 0 });
      if (loading > 0) return;
      sampled = { at: now(), times: times() };
      isShort = true;
    },
  };
}
