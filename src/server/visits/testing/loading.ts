import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { createTestDatabase } from '../../kit/testing/database.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { createAgentCache } from '../facts/agent.ts';
import { openPlaces } from '../facts/place.ts';
import { type Loader, type LoaderOptions, startLoader } from '../loader/loader.ts';
import { sendForTest } from './clickhouse.ts';
import { endedSource, writeSegment } from './journal.ts';

const places = openPlaces();
const agents = createAgentCache(10_000);

type LogEntry = { level: 'info' | 'warn' | 'error'; message: string; details: object };

export type Workbench = {
  url: string;
  client: pg.Client;
  folder: string;
  log: LogEntry[];
  /** Starts a loader that is stopped with the test at the latest. */
  start: (change?: Partial<LoaderOptions>) => Loader;
  /** Waits until so many segments are loaded whole. */
  finished: (segments: number) => Promise<void>;
  /** The only row of a query. */
  one: (query: string) => Promise<Record<string, unknown>>;
  all: (query: string) => Promise<Record<string, unknown>[]>;
};

const facts = { placeOf: places.lookup, agentOf: agents.describe };

/** Puts visits into a database as they come there: through a journal and a loader. */
export async function loadVisits(
  url: string,
  records: readonly VisitRecord[],
  sources: LoaderOptions['facts'] = facts,
  { send = true } = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'livecode-journal-'));
  const source = endedSource();
  writeSegment(folder, source, 1, records);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const problem = (details: object, message: string) => {
    throw new Error(`${message} ${JSON.stringify(details)}`);
  };
  const loader = startLoader({
    database_url: url,
    folder,
    facts: sources,
    log: { info: () => {}, warn: problem, error: problem },
    pause_milliseconds: 20,
  });
  try {
    await eventually(
      async () => {
        const { rowCount } = await client.query('SELECT FROM journal_segment WHERE source = $1 AND finished_at IS NOT NULL', [source]);
        if (rowCount !== 1) throw new Error('the visits are not loaded yet');
      },
      { interval: 20 },
    );
    if (send) await sendForTest(client, url);
  } finally {
    await loader.stop();
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A database and a journal folder of the test's own. */
export async function openWorkbench(): Promise<Workbench> {
  const database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'livecode-journal-'));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const loaders: Loader[] = [];
  onTestFinished(async () => {
    await Promise.all(loaders.map((loader) => loader.stop()));
    await client.end();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const log: LogEntry[] = [];
  const line = (level: LogEntry['level']) => (details: object, message: string) => void log.push({ level, message, details });
  const options: LoaderOptions = {
    database_url: database.url,
    folder,
    facts,
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    pause_milliseconds: 20,
  };
  const all = async (query: string) => (await client.query(query)).rows;
  return {
    url: database.url,
    client,
    folder,
    log,
    all,
    one: async (query) => {
      const rows = await all(query);
      if (rows.length !== 1) throw new Error(`${rows.length} rows, not one`);
      return rows[0] ?? {};
    },
    start: (change) => {
      const loader = startLoader({ ...options, ...change });
      loaders.push(loader);
      return loader;
    },
    finished: (segments) =>
      eventually(
        async () => {
          const rows = await all('SELECT name, loaded_offset, finished_at FROM journal_segment');
          if (rows.filter(({ finished_at }) => finished_at !== null).length < segments) {
            throw new Error(`not finished: ${JSON.stringify(rows)} ${JSON.stringify(log)}`);
          }
        },
        { interval: 25 },
      ),
  };
}
