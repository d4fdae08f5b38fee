import { sql } from 'drizzle-orm';
import { messengerKinds } from '../../../contract/detection/detectors.ts';
import type { domainMonitors } from '../../../contract/detection/domain-monitor.ts';
import { blockStatus } from '../../../contract/enums.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { Context } from '../../kit/calls/context.ts';
import { domain_monitor } from '../detection.table.ts';
import { ownMonitors } from './monitors.reads.ts';
import { quotaOf } from './quota.ts';

type Summary = OutputOf<(typeof domainMonitors)['calls']['summary']>;

const overdueSeconds = 10;

/** How many are watched, by what is known of them, and what the checks themselves are doing. */
export async function summarize(context: Context): Promise<Summary> {
  const { db, actor } = context;
  const isRunning = sql`NOT ${domain_monitor.paused} AND ${domain_monitor.enabled} AND NOT ${domain_monitor.over_quota}`;
  const countOf = (status: number) => sql`count(*) FILTER (WHERE ${domain_monitor.block_status} = ${status})::float8`;
  const { rows } = await db.execute<Omit<Summary, 'limit' | 'left' | 'combo' | 'minimum_seconds' | 'blind_since' | 'has_detector'>>(sql`
    SELECT count(*)::float8 AS total, count(*) FILTER (WHERE NOT (${isRunning}))::float8 AS paused,
      ${countOf(blockStatus.normal)} AS normal, ${countOf(blockStatus.blocked)} AS blocked, ${countOf(blockStatus.failed)} AS failed,
      count(*) FILTER (WHERE ${domain_monitor.suspected_since} IS NOT NULL)::float8 AS suspected,
      count(*) FILTER (WHERE ${domain_monitor.block_status} IS NULL)::float8 AS unchecked,
      count(*) FILTER (WHERE ${isRunning} AND ${domain_monitor.due_at} < now() - make_interval(secs => ${overdueSeconds}))::float8 AS overdue
    FROM ${domain_monitor} WHERE ${ownMonitors(context) ?? sql`true`}`);
  const [counted] = rows;
  if (!counted) throw new Error('an aggregate without groups always has a row');
  const { rows: states } = await db.execute<{ blind_since: string | null; has_detector: boolean }>(sql`
    SELECT to_char(blind_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS blind_since, EXISTS (
      SELECT FROM detector WHERE enabled AND kind = ANY(${sql.param([...messengerKinds])}::text[]) AND (stopped_until IS NULL OR stopped_until < now())
    ) AS has_detector FROM detection_state`);
  const state = states[0] ?? { blind_since: null, has_detector: false };
  return { ...counted, ...state, ...(await quotaOf(actor.user_id, context)) };
}
