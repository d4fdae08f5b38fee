import { and, eq, inArray, sql } from 'drizzle-orm';
import type { VersionAction } from '../../contract/codes/code-version.ts';
import type { Database } from '../kit/postgres/database.ts';
import { recordVersions } from '../live-codes/live-codes.public.ts';
import { code_group, live_code, live_code_target } from '../live-codes/live-codes.table.ts';
import type { DemoCode } from './codes.ts';

type Owner = DemoCode['owner'];

/** Without an owner it is the administrators' own. */
const groups: readonly { owner: Owner | null; name: string; color: string; codes: readonly string[] }[] = [
  { owner: 'zhangwei', name: '门店', color: '#0f766e', codes: ['tea-spring', 'tea-service', 'tea-coupon'] },
  { owner: 'zhangwei', name: '社群', color: '#2563eb', codes: ['tea-group'] },
  { owner: 'lina', name: '招生', color: '#b45309', codes: ['edu-open', 'edu-parents'] },
  { owner: 'lina', name: '资料下载', color: '#7c3aed', codes: ['edu-material'] },
  { owner: 'chenjie', name: '店内', color: '#be185d', codes: ['cafe-menu', 'cafe-wifi'] },
  { owner: null, name: '重点客户', color: '#15803d', codes: ['tea-spring', 'edu-open', 'cafe-menu'] },
];

/** Puts the demo codes into groups, and leaves what weeks of work leave: earlier versions, and a code in the recycle bin. */
export async function organiseDemo(db: Database, userIds: ReadonlyMap<Owner, number>, now: Date): Promise<void> {
  const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
  for (const [owner, user_id] of userIds) {
    const own = await db.select({ id: live_code.id }).from(live_code).where(eq(live_code.owner_id, user_id));
    const keep = async (ids: readonly number[], action: VersionAction, at: string | null) => {
      await recordVersions({ db, actor: { user_id, impersonator: null } }, ids, action);
      await db.execute(sql`UPDATE live_code_version AS past SET at = coalesce(${at}::timestamptz, code.created_at) FROM live_code AS code
        WHERE code.id = past.live_code_id AND past.version = code.version AND code.id = ANY(${sql.param([...ids])}::bigint[])`);
    };
    const change = async (file_name: string, changes: Partial<typeof live_code.$inferInsert>, days: number) => {
      const [changed] = await db
        .update(live_code)
        .set({ ...changes, version: sql`version + 1`, updated_at: daysAgo(days) })
        .where(and(eq(live_code.file_name, file_name), eq(live_code.owner_id, user_id)))
        .returning({ id: live_code.id });
      if (changed) await keep([changed.id], 'changed', daysAgo(days));
    };
    await keep(
      own.map(({ id }) => id),
      'created',
      null,
    );
    if (owner === 'zhangwei') {
      await change('tea-spring', { remark: '门店海报', restriction_visit: 2 }, 40);
      await change('tea-spring', { remark: '门店海报、电梯广告', restriction_visit: 1, page_title: '春茶上新' }, 12);
    }
    if (owner === 'chenjie') await keep([await removedMenu(db, user_id, daysAgo)], 'removed', daysAgo(3));
    for (const group of groups.filter((other) => other.owner === owner)) {
      await fillGroup(db, group, user_id);
      const moved = await db
        .select({ id: live_code.id })
        .from(live_code)
        .where(inArray(live_code.file_name, [...group.codes]));
      await keep(
        moved.map(({ id }) => id),
        'grouped',
        daysAgo(6),
      );
    }
  }
  for (const group of groups.filter(({ owner }) => owner === null)) await fillGroup(db, group, null);
  await saveDesigns(db, userIds);
}

const designs: readonly { owner: Owner; name: string; design: object }[] = [
  {
    owner: 'zhangwei',
    name: '茶绿',
    design: {
      dot_style: 'rounded',
      corner_style: 'rounded',
      corner_dot_style: 'dot',
      foreground: { kind: 'solid', color: '#14532d' },
      background: '#f7fbf5',
    },
  },
  {
    owner: 'zhangwei',
    name: '桌贴',
    design: { dot_style: 'rounded', frame: { kind: 'bottom', text: '扫一扫领券', text_color: '#ffffff', frame_color: '#14532d' } },
  },
];

async function saveDesigns(db: Database, userIds: ReadonlyMap<Owner, number>): Promise<void> {
  for (const { owner, name, design } of designs)
    await db.execute(
      sql`INSERT INTO qr_design (owner_id, name, design) VALUES (${userIds.get(owner)}, ${name}, ${JSON.stringify(design)}::jsonb) ON CONFLICT DO NOTHING`,
    );
}

async function fillGroup(db: Database, { name, color, codes }: (typeof groups)[number], owner_id: number | null): Promise<void> {
  const [made] = await db.insert(code_group).values({ owner_id, name, color }).returning({ id: code_group.id });
  if (!made) throw new Error(`the demo group ${name} was not made`);
  const change = owner_id === null ? { internal_group_id: made.id } : { group_id: made.id, version: sql`version + 1` };
  await db
    .update(live_code)
    .set(change)
    .where(inArray(live_code.file_name, [...codes]));
}

async function removedMenu(db: Database, owner_id: number, daysAgo: (days: number) => string): Promise<number> {
  const [made] = await db
    .insert(live_code)
    .values({
      owner_id,
      file_name: 'cafe-winter',
      name: '冬季菜单（旧）',
      remark: '已换成新菜单',
      removed: true,
      removed_at: daysAgo(3),
      removed_by: owner_id,
      created_at: daysAgo(80),
      updated_at: daysAgo(3),
    })
    .returning({ id: live_code.id });
  if (!made) throw new Error('the removed demo code was not made');
  await db
    .insert(live_code_target)
    .values({ live_code_id: made.id, kind: 'url', content: 'https://example.com/menu/winter', name: '冬季菜单', sort: 1 });
  return made.id;
}
