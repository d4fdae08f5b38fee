import { and, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { endingShare, maxNeeds, type Need, type Needed, type NeedKind, namedNeeds, needKinds } from '../../contract/content/home.ts';
import { certificateWarningDays, registrationWarningDays } from '../../contract/domains/domain-check.ts';
import { blockStatus } from '../../contract/enums.ts';
import { keptKinds } from '../../contract/money/vip-combo.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import { readBackupFaults } from '../backup/runs/runs.public.ts';
import { detection_state, detector, domain_monitor } from '../detection/detection.table.ts';
import { registrationExpiresAt, shownHost } from '../domains/domains.public.ts';
import { domain, domain_check, domain_registration } from '../domains/domains.table.ts';
import { handlingOf, lowPools } from '../failover/failover.public.ts';
import type { Context } from '../kit/calls/context.ts';
import { async_operation } from '../kit/jobs/operations.ts';
import { translate } from '../kit/messages/messages.ts';
import { hasExpiring, isExhausted, isFaulty, mayBeExhausted, readFaultyDomains, visitsLeftOf } from '../live-codes/live-codes.public.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { readFailedJobs, readHostAlarms } from '../monitor/monitor.public.ts';
import { isReviewing } from '../orders/orders.public.ts';
import { order_share } from '../orders/orders.table.ts';
import { undecidedExcess } from '../orders/over-quota.public.ts';
import { push_channel } from '../pushes/pushes.table.ts';
import { report } from '../reports/report-list.table.ts';
import { readRestoredCopy } from '../restored-copy/restored-copy.public.ts';
import { server } from '../servers/server-list.table.ts';
import { readShortWallets, readUnreadPayments } from '../tron/tron.public.ts';
import { user_account } from '../users/users.table.ts';
import { oldLists } from '../visits/ip-data.public.ts';
import { webhook } from '../webhooks/webhooks.table.ts';
import { withdrawal } from '../withdrawals/withdrawals.table.ts';

const dayMilliseconds = 86_400_000;
const operationDays = 1;
const membershipDays = 7;

type Found = { total: number; items: Needed[] };
/** What finds the needs of a kind, and the screens that mend them: who has none of them is not told. */
type Source = { nodes: readonly NodeKey[]; find: (context: Context) => Promise<Found> };

const none: Found = { total: 0, items: [] };
const moment = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;
const later = ({ now }: Context, days: number): Date => new Date(now.getTime() + days * dayMilliseconds);
const columnTime = (value: unknown): string | null => (value === null ? null : new Date(String(value)).toISOString());

/** Runs a query for the columns id, name, at and left, in the order of their urgency. */
async function find({ db }: Context, rows: SQL): Promise<Found> {
  const found = await db.execute<{ id: number; name: string; at: string | null; left: number | null; total: number }>(sql`
    SELECT id::float8 AS id, name, at, "left"::float8 AS left, count(*) OVER ()::float8 AS total
    FROM (${rows} LIMIT ${maxNeeds}) AS needed LIMIT ${namedNeeds}`);
  const items = found.rows.map(({ id, name, at, left }) => ({ id, name, at: columnTime(at), left }));
  return { total: found.rows[0]?.total ?? 0, items };
}

const usesOf = sql`(SELECT count(*) FROM live_code WHERE (entry_domain_id = ${domain.id} OR landing_domain_id = ${domain.id}) AND NOT removed)
  + (SELECT count(*) FROM short_code WHERE domain_id = ${domain.id})`;
const withReadableNames = ({ total, items }: Found): Found => ({
  total,
  items: items.map((item) => ({ ...item, name: shownHost(item.name) ?? item.name })),
});

/** Domains in use of which something is wrong. Those without codes and links lead nobody astray. */
async function domains(context: Context, fault: SQL | undefined, at: SQL = sql`${domain_check.certificate_expires_at}`): Promise<Found> {
  const where = and(eq(domain.enabled, true), context.scope.sees(domain.holder_id), fault);
  const found = await find(
    context,
    sql`SELECT ${domain.id}, ${domain.host} AS name, ${at} AS at, uses AS left
      FROM ${domain} JOIN ${domain_check} ON ${domain_check.domain_id} = ${domain.id}
        LEFT JOIN ${domain_registration} ON ${domain_registration.name} = ${domain_check.registered_name}, LATERAL (SELECT ${usesOf} AS uses) AS used
      WHERE ${where} AND uses > 0 ORDER BY uses DESC, ${domain.id}`,
  );
  return withReadableNames(found);
}

/** Domains in use that look blocked: their visits from messengers fell, which no check has confirmed yet. */
async function suspectedDomains(context: Context): Promise<Found> {
  const where = and(
    eq(domain.enabled, true),
    context.scope.sees(domain.holder_id),
    isNotNull(domain_monitor.suspected_since),
    sql`${domain.block_status} IS DISTINCT FROM ${blockStatus.blocked}`,
  );
  const found = await find(
    context,
    sql`SELECT ${domain_monitor.id}, ${domain.host} AS name, ${domain_monitor.suspected_since} AS at, uses AS left
      FROM ${domain} JOIN ${domain_monitor} ON ${domain_monitor.domain_id} = ${domain.id}, LATERAL (SELECT ${usesOf} AS uses) AS used
      WHERE ${where} AND uses > 0 ORDER BY uses DESC, ${domain.id}`,
  );
  return withReadableNames(found);
}

/** Detectors that switched themselves off, until they are tried again. */
const failedDetectors = (context: Context): Promise<Found> =>
  find(
    context,
    sql`SELECT ${detector.id}, ${detector.name} AS name, ${detector.stopped_until} AS at, NULL AS left FROM ${detector}
      WHERE ${detector.enabled} AND ${detector.stopped_until} > ${moment(context.now)} ORDER BY ${detector.stopped_until}`,
  );

/** Whether our own way out is down, so that nothing is judged. */
const blindChecks = (context: Context): Promise<Found> =>
  find(
    context,
    sql`SELECT 1 AS id, '' AS name, ${detection_state.blind_since} AS at, NULL AS left FROM ${detection_state}
      WHERE ${isNotNull(detection_state.blind_since)}`,
  );

/** The caller's own codes that are open; those of others wait for their owners. */
const codes = (context: Context, fault: SQL, columns: { at?: SQL; left?: SQL } = {}): Promise<Found> =>
  find(
    context,
    sql`SELECT ${live_code.id}, coalesce(nullif(${live_code.name}, ''), ${live_code.file_name}) AS name,
        ${columns.at ?? sql`NULL`} AS at, ${columns.left ?? sql`NULL`} AS left
      FROM ${live_code} JOIN ${user_account} ON ${user_account.id} = ${live_code.owner_id}
      WHERE ${live_code.owner_id} = ${context.scope.owner_id} AND ${live_code.open} AND NOT ${live_code.removed} AND ${user_account.all_codes_open}
        AND (${live_code.expires_at} IS NULL OR ${live_code.expires_at} > ${moment(context.now)}) AND ${fault}
      ORDER BY at NULLS LAST, "left" NULLS LAST, ${live_code.id}`,
  );

/** The healthy domains left of each type of which the platform's pool has too few by its rule. */
async function lowPoolsOf({ db, language }: Context): Promise<Found> {
  const pools = await lowPools(db);
  return {
    total: pools.length,
    items: pools.map(({ type, healthy }) => ({ id: type, name: translate(language, `domain_list.type_${type}`), at: null, left: healthy })),
  };
}

/** Blocked domains that still have codes, with what was done about them. Those that were replaced have none. */
async function blockedDomains(context: Context): Promise<Found> {
  const found = await domains(context, eq(domain.block_status, blockStatus.blocked));
  const handled = await handlingOf(
    found.items.map(({ id }) => id),
    context.db,
  );
  return { ...found, items: found.items.map((item) => ({ ...item, ...handled.get(item.id) })) };
}

/** Lists of addresses that are older than the setting allows. */
async function oldIpData({ db, now, settings }: Context): Promise<Found> {
  const old = await oldLists(db, { now, warning_days: (await settings()).ip_data_warning_days });
  return {
    total: old.length,
    items: old.map(({ family, data_date }) => ({ id: family, name: `IPv${family}`, at: `${data_date}T00:00:00.000Z`, left: null })),
  };
}

/** Kinds of which the caller has more than his quota, until he has chosen what stays. */
async function exceededQuotas({ db, language, scope }: Context): Promise<Found> {
  const found = await undecidedExcess(db, scope.owner_id);
  return told(
    found.map(({ kind, number }) => ({
      id: keptKinds.indexOf(kind) + 1,
      name: translate(language, `vip_combo.${kind}`),
      at: null,
      left: number,
    })),
  );
}

async function endingMembership(context: Context): Promise<Found> {
  if (context.scope.all) return none;
  return find(
    context,
    sql`SELECT id, account AS name, member_expires_at AS at, NULL AS left FROM ${user_account}
      WHERE id = ${context.scope.owner_id} AND member_expires_at < ${moment(later(context, membershipDays))}`,
  );
}

/** Codes that visitors reported and nobody has decided on, the longest waiting first. */
async function waitingReports(context: Context): Promise<Found> {
  if (!context.scope.all) return none;
  return find(
    context,
    sql`SELECT min(${report.id}) AS id, coalesce(nullif(min(${live_code.name}), ''), ${report.file_name}) AS name,
        min(${report.at}) AS at, count(*) AS left
      FROM ${report} LEFT JOIN ${live_code} ON ${live_code.id} = ${report.live_code_id}
      WHERE ${eq(report.state, 'new')} GROUP BY ${report.live_code_id}, ${report.file_name} ORDER BY min(${report.at})`,
  );
}

/** Withdrawals that an administrator decides about or pays, the longest waiting first; the caller's own are another's. */
async function withdrawals(context: Context, fault: SQL | undefined): Promise<Found> {
  if (!context.scope.all) return none;
  return find(
    context,
    sql`SELECT ${withdrawal.id}, ${user_account.account} || ' · ' || trim_scale(${withdrawal.amount}::numeric / 1000000) || ' USDT' AS name,
        ${withdrawal.created_at} AS at, NULL AS left
      FROM ${withdrawal} JOIN ${user_account} ON ${user_account.id} = ${withdrawal.user_id}
      WHERE ${and(ne(withdrawal.user_id, context.scope.owner_id), fault)} ORDER BY ${withdrawal.id}`,
  );
}

/** Flagged shares that an administrator decides about, the longest waiting first. */
async function reviewedShares(context: Context): Promise<Found> {
  if (!context.scope.all) return none;
  return find(
    context,
    sql`SELECT ${order_share.id}, ${user_account.account} || ' · ' || trim_scale(${order_share.amount}::numeric / 1000000) || ' USDT' AS name,
        ${order_share.created_at} AS at, NULL AS left
      FROM ${order_share} JOIN ${user_account} ON ${user_account.id} = ${order_share.agent_id}
      WHERE ${isReviewing} ORDER BY ${order_share.id}`,
  );
}

/** The caller's webhooks of which something is wrong. */
const webhooks = (context: Context, fault: SQL | undefined): Promise<Found> =>
  find(
    context,
    sql`SELECT ${webhook.id}, ${webhook.host} AS name, ${webhook.failing_since} AS at, NULL AS left FROM ${webhook}
      WHERE ${and(eq(webhook.owner_id, context.scope.owner_id), fault)} ORDER BY ${webhook.failing_since} NULLS LAST, ${webhook.id}`,
  );

/** The caller's channels at which nothing arrives, or that were switched off for it. */
const failingChannels = (context: Context): Promise<Found> =>
  find(
    context,
    sql`SELECT ${push_channel.id}, coalesce(nullif(${push_channel.name}, ''), ${push_channel.target}) AS name,
        ${push_channel.failing_since} AS at, NULL AS left FROM ${push_channel}
      WHERE ${push_channel.owner_id} = ${context.scope.owner_id} AND (${push_channel.stopped} IS NOT NULL OR ${push_channel.enabled} AND ${push_channel.failing_since} IS NOT NULL)
      ORDER BY ${push_channel.failing_since} NULLS LAST, ${push_channel.id}`,
  );

const told = (items: Needed[]): Found => ({ total: items.length, items: items.slice(0, namedNeeds) });

/** What is wrong with hosts: one that tells nothing, a process that does not answer, visits that are slow or not loaded. */
async function strainedHosts({ db, language, scope }: Context): Promise<Found> {
  if (!scope.all) return none;
  const alarms = await readHostAlarms(db);
  return told(
    alarms.map(({ host, kind, since }, at) => ({
      id: at + 1,
      name: `${host} · ${translate(language, `monitor.alarm_name.${kind}`)}`,
      at: since,
      left: null,
    })),
  );
}

/** Jobs by the clock whose last run failed. */
async function failedJobs({ db, scope }: Context): Promise<Found> {
  if (!scope.all) return none;
  // A backup that failed is a need of its own.
  const jobs = (await readFailedJobs(db)).filter(({ name }) => name !== 'backup.scheduled');
  return told(jobs.map(({ name, ran_at }, at) => ({ id: at + 1, name, at: ran_at, left: null })));
}

/** Backups and drills that failed, or that there was no good one of for too long. */
async function backups({ db, language, scope, now }: Context, what: 'failed' | 'overdue'): Promise<Found> {
  if (!scope.all) return none;
  const faults = await readBackupFaults(db, now);
  return told(
    faults[what].map(({ kind, at }, place) => ({ id: place + 1, name: translate(language, `backup.kind.${kind}`), at, left: null })),
  );
}

/** That the backups hold no master key, until somebody says that it is kept elsewhere. */
async function keylessBackups({ db, scope, now }: Context): Promise<Found> {
  const isKeyless = scope.all && (await readBackupFaults(db, now)).isKeyless;
  return isKeyless ? told([{ id: 1, name: '', at: null, left: null }]) : none;
}

/** Wallets that payments wait for. */
async function shortWallets({ db, language, scope }: Context): Promise<Found> {
  if (!scope.all) return none;
  const wallets = await readShortWallets(db);
  return told(
    wallets.map(({ id, purpose, address, payments, since }) => ({
      id,
      name: `${translate(language, `tron.purpose_${purpose}`)} ${address}`,
      at: since,
      left: payments,
    })),
  );
}

/** The network of payments, while it was not read for long. */
async function unreadPayments({ db, language, scope, now }: Context): Promise<Found> {
  const unread = scope.all ? await readUnreadPayments(db, now) : undefined;
  if (!unread) return none;
  return told([{ id: 1, name: translate(language, `errors.${unread.error}`, unread.params), at: unread.read_at, left: null }]);
}

/** Servers that a check did not get into, or that show another key than they did. */
async function unreachableServers(context: Context): Promise<Found> {
  if (!context.scope.all) return none;
  return find(
    context,
    sql`SELECT ${server.id}, ${server.name} || ' · ' || ${server.host} AS name, ${server.checked_at} AS at, NULL AS left FROM ${server}
      WHERE ${server.state} IN ('offline', 'refused', 'key_changed') ORDER BY ${server.name}`,
  );
}

/** Of which state this site is a copy that sends nothing, until somebody says that it is the site. */
async function restoredCopy({ db, scope }: Context): Promise<Found> {
  const copy = scope.all ? await readRestoredCopy(db) : undefined;
  return copy ? told([{ id: 1, name: '', at: copy.backed_up_at, left: null }]) : none;
}

const sources: Record<NeedKind, Source> = {
  restored_copy: { nodes: ['configuration'], find: restoredCopy },
  host_strained: { nodes: ['monitor'], find: strainedHosts },
  wallet_short: { nodes: ['tron'], find: shortWallets },
  payments_unread: { nodes: ['usdt_transaction_record'], find: unreadPayments },
  server_unreachable: { nodes: ['server_list'], find: unreachableServers },
  job_failed: { nodes: ['monitor'], find: failedJobs },
  backup_failed: { nodes: ['monitor'], find: (context) => backups(context, 'failed') },
  backup_overdue: { nodes: ['monitor'], find: (context) => backups(context, 'overdue') },
  backup_keyless: { nodes: ['configuration'], find: keylessBackups },
  domain_blocked: { nodes: ['domain_list'], find: blockedDomains },
  detection_blind: { nodes: ['admin_domain_monitor'], find: blindChecks },
  domain_suspected: { nodes: ['domain_monitor', 'admin_domain_monitor'], find: suspectedDomains },
  detector_failed: { nodes: ['we_chat_blocking_detection_configuration'], find: failedDetectors },
  domain_elsewhere: {
    nodes: ['domain_list'],
    find: (context) =>
      domains(
        context,
        and(
          sql`${domain_check.dns_state} IN ('partly', 'elsewhere', 'nothing')`,
          sql`${domain.block_status} IS DISTINCT FROM ${blockStatus.blocked}`,
        ),
      ),
  },
  certificate_ending: {
    nodes: ['domain_list'],
    find: (context) => domains(context, sql`${domain_check.certificate_expires_at} < ${moment(later(context, certificateWarningDays))}`),
  },
  registration_ending: {
    nodes: ['domain_list'],
    find: (context) =>
      domains(context, sql`${registrationExpiresAt} < ${moment(later(context, registrationWarningDays))}`, registrationExpiresAt),
  },
  code_exhausted: {
    nodes: ['qr_code_list'],
    find: (context) => codes(context, sql`${mayBeExhausted(context.now)} AND ${isExhausted(context.now)}`),
  },
  visits_ending: {
    nodes: ['qr_code_list'],
    find: (context) => {
      const { left, thresholds } = visitsLeftOf(context.now);
      return codes(context, sql`${left} BETWEEN 1 AND ${thresholds} * ${endingShare}::float8`, { left });
    },
  },
  target_ending: {
    nodes: ['qr_code_list'],
    async find(context) {
      const { target_reminder_hours } = await context.settings();
      const until = moment(new Date(context.now.getTime() + target_reminder_hours * 3_600_000));
      const at = sql`(SELECT min(expires_at) FROM live_code_target AS ending WHERE ending.live_code_id = ${live_code.id} AND ending.enabled
        AND ending.expires_at > ${moment(context.now)} AND ending.expires_at <= ${until})`;
      return codes(context, hasExpiring(context.now, target_reminder_hours), { at });
    },
  },
  code_without_domain: {
    nodes: ['no_domain_name', 'nodomain'],
    // Those on a blocked domain are told of with the domain.
    find: async (context) => codes(context, isFaulty({ ...(await readFaultyDomains(context.db)), blocked: [] })),
  },
  report_waiting: { nodes: ['report_list'], find: waitingReports },
  withdrawal_waiting: { nodes: ['withdrawal_list'], find: (context) => withdrawals(context, eq(withdrawal.state, 'waiting')) },
  withdrawal_unpaid: {
    nodes: ['withdrawal_list'],
    find: (context) => withdrawals(context, and(eq(withdrawal.state, 'approved'), eq(withdrawal.payout, 'hash'))),
  },
  share_reviewing: { nodes: ['agent_divided_into.review'], find: reviewedShares },
  webhook_stopped: { nodes: ['webhook'], find: (context) => webhooks(context, isNotNull(webhook.stopped)) },
  webhook_failing: {
    nodes: ['webhook'],
    find: (context) => webhooks(context, and(eq(webhook.enabled, true), isNull(webhook.stopped), isNotNull(webhook.failing_since))),
  },
  push_failing: { nodes: ['shield_push'], find: failingChannels },
  operation_failed: {
    nodes: ['async_operations'],
    find: (context) =>
      find(
        context,
        sql`SELECT ${async_operation.id}, ${async_operation.kind} AS name, ${async_operation.finished_at} AS at, NULL AS left
          FROM ${async_operation} WHERE ${and(
            eq(async_operation.user_id, context.scope.owner_id),
            eq(async_operation.state, 'failed'),
            sql`${async_operation.finished_at} > ${moment(later(context, -operationDays))}`,
          )} ORDER BY ${async_operation.id} DESC`,
      ),
  },
  pool_low: { nodes: ['hold_domain'], find: lowPoolsOf },
  ip_data_old: { nodes: ['ip_data'], find: oldIpData },
  quota_exceeded: { nodes: ['buy_vip_combo'], find: exceededQuotas },
  membership_ending: { nodes: ['today_statistics'], find: endingMembership },
};

/** What waits for the caller, of the screens that he has; kinds without anything are left out. */
export async function needsOf(context: Context): Promise<Need[]> {
  const needs: Need[] = [];
  for (const kind of needKinds) {
    const source = sources[kind];
    if (!source.nodes.some((node) => context.actor.nodes.has(node))) continue;
    const found = await source.find(context);
    if (found.total > 0) needs.push({ kind, ...found });
  }
  return needs;
}
