import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../calls/context.ts';
import type { Bus, Topic } from '../postgres/bus.ts';

/** How long a stop waits for what runs before it breaks it off, and how long for that. Together less than the supervisor waits. */
const graceMilliseconds = 1_000;
const abortMilliseconds = 7_000;
/** After a claim that failed, doubled each time. */
const firstBackoffMilliseconds = 500;
const maxBackoffMilliseconds = 5_000;
const heartbeatMilliseconds = 1_000;
/** Claims pass over rows that anybody else has locked at this moment: what news tell of is looked for once more, so much later. */
const secondLookMilliseconds = 1_000;
/** A pause is up to so much shorter or longer: loops that began together would else look at the same moments, each on a connection of its own. */
const pauseSpread = 0.1;

/** Why a run is broken off: its worker stops, its lease is another worker's, or a user has ended it. */
export class Stopped extends Error {
  readonly why: 'stopping' | 'lost' | 'cancelled';
  constructor(why: Stopped['why']) {
    super(`broken off: ${why}`);
    this.why = why;
  }
}

export type WorkLoopOptions<Item> = {
  /** What the log calls it. */
  name: string;
  bus: Bus;
  /** Wakes it; without, it only polls. */
  topic?: Topic;
  /** For what comes due by time, and for what a lost message told of. */
  pollMilliseconds: number;
  /** How many items run at once. */
  concurrency: number;
  log: Log;
  /** Before each round of claims, also where nothing can begin. */
  prepare?: () => Promise<unknown>;
  /** Takes the next item under a lease, see `claim`. */
  claim: (underWay: readonly Item[]) => Promise<Item | undefined>;
  /**
   * Does the work and writes what came of it, failures and the time of the next try included. One that throws is logged, and its item
   * waits until its lease is over. The signal's reason is a `Stopped`.
   */
  run: (item: Item, signal: AbortSignal) => Promise<void>;
  /** For items that run longer than a lease lasts: renewed every second. Answers why the run must end. */
  lease?: { seconds: number; renew: (item: Item) => Promise<'lost' | 'cancelled' | undefined> };
  /** Gives back an item that a stop broke off: another worker may take it at once. */
  release: (item: Item) => Promise<unknown>;
};

export type WorkLoop = {
  /** Looks for work now, or again as soon as it has looked. */
  wake: () => void;
  /** Claims nothing more and waits for what runs, for eight seconds at most; what is left then ends with its lease. */
  stop: () => Promise<void>;
};

/** Claims and runs items until it is stopped: of any number of loops, in any number of processes, each item is run by one at a time. */
export function createWorkLoop<Item>(options: WorkLoopOptions<Item>): WorkLoop {
  const { name, bus, topic, pollMilliseconds, concurrency, log, claim, run, release } = options;
  const underWay = new Map<Promise<void>, { item: Item; controller: AbortController }>();
  const stopping = new AbortController();
  let awake = new AbortController();
  let hasNews = false;
  const wake = () => awake.abort();
  const hear = () => {
    hasNews = true;
    wake();
  };
  bus.onGap(hear);
  if (topic) bus.subscribe(topic, hear);

  async function work(): Promise<void> {
    for (let backoff = firstBackoffMilliseconds; !stopping.signal.aborted; ) {
      try {
        await options.prepare?.();
        if (!(await beginSome())) await pause();
        backoff = firstBackoffMilliseconds;
      } catch (error) {
        log.warn({ work: name, error: String(error) }, 'work could not be looked for');
        await delay(backoff, undefined, { signal: stopping.signal }).catch(() => {});
        backoff = Math.min(backoff * 2, maxBackoffMilliseconds);
      }
    }
  }

  /** Begins as much as fits in, once: what `prepare` does need not wait for the rest. Answers whether there may be more. */
  async function beginSome(): Promise<boolean> {
    for (let begun = 0; begun < concurrency; begun += 1) {
      if (underWay.size >= concurrency || stopping.signal.aborted) return false;
      const item = await claim([...underWay.values()].map((own) => own.item));
      if (item === undefined) return false;
      begin(item);
    }
    return underWay.size < concurrency;
  }

  /** Until there may be something to do: news, a free place, or the time to look again. */
  async function pause(): Promise<void> {
    const milliseconds = hasNews ? Math.min(secondLookMilliseconds, pollMilliseconds) : pollMilliseconds;
    // What is heard from here on ends the pause at once.
    if (!awake.signal.aborted) hasNews = false;
    const spread = 1 + pauseSpread * (2 * Math.random() - 1);
    await delay(milliseconds * spread, undefined, { signal: awake.signal }).catch(() => {});
    awake = new AbortController();
  }

  function begin(item: Item): void {
    const controller = new AbortController();
    const done = perform(item, controller).finally(() => {
      underWay.delete(done);
      wake();
    });
    underWay.set(done, { item, controller });
  }

  async function perform(item: Item, controller: AbortController): Promise<void> {
    const heartbeat = keepLease(item, controller);
    try {
      // Claimed while the loop was being stopped.
      if (stopping.signal.aborted) throw new Stopped('stopping');
      await run(item, controller.signal);
    } catch (error) {
      if (!(error instanceof Stopped && error.why === 'stopping')) log.error({ work: name, error: String(error) }, 'work failed');
      else await release(item).catch((failure) => log.warn({ work: name, error: String(failure) }, 'work could not be given back'));
    } finally {
      clearInterval(heartbeat);
    }
  }

  function keepLease(item: Item, controller: AbortController): NodeJS.Timeout | undefined {
    const { lease } = options;
    if (!lease) return undefined;
    const leaseMilliseconds = lease.seconds * 1000;
    let renewedAt = performance.now();
    let isBusy = false;
    return setInterval(
      async () => {
        if (controller.signal.aborted) return;
        if (performance.now() - renewedAt > leaseMilliseconds) controller.abort(new Stopped('lost'));
        if (isBusy) return;
        isBusy = true;
        const sentAt = performance.now();
        try {
          const why = await lease.renew(item);
          renewedAt = sentAt;
          if (why) controller.abort(new Stopped(why));
        } catch (error) {
          log.warn({ work: name, error: String(error) }, 'a lease could not be renewed');
        }
        isBusy = false;
      },
      Math.min(heartbeatMilliseconds, leaseMilliseconds / 3),
    );
  }

  const working = work();
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      const ended = working.then(() => Promise.all(underWay.keys()));
      const within = (milliseconds: number) => Promise.race([ended, delay(milliseconds, undefined, { ref: false })]);
      if (await within(graceMilliseconds)) return;
      for (const { controller } of underWay.values()) controller.abort(new Stopped('stopping'));
      await within(abortMilliseconds);
    },
  };
}
