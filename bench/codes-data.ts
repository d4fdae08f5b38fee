import type pg from 'pg';

/** How many codes there are, how many of them belong to one customer, and how many were ever visited and visited today. */
export type CodeAmounts = { codes: number; own: number; visited: number; today: number };

const owners = 1000;
/** The customer who owns a tenth of all codes. */
export const largeAccount = 'large';

/** Fills an empty, seeded database with live codes as a large installation has them. Texts follow from the row's number. */
export async function fillCodes(pool: pg.Pool, { codes, own, visited, today }: CodeAmounts): Promise<void> {
  const run = async (what: string, text: string, values: unknown[] = []) => {
    const startedAt = performance.now();
    await pool.query(text, values);
    console.log(`${what} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  await run(
    `${owners} owners`,
    `INSERT INTO user_account (account, name, password_hash, role_id, invitation_code, member_expires_at)
     SELECT CASE n WHEN 0 THEN '${largeAccount}' ELSE 'owner' || n END, '用户' || n, '', (SELECT id FROM role WHERE built_in AND kind = 'customer'), 'i' || n, now() + interval '1 year'
     FROM generate_series(0, $1::int) AS n`,
    [owners],
  );
  await run(
    'domains',
    `INSERT INTO domain (host, type, holder_id) SELECT 'd' || n || '.example.com', n % 2 + 1, NULL FROM generate_series(1, 400) AS n`,
  );
  await run(
    `${codes} live codes`,
    `WITH place AS (SELECT min(id) AS first FROM domain WHERE host LIKE 'd%.example.com'),
       owner AS (SELECT id AS large FROM user_account WHERE account = '${largeAccount}')
     INSERT INTO live_code (file_name, owner_id, name, remark, entry_domain_id, rotation_mode, open, access_mode, restriction_visit, open_log, qr_design, created_at, updated_at)
     SELECT 'code' || n, CASE WHEN n % $2 = 0 THEN large ELSE large + 1 + n % ${owners} END,
       (ARRAY['北京','上海','广州','深圳','杭州','成都','武汉','西安'])[1 + n % 8] || (ARRAY['门店','海报','传单','桌贴','包装'])[1 + n / 8 % 5] || ' ' || n,
       CASE WHEN n % 3 = 0 THEN 'batch ' || n / 1000 ELSE '' END, first + n % 400, n % 3 + 1, n % 9 <> 0,
       CASE WHEN n % 5000 = 0 THEN 2 ELSE 1 END, CASE WHEN n % 50 = 0 THEN 2 ELSE 1 END, n % 100 <> 0,
       CASE WHEN n % 10 = 0 THEN '{"dot_style": "rounded", "foreground": {"kind": "solid", "color": "#1f6feb"}}'::jsonb END,
       now() - n * interval '20 seconds', now() - (n * 7 % $1::int) * interval '20 seconds'
     FROM place, owner, generate_series(1, $1::int) AS n`,
    [codes, Math.round(codes / own)],
  );
  await run(
    'their targets',
    `INSERT INTO live_code_target (live_code_id, kind, content, sort, threshold)
     SELECT id, 'url', 'https://example.com/' || id % 900000, 0, CASE WHEN id % 1000 = 0 THEN 10 END FROM live_code WHERE file_name LIKE 'code%'`,
  );
  await run(
    'their quotas',
    `INSERT INTO target_quota (target_id, remaining) SELECT id, id % 2 FROM live_code_target WHERE threshold IS NOT NULL`,
  );
  await run(
    `visits of ${visited} codes`,
    `INSERT INTO live_code_total (live_code_id, visits, ips)
     SELECT id, 1 + floor(1e6 * power(abs(sin(id)), 40)), 1 + floor(6e5 * power(abs(sin(id)), 40)) FROM live_code WHERE id % $1 = 0`,
    [Math.round(codes / visited)],
  );
  await run(
    `today's visits of ${today} codes`,
    `INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips)
     SELECT id, date_bin('1 hour', now(), '2026-01-01') - hour * interval '1 hour', (SELECT 0), 1 + id % 50, 1 + id % 30, 1
     FROM live_code, generate_series(0, 5) AS hour WHERE id % $1 = 0`,
    [Math.round(codes / today)],
  );
  await run('vacuum and statistics', 'VACUUM ANALYZE');
}
