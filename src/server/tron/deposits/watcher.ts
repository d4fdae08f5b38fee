import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Log } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { leasedRows } from '../../kit/jobs/leased-rows.ts';
import { createWorkLoop, Stopped, type WorkLoop } from '../../kit/jobs/work-loop.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Bus } from '../../kit/postgres/bus.ts';
import { type Database, openDatabase } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { type Means, openNodes, readPayConfig } from '../tron.means.ts';
import { tron_position } from '../tron.table.ts';
import { openPosition, type Position, type Scanner, scanOn } from './scan.ts';
import { lookForSightings } from './sightings.ts';

const pollMilliseconds = 1_000;
/** Between two looks at a network that was read to its end; a block comes every three seconds. */
const restSeconds = 2;
const maxBackoffSeconds = 60;

export type WatcherOptions = { pool: pg.Pool; bus: Bus; network: GuardedNetwork; vault: Vault; log: Log };
type Claimed = { contract: string; claim: string };

const positions = leasedRows<Claimed>('tron_position', {
  key: 'contract',
  seconds: 30,
  retry: {
    at: 'due_at',
    seconds: sql`least(${maxBackoffSeconds},
      CASE WHEN last_error IS NULL THEN 2 ELSE greatest(2, extract(epoch FROM now() - coalesce(last_error_at, now())) * 2) END)`,
  },
});

async function claimPosition(db: Database): Promise<Claimed | undefined> {
  const [claimed] = await positions.claim(db, {
    due: sql`SELECT tron_position.contract FROM tron_position JOIN pay_config ON pay_config.contract = tron_position.contract
      WHERE due_at <= now() AND ${positions.isFree} LIMIT 1`,
  });
  return claimed;
}

/** Reads on to the network's end, then looks at what is not solid yet. */
export async function readOn(scanner: Scanner, position: Position, signal?: AbortSignal): Promise<Position> {
  let at = position;
  for (;;) {
    signal?.throwIfAborted();
    const next = await scanOn(scanner, at);
    if (!next) break;
    at = next;
  }
  await lookForSightings(scanner, at);
  return at;
}

/** The configuration of the moment and where its network was read to, made where it is new. */
async function openScanner(means: Means, signal: AbortSignal): Promise<{ scanner: Scanner; position: Position }> {
  const scanner: Scanner = { db: means.db, ...(await openNodes(means, signal)), signal };
  return { scanner, position: await openPosition(scanner) };
}

async function fail(db: Database, claimed: Claimed, error: unknown): Promise<void> {
  const known = error instanceof AppError ? error : new AppError(500, 'internal');
  const params = JSON.stringify(known.details.params ?? null);
  await positions.fail(db, claimed, {
    set: sql`last_error = ${known.code}, last_error_params = ${params}::jsonb, last_error_at = now()`,
  });
}

/** Makes the position of a network that was never read; without an address there is nothing to read. */
async function prepare(means: Means): Promise<void> {
  const config = await readPayConfig(means.db);
  const isKnown = (await means.db.$count(tron_position, eq(tron_position.contract, config.contract))) > 0;
  if (isKnown || config.url === '') return;
  await openPosition({ db: means.db, ...(await openNodes(means)) });
}

/** Counts payments as they become solid, one worker at a time, until it is stopped. */
export function startWatcher({ pool, bus, network, vault, log }: WatcherOptions): WorkLoop {
  const db = openDatabase(pool);
  const means: Means = { db, vault, network };
  return createWorkLoop<Claimed>({
    name: 'payments on the chain',
    bus,
    pollMilliseconds,
    concurrency: 1,
    log,
    prepare: () => prepare(means).catch((error: unknown) => log.warn({ error: String(error) }, 'the TRON network does not answer')),
    claim: () => claimPosition(db),
    async run(claimed, signal) {
      try {
        const { scanner, position } = await openScanner(means, signal);
        await readOn(scanner, position, signal);
        const asWorking = sql`last_error = NULL, last_error_params = NULL, last_error_at = NULL`;
        await positions.release(db, claimed, sql`${asWorking}, due_at = now() + make_interval(secs => ${restSeconds})`);
      } catch (error) {
        if (signal.aborted && signal.reason instanceof Stopped) throw signal.reason;
        await fail(db, claimed, error);
      }
    },
    lease: positions.lease(db),
    release: (claimed) => positions.release(db, claimed),
  });
}
