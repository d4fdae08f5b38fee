import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import QRCode from 'qrcode';
import { recogniseQr } from '../../contract/codes/qr-kind.ts';
import { domain } from '../domains/domains.table.ts';
import type { Database } from '../kit/postgres/database.ts';
import { journalFolder } from '../kit/visits/journal/segment.ts';
import { uploadsFolder } from '../kit/visits/visit-paths.ts';
import { live_code, live_code_target, target_quota } from '../live-codes/live-codes.table.ts';
import { setting } from '../settings/settings.table.ts';
import { file } from '../uploads/uploads.table.ts';
import { newInvitationCode } from '../users/invitation.ts';
import { user_account } from '../users/users.table.ts';
import { type DemoCode, demoCodes } from './codes.ts';
import { seedDemoDeveloper } from './developer.ts';
import { seedDemoDomains } from './domains.ts';
import { writeDemoJournal } from './journal.ts';
import { seedDemoLinks } from './links.ts';
import { seedDemoMall } from './mall.ts';
import { seedDemoMoney } from './money.ts';
import { organiseDemo } from './organise.ts';
import { seedSimulated } from './simulated.ts';
import { seedDemoSources } from './sources.ts';
import type { DemoVisitedCode } from './visits.ts';

export type DemoOptions = {
  password_hash: string;
  dataDir: string;
  masterKey?: Buffer | undefined;
  visitPort: number /** 0: without simulators. */;
  simulatorPort: number;
  now: Date;
};

const daysAgo = (now: Date, days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
const people = [
  { account: 'zhangwei', name: '张伟（茶叶店）', kind: 'customer', town: 'hangzhou' },
  { account: 'lina', name: '李娜（教育代理）', kind: 'agent', town: 'chengdu' },
  { account: 'chenjie', name: '陈杰（咖啡馆）', kind: 'customer', town: 'guangzhou' },
] as const;

/** Demo data for an empty system: three users, twelve codes, and ninety days of visits that go the way real ones go, through the journal. */
export async function seedDemo(db: Database, options: DemoOptions): Promise<void> {
  const { password_hash, dataDir, masterKey, visitPort, simulatorPort, now } = options;
  const userIds = new Map<DemoCode['owner'], number>();
  for (const { account, name, kind } of people) {
    const role_id = sql`(SELECT id FROM role WHERE kind = ${kind} AND built_in)`;
    const superior_id = account === 'chenjie' ? userIds.get('lina') : undefined;
    const member_expires_at = daysAgo(now, -200);
    const [made] = await db
      .insert(user_account)
      .values({
        account,
        name,
        password_hash,
        role_id,
        superior_id,
        member_expires_at,
        created_at: daysAgo(now, 95),
        invitation_code: newInvitationCode(),
      })
      .returning({ id: user_account.id });
    if (made) userIds.set(account, made.id);
  }
  await db.insert(domain).values([
    { host: 'scan.example.com', type: 1 as const, holder_id: userIds.get('zhangwei') ?? null, remark: '备用入口' },
    { host: '*.land.example.net', type: 2 as const, holder_id: userIds.get('zhangwei') ?? null, remark: '泛域名落地' },
    { host: 'edu.example.org', type: 1 as const, holder_id: userIds.get('lina') ?? null, enabled: false, remark: '到期停用' },
    // Browsers find names below localhost on their own machine: links on it can be tried.
    { host: `s.localhost:${visitPort}`, type: 3 as const, holder_id: null, remark: '演示短域名' },
    { host: 's.example.com', type: 3 as const, holder_id: null, remark: '平台短域名' },
  ]);
  const visitedCodes: DemoVisitedCode[] = [];
  for (const code of demoCodes) visitedCodes.push(await seedCode(db, code, userIds.get(code.owner) ?? 0, { dataDir, visitPort, now }));
  await seedDemoDomains(db, userIds, now);
  await organiseDemo(db, userIds, now);
  await seedDemoLinks(db, userIds, { host: `s.localhost:${visitPort}`, now });
  await seedDemoSources(db, userIds.get('zhangwei') ?? 0, now);
  await seedDemoDeveloper(db, userIds, { dataDir, masterKey, now });
  await seedDemoMoney(db, userIds, now);
  await seedDemoMall(db, dataDir);
  if (simulatorPort > 0) await seedSimulated(db, userIds, { dataDir, masterKey, visitPort, simulatorPort });
  // Where not even simulators are, a way out is missed by nobody: that there is none would be told over every page.
  else await db.insert(setting).values({ key: 'control_addresses', value: [] });
  const left = await writeDemoJournal(journalFolder(dataDir), visitedCodes, { now, host: `localhost:${visitPort}` });
  for (const [target_id, remaining] of left) await db.insert(target_quota).values({ target_id, remaining });
}

async function seedCode(
  db: Database,
  code: DemoCode,
  owner_id: number,
  { dataDir, visitPort, now }: { dataDir: string; visitPort: number; now: Date },
): Promise<DemoVisitedCode> {
  const { file_name, name, remark, rotation_mode, restriction_visit, access_mode, jump_type, open, age, targets } = code;
  const created_at = daysAgo(now, age);
  const entry_domain_id = sql`(SELECT id FROM domain WHERE host = ${`localhost:${visitPort}`})`;
  const [made] = await db
    .insert(live_code)
    .values({
      owner_id,
      file_name,
      name,
      remark,
      rotation_mode,
      restriction_visit,
      access_mode,
      jump_type,
      open,
      entry_domain_id,
      created_at,
      updated_at: created_at,
    })
    .returning({ id: live_code.id });
  if (!made) throw new Error(`the demo code ${file_name} was not made`);
  const rows: DemoVisitedCode['targets'] = [];
  for (const [place, target] of targets.entries()) {
    const sort = targets.length - place;
    const file_id = target.kind === 'picture' ? await seedPicture(db, owner_id, target, dataDir) : null;
    const { kind, threshold = null, weight = 1, hoursLeft, rules } = target;
    const expires_at = hoursLeft === undefined ? null : new Date(now.getTime() + hoursLeft * 3_600_000).toISOString();
    const content = file_id === null ? target.content : null;
    const [row] = await db
      .insert(live_code_target)
      .values({ live_code_id: made.id, kind, content, file_id, name: target.name, sort, weight, threshold, expires_at, rules, created_at })
      .returning({ id: live_code_target.id });
    if (row) rows.push({ id: row.id, weight, remaining: threshold });
  }
  const town = people.find(({ account }) => account === code.owner)?.town ?? 'hangzhou';
  return { code, live_code_id: made.id, town, created_at: Date.parse(created_at), targets: rows };
}

/** A group's QR image, drawn here, so that the picture targets show one. */
async function seedPicture(
  db: Database,
  owner_id: number,
  { content, name: title }: { content: string; name: string },
  dataDir: string,
): Promise<number> {
  const bytes = await QRCode.toBuffer(content, { width: 480, margin: 3 });
  const name = `${randomBytes(16).toString('hex')}.png`;
  await mkdir(uploadsFolder(dataDir), { recursive: true });
  await writeFile(join(uploadsFolder(dataDir), name), bytes);
  const [row] = await db
    .insert(file)
    .values({
      owner_id,
      name,
      title: `${title}.png`,
      content_type: 'image/png',
      width: 480,
      height: 480,
      size: bytes.length,
      qr_text: content,
      qr_kind: recogniseQr(content).kind,
    })
    .returning({ id: file.id });
  if (!row) throw new Error('the demo picture was not kept');
  return row.id;
}
