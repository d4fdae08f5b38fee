import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { DomainMonitor, domainMonitors, Verdict } from '../../../contract/detection/domain-monitor.ts';
import { blockStatus } from '../../../contract/enums.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import { maxIds } from '../../../contract/kit/fields.ts';
import type { Settings } from '../../../contract/settings.ts';
import { isNamed, unicodeOf } from '../../domains/domains.public.ts';
import { domain } from '../../domains/domains.table.ts';
import type { Context } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { contains, isOneOf, list, matches, orderOf } from '../../kit/rows/list.ts';
import { user_account } from '../../users/users.table.ts';
import { domain_monitor, domain_verdict } from '../detection.table.ts';
import { medianLatency, shownFinding } from '../detectors/findings.ts';
import { addressOf } from './addresses.ts';
import { effectiveSeconds } from './quota.ts';

type Calls = (typeof domainMonitors)['calls'];

const fieldsFor = (settings: Settings) => ({
  id: domain_monitor.id,
  domain_id: domain_monitor.domain_id,
  given_url: domain_monitor.url,
  host: domain_monitor.host,
  host_unicode: unicodeOf(domain_monitor.host),
  owner_id: domain_monitor.owner_id,
  owner_account: sql<string | null>`${user_account.account}`,
  paused: domain_monitor.paused,
  enabled: domain_monitor.enabled,
  over_quota: domain_monitor.over_quota,
  interval_seconds: domain_monitor.interval_seconds,
  remark: domain_monitor.remark,
  block_status: domain_monitor.block_status,
  status_since: domain_monitor.status_since,
  suspected_since: domain_monitor.suspected_since,
  disputed: domain_monitor.disputed,
  checked_at: domain_monitor.checked_at,
  due_at: domain_monitor.due_at,
  beats: domain_monitor.beats,
  created_at: domain_monitor.created_at,
  updated_at: domain_monitor.updated_at,
  effective_seconds: effectiveSeconds(settings),
});
const ownerJoin = [user_account, eq(user_account.id, domain_monitor.owner_id)] as const;

/** What is in trouble first: blocked, suspected, not to be told, disputed; then the rest. */
const trouble = sql`CASE WHEN ${domain_monitor.block_status} = ${blockStatus.blocked} THEN 5 WHEN ${domain_monitor.suspected_since} IS NOT NULL THEN 4
  WHEN ${domain_monitor.block_status} = ${blockStatus.failed} THEN 3 WHEN ${domain_monitor.disputed} THEN 2 ELSE 1 END`;

/** The caller's own, and an administrator's all: what others watch is told to nobody else. */
export const ownMonitors = ({ scope }: Pick<Context, 'scope'>): SQL | undefined => scope.changes(domain_monitor.owner_id);

type Row = Omit<DomainMonitor, 'url' | 'uptime_24h' | 'uptime_30d' | 'uptime_90d' | 'latency' | 'due_at'> & {
  given_url: string | null;
  due_at: string;
};

type Select = ParsedInputOf<Calls['ids']>;
type Filters = Omit<Select, 'sort' | 'order'>;

async function monitorsWhere(filters: Filters, context: Context): Promise<SQL | undefined> {
  const { ids, search, suspected, registered, pool, block_status, disputed, paused, owner_id } = filters;
  return and(
    ownMonitors(context),
    ids && isOneOf(domain_monitor.id, ids),
    await searched(context.db, search),
    suspected === undefined ? undefined : sql`(${domain_monitor.suspected_since} IS NOT NULL) = ${suspected}`,
    registered === undefined ? undefined : sql`(${domain_monitor.domain_id} IS NOT NULL) = ${registered}`,
    pool === undefined ? undefined : sql`(${domain_monitor.owner_id} IS NULL) = ${pool}`,
    matches(domain_monitor, { block_status, disputed, paused, owner_id }),
  );
}

const sorts = { ...domain_monitor, trouble };
const sortedBy = ({ sort, order }: Pick<Select, 'sort' | 'order'>) =>
  sort ? ({ sort, order } as const) : ({ sort: 'trouble', order: 'desc' } as const);

