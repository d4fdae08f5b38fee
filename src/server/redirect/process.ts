import type { Server } from 'node:http';
import { measureProcess, renderMetricList } from '../kit/metrics/metrics.ts';
import type { ConnectionBounds } from '../kit/network/connections.ts';
import { createCidrSet } from '../kit/network/ip.ts';
import { until } from '../kit/until.ts';
import { journalFolder, livingPredecessors, newSource } from '../kit/visits/journal/segment.ts';
import { type Journal, openJournal } from '../kit/visits/journal/writer.ts';
import { openPlacesAside } from '../visits/places.public.ts';
import { createFaults } from './faults.ts';
import { openQueryPool, withDeadline } from './memory/database.ts';
import { type Feed, followChanges } from './memory/feed.ts';
import { createMemory, type Memory } from './memory/memory.ts';
import { keepSnapshots, readSnapshot, snapshotPath } from './memory/snapshot.ts';
import { createCounters, type Gauge, renderMetrics } from './metrics.ts';
import { createLeases, type Leases } from './rotation/leases.ts';
import type { SharedTurns } from './rotation/shared-turns.ts';
import { createNonceStore, nonceStore } from './rotation/tickets.ts';
import { createVisitors } from './rotation/visitors.ts';
import { createVisitServer } from './server.ts';
import type { Visit } from './visits/visit.ts';
import { createVisits, type Visits } from './visits/visits.ts';

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface RedirectOptions {
  databaseUrl: string;
  dataDir: string;
  slot: string;
  trustedProxies: readonly string[];
  log: Log;
  /** Undefined where no other process of the host answers visits. */
  turns?: SharedTurns | undefined;
  /** Who may read `/metrics` from elsewhere. */
  metricsToken?: string | undefined;
  /** Other bounds than the usual ones. */
  connections?: Partial<ConnectionBounds> | undefined;
  /** Makes of this process's own metrics what `/metrics` answers: those of the whole host. */
  share?: (own: () => string) => () => Promise<string>;
  /** The journal can't go on: the process has to end at once, and a new one to take its place. */
  onFatal: (error: Error) => void;
}

export interface RedirectProcess {
  server: Server;
  /** Reads what visits may ask for while the database is away; it says so where it can't. */
  readAhead(): Promise<void>;
  /** Answers what is under way, gives leases back, writes the snapshot. The server must not listen any more. */
  stop(): Promise<void>;
}

const sweepMilliseconds = 500;
/** A start waits so long for the database before it answers from the snapshot; longer without one, when it could answer nothing. */
const firstAttemptMilliseconds = 2500;
const firstKnowledgeMilliseconds = 15_000;
const predecessorMilliseconds = 10_000;
const drainMilliseconds = 5000;

