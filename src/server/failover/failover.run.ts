import { sql } from 'drizzle-orm';
import { type Database, transactRedoable } from '../kit/postgres/database.ts';
import { type Decision, decide } from './failover.decision.ts';
import { type Claimed, type Incident, incidents, readIncident, settle } from './failover.incidents.ts';
import { noteLevels } from './failover.levels.ts';
import { pausePortion, reopenPortion } from './failover.pausing.ts';
import { begin, end, type Maker, moveCodes, type Replacing, underWay } from './failover.replacing.ts';

type Run = { db: Database; claimed: Claimed; maker: Maker; signal: AbortSignal };

/** Does what the rules say about one blocked domain, as far as it can be done now. */
export async function handle({ db, claimed, maker, signal }: Run): Promise<void> {
  const run = { db, claimed, maker, signal };
  const incident = await transactRedoable(db, (tx) => readIncident(claimed, tx));
  if (!incident) return void (await transactRedoable(db, (tx) => incidents.release(tx, claimed)));
  await finishUnderWay(incident, run);
  if (incident.is_over) await reopen(incident, run);
  else if (incident.is_waiting) await replaceOrPause(run);
  await transactRedoable(db, (tx) => incidents.release(tx, claimed));
  await transactRedoable(db, (tx) => noteLevels(tx, incident.type));
}

/** What a killed worker began goes on, and is ended, whatever became of the domain meanwhile. */
async function finishUnderWay(incident: Incident, { db, claimed, maker, signal }: Run): Promise<void> {
  const replacing = await underWay(incident.failover_id, incident, db);
  if (replacing) await carryOut(replacing, { db, claimed, maker, signal });
}

/** @returns whether the domain took all that it can take */
async function carryOut(replacing: Replacing, { db, claimed, maker, signal }: Run): Promise<boolean> {
  const isDone = await moveCodes({ ...replacing, claimed, maker, signal }, db);
  await transactRedoable(db, (tx) => end(replacing, claimed, tx));
  return isDone;
}

/** One domain after another takes what the ones before could not, until nothing is left or none. */
async function replaceOrPause(run: Run): Promise<void> {
  const tried: number[] = [];
  for (;;) {
    run.signal.throwIfAborted();
    const next = await transactRedoable(run.db, (tx) => decideAndBegin(tried, run, tx));
    if (next === undefined) return;
    if ('handling' in next) return conclude(next, run);
    if (await carryOut(next, run)) tried.push(next.to.id);
  }
}

/** Decides and begins in one transaction, one at a time for a type of domain: limits and turns are counted by what others began. */
async function decideAndBegin(
  tried: readonly number[],
  { claimed, maker }: Run,
  db: Database,
): Promise<Replacing | Exclude<Decision, { handling: 'replaced' }> | undefined> {
  const incident = await readIncident(claimed, db);
  if (!incident?.is_waiting || incident.is_over) return undefined;
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('failover'), ${incident.type})`);
  const decision = await decide({ ...incident, tried }, db);
  if (decision.handling !== 'replaced') return decision;
  const [to] = decision.to;
  if (!to) throw new Error('a replacement was decided without a domain');
  const { id, host, type, holder_id } = incident;
  return begin(incident.failover_id, { from: { id, host, type, holder_id }, to }, maker, db);
}

/** Writes what came of it when no further domain takes codes. */
async function conclude(decision: Exclude<Decision, { handling: 'replaced' }>, run: Run): Promise<void> {
  const { db, claimed } = run;
  const incident = await transactRedoable(db, (tx) => readIncident(claimed, tx));
  if (!incident) return;
  const isMoved = await hasMoved(incident.failover_id, db);
  if (isMoved && (decision.reason === 'empty' || decision.reason === 'conflicts')) {
    await reopen(incident, run);
    const reason = decision.reason === 'empty' ? null : 'rest_stays';
    return transactRedoable(db, (tx) => settle(claimed, { handling: 'replaced', reason }, tx));
  }
  // A try that moved nothing counts against no limit.
  if (!isMoved) await db.execute(sql`UPDATE failover SET started_at = NULL, onto_pool = false WHERE id = ${incident.failover_id}`);
  if (decision.handling === 'paused') await pause(incident, run);
  await transactRedoable(db, (tx) => settle(claimed, decision, tx));
}

async function hasMoved(failover_id: number, db: Database): Promise<boolean> {
  const { rows } = await db.execute(sql`SELECT FROM domain_replacement WHERE failover_id = ${failover_id} AND undone_at IS NULL LIMIT 1`);
  return rows.length > 0;
}

const pause = (incident: Incident, { db, claimed, signal }: Run) =>
  inPortions(signal, () =>
    transactRedoable(db, async (tx) => {
      const now = await readIncident(claimed, tx);
      return now?.is_waiting && !now.is_over ? pausePortion(incident.failover_id, incident, tx) : 0;
    }),
  );

const reopen = ({ failover_id }: Incident, { db, signal }: Run) =>
  inPortions(signal, () => transactRedoable(db, (tx) => reopenPortion(failover_id, tx)));

async function inPortions(signal: AbortSignal, portion: () => Promise<number>): Promise<void> {
  for (let number = -1; number !== 0; ) {
    signal.throwIfAborted();
    number = await portion();
  }
}
