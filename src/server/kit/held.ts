import type { Bus, Topic } from './bus.ts';

type Options<T> = {
  read: () => Promise<T>;
  bus: Bus;
  /** The topics whose messages make the value stale. */
  topics: readonly Topic[];
  /** When a value stops being right by itself, in milliseconds since 1970. */
  validUntil?: (value: T) => number;
  log: { warn: (details: object, message: string) => void };
  /** No value is handed out that is older than this; 0 reads anew each time. */
  maximumAgeMilliseconds?: number | undefined;
};

type Reading<T> = { value: T; startedAt: number; generation: number };

/**
 * Keeps a value of the database in memory, never staler than a second: a message of the bus makes it be read anew, and where the bus
 * cannot confirm that no message was missed, age does. While the database is away the last value stands.
 */
export function hold<T>({ read, bus, topics, log, validUntil, maximumAgeMilliseconds = 1000 }: Options<T>): () => Promise<T> {
  let held: Reading<T> | undefined;
  let reading: Promise<Reading<T>> | undefined;
  let generation = 0;
  const outdate = () => {
    generation += 1;
  };
  for (const topic of topics) bus.subscribe(topic, outdate);
  bus.onGap(outdate);

  async function readNow(): Promise<Reading<T>> {
    const started = { startedAt: performance.now(), generation };
    try {
      held = { value: await read(), ...started };
    } catch (error) {
      if (!held) throw error;
      log.warn({ topics, error: String(error) }, 'what is held of the database could not be read anew');
      held = { ...held, ...started };
    } finally {
      reading = undefined;
    }
    return held;
  }

  const isCurrent = (found: Reading<T>, askedAt: number): boolean =>
    found.generation === generation &&
    !(validUntil && validUntil(found.value) <= Date.now()) &&
    Math.max(found.startedAt, bus.confirmedAt()) > askedAt - maximumAgeMilliseconds;

  return async () => {
    const asked = { at: performance.now(), generation };
    if (held && maximumAgeMilliseconds > 0 && isCurrent(held, asked.at)) return held.value;
    for (;;) {
      // What another caller began to read before this one asked may be too old for it.
      reading ??= readNow();
      const found = await reading;
      if (found.generation >= asked.generation && found.startedAt >= asked.at - maximumAgeMilliseconds) return found.value;
    }
  };
}
