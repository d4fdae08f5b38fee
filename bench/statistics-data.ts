import type pg from 'pg';
import { packCounts } from '../src/server/visits/maintenance/packing.ts';
import { ensurePartitions } from '../src/server/visits/maintenance/partitions.ts';

export type Amounts = { visits: number; days: number; codes: number; addresses: boolean };
export const owners = 100;
/** Has as many codes as any other; the first of all codes, which is visited most, is his. */
export const ownerAccount = 'owner0';

const dayLength = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** The days of the site are those of Shanghai. */
const dayStart = (at: number): number => Math.floor((at + dayLength / 3) / dayLength) * dayLength - dayLength / 3;
/** So many visits are made by one statement, as whole days. */
const pieceVisits = 4_000_000;

type Run = (what: string, text: string) => Promise<void>;
/** Visits of some days on end; `before` in milliseconds since 1970. */
type Piece = { from: number; before: number; first: number; last: number; end: number };

/**
 * Fills an empty, seeded database with visits and what the loader would have made of them, packed as far as days are over. Codes are visited by a skewed law, by
 * provinces, devices and addresses as in life: a few everywhere, most of them rare. The same amounts give the same rows. Without `addresses` there is no `visitor`,
 * which statistics do not read.
 */
export async function fillVisits(pool: pg.Pool, amounts: Amounts): Promise<void> {
  const client = await pool.connect();
  const seconds = new Map<string, number>();
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    seconds.set(what, (seconds.get(what) ?? 0) + (performance.now() - startedAt) / 1000);
  };
  const run: Run = (what, text) => timed(what, () => client.query(text));
  try {
    await client.query(`SELECT setseed(0.42); SET work_mem = '256MB'`);
    await makeCodes(run, amounts);
    await client.query('CREATE UNLOGGED TABLE met (code bigint, ip inet)');
    let packing: Promise<unknown> = Promise.resolve();
    for (const piece of piecesOf(amounts)) {
      const days = Array.from({ length: (piece.before - piece.from) / dayLength + 1 }, (_, day) => dayOf(piece.from + day * dayLength));
      await ensurePartitions(client, days);
      await fillPiece(run, piece, amounts);
      await packing;
      // The next days are filled meanwhile.
      packing = timed('packed', () => packCounts(pool, { now: new Date(piece.before) }));
    }
    await packing;
    await timed('packed', () => packCounts(pool, { now: new Date() }));
    await client.query('DROP TABLE met, made');
    await run(
      'totals by code',
      `INSERT INTO live_code_total (live_code_id, visits, ips) SELECT live_code_id, count(*), count(*) FILTER (WHERE unique_ip) FROM visit WHERE outcome = 0 GROUP BY 1`,
    );
    // In life days are packed one by one, and the next ones take their room.
    for (const table of ['visit_hour', 'visit_hour_origin', 'visit_hour_target'])
      for (const name of [table, `${table}_packed`]) await run('written anew', `VACUUM FULL ${name}`);
    await run('what the planner knows of them', 'VACUUM ANALYZE');
  } finally {
    client.release();
    console.log([...seconds].map(([what, took]) => `${what} ${took.toFixed(0)} s`).join(', '));
  }
}

/** Whole days of the site until now, in their order. */
function piecesOf({ visits, days }: Amounts): Piece[] {
  const end = Math.floor(Date.now() / 1000) * 1000;
  const start = end - days * dayLength;
  // Visit `n` comes so many seconds before the end: floor((visits - n) * length / visits).
  const lastBefore = (at: number) =>
    Math.max(0, Math.min(visits, visits - Math.ceil((((end - at) / 1000 + 1) * visits) / (days * 86_400))));
  const pieceDays = Math.max(1, Math.floor((pieceVisits / visits) * days));
  const pieces: Piece[] = [];
  for (let from = dayStart(start); from < end; from += pieceDays * dayLength) {
    const before = Math.min(from + pieceDays * dayLength, dayStart(end) + dayLength);
    pieces.push({ from, before, first: lastBefore(from) + 1, last: lastBefore(before), end });
  }
  return pieces;
}

const firstCode = '(SELECT min(id) FROM live_code)';

