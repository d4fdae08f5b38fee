import { and, eq, sql } from 'drizzle-orm';
import type { domainMonitors } from '../../../contract/detection/domain-monitor.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Context } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { publish } from '../../kit/postgres/bus.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { domain_monitor } from '../detection.table.ts';
import { readAddress } from './addresses.ts';
import { ownMonitors } from './monitors.reads.ts';
import { lockQuota, strictestOf } from './quota.ts';

type Calls = (typeof domainMonitors)['calls'];
type Added = OutputOf<Calls['add']>;
type Line = Omit<Added['results'][number], 'state'> & { host: string | null; state?: Added['results'][number]['state'] };

/** 400 where addresses would be checked more often than their owners may have it; whoever asks for it. */
async function checkInterval(seconds: number | null | undefined, owners: readonly (number | null)[], context: Context): Promise<void> {
  if (seconds === null || seconds === undefined) return;
  const strictest = await strictestOf(owners, context);
  if (!strictest || seconds >= strictest.minimum_seconds) return;
  const { account, minimum_seconds } = strictest;
  throw new AppError(400, 'domain_monitor.interval_too_short', {
    params: { account, minimum: minimum_seconds },
    fields: { interval_seconds: 'interval_too_short' },
  });
}

function readLines(lines: readonly string[], context: Context): Line[] {
  const seen = new Set<string>();
  return lines
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((line): Line => {
      const address = readAddress(line, context.scope);
      if ('fault' in address) return { line, url: null, host: null, state: 'invalid_url' };
      if (seen.has(address.url)) return { line, url: address.url, host: address.host, state: 'repeated' };
      seen.add(address.url);
      return { line, ...address };
    });
}

export type Watched = { url: string; host: string };

/** Watches addresses for a user, as far as his quota goes; those that he watches already, domains of his included, are left as they are. */
export async function watch(
  addresses: readonly Watched[],
  fields: { interval_seconds?: number | null | undefined; remark?: string | undefined },
  { db, scope, settings }: Pick<Context, 'db' | 'scope' | 'settings'>,
): Promise<{ added: Set<string>; existing: Set<string>; beyond: Set<string>; combo: string | null }> {
  const owner_id = scope.owner_id;
  const { left, combo } = await lockQuota(owner_id, { db, settings });
  const urls = addresses.map(({ url }) => url);
  const { rows: known } = await db.execute<{ url: string }>(sql`
    SELECT given.url FROM unnest(${sql.param(urls)}::text[], ${sql.param(addresses.map(({ host }) => host))}::text[]) AS given (url, host)
    WHERE EXISTS (SELECT FROM domain_monitor WHERE domain_monitor.owner_id = ${owner_id}
      AND (domain_monitor.url = given.url OR (domain_monitor.domain_id IS NOT NULL AND domain_monitor.host = given.host)))`);
  const existing = new Set(known.map(({ url }) => url));
  const wanted = addresses.filter(({ url }) => !existing.has(url));
  const taken = wanted.slice(0, left ?? wanted.length);
  const rows = taken.map(({ url, host }) => ({ owner_id, url, host, ...fields }));
  const added =
    rows.length === 0 ? [] : await db.insert(domain_monitor).values(rows).onConflictDoNothing().returning({ url: domain_monitor.url });
  if (added.length > 0) await publish(db, 'domain_monitor', null);
  return {
    added: new Set(added.flatMap(({ url }) => url ?? [])),
    existing,
    beyond: new Set(wanted.slice(taken.length).map(({ url }) => url)),
    combo,
  };
}

