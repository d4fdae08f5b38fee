import type pg from 'pg';

/** What a large installation holds after a year. Ids and texts follow from the row's number, so that every run has the same rows. */
export type Amounts = {
  logs: number;
  users: number;
  codes: number;
  domains: number /** Of the domains, with checks of 90 days. */;
  monitors: number;
};

const logTypes = [
  ...['qr_code_list/update', 'qr_code_list/add', 'qr_code_list/update_url', 'qr_code_list/update_open', 'qr_code_list/batch_update'],
  ...['admin/login', 'admin/login_failed', 'domain_list/add', 'domain_list/update', 'domain_list/update_enabled', 'preference/update'],
  ...['user_list/update', 'user_list/update_expiry', 'user_list/update_role', 'role/update_nodes', 'configuration/update', 'ip_black/add'],
];

/** Fills an empty, seeded database. Of users, types and addresses a few are everywhere and most are rare, as in life. */
export async function fill(pool: pg.Pool, { logs, users, codes, domains, monitors }: Amounts): Promise<void> {
  const run = async (what: string, text: string, values: unknown[] = []) => {
    const startedAt = performance.now();
    await pool.query(text, values);
    console.log(`${what} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  await run(
    `${users} users`,
    `INSERT INTO user_account (account, name, phone, password_hash, role_id, invitation_code, created_at, login_at, login_ip, member_expires_at)
     SELECT 'user' || lpad(n::text, 7, '0'), '用户' || n, '138' || lpad(n::text, 8, '0'), '', (SELECT id FROM role WHERE built_in AND kind = CASE n % 20 WHEN 0 THEN 'agent' ELSE 'customer' END),
       'i' || n, now() - (n % 700) * interval '1 day', now() - (n % 90) * interval '1 hour', ('10.' || n % 250 || '.' || n / 250 % 250 || '.1')::inet, now() + (n % 400 - 100) * interval '1 day'
     FROM generate_series(1, $1::int) AS n`,
    [users],
  );
  await run(
    `${domains} domains`,
    `INSERT INTO domain (host, type, holder_id, created_at) SELECT 'd' || n || '.example.com', n % 3 + 1, n % $2 + 2, now() - n * interval '1 minute' FROM generate_series(1, $1::int) AS n`,
    [domains, users],
  );
  await run(
    `${codes} live codes`,
    `WITH made AS (
       INSERT INTO live_code (file_name, owner_id, name, rotation_mode, open, created_at)
       SELECT 'code' || n, n % $2 + 2, '活码 ' || n, n % 3 + 1, n % 9 <> 0, now() - n * interval '1 minute' FROM generate_series(1, $1::int) AS n RETURNING id
     ) INSERT INTO live_code_target (live_code_id, kind, content, sort) SELECT id, 'url', 'https://example.com/' || id, 1 FROM made`,
    [codes, users],
  );
  await run(
    'messages, operations and blacklist',
    `WITH sent AS (INSERT INTO site_message (title, content, audience, receiver_number, sent_at)
         SELECT '通知 ' || n, 'content ' || n, CASE WHEN n % 100 = 0 THEN 'all' ELSE 'users' END, 1, now() - n * interval '1 minute' FROM generate_series(1, 50000) AS n RETURNING id, audience),
       received AS (INSERT INTO site_message_receiver SELECT 2 + id % ${users}, id FROM sent WHERE audience = 'users'),
       operations AS (INSERT INTO async_operation (user_id, kind, input, language, state, created_at) SELECT 2 + n % ${users}, 'log_export', '{}', 'zh-CN', 'completed', now() - n * interval '1 minute' FROM generate_series(1, 50000) AS n)
     INSERT INTO ip_black (network, remark, created_at) SELECT ('100.' || n / 256 % 256 || '.' || n % 256 || '.0/24')::cidr, 'scanner ' || n, now() FROM generate_series(0, 9999) AS n`,
  );
  await run(
    `${logs} log rows`,
    `INSERT INTO log (at, user_id, type, content, changes, source, ip, user_agent)
     SELECT now() - interval '365 days' * (1 - n::float8 / $1::int), CASE WHEN n % 50 = 0 THEN NULL ELSE 2 + floor(power(abs(sin(n)), 6) * $2::float8)::bigint % $2::bigint END,
       ($3::text[])[1 + floor(power(abs(sin(n * 7.3)), 3) * ${logTypes.length})::int % ${logTypes.length}],
       jsonb_build_object('id', n, 'name', '活码 ' || n, 'targets', jsonb_build_array(jsonb_build_object('kind', 'url', 'content', 'https://example.com/' || n))),
       CASE WHEN n % 5 < 3 THEN jsonb_build_object('before', jsonb_build_object('name', 'old ' || n), 'after', jsonb_build_object('name', 'new ' || n)) END,
       'api', ('10.' || floor(power(abs(sin(n * 3.1)), 4) * 250) || '.' || n % 251 || '.1')::inet,
       'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36'
     FROM generate_series(1, $1::int) AS n`,
    [logs, users, logTypes],
  );
  await run(
    'tokens, webhooks and snippets',
    `WITH tokens AS (INSERT INTO api_token (user_id, role_id, name, prefix, token_hash, nodes)
         SELECT id, role_id, 'token ' || id, 'lc_' || id, sha256(id::text::bytea), '{qr_code_list}' FROM user_account WHERE id % 10 = 2),
       snippets AS (INSERT INTO js_config (owner_id, name, provider, provider_id, approval)
         SELECT id, 'snippet ' || id, 'baidu', lpad(to_hex(id), 32, '0'), 'approved' FROM user_account WHERE id % 20 = 2),
       hooks AS (INSERT INTO webhook (owner_id, url, host, secret) SELECT id, 'https://example.com/' || id, 'example.com', '' FROM user_account WHERE id % 50 = 2 RETURNING id, owner_id),
       happened AS (INSERT INTO event (type, owner_id, data, told, at)
         SELECT 'code.changed', owner_id, '{"id":1}', true, now() - n * interval '1 second' FROM hooks, generate_series(1, 500) AS n RETURNING id, owner_id)
     INSERT INTO webhook_delivery (webhook_id, event_id, state, attempts, status, tried_at)
     SELECT hooks.id, happened.id, 'delivered', 1, 200, now() FROM happened JOIN hooks ON hooks.owner_id = happened.owner_id`,
  );
  await run(
    'groups and cleared histories',
    `WITH own AS (INSERT INTO code_group (owner_id, name) SELECT DISTINCT owner_id, '分组' FROM live_code WHERE id % 10 = 2 RETURNING id, owner_id),
       internal AS (INSERT INTO code_group (name) SELECT '内部 ' || n FROM generate_series(1, 10) AS n),
       cleared AS (INSERT INTO access_clearing (live_code_id, owner_id, cleared_at, visits) SELECT id, owner_id, now() - id * interval '1 second', id FROM live_code WHERE id % 7 = 0)
     UPDATE live_code SET group_id = own.id FROM own WHERE own.owner_id = live_code.owner_id`,
  );
  // Every registered domain is watched: its last checks, and what came of all of them, by the hour and of earlier days by the day, as the worker
  // leaves it. They are due last, so that the first page of that order has them.
  await run(
    `checks of ${monitors} domains`,
    `WITH checked AS (
       UPDATE domain_monitor SET block_status = 1, due_at = now() + id * interval '1 millisecond', status_since = now() - interval '9 days', checked_at = now(), beats = (
         SELECT jsonb_agg(jsonb_build_object('at', to_char((now() - n * interval '5 minutes') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'state', 'normal', 'latency_ms', 80 + n) ORDER BY n DESC) FROM generate_series(1, 50) AS n)
       WHERE id IN (SELECT id FROM domain_monitor ORDER BY id LIMIT $1) RETURNING id)
     INSERT INTO domain_monitor_hour (monitor_id, hour, normal, blocked, failed, latencies)
     SELECT id, hour, 11, CASE WHEN id % 50 = 0 THEN 1 ELSE 0 END, CASE WHEN id % 9 = 0 THEN 1 ELSE 0 END, '{0,8,3,0,0,0,0,0,0,0}'
     FROM checked, (SELECT generate_series(date_trunc('day', now() - interval '90 days'), date_trunc('day', now()) - interval '3 days', interval '1 day')
       UNION ALL SELECT generate_series(date_trunc('day', now()) - interval '2 days', now(), interval '1 hour')) AS kept (hour)`,
    [monitors],
  );
  await run('vacuum and statistics', 'VACUUM ANALYZE');
}

/** Values that the filters of lists are tried with: by call and field where it matters, else by field. */
export const filterValues = (ids: { user: number; role: number; code: number }): Record<string, unknown> => ({
  search: 'user00123',
  user_id: ids.user,
  owner_id: ids.user,
  holder_id: ids.user,
  superior_id: ids.user,
  role_id: ids.role,
  id: ids.code,
  live_code_id: ids.code,
  type_id: 1,
  node_id: 10,
  group_id: 1,
  internal_group_id: 0,
  entry_domain_id: 1,
  landing_domain_id: 1,
  from: new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10),
  to: new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10),
  created_from: '2025-01-01',
  created_to: '2026-12-31',
  type: 'qr_code_list/add',
  'domain_list/inquire.type': 1,
  kind: 'log_export',
  'role/inquire.kind': 'customer',
  'language_list/inquire_texts.code': 'zh-CN',
  webhook_id: 1,
  js_config_id: 1,
  'webhook/deliveries.type': 'code.changed',
  'batche_query/inquire.lines': Array.from({ length: 2000 }, (_, n) => (n % 2 ? `code${n * 37}` : `https://d${n}.example.com/code${n}`)),
  'checkout_ip/inquire.ips': ['10.7.7.1', '10.7.7.2'],
  ip: '10.7.7.1',
  host: 'd123',
  name: 'a',
  place: '浙江',
  invitation_code: 'i777',
});

/** Filters together, and pages far from the first, that people use. */
export const furtherInputs: Record<string, object[]> = {
  'log/inquire': [
    { user_id: 2, type: 'qr_code_list/add' },
    { user_id: 2, from: '2026-01-01', to: '2026-06-30' },
    { type: 'qr_code_list/*' },
    { type: 'role/*', ip: '10.0.0.0/8' },
    { type: 'surely/not', user_id: 2 },
    { ip: '10.200.0.0/16' },
    { order: 'asc' },
    { page: 500 },
    { page: 25_000 },
    { page: 49_000 },
    { page_size: 200 },
  ],
  'user_list/inquire': [{ search: '用户9', disabled: 1 }, { page: 2500 }, { page_size: 200 }],
};
