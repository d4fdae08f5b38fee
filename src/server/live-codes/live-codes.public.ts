import { and, asc, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Alias } from '../../contract/codes/alias.ts';
import type { CodeDomain, LiveCode, LiveCodeDetails, Target } from '../../contract/codes/live-code.ts';
import { codeFields } from '../../contract/codes/live-code-fields.ts';
import type { Freezable } from '../../contract/enums.ts';
import { pick } from '../../contract/kit/pick.ts';
import { blockFields, suspectedSince } from '../detection/block-state.public.ts';
import { shownHost, unicodeOf } from '../domains/domains.public.ts';
import { domain, domain_check } from '../domains/domains.table.ts';
import { coveringRule } from '../forwards/forwards.public.ts';
import type { Context, PublicContext } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { readSecret } from '../kit/secrets.ts';
import { codesOverQuota, refuseLockedFigures } from '../orders/over-quota.public.ts';
import { logDaysOf } from '../orders/quotas.public.ts';
import { newestLinks } from '../short-codes/newest-links.public.ts';
import { file } from '../uploads/uploads.table.ts';
import { user_account } from '../users/users.table.ts';
import { visitsByAlias } from '../visits/visits.public.ts';
import { figuresOf, lockedFigures } from './list/figures.ts';
import { pictureUrl, qrImageUrl, shareUrl, visitUrl } from './live-codes.addresses.ts';
import { settingsOver } from './live-codes.settings.ts';
import { storedCode } from './live-codes.snippets.ts';
import {
  code_group,
  live_code,
  live_code_key,
  live_code_target,
  target_lease,
  target_press_total,
  target_quota,
  target_total,
  targetContent,
} from './live-codes.table.ts';

export { findByWords, foundAliases, hasText, isFound } from './list/search.ts';
export { urlFault } from './live-codes.rules.ts';
export { openShared, sharesKeys } from './sharing/share.ts';
export { nextVersion, recordVersions, withVersions } from './versions/versions.ts';
export { isFaulty, readFaultyDomains } from './without-domain/faulty-domains.ts';

/** Visits left of a target joined with its quota, what redirect processes hold leased included; null is endless. */
const visitsLeft = sql<
  number | null
>`CASE WHEN ${live_code_target.threshold} IS NOT NULL THEN coalesce(${target_quota.remaining}, 0) + coalesce((
  SELECT sum(greatest(${target_lease.granted} - ${target_lease.served}, 0)) FROM ${target_lease}
  WHERE ${target_lease.target_id} = ${live_code_target.id} AND ${target_lease.generation} = ${target_quota.generation}), 0) END`;

/** A target that may be chosen at this moment, visits left or not. */
const mayServe = (now: Date): SQL =>
  sql`(${live_code_target.enabled} AND (${live_code_target.expires_at} IS NULL OR ${live_code_target.expires_at} > ${now.toISOString()}))`;

/** No target of the code has visits left: its visitors get the fallback. */
export const isExhausted = (now: Date): SQL => sql`NOT EXISTS (
  SELECT 1 FROM ${live_code_target} LEFT JOIN ${target_quota} ON ${target_quota.target_id} = ${live_code_target.id}
  WHERE ${live_code_target.live_code_id} = ${live_code.id} AND ${mayServe(now)} AND coalesce(${visitsLeft}, 1) > 0)`;

/** The visits that a code's serving targets have left, null where one is endless, and what their thresholds allow. */
export function visitsLeftOf(now: Date): { left: SQL; thresholds: SQL } {
  const of = (
    columns: SQL,
  ) => sql`(SELECT ${columns} FROM ${live_code_target} LEFT JOIN ${target_quota} ON ${target_quota.target_id} = ${live_code_target.id}
    WHERE ${live_code_target.live_code_id} = ${live_code.id} AND ${mayServe(now)})`;
  return {
    left: of(sql`CASE WHEN bool_and(${live_code_target.threshold} IS NOT NULL) THEN sum(${visitsLeft}) END`),
    thresholds: of(sql`sum(${live_code_target.threshold})`),
  };
}

/** Codes that have a target which serves now and ends within these hours. */
export function hasExpiring(now: Date, hours: number): SQL {
  const until = new Date(now.getTime() + hours * 3_600_000).toISOString();
  return sql`${live_code.id} IN (SELECT ${live_code_target.live_code_id} FROM ${live_code_target}
    WHERE ${live_code_target.enabled} AND ${live_code_target.expires_at} > ${now.toISOString()} AND ${live_code_target.expires_at} <= ${until})`;
}

