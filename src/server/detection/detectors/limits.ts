import { type SQL, sql } from 'drizzle-orm';
import type { Settings } from '../../../contract/settings.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { effectiveSeconds } from '../monitors/quota.ts';
import { fairShare } from './fair-share.ts';
import { knowsMessengers, type ReadyDetector } from './open-detectors.ts';

/** Slots of a limit of a second are given out so far ahead at most: what waits longer would outlive its claim. */
const aheadMilliseconds = 4_000;
/** The platform pool, as the table of uses calls it. */
export const pool = 0;

/** What detectors may be asked: how many milliseconds from now each of the addresses has its turn, or why it has none. */
export type Grant = { after_ms: number } | { refused: 'pace' | 'budget' };

/**
 * Takes of a detector's limits for addresses of these users, in their order. The limits are the database's: they hold over all workers.
 * @param users whose check each is; the pool is 0
 */
export async function takeTurns(db: Database, detector: ReadyDetector, users: readonly number[], budgets: Budgets): Promise<Grant[]> {
  if (detector.per_second === null && detector.per_day === null) return users.map(() => ({ after_ms: 0 }));
  const share = detector.per_day === null ? Number.POSITIVE_INFINITY : await budgets.shareOf(detector);
  return transact(db, async (tx) => {
    // One worker at a time: the day's sum and the slots are read and written as one.
    const { rows } = await tx.execute<{ ahead: number }>(sql`
      SELECT greatest(extract(epoch FROM paced_until - clock_timestamp()) * 1000, 0)::float8 AS ahead FROM detector
      WHERE id = ${detector.id} FOR NO KEY UPDATE`);
    const ahead = rows[0]?.ahead ?? 0;
    const slots = slotsFree(detector.per_second, ahead, users.length);
    const grants = users.map((_user, index): Grant => (index < slots ? { after_ms: 0 } : { refused: 'pace' }));
    await spendDay(tx, detector, { users, grants, share });
    await spendSeconds(tx, detector, { grants, ahead });
    return grants;
  });
}

const slotsFree = (per_second: number | null, ahead: number, wanted: number): number =>
  per_second === null ? wanted : Math.min(wanted, Math.max(0, Math.floor(((aheadMilliseconds - ahead) / 1000) * per_second)));

type Day = { users: readonly number[]; grants: Grant[]; share: number };

/** Takes from the day's limit, of each user up to his share of it. */
async function spendDay(tx: Database, { id, per_day }: ReadyDetector, { users, grants, share }: Day): Promise<void> {
  if (per_day === null) return;
  const { rows } = await tx.execute<{ user_id: number; uses: number }>(sql`
    SELECT user_id::float8 AS user_id, uses FROM detector_use WHERE detector_id = ${id} AND day = (clock_timestamp() AT TIME ZONE 'UTC')::date`);
  const used = new Map(rows.map((row) => [row.user_id, row.uses]));
  let left = per_day - rows.reduce((sum, { uses }) => sum + uses, 0);
  const taken = new Map<number, number>();
  for (const [index, user] of users.entries()) {
    if ('refused' in (grants[index] ?? { refused: '' })) continue;
    const own = taken.get(user) ?? 0;
    if (left <= 0 || (used.get(user) ?? 0) + own >= share) grants[index] = { refused: 'budget' };
    else {
      taken.set(user, own + 1);
      left -= 1;
    }
  }
  if (taken.size === 0) return;
  await tx.execute(sql`
    INSERT INTO detector_use (detector_id, day, user_id, uses)
    SELECT ${id}, (clock_timestamp() AT TIME ZONE 'UTC')::date, user_id, uses
    FROM unnest(${sql.param([...taken.keys()])}::bigint[], ${sql.param([...taken.values()])}::int[]) AS given (user_id, uses)
    ON CONFLICT (detector_id, day, user_id) DO UPDATE SET uses = detector_use.uses + excluded.uses`);
}