/** Everything of a redirect process but the process: opens the journal, reads the snapshot, follows the database. */
export async function openRedirect(options: RedirectOptions): Promise<RedirectProcess> {
  const { databaseUrl, dataDir, slot, log, turns, onFatal, metricsToken, connections, share = (own) => async () => own() } = options;
  const measured = measureProcess();
  const folder = journalFolder(dataDir);
  const source = newSource(slot, folder);
  // Two writers in one slot would make the loader take the older one for dead, and give back what it still serves.
  if (!(await until(() => livingPredecessors(source, folder).length === 0, predecessorMilliseconds))) {
    throw new Error(`slot ${slot} is in use by ${livingPredecessors(source, folder).join(', ')}`);
  }

  const pool = openQueryPool(databaseUrl, (error) => log.warn({ error: error.message }, 'a database connection failed'));
  let feed: Feed | undefined;
  const isConnected = () => feed?.isConnected() ?? false;
  const onFault = createFaults(log);
  const visitQuery = withDeadline(pool.query, () => feed?.doubt());
  const leases = createLeases({ query: visitQuery, source, isConnected, onFault });
  const isDoubted = () => feed?.isDoubted() ?? false;
  const memory = createMemory({ query: pool.query, visitQuery, leases, isConnected, isDoubted, onFault });
  const counters = createCounters();

  const onError = (error: unknown) => log.error({ error: error instanceof Error ? error.stack : String(error) }, 'internal error');
  const visitors = createVisitors(() => openPlacesAside(databaseUrl), onError);
  const proxies = createCidrSet(options.trustedProxies);
  const visits = createVisits({
    memory,
    leases,
    spender: createNonceStore(nonceStore(visitQuery, isConnected), (error) => onFault('tickets', error)),
    visitors,
    journal: () => journal,
    source,
    images: { query: visitQuery, dataDir, onLackingLetters: createLetterWarning(log) },
    turns,
    proxies,
    counters,
    onError,
  });
  const journal: Journal<Visit> = await openJournal<Visit>({
    folder,
    source,
    answer: visits.answer,
    onFatal,
    onDiskAlarm: (message) => log.error({}, message),
  });

  const path = snapshotPath(dataDir, slot);
  try {
    const known = readSnapshot(path);
    if (known) memory.restore(known);
  } catch (error) {
    log.warn({ error: String(error) }, 'the snapshot is of no use');
  }
  feed = followChanges({
    url: databaseUrl,
    async apply(changes) {
      await memory.apply(changes);
      if (changes.some(({ kind }) => kind === 'place')) visitors.renew();
    },
    async reload() {
      await memory.reload();
      visitors.renew();
    },
    onState: (isUp, reason) =>
      isUp ? log.info({}, 'connected to the database') : log.warn({ reason }, 'the database is away: answering from memory'),
  });
  await Promise.race([feed.firstAttempt, new Promise((resolve) => setTimeout(resolve, firstAttemptMilliseconds).unref())]);
  // Nothing listens meanwhile: visitors wait, or go to another host.
  await until(() => memory.site() !== undefined, firstKnowledgeMilliseconds);

  const sweeper = setInterval(() => {
    memory.tick(Date.now());
    leases.sweep().catch((error) => onFault('leases to give back', error));
  }, sweepMilliseconds);
  const snapshots = keepSnapshots(path, memory, log);

  const server = createVisitServer({
    visits,
    dataDir,
    onError,
    state: () => ({ journal: journal.isOpen(), database: isConnected() }),
    hosts: () => memory.site()?.hosts,
    metrics: share(
      () =>
        renderMetrics(counters, slot, gaugesOf({ isConnected, memory, leases, visits, journal }), source) + renderMetricList(measured()),
    ),
    metricsToken,
    proxies,
    connections,
  });
  return {
    server,
    readAhead: () =>
      memory.readAhead().catch((error) => log.warn({ error: String(error) }, 'codes that nobody asked for yet are not known')),
    async stop() {
      visits.stop();
      clearInterval(sweeper);
      const isDrained = await until(() => visits.pending() === 0, drainMilliseconds);
      await journal.close();
      // What is not answered may still be counted as served, and only the journal tells: then the loader gives the leases back.
      if (isDrained && isConnected()) {
        await leases.releaseAll().catch((error) => log.warn({ error: String(error) }, 'leases are left to the loader'));
      }
      await snapshots.stop();
      await feed?.stop();
      await pool.close();
    },
  };
}

/** Once: it stays so until someone installs a font. */
function createLetterWarning(log: Log): () => void {
  let isTold = false;
  return () => {
    if (!isTold) log.warn({}, "no font of this machine has the letters of a code's frame: PNG images show it without its text");
    isTold = true;
  };
}

interface Measured {
  isConnected: () => boolean;
  memory: Memory;
  leases: Leases;
  visits: Visits;
  journal: Journal<Visit>;
}

function gaugesOf({ isConnected, memory, leases, visits, journal: { statistics } }: Measured): Gauge[] {
  return [
    { name: 'database_connected', help: 'Whether the database answers.', value: isConnected() ? 1 : 0 },
    { name: 'codes_held', help: 'Live codes in memory.', value: memory.size() },
    { name: 'leases_held', help: 'Leases of targets with a threshold.', value: leases.held().leases },
    { name: 'visits_pending', help: 'Requests that are not answered yet.', value: visits.pending() },
    { name: 'journal_groups_total', help: 'Writes to the journal.', value: statistics.groups, type: 'counter' },
    { name: 'journal_records_total', help: 'Records in the journal.', value: statistics.records, type: 'counter' },
    { name: 'journal_bytes_total', help: 'Bytes in the journal.', value: statistics.bytes, type: 'counter' },
    { name: 'journal_refused_total', help: 'Visits that the journal did not take.', value: statistics.refused, type: 'counter' },
    { name: 'journal_disk_used_ratio', help: "Used share of the journal's disk.", value: statistics.disk_used },
    { name: 'journal_disk_alarm', help: "Whether the journal's disk is nearly full.", value: statistics.is_disk_alarmed ? 1 : 0 },
    { name: 'resident_memory_bytes', help: 'Memory of the process.', value: process.memoryUsage.rss() },
  ];
}