/** Codes that have a target which doesn't serve: among them are all exhausted ones, and indexes know them. */
export const mayBeExhausted = (now: Date): SQL => sql`${live_code.id} IN (
  SELECT ${live_code_target.live_code_id} FROM ${target_quota} JOIN ${live_code_target} ON ${live_code_target.id} = ${target_quota.target_id}
    WHERE ${target_quota.remaining} = 0
  UNION ALL SELECT ${live_code_target.live_code_id} FROM ${live_code_target} WHERE NOT ${live_code_target.enabled}
  UNION ALL SELECT ${live_code_target.live_code_id} FROM ${live_code_target} WHERE ${live_code_target.expires_at} <= ${now.toISOString()})`;

const entry = alias(domain, 'entry');
const landing = alias(domain, 'landing');
const internal_group = alias(code_group, 'internal_group');

const storedFields = {
  ...pick(storedCode, codeFields),
  id: live_code.id,
  owner_id: live_code.owner_id,
  owner_account: user_account.account,
  has_password: sql<boolean>`${isNotNull(live_code.share_password_hash)}`,
  qr_design: live_code.qr_look,
  removed: live_code.removed,
  removed_at: live_code.removed_at,
  removed_by_account: sql<string | null>`(SELECT account FROM user_account AS remover WHERE remover.id = ${live_code.removed_by})`,
  frozen: sql<Freezable | null>`CASE WHEN ${live_code.frozen_at} IS NOT NULL THEN 'code' WHEN ${user_account.frozen_at} IS NOT NULL THEN 'user'
    WHEN coalesce(${entry.frozen_at}, ${landing.frozen_at}) IS NOT NULL THEN 'domain' END`,
  frozen_at: sql<
    string | null
  >`coalesce(${live_code.frozen_at}, ${user_account.frozen_at}, ${entry.frozen_at}, ${landing.frozen_at})`.mapWith(live_code.frozen_at),
  frozen_reason: sql<string>`coalesce(nullif(${live_code.frozen_reason}, ''), nullif(${user_account.frozen_reason}, ''),
    nullif(${entry.frozen_reason}, ''), ${landing.frozen_reason}, '')`,
  version: live_code.version,
  created_at: live_code.created_at,
  updated_at: live_code.updated_at,
};

type StoredCode = Awaited<ReturnType<typeof readStored>>[number];

function readStored(db: Database, ids: readonly number[], now: Date, reminderHours: number) {
  const soon = new Date(now.getTime() + reminderHours * 3_600_000).toISOString();
  const targets = db
    .select({
      count: sql<number>`count(*)`.mapWith(Number).as('target_count'),
      remaining: sql<number | null>`CASE WHEN NOT coalesce(bool_or(${mayServe(now)} AND ${visitsLeft} IS NULL), false)
        THEN coalesce(sum(${visitsLeft}) FILTER (WHERE ${mayServe(now)}), 0)::bigint END`.as('targets_remaining'),
      expiring_at: sql<
        string | null
      >`min(${live_code_target.expires_at}) FILTER (WHERE ${mayServe(now)} AND ${live_code_target.expires_at} <= ${soon})`
        .mapWith(live_code_target.expires_at)
        .as('target_expiring_at'),
    })
    .from(live_code_target)
    .leftJoin(target_quota, eq(target_quota.target_id, live_code_target.id))
    .where(eq(live_code_target.live_code_id, live_code.id))
    .as('targets');
  return db
    .select({
      ...storedFields,
      entry: { host: entry.host, enabled: entry.enabled, block_status: entry.block_status, suspected_since: suspectedSince(entry.id) },
      landing: { host: landing.host, block_status: landing.block_status, suspected_since: suspectedSince(landing.id) },
      group: { id: code_group.id, name: code_group.name, color: code_group.color },
      internal_group: { id: internal_group.id, name: internal_group.name, color: internal_group.color },
      forward_path: coveringRule(sql`${live_code.entry_domain_id}`, sql`${live_code.file_name}`),
      forwarded_alias: sql<LiveCode['forwarded_alias']>`(
        SELECT jsonb_build_object('key', key, 'path', path) FROM (
          SELECT further.id, further.key, ${coveringRule(sql`${live_code.entry_domain_id}`, sql`further.key`)} AS path
          FROM live_code_key AS further WHERE further.live_code_id = ${live_code.id} AND NOT further.own) AS further
        WHERE path IS NOT NULL ORDER BY id LIMIT 1)`,
      target_count: targets.count,
      remaining: targets.remaining,
      target_expiring_at: targets.expiring_at,
    })
    .from(live_code)
    .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
    .leftJoin(entry, eq(entry.id, live_code.entry_domain_id))
    .leftJoin(landing, eq(landing.id, live_code.landing_domain_id))
    .leftJoin(code_group, eq(code_group.id, live_code.group_id))
    .leftJoin(internal_group, eq(internal_group.id, live_code.internal_group_id))
    .innerJoinLateral(targets, sql`true`)
    .where(isOneOf(live_code.id, ids));
}