export async function addMonitors({ lines, ...fields }: ParsedInputOf<Calls['add']>, context: Context): Promise<Added> {
  await checkInterval(fields.interval_seconds, [context.scope.owner_id], context);
  const read = readLines(lines, context);
  const wanted = read.flatMap(({ url, host, state }) => (url !== null && host !== null && !state ? [{ url, host }] : []));
  const { added, beyond } = await watch(wanted, fields, context);
  const stateOf = (url: string | null) => (added.has(url ?? '') ? 'added' : beyond.has(url ?? '') ? 'quota_exceeded' : 'exists');
  context.audit({ after: { urls: [...added], ...fields } });
  return { added: added.size, results: read.map(({ line, url, state }) => ({ line, url, state: state ?? stateOf(url) })) };
}

export async function updateMonitors(
  { ids, paused, interval_seconds, remark }: ParsedInputOf<Calls['update']>,
  context: Context,
): Promise<{ affected: number }> {
  const { db, audit } = context;
  const own = await lockMonitors(ids, context);
  await checkInterval(
    interval_seconds,
    own.map(({ owner_id }) => owner_id),
    context,
  );
  const isSooner = paused === false || interval_seconds !== undefined;
  await db
    .update(domain_monitor)
    .set({
      ...(paused === undefined ? {} : { paused }),
      ...(interval_seconds === undefined ? {} : { interval_seconds }),
      ...(remark === undefined ? {} : { remark }),
      // Another interval counts from now on: the next check shows that it does.
      ...(isSooner ? { due_at: sql`now()` } : {}),
      updated_at: sql`now()`,
    })
    .where(
      isOneOf(
        domain_monitor.id,
        own.map(({ id }) => id),
      ),
    );
  audit({ before: own, after: { paused, interval_seconds, remark } });
  if (isSooner && own.length > 0) await publish(db, 'domain_monitor', null);
  return { affected: own.length };
}

const lockMonitors = (ids: readonly number[], context: Context) =>
  context.db
    .select({
      id: domain_monitor.id,
      domain_id: domain_monitor.domain_id,
      owner_id: domain_monitor.owner_id,
      host: domain_monitor.host,
      url: domain_monitor.url,
      paused: domain_monitor.paused,
      interval_seconds: domain_monitor.interval_seconds,
      remark: domain_monitor.remark,
    })
    .from(domain_monitor)
    .where(and(isOneOf(domain_monitor.id, ids), ownMonitors(context)))
    .orderBy(domain_monitor.id)
    .for('update');

export async function checkMonitors({ ids }: ParsedInputOf<Calls['check']>, context: Context): Promise<{ affected: number }> {
  const { db } = context;
  const named =
    ids &&
    (await db.$count(domain_monitor, and(isOneOf(domain_monitor.id, ids), ownMonitors(context), eq(domain_monitor.over_quota, true))));
  if (named) throw new AppError(409, 'domain_monitor.over_quota');
  const asked = await db
    .update(domain_monitor)
    .set({ urgent: true, due_at: sql`least(${domain_monitor.due_at}, now())` })
    .where(
      and(
        ownMonitors(context),
        eq(domain_monitor.enabled, true),
        eq(domain_monitor.over_quota, false),
        ids ? isOneOf(domain_monitor.id, ids) : eq(domain_monitor.paused, false),
      ),
    )
    .returning({ id: domain_monitor.id });
  if (asked.length > 0) await publish(db, 'domain_monitor', null);
  return { affected: asked.length };
}

/** A registered domain is watched for as long as there is one: it is paused instead. */
export async function removeMonitors({ ids }: ParsedInputOf<Calls['remove']>, context: Context): Promise<{ affected: number }> {
  const { db, audit } = context;
  const own = await lockMonitors(ids, context);
  const idsOf = (registered: boolean) => own.filter(({ domain_id }) => (domain_id !== null) === registered).map(({ id }) => id);
  await db.delete(domain_monitor).where(isOneOf(domain_monitor.id, idsOf(false)));
  await db
    .update(domain_monitor)
    .set({ paused: true, updated_at: sql`now()` })
    .where(isOneOf(domain_monitor.id, idsOf(true)));
  audit({ before: own });
  return { affected: own.length };
}
