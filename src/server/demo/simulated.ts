// not messages: the names of rows that operators change as they like.
import { randomBytes, randomInt } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { sealToken, telegram_bot } from '../bots/bots.public.ts';
import { detector } from '../detection/detection.table.ts';
import { domain } from '../domains/domains.table.ts';
import type { Database } from '../kit/postgres/database.ts';
import { createVault, readMasterKey } from '../kit/vault.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { mail_server } from '../pushes/pushes.table.ts';
import { setting } from '../settings/settings.table.ts';
import { keepSimulators, simulatorPorts } from './simulators.ts';

type Options = { dataDir: string; masterKey?: Buffer | undefined; visitPort: number; simulatorPort: number };

/** Names that browsers find on their own machine, on which the first codes of the demo stand: one is blocked, the other takes its place. */
const movedCodes = 3;

/**
 * Lets the demo speak to simulators of WeChat, Telegram, mail and robots: on their overview a host is blocked, and here its codes move on
 * and its owner is told. Names that stand in no DNS are not asked whether they answer.
 */
export async function seedSimulated(db: Database, userIds: ReadonlyMap<string, number>, options: Options): Promise<void> {
  const { dataDir, masterKey, visitPort, simulatorPort } = options;
  const ports = simulatorPorts(simulatorPort);
  const at = (port: number, path = '') => `http://127.0.0.1:${port}${path}`;
  const settings = {
    messenger_gateway: at(ports.gateway, '/mp/wapredirect'),
    control_addresses: [at(ports.gateway)],
    monitor_seconds: 60,
    telegram_api: at(ports.telegram),
    wecom_robot_url: at(ports.robots, '/cgi-bin/webhook/send'),
    dingtalk_robot_url: at(ports.robots, '/robot/send'),
    feishu_robot_url: at(ports.robots, '/open-apis/bot/v2/hook'),
  };
  await db.insert(setting).values(Object.entries(settings).map(([key, value]) => ({ key, value })));
  await db
    .insert(mail_server)
    .values({ host: '127.0.0.1', port: ports.smtp, security: 'none', from_address: 'livecode@example.com', from_name: '活码系统' });

  await db
    .update(detector)
    .set({ enabled: false })
    .where(inArray(detector.kind, ['dns', 'tls', 'http']));
  const reading = { by: 'json' as const, path: 'data.status', normal: ['ok'], blocked: ['blocked'] };
  const url = at(ports.apis, '/data-status?url={url}');
  const config = { kind: 'http_api' as const, url, method: 'GET' as const, headers: [], body: '', reading };
  await db.insert(detector).values({ name: '检测接口', kind: 'http_api', config, sort: 35 });

  const token = `${randomInt(1_000_000_000, 9_000_000_000)}:${randomBytes(26).toString('base64url')}`;
  await db.insert(telegram_bot).values({
    telegram_id: Number(token.split(':', 1)[0]),
    username: 'livecode_demo_bot',
    name: '活码助手',
    token: sealToken(createVault(readMasterKey(dataDir, masterKey)), token),
    webhook_path: randomBytes(24).toString('base64url'),
  });

  const owner_id = userIds.get('chenjie') ?? 0;
  const hosts = [`scan.localhost:${visitPort}`, `next.localhost:${visitPort}`];
  const made = await db
    .insert(domain)
    .values(hosts.map((host) => ({ host, type: 1 as const, holder_id: owner_id, remark: '演示拦截与替换' })))
    .returning({ id: domain.id });
  const codes = db
    .select({ id: live_code.id })
    .from(live_code)
    .where(eq(live_code.owner_id, owner_id))
    .orderBy(live_code.id)
    .limit(movedCodes);
  await db
    .update(live_code)
    .set({ entry_domain_id: sql`${made[0]?.id}` })
    .where(inArray(live_code.id, codes));
  keepSimulators(dataDir, { port: simulatorPort, token, blocked: ['old-scan.example.com'] });
}