async function makeCodes(run: Run, { codes }: Amounts): Promise<void> {
  await run(
    `${owners} owners, ${codes} codes, places, devices and texts`,
    `WITH made AS (
       INSERT INTO user_account (account, name, password_hash, role_id, invitation_code, member_expires_at)
       SELECT 'owner' || n, '用户' || n, '', (SELECT id FROM role WHERE built_in AND kind = 'customer'), 'o' || n, now() + interval '1 year'
       FROM generate_series(0, ${owners - 1}) AS n RETURNING id
     ), first AS (SELECT min(id) AS id FROM made),
     coded AS (
       INSERT INTO live_code (file_name, owner_id, name) SELECT 'code' || n, first.id + n % ${owners}, '活码 ' || n FROM first, generate_series(0, ${codes - 1}) AS n RETURNING id
     ), targeted AS (INSERT INTO live_code_target (live_code_id, kind, content, sort) SELECT id, 'url', 'https://example.com/' || id || '/' || part, part FROM coded, generate_series(1, 3) AS part),
     placed AS (
       INSERT INTO visit_place (country, region, city, carrier)
       SELECT CASE WHEN n < 372 THEN '中国' ELSE '国家' || n END, CASE WHEN n < 372 THEN '省' || n / 12 ELSE '' END, CASE WHEN n < 372 THEN '市' || n ELSE '' END, carrier
       FROM generate_series(0, 399) AS n, unnest(ARRAY['mobile', 'unicom', 'telecom', 'other']) AS carrier
     ), known AS (
       INSERT INTO visit_device (source, system, brand, browser)
       SELECT source, system, '品牌' || brand, browser FROM unnest(ARRAY['messenger', 'browser', 'app', 'messenger_enterprise']) AS source,
         unnest(ARRAY['Android', 'iOS', 'HarmonyOS', 'Windows']) AS system, generate_series(0, 9) AS brand, unnest(ARRAY['WeChat', 'Chrome', 'Safari']) AS browser RETURNING id
     ), agents AS (
       INSERT INTO visit_agent (user_agent, device_id, system_version, model, model_name)
       SELECT 'agent ' || id || ' ' || n, id, n::text, 'M' || id % 40 || '-' || n, '机型 ' || id % 40 || ' ' || n FROM known, generate_series(0, 9) AS n
     ) INSERT INTO visit_text (text) SELECT 'd' || n || '.example.com' FROM generate_series(0, 19) AS n
       UNION ALL SELECT 'https://site' || n || '.example/page' FROM generate_series(0, 199) AS n UNION ALL SELECT lang FROM unnest(ARRAY['zh-CN', 'zh-TW', 'en-US', 'ja-JP']) AS lang`,
  );
}

