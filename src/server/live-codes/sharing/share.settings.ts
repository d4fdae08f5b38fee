import { and, eq, sql } from 'drizzle-orm';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import { type ShareFigure, type ShareSettings, shareFigures } from '../../../contract/codes/share.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Context } from '../../kit/calls/context.ts';
import { invalidField, notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOverQuota } from '../../orders/over-quota.public.ts';
import { rangeCounts, type SiteTime, sharedFigures, siteClock } from '../../visits/visits.public.ts';
import { splitByKey } from '../aliases/aliases.ts';
import { lockCode } from '../batches/batches.ts';
import { live_code } from '../live-codes.table.ts';

type Calls = (typeof qrCodeList)['calls'];

/** Visits by key name posters and places: they are shown where the owner chose them, not where he never chose. */
const unbounded: ShareSettings = { expires_at: null, from: null, to: null, figures: shareFigures.filter((figure) => figure !== 'by_key') };

async function settingsOf(db: Database, id: number): Promise<ShareSettings> {
  const { rows } = await db.execute<{ expires_at: string | null; from: string | null; to: string | null; figures: ShareFigure[] }>(sql`
    SELECT to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at, from_day::text AS "from", to_day::text AS "to", figures
    FROM live_code_share WHERE live_code_id = ${id}`);
  return rows[0] ?? unbounded;
}

export async function readShare({ id }: { id: number }, { db, scope }: Context): Promise<ShareSettings> {
  const [code] = await db
    .select({ id: live_code.id })
    .from(live_code)
    .where(and(eq(live_code.id, id), scope.changes(live_code.owner_id)));
  if (!code) throw notFound();
  return settingsOf(db, id);
}

export async function updateShare({ id, ...given }: ParsedInputOf<Calls['update_share']>, context: Context): Promise<ShareSettings> {
  const { db, now, audit } = context;
  await lockCode(id, context);
  const { expires_at, from, to } = given;
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) throw invalidField('expires_at', 'in_the_past');
  if (from !== null && to !== null && to < from) throw invalidField('to', 'share_range');
  const before = await settingsOf(db, id);
  const figures = shareFigures.filter((figure) => given.figures.includes(figure));
  await db.execute(sql`INSERT INTO live_code_share (live_code_id, expires_at, from_day, to_day, figures)
    VALUES (${id}, ${expires_at}, ${from}, ${to}, ${sql.param(figures)}::text[])
    ON CONFLICT (live_code_id) DO UPDATE SET expires_at = excluded.expires_at, from_day = excluded.from_day, to_day = excluded.to_day, figures = excluded.figures`);
  const after = { expires_at, from, to, figures };
  audit({ before, after });
  return after;
}

/** What a viewer of the share page is shown: the chosen figures of the days that are open to him. */
export async function sharedView(
  db: Database,
  { id, name, file_name }: { id: number; name: string; file_name: string },
  time: SiteTime,
): Promise<OutputOf<Calls['share_access']>> {
  const { from, to, figures } = await settingsOf(db, id);
  const none = { view_number: null, ip_view_number: null, today_view_number: null, today_ip_view_number: null, series: null, by_key: null };
  if (await isOverQuota(db, id)) return { id, name, is_locked: true, ...none, from, to };
  const today = siteClock(time.time_zone).dayOf(time.now.getTime());
  const isToday = (from === null || from <= today) && (to === null || today <= to);
  const shown = await sharedFigures(db, id, time);
  const isBounded = from !== null || to !== null;
  const counts = isBounded ? await rangeCounts(db, id, { from, to }, time) : { visits: shown.view_number, ips: shown.ip_view_number };
  const byKey = figures.includes('by_key') ? await splitByKey(db, { id, visits: counts.visits }, { from, to }, time) : null;
  const chosen = <T>(figure: ShareFigure, value: T): T | null => (figures.includes(figure) ? value : null);
  return {
    id,
    name,
    is_locked: false,
    view_number: chosen('visits', counts.visits),
    ip_view_number: chosen('ips', counts.ips),
    today_view_number: isToday ? chosen('visits', shown.today_view_number) : null,
    today_ip_view_number: isToday ? chosen('ips', shown.today_ip_view_number) : null,
    series: isToday ? chosen('by_hour', shown.series) : null,
    by_key: byKey && byKey.aliases.length > 0 ? { file_name, ...byKey } : null,
    from,
    to,
  };
}
