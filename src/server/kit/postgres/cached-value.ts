import { unavailable } from '../calls/errors.ts';
import type { Bus, Topic } from './bus.ts';

type Options<T> = {
  read: () => Promise<T>;
  bus: Bus;
  /** The topics whose messages make the value stale. */
  topics: readonly Topic[];
  /** When a value stops being right by itself, on the clock of `performance.now()`. */
  validUntil?: (value: T) => number;
  log: { warn: (details: object, message: string) => void };
  /** No value is handed out that is older than this; 0 reads anew each time. */
  maxAgeMilliseconds?: number | undefined;
};

/** `rightAt`: when the value was last known to be right; `startedAt`: when it was last tried to read it; each with the changes heard of by then. */
type Reading<T> = { value: T; rightAt: number; valueGeneration: number; startedAt: number; generation: number };

/** How long a caller waits for a value to be read anew before the last one serves; shorter while the database is known not to answer. */
const patience = { usual: 1000, whileAway: 50 };
/** The bus hears of the database twice a second. One that it did not hear of for so long is not waited for by each value anew. */
const unheardMilliseconds = 1500;
/**
 * While the database is away, nobody can change what is held of it. The limit is for a process that alone is cut off: what others change
 * must not stay unheard for ever.
 */
const maxStaleMilliseconds = 600_000;

/**
 * @param patienceMilliseconds how long to wait before the last value serves
 * @throws the failure of the reading, or 503, where there is no value, or none young enough
 */
export type CachedValue<T> = (patienceMilliseconds?: number) => Promise<T>;

/**
 * Keeps a value of the database in memory, never staler than a second: a message of the bus makes it be read anew, and where the bus
 * cannot confirm that no message was missed, age does. While the database is away or silent the last value stands, for ten minutes from
 * when it was last known to be right: by a reading, or by the bus, which had heard of no change.
 */
export function cachedValue<T>({ read, bus, topics, log, validUntil, maxAgeMilliseconds = 1000 }: Options<T>): CachedValue<T> {
  let held: Reading<T> | undefined;
  let reading: Promise<Reading<T>> | undefined;
  let generation = 0;
  let isAway = false;
  const rightAt = ({ rightAt: at, valueGeneration }: Reading<T>): number =>
    valueGeneration === generation ? Math.max(at, bus.confirmedAt()) : at;
  const outdate = () => {
    if (held) held.rightAt = rightAt(held);
    generation += 1;
  };
  for (const topic of topics) bus.subscribe(topic, outdate);
  bus.onGap(outdate);

  const lastValue = (): Reading<T> | undefined => (held && rightAt(held) > performance.now() - maxStaleMilliseconds ? held : undefined);

  function requireLast(): T {
    const last = lastValue();
    if (!last) throw unavailable();
    return last.value;
  }

  async function readNow(): Promise<Reading<T>> {
    const started = { startedAt: performance.now(), generation };
    const slow = setTimeout(() => (isAway = true), patience.usual);
    try {
      held = { value: await read(), rightAt: started.startedAt, valueGeneration: started.generation, ...started };
      isAway = false;
    } catch (error) {
      isAway = true;
      const last = lastValue();
      if (!last) throw error;
      log.warn({ topics, error: String(error) }, 'what is held of the database could not be read anew');
      held = { ...last, ...started };
    } finally {
      clearTimeout(slow);
      reading = undefined;
    }
    return held;
  }

  const isCurrent = (found: Reading<T>, askedAt: number): boolean =>
    found.generation === generation &&
    !(validUntil && validUntil(found.value) <= performance.now()) &&
    Math.max(found.startedAt, rightAt(found)) > askedAt - maxAgeMilliseconds;

  return async (patienceMilliseconds = patience.usual) => {
    const asked = { at: performance.now(), generation };
    if (held && maxAgeMilliseconds > 0 && isCurrent(held, asked.at)) return held.value;
    for (;;) {
      // What another caller began to read before this one asked may be too old for it.
      reading ??= readNow();
      const isUnheard = bus.confirmedAt() < performance.now() - unheardMilliseconds;
      const longest = held && (isAway || isUnheard) ? patience.whileAway : patienceMilliseconds;
      const found = await within(reading, longest - (performance.now() - asked.at));
      if (!found) return requireLast();
      if (found.generation >= asked.generation && found.startedAt >= asked.at - maxAgeMilliseconds) return found.value;
    }
  };
}

/** What the promise resolves to, or undefined when the time is over first. */
function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, milliseconds), undefined);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
