import { sql } from 'drizzle-orm';
import { blockStatus } from '../../../contract/enums.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { publish } from '../../kit/postgres/bus.ts';
import { type Database, transactAgain } from '../../kit/postgres/database.ts';
import { platformOwners } from '../detection.public.ts';
import { isFall, isRecovery, type Look, type Share } from './chance.ts';

/** What counts as now, and as usual. */
const nowMinutes = 30;
const usualDays = 3;
const stepMinutes = 10;
/** A suspicion that nothing confirmed ends by itself. */
const maxHours = 24;

type Moment = { now: Date };

/**
 * Adds the visits that rollups gained since the last look to the present step of ten minutes, and those of the hour before, which the
 * loader brought late, to its last one. Only codes with visits of these two hours are looked at.
 */
export async function countShares(db: Database, { now }: Moment): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const since = sql`date_trunc('hour', ${at}) - interval '1 hour'`;
  await db.execute(sql`
    WITH active AS (
      SELECT live_code_id FROM visit_hour WHERE hour >= ${since} AND live_code_id > 0 GROUP BY live_code_id
    ), of_codes AS (
      SELECT part.live_code_id, part.hour, sum(part.visits) AS visits,
        sum(part.visits) FILTER (WHERE device.source IN ('messenger', 'messenger_enterprise')) AS messenger
      FROM active JOIN visit_hour_origin AS part ON part.live_code_id = active.live_code_id AND part.hour >= ${since}
        JOIN visit_device AS device ON device.id = part.device_id
      GROUP BY part.live_code_id, part.hour
    ), of_domains AS (
      SELECT place.domain_id, of_codes.hour, sum(of_codes.visits) AS visits, coalesce(sum(of_codes.messenger), 0) AS messenger
      FROM of_codes JOIN live_code ON live_code.id = of_codes.live_code_id
        CROSS JOIN LATERAL (SELECT DISTINCT unnest(ARRAY[live_code.entry_domain_id, live_code.landing_domain_id])) AS place (domain_id)
      WHERE place.domain_id IS NOT NULL GROUP BY place.domain_id, of_codes.hour
    ), gained AS (
      SELECT of_domains.domain_id, of_domains.hour, of_domains.visits - known.visits AS visits, of_domains.messenger - known.messenger AS messenger
      FROM of_domains CROSS JOIN LATERAL (
        SELECT coalesce(sum(own.visits), 0) AS visits, coalesce(sum(own.messenger), 0) AS messenger FROM domain_visit_share AS own
        WHERE own.domain_id = of_domains.domain_id AND own.at >= of_domains.hour AND own.at < of_domains.hour + interval '1 hour'
      ) AS known
      WHERE of_domains.visits > known.visits
    )
    INSERT INTO domain_visit_share (domain_id, at, visits, messenger)
    SELECT domain_id, least(date_bin(make_interval(mins => ${stepMinutes}), ${at}, hour), hour + make_interval(mins => ${60 - stepMinutes})),
      visits, least(greatest(messenger, 0), visits)
    FROM gained ORDER BY domain_id, hour
    ON CONFLICT (domain_id, at) DO UPDATE SET visits = domain_visit_share.visits + excluded.visits,
      messenger = domain_visit_share.messenger + excluded.messenger`);
}

type Row = {
  domain_id: number;
  type: number;
  suspected_since: string | null;
  is_old: boolean;
  now_visits: number;
  now_messenger: number;
  usual_visits: number;
  usual_messenger: number;
};

async function readShares(db: Database, { now }: Moment): Promise<Row[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const border = sql`${at} - make_interval(mins => ${nowMinutes})`;
  const sumOf = (column: 'visits' | 'messenger', condition: ReturnType<typeof sql>) =>
    sql`coalesce(sum(share.${sql.identifier(column)}) FILTER (WHERE ${condition}), 0)::float8`;
  const { rows } = await db.execute<Row>(sql`
    SELECT domain.id::float8 AS domain_id, domain.type, watched.suspected_since,
      coalesce(watched.suspected_since < ${at} - make_interval(hours => ${maxHours}), false) AS is_old,
      ${sumOf('visits', sql`share.at > ${border}`)} AS now_visits, ${sumOf('messenger', sql`share.at > ${border}`)} AS now_messenger,
      ${sumOf('visits', sql`share.at <= ${border}`)} AS usual_visits, ${sumOf('messenger', sql`share.at <= ${border}`)} AS usual_messenger
    FROM domain JOIN domain_monitor AS watched ON watched.domain_id = domain.id AND watched.enabled
      JOIN domain_visit_share AS share ON share.domain_id = domain.id AND share.at > ${at} - make_interval(days => ${usualDays})
    WHERE watched.suspected_since IS NOT NULL OR domain.id IN (SELECT recent.domain_id FROM domain_visit_share AS recent WHERE recent.at > ${border})
    GROUP BY domain.id, watched.id`);
  return rows;
}

