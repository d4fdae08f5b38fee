import pg from 'pg';
import { connectionOptions } from './database.ts';
import type { Change } from './memory.ts';

/** A reader that was away for so long reads everything anew: `purgeExpired`, which alone removes changes, keeps them for twice this time. */
const maxAwayMilliseconds = 1_800_000;
/** A change whose notification was missed is found by the next look, within the second that is promised. */
const pollMilliseconds = 700;
/** Changes that come thick and fast are read together. */
const gatherMilliseconds = 20;
const minBackoff = 100;
const maxBackoff = 2000;

export interface Feed {
  /** Whether the last look at the database succeeded. */
  isConnected(): boolean;
  /** A statement got no answer in time: until the next look succeeds, the database counts as away, so that no other visit waits for it. */
  doubt(): void;
  /** Whether that is so: then it is not even asked, while one that refuses at once may be. */
  isDoubted(): boolean;
  /** Resolves when the first attempt to connect has succeeded or failed. */
  firstAttempt: Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  url: string;
  apply: (changes: readonly Change[]) => Promise<void>;
  /** Everything has to be read anew, because changes may have been missed. */
  reload: () => Promise<void>;
  onState: (isConnected: boolean, reason: string) => void;
}

/** Where the reader stands: the snapshot of its last look, as PostgreSQL writes it, and the server's time then. */
interface Position {
  snapshot: string;
  xmin: string;
  at: number;
}

interface Look extends Position {
  changes: Change[] | null;
  /** Whether the server's transactions are behind ours: another or a restored server. */
  is_behind: boolean;
}

/**
 * What was committed since a snapshot: transactions not visible in it, those that began long before and committed late included. The
 * lower bound on `tx` serves the index only.
 */
const lookStatement = `SELECT pg_current_snapshot()::text AS snapshot, pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at,
    $1::text IS NOT NULL AND pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmin($1::pg_snapshot) AS is_behind,
    (SELECT json_agg(json_build_object('kind', change.kind, 'key', change.key) ORDER BY change.id) FROM visit_change AS change
      WHERE change.tx >= pg_snapshot_xmin($1::pg_snapshot) AND NOT pg_visible_in_snapshot(change.tx, $1::pg_snapshot)) AS changes`;

export function followChanges({ url, apply, reload, onState }: Options): Feed {
  let position: Position | undefined;
  let isConnected = false;
  let isDoubted = false;
  let isStopping = false;
  let wake: (() => void) | undefined;
  let onFirstAttempt: () => void = () => {};
  const firstAttempt = new Promise<void>((resolve) => {
    onFirstAttempt = resolve;
  });

  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const look = async (client: pg.Client): Promise<void> => {
    const { rows } = await client.query<Look>({ name: 'look', text: lookStatement, values: [position?.snapshot ?? null] });
    const now = rows[0];
    if (!now) throw new Error('the database answered nothing');
    const isLost = position === undefined || now.is_behind || now.at - position.at > maxAwayMilliseconds;
    if (isLost) await reload();
    else if (now.changes) await apply(now.changes);
    // Only now: what failed is looked at again.
    position = { snapshot: now.snapshot, xmin: now.xmin, at: now.at };
  };

  const follow = async (): Promise<void> => {
    const client = new pg.Client(connectionOptions(url));
    let failure: Error | undefined;
    let isNotified = false;
    client.on('error', (error) => {
      failure = error;
      wake?.();
    });
    client.on('end', () => {
      failure ??= new Error('the database closed the connection');
      wake?.();
    });
    client.on('notification', () => {
      isNotified = true;
      wake?.();
    });
    try {
      await client.connect();
      await client.query('LISTEN visit_change');
      while (!isStopping) {
        isNotified = false;
        await look(client);
        if (failure) throw failure;
        isDoubted = false;
        if (!isConnected) {
          isConnected = true;
          onState(true, '');
        }
        onFirstAttempt();
        await sleep(isNotified ? gatherMilliseconds : pollMilliseconds);
        if (failure) throw failure;
      }
    } finally {
      client.end().catch(() => {});
    }
  };

  const run = async (): Promise<void> => {
    let backoff = minBackoff;
    while (!isStopping) {
      try {
        await follow();
      } catch (error) {
        if (isConnected) backoff = minBackoff;
        const isNews = isConnected || backoff === minBackoff;
        isConnected = false;
        if (isNews) onState(false, error instanceof Error ? error.message : String(error));
        onFirstAttempt();
        if (isStopping) return;
        await sleep(backoff);
        backoff = Math.min(backoff * 2, maxBackoff);
      }
    }
  };

  const running = run();
  return {
    isConnected: () => isConnected,
    isDoubted: () => isDoubted,
    doubt() {
      isDoubted = true;
      if (!isConnected) return;
      isConnected = false;
      onState(false, 'it does not answer in time');
    },
    firstAttempt,
    async stop() {
      isStopping = true;
      wake?.();
      await running;
      isConnected = false;
    },
  };
}
