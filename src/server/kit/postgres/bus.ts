import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { SocketType } from '../../../contract/socket.ts';
import type { Database } from './database.ts';

/** Whose open pages get a message: everybody's, those of users, of one role, or single sessions. */
export type Receivers = { all: true } | { user_ids: readonly number[] } | { role_id: number } | { session_ids: readonly number[] };

/** A message on its way to the sockets. `text` is a message key that every receiver reads in his language. */
export type Push = { to: Receivers; type: SocketType; status?: boolean; text?: string; content?: unknown };

/** What processes tell each other, by topic. Triggers announce the topics without a payload; the others are published. */
export type Topics = {
  setting: null;
  ip_black: null;
  language: null;
  domain: null;
  domain_check: null;
  domain_monitor: null;
  domain_incident: null;
  event: null;
  mall: null;
  restored_copy: null;
  telegram_bot: null;
  telegram_update: null;
  tron_send: null;
  site_message: { id: number };
  operation: { id: number };
  push: Push;
};
export type Topic = keyof Topics;

const channel = 'livecode';
/** PostgreSQL takes less than 8000 bytes. */
const maxPayloadLength = 7900;
const heartbeatMilliseconds = 500;
const queryMilliseconds = 1500;
const connectMilliseconds = 2000;
const backoffMilliseconds = 300;

export type Bus = {
  /** Hears every message of a topic that is committed from now on, while the connection stands. */
  subscribe: <T extends Topic>(topic: T, hear: (payload: Topics[T]) => void) => void;
  /** Called when messages may have been missed: after the connection was made again. */
  onGap: (hear: () => void) => void;
  /** On the clock of `performance.now()`: what was committed before has been heard. */
  confirmedAt: () => number;
  /** Twice in a row the database neither answered nor refused: callers wait for it in vain. */
  isSilent: () => boolean;
  stop: () => Promise<void>;
};

/** Tells all processes, when the transaction of `db` commits, this one included. */
export async function publish<T extends Topic>(db: Database, topic: T, payload: Topics[T]): Promise<void> {
  const message = JSON.stringify({ topic, payload });
  if (Buffer.byteLength(message) > maxPayloadLength) throw new Error(`a message of topic ${topic} is too long for the bus`);
  await db.execute(sql`SELECT pg_notify(${channel}, ${message})`);
}

/** How `pg` tells that no answer came, and the kernel that nothing came back at all. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (/timeout/i.test(error.message) || ('code' in error && /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(String(error.code))));

type Listener = { hear: (payload: never) => void; topic: Topic };

/**
 * Listens on a connection of its own. A heartbeat on the same connection proves twice a second that nothing was missed: what was
 * committed before a heartbeat is delivered before its answer. A lost connection is made again for as long as the bus runs.
 */
export function openBus(url: string, log: { warn: (details: object, message: string) => void }): Bus {
  const listeners: Listener[] = [];
  const gapListeners: (() => void)[] = [];
  const stopping = new AbortController();
  let confirmed = Number.NEGATIVE_INFINITY;
  let silences = 0;

  function deliver(text = ''): void {
    try {
      const { topic, payload } = JSON.parse(text) as { topic: Topic; payload: never };
      for (const listener of listeners) if (listener.topic === topic) tell(listener, payload);
    } catch (error) {
      log.warn({ error: String(error) }, 'a message of the bus was not understood');
    }
  }

  function tell({ topic, hear }: Listener, payload: never): void {
    try {
      hear(payload);
    } catch (error) {
      log.warn({ topic, error: String(error) }, 'a message of the bus could not be followed');
    }
  }

  async function follow(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      query_timeout: queryMilliseconds,
      connectionTimeoutMillis: connectMilliseconds,
      application_name: 'livecode bus',
    });
    let failure: Error | undefined;
    client.on('error', (error) => (failure = error));
    client.on('end', () => (failure ??= new Error('the connection was closed')));
    client.on('notification', ({ payload }) => deliver(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      for (const hear of gapListeners) hear();
      while (!stopping.signal.aborted) {
        const sentAt = performance.now();
        await client.query('SELECT 1');
        if (failure) throw failure;
        confirmed = sentAt;
        silences = 0;
        await pause(heartbeatMilliseconds);
      }
    } finally {
      await client.end().catch(() => {});
    }
  }

  const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});

  async function run(): Promise<void> {
    let isNews = true;
    while (!stopping.signal.aborted) {
      const before = confirmed;
      try {
        await follow();
      } catch (error) {
        silences = isTimeout(error) ? silences + 1 : 0;
        if (isNews || confirmed !== before) log.warn({ error: String(error) }, 'the bus lost its connection; it is made again');
        isNews = false;
      }
      await pause(backoffMilliseconds);
    }
  }

  const running = run();
  return {
    subscribe: (topic, hear) => void listeners.push({ topic, hear }),
    onGap: (hear) => void gapListeners.push(hear),
    confirmedAt: () => confirmed,
    isSilent: () => silences >= 2,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