const nowOf = (row: Row): Share => ({ visits: row.now_visits, messenger: row.now_messenger });
const usualOf = (row: Row): Share => ({ visits: row.usual_visits, messenger: row.usual_messenger });
const less = (all: Share, own: Share): Share => ({ visits: all.visits - own.visits, messenger: all.messenger - own.messenger });

/** Each domain beside the others of its type. */
function looksOf(rows: readonly Row[]): { row: Row; look: Look }[] {
  const sums = new Map<number, { now: Share; usual: Share }>();
  const add = (sum: Share, own: Share): Share => ({ visits: sum.visits + own.visits, messenger: sum.messenger + own.messenger });
  const none: Share = { visits: 0, messenger: 0 };
  for (const row of rows) {
    const sum = sums.get(row.type) ?? { now: none, usual: none };
    sums.set(row.type, { now: add(sum.now, nowOf(row)), usual: add(sum.usual, usualOf(row)) });
  }
  return rows.map((row) => {
    const all = sums.get(row.type) ?? { now: none, usual: none };
    const others = { now: less(all.now, nowOf(row)), usual: less(all.usual, usualOf(row)) };
    return { row, look: { now: nowOf(row), usual: usualOf(row), others } };
  });
}

/**
 * Looks at real visits for what checks cannot see: a domain from which the messenger's visits stay away is suspected, told of and checked at
 * once. It is called blocked by detectors only. Answers how many are newly suspected.
 */
export async function findSuspects(db: Database, moment: Moment): Promise<number> {
  await countShares(db, moment);
  const looks = looksOf(await readShares(db, moment));
  const fallen = looks.filter(({ row, look }) => row.suspected_since === null && isFall(look));
  const over = looks.filter(({ row, look }) => row.suspected_since !== null && (row.is_old || isRecovery(look)));
  if (over.length > 0)
    await clear(
      db,
      over.map(({ row }) => row.domain_id),
    );
  return fallen.length > 0 ? suspect(db, fallen, moment) : 0;
}

async function clear(db: Database, ids: readonly number[]): Promise<void> {
  const given = sql`${sql.param([...ids])}::bigint[]`;
  await transactAgain(db, async (tx) => {
    await tx.execute(sql`UPDATE domain_monitor SET suspected_since = NULL WHERE domain_id = ANY(${given})`);
    await tx.execute(
      sql`UPDATE domain_incident SET ended_at = now() WHERE domain_id = ANY(${given}) AND kind = 'suspected' AND ended_at IS NULL`,
    );
    await publish(tx, 'domain_incident', null);
  });
}

type Fallen = { row: Row; look: Look };
type Suspected = {
  id: number;
  domain_id: number;
  owner_id: number | null;
  host: string;
  block_status: number | null;
  verdict_id: number | null;
};

async function suspect(db: Database, fallen: readonly Fallen[], { now }: Moment): Promise<number> {
  const ids = sql`${sql.param(fallen.map(({ row }) => row.domain_id))}::bigint[]`;
  return transactAgain(db, async (tx) => {
    const { rows } = await tx.execute<Suspected>(sql`
      UPDATE domain_monitor SET suspected_since = ${now.toISOString()}, urgent = true, due_at = least(due_at, now())
      WHERE domain_id = ANY(${ids}) AND suspected_since IS NULL AND block_status IS DISTINCT FROM ${blockStatus.blocked}
      RETURNING id::float8 AS id, domain_id::float8 AS domain_id, owner_id::float8 AS owner_id, host, block_status, verdict_id::float8 AS verdict_id`);
    if (rows.length === 0) return 0;
    await tx.execute(sql`
      INSERT INTO domain_incident (domain_id, kind, began_at) SELECT unnest(${sql.param(rows.map(({ domain_id }) => domain_id))}::bigint[]), 'suspected', ${now.toISOString()}
      ON CONFLICT (domain_id, kind) WHERE ended_at IS NULL DO NOTHING`);
    await tellOf(tx, rows, fallen, now);
    await publish(tx, 'domain_monitor', null);
    await publish(tx, 'domain_incident', null);
    return rows.length;
  });
}

async function tellOf(tx: Database, rows: readonly Suspected[], fallen: readonly Fallen[], now: Date): Promise<void> {
  const platform = await platformOwners(tx);
  const byDomain = new Map(fallen.map((one) => [one.row.domain_id, one]));
  const percent = ({ visits, messenger }: Share): string => `${Math.round((100 * messenger) / Math.max(visits, 1))} %`;
  await emitEvents(
    tx,
    rows.flatMap(({ id, domain_id, owner_id, host, block_status, verdict_id }) => {
      const found = byDomain.get(domain_id);
      const reason = found ? `${percent(found.look.usual)} → ${percent(found.look.now)} (${found.look.now.visits})` : '';
      const known = { before: block_status, since: now.toISOString(), verdict_id, detectors: [], reason };
      const data = { id: domain_id, monitor_id: id, host, type: found?.row.type ?? null, block_status, ...known };
      return (owner_id === null ? platform : [owner_id]).map((owner) => ({ type: 'domain.suspected' as const, owner_id: owner, data }));
    }),
  );
}
