import { and, eq, sql } from 'drizzle-orm';
import type { RoleKind } from '../../../contract/enums.ts';
import { silentHours, type VisitRule } from '../../../contract/visits/visit-rule.ts';
import { scopeOf } from '../../kit/calls/context.ts';
import { claim } from '../../kit/jobs/leased-rows.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { addDays, siteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { readSiteLoad } from '../../monitor/monitor.public.ts';
import { hasOpenFigures } from '../../orders/over-quota.public.ts';
import { millisecondsOf } from '../statistics/spans.ts';
import { hiddenOf, passed, visibleHours } from '../statistics/visible.ts';
import { type Change, type Course, changeIn, weeksBefore } from './usual.ts';

export type Moment = { now: Date; time_zone: string };
type Due = Pick<VisitRule, 'id' | 'live_code_id' | 'group_id' | 'direction' | 'percent'> & {
  owner_id: number;
  role_kind: RoleKind;
  name: string;
};

const hour = 3_600_000;
const seenHours = 24;
/** The loader is given so long for the visits of an hour that is over. */
const graceMilliseconds = 10 * 60_000;
const rulesAtOnce = 1000;
/** A loader that is behind by so much has visits that are not counted yet. */
const lateSeconds = 60;

/** What the codes of a rule had in the hours before `end`, and before the same time of the same weekday of the weeks before. */
async function courseOf(
  db: Database,
  { owner_id, role_kind, live_code_id, group_id }: Due,
  end: number,
  time_zone: string,
): Promise<Course> {
  const clock = siteClock(time_zone);
  const codes = and(
    eq(live_code.owner_id, owner_id),
    eq(live_code.removed, false),
    live_code_id === null ? undefined : eq(live_code.id, live_code_id),
    group_id === null ? undefined : eq(live_code.group_id, group_id),
    // Of single codes nothing is told while their figures are locked; all codes of an owner are summed with them.
    live_code_id === null && group_id === null ? undefined : hasOpenFigures(scopeOf(owner_id, role_kind)),
  );
  const [day, time] = [clock.dayOf(end), clock.clockHourOf(end)];
  const ends = Array.from({ length: weeksBefore + 1 }, (_, week) => clock.startOf(addDays(day, -7 * week), time));
  const spans = ends.map((to) => ({ from: to - seenHours * hour, to }));
  const hidden = await hiddenOf(db, codes, { from: spans.at(-1)?.from ?? end, to: end });
  const parts = spans.map(
    (span, week) => sql`SELECT ${week}::integer AS week, ${millisecondsOf(sql`hour`)} AS at, sum(visits)::float8 AS visits
      FROM ${visibleHours(codes, span, clock, hidden)} AS part WHERE outcome = ${passed} GROUP BY hour`,
  );
  const { rows } = await db.execute<{ week: number; at: number; visits: number }>(sql.join(parts, sql` UNION ALL `));
  const courses = spans.map(() => Array.from({ length: seenHours }, () => 0));
  for (const { week, at, visits } of rows) {
    const back = Math.floor(((ends[week] ?? end) - at) / hour) - 1;
    const course = courses[week];
    if (course) course[back] = visits;
  }
  const [now = [], ...weeks] = courses;
  return { now, weeks };
}

/** Whether what seems to be missing may only wait to be loaded. */
async function isUnloaded(db: Database, { usual, visits }: Change, now: Date): Promise<boolean> {
  if (visits >= usual) return false;
  const load = await readSiteLoad(db, now);
  return load.unloaded >= usual - visits && load.unloaded > lateSeconds * (load.visits ?? 0);
}

/** Takes the next rule whose last full hour nobody has looked at, and tells its owner of what it asks for; in one transaction. */
async function lookAtNext(tx: Database, { now, time_zone }: Moment): Promise<boolean> {
  const end = siteClock(time_zone).hourOf(now.getTime() - graceMilliseconds);
  const until = new Date(end).toISOString();
  const [due] = await claim<Due>(tx, {
    table: 'visit_rule',
    due: sql`
      SELECT visit_rule.id, role.kind AS role_kind, coalesce(nullif(live_code.name, ''), live_code.file_name, code_group.name, '') AS name
      FROM visit_rule JOIN user_account ON user_account.id = visit_rule.owner_id JOIN role ON role.id = user_account.role_id
        LEFT JOIN live_code ON live_code.id = visit_rule.live_code_id LEFT JOIN code_group ON code_group.id = visit_rule.group_id
      WHERE visit_rule.enabled AND NOT user_account.disabled AND coalesce(visit_rule.checked_until < ${until}, true)
        AND coalesce(visit_rule.told_at <= ${now.toISOString()}::timestamptz - make_interval(hours => ${silentHours}), true)
      ORDER BY visit_rule.checked_until NULLS FIRST, visit_rule.id LIMIT 1`,
    set: sql`checked_until = ${until}`,
    returning: sql`visit_rule.id::float8 AS id, visit_rule.owner_id::float8 AS owner_id, visit_rule.live_code_id::float8 AS live_code_id,
      visit_rule.group_id::float8 AS group_id, visit_rule.direction, visit_rule.percent, due.role_kind, due.name`,
  });
  if (!due) return false;
  const change = changeIn(await courseOf(tx, due, end, time_zone), due);
  if (!change || (await isUnloaded(tx, change, now))) return true;
  const { id: rule_id, owner_id, live_code_id, group_id, name } = due;
  const since = new Date(end - change.hours * hour).toISOString();
  const type = change.visits < change.usual ? 'visits.fell' : 'visits.rose';
  await emitEvents(tx, [{ type, owner_id, data: { id: live_code_id, rule_id, group_id, name, since, until, ...change } }]);
  await tx.execute(sql`UPDATE visit_rule SET told_at = ${now.toISOString()} WHERE id = ${rule_id}`);
  return true;
}

/** Looks at the rules that are due, each in a transaction of its own. Answers at how many. */
export async function lookAtVisits(db: Database, moment: Moment): Promise<number> {
  for (let seen = 0; seen < rulesAtOnce; seen += 1) if (!(await transact(db, (tx) => lookAtNext(tx, moment)))) return seen;
  return rulesAtOnce;
}