export async function listMonitors(input: ParsedInputOf<Calls['inquire']>, context: Context): Promise<OutputOf<Calls['inquire']>> {
  const { page, page_size, sort, order, ...filters } = input;
  const { db, settings } = context;
  const where = await monitorsWhere(filters, context);
  // Which rows a page has is asked alone: their last checks are long, and sorting would carry those of all rows along.
  const { id } = domain_monitor;
  const found = await list(
    db,
    { page, page_size, ...sortedBy({ sort, order }) },
    { fields: { id }, from: domain_monitor, where, sorts, key: id },
  );
  const ids = found.content.map((row) => row.id);
  const rows = await db
    .select(fieldsFor(await settings()))
    .from(domain_monitor)
    .leftJoin(...ownerJoin)
    .where(isOneOf(id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    ...found,
    content: await shown(
      ids.flatMap((one) => byId.get(one) ?? []),
      context,
    ),
  };
}

/** The ids of those that fit the filters, in the order of the list, up to as many as one call may change. */
export async function selectMonitors({ sort, order, ...filters }: Select, context: Context): Promise<OutputOf<Calls['ids']>> {
  const rows = await context.db
    .select({ id: domain_monitor.id })
    .from(domain_monitor)
    .where(await monitorsWhere(filters, context))
    .orderBy(...orderOf(sortedBy({ sort, order }), sorts, domain_monitor.id))
    .limit(maxIds + 1);
  return { ids: rows.slice(0, maxIds).map(({ id }) => id), is_cut: rows.length > maxIds };
}

/** In the address, the host in either script, and the remark. */
async function searched(db: Database, search: string | undefined): Promise<SQL | undefined> {
  if (!search?.trim()) return undefined;
  const named = await isNamed(db, search);
  const ofDomains = sql`${domain_monitor.domain_id} IN (SELECT ${domain.id} FROM ${domain} WHERE ${named})`;
  return sql`(${contains([domain_monitor.host, domain_monitor.url, domain_monitor.remark], search)} OR ${ofDomains})`;
}

export async function shown(rows: readonly Row[], { db, settings }: Pick<Context, 'db' | 'settings'>): Promise<DomainMonitor[]> {
  const values = await settings();
  const hours = await readHours(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...shownRow(row, values), ...(hours.get(row.id) ?? noHours) }));
}

function shownRow({ given_url, ...row }: Row, { visit_scheme }: Settings) {
  return {
    ...row,
    url: given_url ?? addressOf(row.host, visit_scheme),
    due_at: row.paused || !row.enabled || row.over_quota ? null : row.due_at,
  };
}

type Hours = Pick<DomainMonitor, 'uptime_24h' | 'uptime_30d' | 'uptime_90d' | 'latency'>;
const latencyHours = 24;
const noHours: Hours = { uptime_24h: null, uptime_30d: null, uptime_90d: null, latency: Array.from({ length: latencyHours }, () => null) };

/** Shares of the checks that could tell in which all was well, and the medians of the hours of the last day. */
async function readHours(db: Database, ids: readonly number[]): Promise<Map<number, Hours>> {
  if (ids.length === 0) return new Map();
  const given = sql`${sql.param([...ids])}::bigint[]`;
  const share = (span: string) => sql`sum(normal) FILTER (WHERE hour > now() - ${span}::interval)::float8
    / nullif(sum(normal + blocked + down) FILTER (WHERE hour > now() - ${span}::interval), 0)`;
  const { rows } = await db.execute<Omit<Hours, 'latency'> & { id: number }>(sql`
    SELECT monitor_id::float8 AS id, ${share('24 hours')} AS uptime_24h, ${share('30 days')} AS uptime_30d, ${share('90 days')} AS uptime_90d
    FROM domain_monitor_hour WHERE monitor_id = ANY(${given}) AND hour > now() - interval '90 days' GROUP BY monitor_id`);
  const { rows: times } = await db.execute<{ id: number; ago: number; latencies: number[] }>(sql`
    SELECT monitor_id::float8 AS id, round(extract(epoch FROM date_trunc('hour', now()) - hour) / 3600)::int AS ago, latencies
    FROM domain_monitor_hour WHERE monitor_id = ANY(${given}) AND hour > date_trunc('hour', now()) - make_interval(hours => ${latencyHours})`);
  const found = new Map<number, Hours>(rows.map(({ id, ...shares }) => [id, { ...shares, latency: [...noHours.latency] }]));
  for (const { id, ago, latencies } of times) {
    const latency = found.get(id)?.latency;
    if (latency && ago >= 0 && ago < latencyHours) latency[latencyHours - 1 - ago] = medianLatency(latencies);
  }
  return found;
}

/** So many verdicts of an address are told. */
const maxVerdicts = 300;

export async function readMonitor(id: number, context: Context): Promise<OutputOf<Calls['details']>> {
  const { db, language, settings } = context;
  const [row] = await db
    .select({ ...fieldsFor(await settings()), verdict_id: domain_monitor.verdict_id })
    .from(domain_monitor)
    .leftJoin(...ownerJoin)
    .where(and(eq(domain_monitor.id, id), ownMonitors(context)));
  if (!row) throw notFound();
  const { verdict_id, ...found } = row;
  const [monitor] = await shown([found], context);
  if (!monitor) throw notFound();
  const kept = await db
    .select(verdictFields)
    .from(domain_verdict)
    .where(eq(domain_verdict.monitor_id, id))
    .orderBy(sql`${domain_verdict.id} DESC`)
    .limit(maxVerdicts);
  const verdicts = kept.map((one): Verdict => ({ ...one, findings: one.findings.map((finding) => shownFinding(finding, language)) }));
  const latest = verdicts.find((one) => one.id === verdict_id) ?? verdicts[0];
  return { ...monitor, findings: latest?.findings ?? [], verdicts };
}

const verdictFields = {
  id: domain_verdict.id,
  block_status: domain_verdict.block_status,
  state: domain_verdict.state,
  findings: domain_verdict.findings,
  first_at: domain_verdict.first_at,
  last_at: domain_verdict.last_at,
  checks: domain_verdict.checks,
};
