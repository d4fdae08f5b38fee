import type pg from 'pg';
import type { Log } from '../kit/calls/context.ts';
import { createWorkLoop, type WorkLoop } from '../kit/jobs/work-loop.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { cachedValue } from '../kit/postgres/cached-value.ts';
import { type Database, openDatabase, transactAgain } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { readSettings } from '../settings/settings.public.ts';
import { askAll, type Equipment } from './checks/asking-all.ts';
import { failsWidely, isBlind, isStillBlind } from './checks/blindness.ts';
import { claimDue, claimSeconds, claimUrgent, claimUrls, type Portion, release, renew } from './checks/claims.ts';
import { writeListed } from './checks/listed.ts';
import { outcomeOf } from './checks/outcomes.ts';
import { createSemaphore } from './checks/semaphore.ts';
import { writeOutcomes } from './checks/writing.ts';
import { countAnswers } from './detectors/health.ts';
import { createBudgets } from './detectors/limits.ts';
import { readDetectors } from './detectors/open-detectors.ts';
import { intervalsOf } from './monitors/quota.ts';

export type DetectionOptions = {
  pool: pg.Pool;
  bus: Bus;
  network: GuardedNetwork;
  vault: Vault;
  log: Log;
  now?: () => Date;
};

/** Addresses of a portion: small enough that what users wait for shows up as it comes. */
const portionSize = { due: 20, asked: 10 };
/** Portions under way; some are kept free for what users ask for now. */
const portionsAtOnce = 16;
const duePortionsAtOnce = 12;
const pollMilliseconds = 500;
const detectorsHeldMilliseconds = 1_000;

type Shared = Pick<Equipment, 'db' | 'network' | 'budgets' | 'semaphore' | 'now'>;

/** Checks addresses when their time comes, and those that users ask for before all others, until it is stopped. */
export function startDetection({ pool, bus, network, vault, log, now = () => new Date() }: DetectionOptions): WorkLoop {
  const db = openDatabase(pool);
  const settings = cachedValue({ bus, log, topics: ['setting'], read: () => readSettings(pool) });
  const detectors = heldFor(detectorsHeldMilliseconds, () => readDetectors(db, vault));
  const shared: Shared = { db, network, now, semaphore: createSemaphore(), budgets: createBudgets(db, settings) };
  const dueUnderWay = new Set<string>();
  let isClosed = false;
  let turn = 0;

  return createWorkLoop<Portion>({
    name: 'detection',
    bus,
    topic: 'domain_monitor',
    pollMilliseconds,
    concurrency: portionsAtOnce,
    log,
    async prepare() {
      isClosed = await isStillBlind({ db, network, settings: await settings() });
    },
    async claim() {
      if (isClosed) return undefined;
      turn += 1;
      const asked = turn % 2 === 0 ? [claimUrls, claimUrgent] : [claimUrgent, claimUrls];
      for (const take of asked) {
        const portion = await take(db, portionSize.asked);
        if (portion) return portion;
      }
      if (dueUnderWay.size >= duePortionsAtOnce) return undefined;
      const due = await claimDue(db, portionSize.due);
      if (due) dueUnderWay.add(due.claim);
      return due;
    },
    async run(portion, signal) {
      try {
        const equipment = { ...shared, settings: await settings(), detectors: await detectors(), signal };
        shared.semaphore.allow(equipment.settings.detection_concurrency);
        await checkPortion(portion, equipment);
      } finally {
        dueUnderWay.delete(portion.claim);
      }
    },
    lease: { seconds: claimSeconds, renew: (portion) => renew(db, portion) },
    release: (portion) => release(db, portion),
  });
}

/** Asks, judges and writes. Where everything fails and our own way out is down, nothing is judged and nobody is blamed. */
export async function checkPortion(portion: Portion, equipment: Equipment): Promise<void> {
  const { db, settings, detectors, now, signal } = equipment;
  const looked = await askAll(portion, equipment);
  signal.throwIfAborted();
  if (failsWidely(looked) && (await isBlind(equipment))) return void (await release(db, portion));
  const judging = { settings, detectors, now: now() };
  if (portion.kind === 'monitors') {
    const byId = new Map(portion.rows.map((row) => [row.id, row]));
    const intervals = await intervalsOf([...byId.keys()], settings, db);
    const outcomes = looked.flatMap((one) => {
      const monitor = byId.get(one.id);
      return monitor ? [outcomeOf(monitor, one, { ...judging, intervals })] : [];
    });
    await writeOutcomes(db, portion.claim, outcomes, judging.now);
  } else {
    await writeListed(db, portion, looked, { detectors, confirmations: settings.confirmations, now: judging.now });
  }
  const found = looked.flatMap(({ findings, is_registered }) => findings.map((finding) => ({ finding, is_registered })));
  await transactAgain(db, (tx: Database) => countAnswers(tx, found));
}

function heldFor<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let held: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (held && performance.now() - held.at < milliseconds) return held.value;
    const value = read();
    held = { at: performance.now(), value };
    value.catch(() => (held = undefined));
    return value;
  };
}