/** Gives each of those that are left a slot of its own. */
async function spendSeconds(tx: Database, { id, per_second }: ReadyDetector, { grants, ahead }: { grants: Grant[]; ahead: number }) {
  if (per_second === null) return;
  let turns = 0;
  for (const [index, grant] of grants.entries()) {
    if ('refused' in grant) continue;
    grants[index] = { after_ms: Math.round(ahead + (turns * 1000) / per_second) };
    turns += 1;
  }
  await tx.execute(sql`
    UPDATE detector SET paced_until = greatest(paced_until, clock_timestamp()) + make_interval(secs => ${turns / per_second}) WHERE id = ${id}`);
}

/** How much of a detector's day each user may take. */
export type Budgets = { shareOf: (detector: ReadyDetector) => Promise<number> };

const heldMilliseconds = 30_000;

/**
 * Reckons shares from what everybody's monitors and lists still need today, every half minute anew.
 * @param moment the time of day, by the database's clock as where uses are counted
 */
export function createBudgets(db: Database, settings: () => Promise<Settings>, moment = sql`now()`): Budgets {
  const held = new Map<number, { at: number; share: Promise<number> }>();
  return {
    shareOf(detector) {
      const known = held.get(detector.id);
      if (known && performance.now() - known.at < heldMilliseconds) return known.share;
      const share = settings().then((values) => readShare(db, detector, values, moment));
      held.set(detector.id, { at: performance.now(), share });
      share.catch(() => held.delete(detector.id));
      return share;
    },
  };
}

/** How many questions a check comes to: two where something is asked about beside its address (`besideOf`). */
function questionsOf({ check_links }: Settings, isOfMessengers: boolean) {
  if (!check_links || !isOfMessengers) return { ofMonitor: sql`1`, ofUrl: sql`1` };
  const [isLink, isPrinted] = [
    (url: SQL) => sql`coalesce(${url} ~ '^[^/]+//[^/]+/.', false)`,
    sql`EXISTS (SELECT FROM live_code WHERE entry_domain_id = domain_monitor.domain_id AND open AND NOT removed)`,
  ];
  return {
    ofMonitor: sql`CASE WHEN ${isLink(sql`domain_monitor.url`)} OR ${isPrinted} THEN 2 ELSE 1 END`,
    ofUrl: sql`CASE WHEN ${isLink(sql`block_check_url.url`)} THEN 2 ELSE 1 END`,
  };
}

/** Each user's need is what he has used today, what his monitors will ask until midnight, and what waits in his lists. */
async function readShare(db: Database, detector: ReadyDetector, settings: Settings, moment: SQL): Promise<number> {
  if (detector.per_day === null) return Number.POSITIVE_INFINITY;
  // Of lists, only detectors that know messengers are asked.
  const ofLists = knowsMessengers(detector.config.kind);
  const { ofMonitor, ofUrl } = questionsOf(settings, ofLists);
  const { rows } = await db.execute<{ need: number }>(sql`
    WITH clock AS (SELECT ${moment} AT TIME ZONE 'UTC' AS moment),
    day AS (SELECT extract(epoch FROM date_trunc('day', moment) + interval '1 day' - moment) AS seconds_left, moment::date AS date FROM clock)
    SELECT sum(number)::float8 AS need FROM (
      SELECT user_id, uses AS number FROM detector_use, day WHERE detector_id = ${detector.id} AND detector_use.day = day.date
      UNION ALL
      SELECT coalesce(owner_id, ${pool}), greatest(1, sum(${ofMonitor} * seconds_left / ${effectiveSeconds(settings)}))
      FROM domain_monitor, day WHERE NOT paused AND enabled AND NOT over_quota GROUP BY 1
      UNION ALL
      SELECT block_check.user_id, sum(${ofUrl}) FROM block_check_url JOIN block_check ON block_check.id = block_check_url.check_id
      WHERE block_check_url.state = 'waiting' AND ${ofLists} GROUP BY 1
    ) AS needs (user_id, number) GROUP BY user_id`);
  return fairShare(
    rows.map(({ need }) => Math.ceil(need)),
    detector.per_day,
  );
}