async function fillPiece(run: Run, { from, before, first, last, end }: Piece, { visits, days, codes, addresses }: Amounts): Promise<void> {
  const range = `at >= to_timestamp(${from / 1000}) AND at < to_timestamp(${before / 1000})`;
  await run('drawn', 'DROP TABLE IF EXISTS made');
  await run(
    'drawn',
    // Numbers of ours, not a caller's: a statement that makes a table takes no parameters.
    `CREATE UNLOGGED TABLE made AS SELECT n, to_timestamp(${end / 1000} - floor((${visits} - n)::float8 * ${days * 86_400} / ${visits})) AS at,
       ${firstCode} + floor(power(random(), 3) * ${codes}::float8)::bigint AS code, floor(power(random(), 2) * 1600)::integer AS place,
       floor(power(random(), 2) * 4800)::integer AS agent, (random() * 19)::integer AS host, CASE WHEN random() < 0.3 THEN (random() * 199)::integer END AS referer,
       (power(random(), 3) * 3)::integer AS language, ('10.' || (random() * 255)::integer || '.' || (random() * 255)::integer || '.' || (random() * 9)::integer)::inet AS ip,
       CASE WHEN random() < 0.95 THEN 0 ELSE 8 END AS outcome, (power(random(), 2) * 2)::integer AS target FROM generate_series(${first}::bigint, ${last}::bigint) AS n`,
  );
  await run('drawn', 'ANALYZE made, met');
  await run(
    'rows',
    `INSERT INTO visit (id, at, live_code_id, target_id, ip, host_id, path_id, referer_id, language_id, agent_id, place_id, outcome, unique_ip, first_visit)
     SELECT n, at, made.code, CASE WHEN outcome = 0 THEN (SELECT min(id) FROM live_code_target) + (made.code - ${firstCode}) * 3 + target END, made.ip,
       first_text + host, first_text, first_text + 20 + referer, first_text + 220 + language, first_agent + agent, first_place + place, outcome,
       outcome = 0 AND row_number() OVER (PARTITION BY made.code, made.ip, (at AT TIME ZONE 'Asia/Shanghai')::date, outcome ORDER BY n) = 1,
       outcome = 0 AND met.code IS NULL AND row_number() OVER (PARTITION BY made.code, made.ip, outcome ORDER BY n) = 1
     FROM (SELECT min(id) AS first_text FROM visit_text) AS t, (SELECT min(id) AS first_agent FROM visit_agent) AS a, (SELECT min(id) AS first_place FROM visit_place) AS p,
       made LEFT JOIN met ON met.code = made.code AND met.ip = made.ip ORDER BY n`,
  );
  await run('addresses', `INSERT INTO met SELECT live_code_id, ip FROM visit WHERE ${range} AND first_visit`);
  if (addresses)
    await run(
      'addresses',
      `INSERT INTO visitor (live_code_id, ip, day, visits, first_at, last_at, place_id, agent_id)
       SELECT live_code_id, ip, (at AT TIME ZONE 'Asia/Shanghai')::date, count(*), min(at), max(at), max(place_id), max(agent_id) FROM visit WHERE ${range} AND outcome = 0 GROUP BY 1, 2, 3 ORDER BY 5`,
    );
  await countPiece(run, range);
}

async function countPiece(run: Run, range: string): Promise<void> {
  const hour = `date_trunc('hour', at)`;
  await run(
    'counts by outcome',
    `WITH hours AS (INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips)
         SELECT live_code_id, ${hour}, outcome, count(*), count(*) FILTER (WHERE unique_ip), count(*) FILTER (WHERE first_visit) FROM visit WHERE ${range} GROUP BY 1, 2, 3 ORDER BY 2 RETURNING *)
     INSERT INTO visit_site_hour (hour, outcome, visits, ips, new_ips) SELECT hour, outcome, sum(visits), sum(ips), sum(new_ips) FROM hours GROUP BY 1, 2`,
  );
  await run(
    'counts by place and device',
    `WITH origins AS (INSERT INTO visit_hour_origin (live_code_id, hour, place_id, device_id, visits)
         SELECT live_code_id, ${hour}, place_id, device_id, count(*) FROM visit JOIN visit_agent ON visit_agent.id = agent_id WHERE ${range} AND outcome = 0 GROUP BY 1, 2, 3, 4 ORDER BY 2 RETURNING *),
       places AS (SELECT hour, place_id, sum(visits) AS visits FROM origins GROUP BY 1, 2),
       devices AS (SELECT hour, device_id, sum(visits) AS visits FROM origins GROUP BY 1, 2),
       of_places AS (INSERT INTO visit_site_place (hour, place_id, visits) SELECT hour, place_id, visits FROM places),
       of_devices AS (INSERT INTO visit_site_device (hour, device_id, visits) SELECT hour, device_id, visits FROM devices),
       day_places AS (INSERT INTO visit_day_place (day, place_id, visits) SELECT date_trunc('day', hour, 'Asia/Shanghai'), place_id, sum(visits) FROM places GROUP BY 1, 2)
     INSERT INTO visit_day_device (day, device_id, visits) SELECT date_trunc('day', hour, 'Asia/Shanghai'), device_id, sum(visits) FROM devices GROUP BY 1, 2`,
  );
  await run(
    'counts by target',
    `INSERT INTO visit_hour_target (target_id, hour, visits) SELECT target_id, ${hour}, count(*) FROM visit WHERE ${range} AND outcome = 0 GROUP BY 1, 2 ORDER BY 2`,
  );
}
