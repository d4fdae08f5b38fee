import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../kit/calls/context.ts';
import { databaseCode } from '../../kit/calls/errors.ts';
import { createMaintenance } from '../maintenance/loader-maintenance.ts';
import { maxBatchRecords } from './batch.ts';
import { createLoading, type Loaded } from './loading.ts';
import type { FactSources } from './lookup.ts';
import { createPace, type Pace } from './pace/pace.ts';
import { processorTimes } from './pace/processors.ts';
import { createSegments } from './segments.ts';

export type LoaderOptions = {
  database_url: string;
  /** The folder of the segments. */
  folder: string;
  facts: FactSources;
  log: Log;
  /** How many sources are loaded at a time, each over a connection of its own. */
  lanes?: number;
  /** Bytes of a segment that are read at once. */
  batch_bytes?: number;
  /** A source that was caught up with is looked at again after so long: often enough for live screens, with batches worth a transaction. */
  pause_milliseconds?: number;
  /** When visits are left in the journal for a while; of this machine's processors without it. */
  pace?: Pace;
  /** Loaded segments are kept so long; on a disk that gets full they go earlier. */
  retention_seconds?: number;
  /** Leases of sources without a journal are given back after so long. */
  lost_source_seconds?: number;
};

export type Loader = {
  /** Ends after the batches under way. */
  stop: () => Promise<void>;
};

const minBackoff = 100;
const maxBackoff = 5_000;
/** A connection whose other side is silent is given up after so long. */
const farewellMilliseconds = 2_000;

/** Loads the journals of a folder into the database, from now on and until it is stopped; a database that is away is waited for. */
export function startLoader(options: LoaderOptions): Loader {
  const { folder, log, facts, lanes = 2, batch_bytes = 4 * 2 ** 20, pause_milliseconds = 250 } = options;
  const { retention_seconds = 86_400, lost_source_seconds = 3_600, pace = createPace(processorTimes) } = options;
  const stopping = new AbortController();
  const newState = () => ({ segments: createSegments(folder, maxBatchRecords), loading: createLoading({ facts, batch_bytes, log }) });
  let state = newState();
  const maintenance = createMaintenance({ folder, log, retention_seconds, lost_source_seconds });
  let isAway = false;

  async function work(client: pg.ClientBase, isBroken: () => boolean): Promise<void> {
    let backoff = minBackoff;
    while (!stopping.signal.aborted && !isBroken()) {
      const { segments, loading } = state;
      await segments.refresh(client);
      if (isAway) log.info({}, 'the database is back');
      isAway = false;
      await maintenance.run(client, segments);
      const job = segments.take();
      if (!job) {
        await rest(pause_milliseconds / 4, stopping.signal);
        continue;
      }
      let pause = pause_milliseconds;
      if (!job.is_final && pace.isToWait(job.segment.source)) {
        segments.release(job, pause);
        continue;
      }
      pace.begin();
      let loaded: Loaded = { records: 0, is_more: false };
      try {
        loaded = await loading.load(client, job);
        if (loaded.is_more) pause = 0;
        backoff = minBackoff;
      } catch (error) {
        if (isBroken() || isFarewell(error)) throw error;
        log.error({ segment: job.segment.name, error: messageOf(error) }, 'a batch of visits could not be loaded; it is tried again');
        pause = backoff;
        backoff = Math.min(backoff * 2, maxBackoff);
        if (await loading.recover(client, job.segment, error)) pause = 0;
      } finally {
        pace.end(job.segment.source, loaded);
        segments.release(job, pause);
      }
    }
  }

  async function lane(): Promise<void> {
    let backoff = minBackoff;
    while (!stopping.signal.aborted) {
      const { client, isBroken } = newClient(options.database_url);
      const startedAt = performance.now();
      try {
        await client.connect();
        await work(client, isBroken);
      } catch (error) {
        if (!isAway) log.warn({ error: messageOf(error) }, 'the database is away; visits wait in the journal');
        isAway = true;
      }
      await Promise.race([client.end().catch(() => {}), delay(farewellMilliseconds, undefined, { ref: false })]);
      // After a crash of the server neither ids nor offsets are what they were.
      state = newState();
      if (performance.now() - startedAt > maxBackoff) backoff = minBackoff;
      await rest(backoff, stopping.signal);
      backoff = Math.min(backoff * 2, maxBackoff);
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** What a server says that shuts down, crashed or ends the connection; the connection itself is known to be broken a moment later. */
const isFarewell = (error: unknown): boolean => databaseCode(error)?.startsWith('57P') ?? false;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Waits, but no longer than until the signal. */
function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}

/** A batch that hangs, whatever the cause, ends by itself and leaves no lock behind. */
function newClient(url: string): { client: pg.Client; isBroken: () => boolean } {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'livecode loader',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    statement_timeout: 300_000,
    idle_in_transaction_session_timeout: 60_000,
  });
  let isBroken = false;
  const fail = () => {
    isBroken = true;
  };
  client.on('error', fail);
  client.on('end', fail);
  return { client, isBroken: () => isBroken };
}