/** These codes as lists show them, their designs without logos, in this order; ids that don't exist are left out. Whose they are isn't asked here. */
export async function readLiveCodes(ids: readonly number[], context: PublicContext): Promise<LiveCode[]> {
  if (ids.length === 0) return [];
  const { db, now, viewer } = context;
  const { time_zone, visit_scheme, target_reminder_hours } = await settingsOver(db);
  const stored = await readStored(db, ids, now, target_reminder_hours);
  const figures = await figuresOf(db, ids, { now, time_zone });
  const signingKey = await readSecret(db, 'visit_signing');
  const links = await newestLinks(db, ids, visit_scheme);
  const beyond = await codesOverQuota(
    db,
    stored.flatMap(({ owner_id, removed }) => (removed ? [] : [owner_id])),
  );
  const shown = ({ entry, landing, internal_group, ...code }: StoredCode): LiveCode => ({
    ...code,
    over_quota: beyond.get(code.id) ?? null,
    ...(viewer?.scope.all ? { internal_group } : {}),
    entry_host: entry?.host ?? null,
    entry_host_unicode: entry && shownHost(entry.host),
    entry_block_status: entry?.block_status ?? null,
    entry_suspected_since: entry?.suspected_since ?? null,
    landing_host: landing?.host ?? null,
    landing_host_unicode: landing && shownHost(landing.host),
    landing_block_status: landing?.block_status ?? null,
    landing_suspected_since: landing?.suspected_since ?? null,
    url: visitUrl(code, entry, { scheme: visit_scheme, signingKey }),
    qr_image_url: qrImageUrl(code.file_name, entry?.enabled ? entry.host : null, visit_scheme),
    short_url: links.get(code.id) ?? null,
    share_url: shareUrl(code.file_name),
    ...(beyond.has(code.id) && !viewer?.scope.all ? lockedFigures : figures(code.id)),
  });
  const byId = new Map(stored.map((code) => [code.id, shown(code)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The targets of a code in their order. */
export function readTargets(db: Database, live_code_id: number): Promise<Target[]> {
  return db
    .select({
      id: live_code_target.id,
      kind: live_code_target.kind,
      content: targetContent,
      picture_url: sql<string | null>`${file.name}`.mapWith(pictureUrl),
      any_picture: live_code_target.any_picture,
      qr_text: file.qr_text,
      qr_kind: file.qr_kind,
      name: live_code_target.name,
      sort: live_code_target.sort,
      weight: live_code_target.weight,
      threshold: live_code_target.threshold,
      remaining: sql<number | null>`(${visitsLeft})::bigint`,
      refill_hour: live_code_target.refill_hour,
      enabled: live_code_target.enabled,
      expires_at: live_code_target.expires_at,
      rules: live_code_target.rules,
      view_number: sql<number>`coalesce(${target_total.visits}, 0)`.mapWith(Number),
      press_number: sql<number>`coalesce(${target_press_total.presses}, 0)`.mapWith(Number),
    })
    .from(live_code_target)
    .leftJoin(target_quota, eq(target_quota.target_id, live_code_target.id))
    .leftJoin(target_total, eq(target_total.target_id, live_code_target.id))
    .leftJoin(target_press_total, eq(target_press_total.target_id, live_code_target.id))
    .leftJoin(file, eq(file.id, live_code_target.file_id))
    .where(eq(live_code_target.live_code_id, live_code_id))
    .orderBy(desc(live_code_target.sort), asc(live_code_target.id));
}

/** One code with its targets; 404 unless it exists and the caller may see it. */
export async function readDetails(id: number, context: Context): Promise<LiveCodeDetails> {
  await requireSeen(id, context);
  const [code] = await readLiveCodes([id], context);
  if (!code) throw notFound();
  const [whole] = await context.db.select({ qr_design: live_code.qr_design }).from(live_code).where(eq(live_code.id, id));
  const isLocked = code.view_number === null;
  const [targets, domains] = [await readTargets(context.db, id), await readDomains(code, context)];
  const { aliases } = await readAliases(id, context);
  const log_days = await logDaysOf(context.db, code.owner_id, await context.settings());
  return {
    ...code,
    qr_design: whole?.qr_design ?? null,
    targets: isLocked ? targets.map((target) => ({ ...target, view_number: null, press_number: null })) : targets,
    domains,
    aliases: isLocked ? aliases.map((alias) => ({ ...alias, visits: null })) : aliases,
    log_days,
  };
}

/** A code's further keys, each with its address and its visits. Whose they are isn't asked here. */
export async function readAliases(id: number, { db, now }: PublicContext): Promise<{ aliases: Alias[] }> {
  const rows = await db
    .select({
      id: live_code_key.id,
      key: live_code_key.key,
      remark: live_code_key.remark,
      created_at: live_code_key.created_at,
      forward_path: coveringRule(sql`${live_code.entry_domain_id}`, sql`${live_code_key.key}`),
      access_mode: live_code.access_mode,
      entry: { host: entry.host, enabled: entry.enabled },
    })
    .from(live_code_key)
    .innerJoin(live_code, eq(live_code.id, live_code_key.live_code_id))
    .leftJoin(entry, eq(entry.id, live_code.entry_domain_id))
    .where(and(eq(live_code_key.live_code_id, id), eq(live_code_key.own, false)))
    .orderBy(asc(live_code_key.id));
  if (rows.length === 0) return { aliases: [] };
  const { time_zone, visit_scheme } = await settingsOver(db);
  const signingKey = await readSecret(db, 'visit_signing');
  const visits = await visitsByAlias(db, id, {}, { now, time_zone });
  const aliases = rows.map(({ entry, access_mode, ...row }) => ({
    ...row,
    url: visitUrl({ file_name: row.key, access_mode }, entry, { scheme: visit_scheme, signingKey }),
    qr_image_url: qrImageUrl(row.key, entry?.enabled ? entry.host : null, visit_scheme),
    visits: visits.get(row.id) ?? 0,
  }));
  return { aliases };
}

/** The domains that a code stands on, as they were last checked: its entry domain first. */
async function readDomains({ entry_domain_id, landing_domain_id }: LiveCode, { db, scope }: Context): Promise<CodeDomain[]> {
  const { id, host, enabled, block_status } = domain;
  const { dns_state, certificate_state, certificate_expires_at } = domain_check;
  const found = await db
    .select({
      id,
      host,
      host_unicode: unicodeOf(host),
      enabled,
      block_status,
      ...blockFields(id, scope.changes(domain.holder_id)),
      dns_state,
      certificate_state,
      certificate_expires_at,
    })
    .from(domain)
    .leftJoin(domain_check, eq(domain_check.domain_id, id))
    .where(
      isOneOf(
        id,
        [entry_domain_id, landing_domain_id].flatMap((one) => one ?? []),
      ),
    );
  const of = (use: CodeDomain['use'], wanted: number | null) => found.filter((row) => row.id === wanted).map((row) => ({ ...row, use }));
  return [...of('entry', entry_domain_id), ...of('landing', landing_domain_id)];
}

/** What a print sheet shows of the codes that the caller may see, in this order. */
export async function readSheet(ids: readonly number[], context: Context) {
  const { db, scope } = context;
  const seen = await db
    .select({ id: live_code.id, qr_design: live_code.qr_design })
    .from(live_code)
    .where(and(isOneOf(live_code.id, ids), eq(live_code.removed, false), scope.sees(live_code.owner_id)));
  const designs = new Map(seen.map(({ id, qr_design }) => [id, qr_design]));
  const codes = await readLiveCodes(
    ids.filter((id) => designs.has(id)),
    context,
  );
  return { content: codes.map((code) => ({ ...code, qr_design: designs.get(code.id) ?? null })) };
}

/** 404 unless the code exists and the caller may see it, 409 where its figures are locked to him. */
export async function requireFigures(id: number, context: Context): Promise<void> {
  await requireSeen(id, context);
  await refuseLockedFigures([id], context);
}

/** 404 unless the code exists and the caller may see it. */
export async function requireSeen(id: number, { db, scope }: Context): Promise<void> {
  if ((await db.$count(live_code, and(eq(live_code.id, id), scope.sees(live_code.owner_id)))) === 0) throw notFound();
}
