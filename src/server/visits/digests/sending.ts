import { and, sql } from 'drizzle-orm';
import type { RoleKind } from '../../../contract/enums.ts';
import type { VisitDigest } from '../../../contract/visits/visit-digest.ts';
import { scopeOf } from '../../kit/calls/context.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { siteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { hasOpenFigures, lockedCode } from '../../orders/over-quota.public.ts';
import { sendPush } from '../../pushes/pushes.public.ts';
import { topCodes } from '../statistics/figures.ts';
import { breakdownsOf } from '../statistics/workbench/breakdown.ts';
import { totalsOf } from '../statistics/workbench/points.ts';
import { askedCodes, askOf, daysBefore, pickedCodes, spanOf } from '../statistics/workbench/question.ts';
import { nextTime, periodAt, type Times } from './periods.ts';
import { digestText, type Figures, toldDimensions } from './visit-digest.text.ts';

export type Moment = { now: Date; time_zone: string };
type Due = Times & Pick<VisitDigest, 'id' | 'name' | 'language' | 'question'> & { owner_id: number; role_kind: RoleKind };

const digestsAtOnce = 50;
const shownCodes = 3;

/** The figures of the period that is over, of what the owner of the digest sees at this moment. */
async function figuresOf(db: Database, due: Due, { now, time_zone }: Moment): Promise<Figures> {
  const clock = siteClock(time_zone);
  const days = periodAt(due.every, now, clock);
  const { filters = {}, ...picked } = due.question;
  const scope = scopeOf(due.owner_id, due.role_kind);
  const codes = pickedCodes({ scope }, due.question);
  const open = hasOpenFigures(scope);
  const isPicked = (picked.live_code_ids?.length ?? 0) > 0 || picked.group_id !== undefined;
  const locked = isPicked ? await lockedCode(db, askedCodes({ scope }, picked), scope) : undefined;
  const question = await askOf(db, { codes, open, filters, time_zone, span: spanOf(days, clock) });
  const before = await askOf(db, { ...question, span: spanOf(daysBefore(days, 'before'), clock) });
  const isFiltered = Object.keys(filters).length > 0;
  const isOneCode = picked.live_code_ids?.length === 1;
  return {
    days,
    locked: locked && { code: locked, isAll: (await db.$count(live_code, codes)) === 0 },
    now: await totalsOf(db, question),
    before: await totalsOf(db, before),
    parts: await breakdownsOf(db, question, toldDimensions, { limit: shownCodes + 1, withTotals: true }),
    codes: isFiltered || isOneCode ? [] : await topCodes(db, and(codes, open), question.span, clock, shownCodes),
  };
}

/** Writes a digest into the outbox, and what it told; in the caller's transaction. */
async function send(tx: Database, due: Due, moment: Moment): Promise<void> {
  const figures = await figuresOf(tx, due, moment);
  const { rows } = await tx.execute<{ id: number }>(
    sql`SELECT channel_id::float8 AS id FROM visit_digest_channel WHERE digest_id = ${due.id} ORDER BY channel_id`,
  );
  const { owner_id, id: place_id } = due;
  const channel_ids = rows.map(({ id }) => id);
  await sendPush(tx, {
    owner_id,
    channel_ids,
    ...digestText(due.name, figures, due.language),
    kind: 'info',
    place: 'visit_digest',
    place_id,
  });
  await tx.execute(
    sql`UPDATE visit_digest SET told_from = ${figures.days.from}, told_to = ${figures.days.to}, sent_at = now() WHERE id = ${due.id}`,
  );
}

const columns = sql`visit_digest.id::float8 AS id, visit_digest.owner_id::float8 AS owner_id, visit_digest.name, question, every, weekday, hour,
  visit_digest.language, role.kind AS role_kind`;
const joins = sql`JOIN user_account ON user_account.id = visit_digest.owner_id JOIN role ON role.id = user_account.role_id`;

/** Sends a digest at once; the caller has settled whose it is. */
export async function sendNow(tx: Database, id: number, moment: Moment): Promise<void> {
  const { rows } = await tx.execute<Due>(sql`SELECT ${columns} FROM visit_digest ${joins} WHERE visit_digest.id = ${id}`);
  if (rows[0]) await send(tx, rows[0], moment);
}

/** What came due while nobody worked is sent once, of the period that was over last. */
async function sendNext(tx: Database, moment: Moment): Promise<boolean> {
  const { rows } = await tx.execute<Due>(sql`
    SELECT ${columns} FROM visit_digest ${joins}
    WHERE visit_digest.enabled AND visit_digest.next_at <= ${moment.now.toISOString()} AND NOT user_account.disabled
    ORDER BY visit_digest.next_at, visit_digest.id LIMIT 1 FOR NO KEY UPDATE OF visit_digest SKIP LOCKED`);
  const [due] = rows;
  if (!due) return false;
  await send(tx, due, moment);
  const next_at = nextTime(due, moment.now, siteClock(moment.time_zone)).toISOString();
  await tx.execute(sql`UPDATE visit_digest SET next_at = ${next_at} WHERE id = ${due.id}`);
  return true;
}

/** Sends what is due, each in a transaction of its own. Answers how many. */
export async function sendDigests(db: Database, moment: Moment): Promise<number> {
  for (let sent = 0; sent < digestsAtOnce; sent += 1) if (!(await transact(db, (tx) => sendNext(tx, moment)))) return sent;
  return digestsAtOnce;
}
