import { sql } from 'drizzle-orm';
import { js_config } from '../js-config/js-config.table.ts';
import { newApiToken } from '../kit/calls/api-tokens.ts';
import type { Database } from '../kit/postgres/database.ts';
import { createVault, readMasterKey } from '../kit/vault.ts';
import { newSecret, secretLabel } from '../webhooks/webhooks.signature.ts';
import { event, webhook, webhook_delivery } from '../webhooks/webhooks.table.ts';

type DeveloperOptions = { dataDir: string; masterKey?: Buffer | undefined; now: Date };

const hoursAgo = (now: Date, hours: number): string => new Date(now.getTime() - hours * 3_600_000).toISOString();

/** Tokens that nobody knows, a webhook that is switched off, and a snippet that waits: enough to see what the screens are for. */
export async function seedDemoDeveloper(db: Database, userIds: ReadonlyMap<string, number>, options: DeveloperOptions): Promise<void> {
  const owner = userIds.get('zhangwei') ?? 0;
  await seedTokens(db, owner, options.now);
  await seedWebhook(db, owner, options);
  const [name, origins] = ['页面停留统计', ['https://stat.example.com']];
  const code = "addEventListener('pagehide', () => navigator.sendBeacon('https://stat.example.com/stay', String(performance.now())));";
  await db.insert(js_config).values([
    { owner_id: owner, name: '百度统计', provider: 'baidu', provider_id: '3f1c0a2b9d8e7f6a5b4c3d2e1f0a9b8c', approval: 'approved' },
    { owner_id: userIds.get('chenjie') ?? owner, name, provider: 'code', code, origins, submitted_at: hoursAgo(options.now, 3) },
  ]);
}

async function seedTokens(db: Database, user_id: number, now: Date): Promise<void> {
  const tokens = [
    {
      name: '订单系统',
      nodes: ['qr_code_list', 'qr_code_list.add', 'qr_code_list.update'],
      network: '203.0.113.0/24',
      used: 0.4,
      expires: 90,
    },
    { name: '数据看板（只读）', nodes: ['qr_code_list', 'today_statistics', 'domain_list'], network: null, used: 2, expires: null },
  ];
  for (const { name, nodes, network, used, expires } of tokens) {
    const { prefix, hash } = newApiToken();
    await db.execute(sql`
      INSERT INTO api_token (user_id, role_id, name, prefix, token_hash, nodes, networks, expires_at, last_used_at, last_used_ip, created_at)
      SELECT id, role_id, ${name}, ${prefix}, ${hash}, ${sql.param(nodes)}::text[], ${sql.param(network ? [network] : [])}::cidr[],
        ${expires && hoursAgo(now, -24 * expires)}::timestamptz, ${hoursAgo(now, used)}, '203.0.113.24', ${hoursAgo(now, 24 * 40)}
      FROM user_account WHERE id = ${user_id}`);
  }
}

async function seedWebhook(db: Database, owner_id: number, { dataDir, masterKey, now }: DeveloperOptions): Promise<void> {
  const secret = createVault(readMasterKey(dataDir, masterKey)).seal(newSecret().key, secretLabel);
  const url = 'https://example.com/hooks/livecode';
  const created_at = hoursAgo(now, 24 * 20);
  const [hook] = await db
    .insert(webhook)
    .values({ owner_id, url, host: 'example.com', secret, enabled: false, remark: '订单系统', created_at, updated_at: created_at })
    .returning({ id: webhook.id });
  if (!hook) return;
  const { rows } = await db.execute<{ id: number; file_name: string; name: string }>(
    sql`SELECT id, file_name, name FROM live_code WHERE owner_id = ${owner_id} ORDER BY id LIMIT 3`,
  );
  for (const [index, data] of rows.entries()) {
    const at = hoursAgo(now, 30 - index * 9);
    const isLast = index === rows.length - 1;
    const type = isLast ? 'code.exhausted' : 'code.changed';
    const [happened] = await db
      .insert(event)
      .values({ type, owner_id, data: data as never, at, told: true })
      .returning({ id: event.id });
    if (!happened) return;
    const outcome = isLast
      ? { state: 'failed' as const, attempts: 10, status: 503, answer: 'Service Unavailable', duration_ms: 212 }
      : { state: 'delivered' as const, attempts: 1, status: 200, answer: '{"ok":true}', duration_ms: 84 };
    await db.insert(webhook_delivery).values({ webhook_id: hook.id, event_id: happened.id, ...outcome, created_at: at, tried_at: at });
  }
}
