import { and, eq, notInArray, sql } from 'drizzle-orm';
import type { RoleKind } from '../../contract/enums.ts';
import type { Audience, ScreenNode } from '../../contract/permissions/node.ts';
import { menuGroups } from '../../contract/permissions.ts';
import type { Database } from '../kit/postgres/database.ts';
import { permission_node, role, role_node } from './roles.table.ts';

const builtInRoles: readonly { name: string; kind: RoleKind; remark: string; audience: Audience | 'all' }[] = [
  { name: '超级管理员', kind: 'super', remark: '拥有全部权限，不可删除', audience: 'all' },
  { name: '管理员', kind: 'administrator', remark: '管理用户、内容与运行', audience: 'A' },
  { name: '代理', kind: 'agent', remark: '可邀请客户并获得分成', audience: 'G' },
  { name: '默认角色', kind: 'customer', remark: '注册用户', audience: 'C' },
];

const groupNodeKey = (key: string): string => `group:${key}`;

type NewNode = typeof permission_node.$inferInsert & { audience: readonly Audience[] };

/**
 * One node, unless it is there already: what an administrator edited stays as it is. A screen that stands in another group than it should
 * is moved, and ranked as it is there. Answers its id, and whether it is new.
 */
async function ensureNode(db: Database, { audience: _audience, ...node }: NewNode): Promise<{ id: number; isNew: boolean }> {
  const [inserted] = await db
    .insert(permission_node)
    .values(node)
    .onConflictDoNothing({ target: permission_node.key })
    .returning({ id: permission_node.id });
  if (inserted) return { id: inserted.id, isNew: true };
  const { id, parent_id } = permission_node;
  const [present] = await db.select({ id, parent_id }).from(permission_node).where(eq(permission_node.key, node.key));
  if (!present) throw new Error(`the permission node ${node.key} was neither made nor found`);
  if (present.parent_id !== (node.parent_id ?? null))
    await db.update(permission_node).set({ parent_id: node.parent_id, sort: node.sort }).where(eq(id, present.id));
  return { id: present.id, isNew: false };
}

/** Groups that this version does not have, once their screens have moved. */
const removeFormerGroups = (db: Database) =>
  db.delete(permission_node).where(
    and(
      eq(permission_node.path, ''),
      notInArray(
        permission_node.key,
        menuGroups.map(({ key }) => groupNodeKey(key)),
      ),
      sql`NOT EXISTS (SELECT FROM permission_node AS child WHERE child.parent_id = permission_node.id)`,
    ),
  );

const buttonAudience = (screen: ScreenNode, button: string): readonly Audience[] =>
  screen.administratorButtons?.includes(button) ? ['A'] : screen.audience;

/**
 * Brings the permission tree and the built-in roles up to the contract's. A node that a new release adds is granted to the built-in
 * roles it is meant for; what they were given or refused before stays.
 */
export async function seedRoles(db: Database): Promise<void> {
  for (const { name, kind, remark } of builtInRoles)
    await db.insert(role).values({ name, kind, remark, built_in: true }).onConflictDoNothing();
  const roles = await db.select().from(role).where(eq(role.built_in, true));
  const added: { node_id: number; audience: readonly Audience[] }[] = [];
  const ensure = async (node: NewNode): Promise<number> => {
    const { id, isNew } = await ensureNode(db, node);
    if (isNew) added.push({ node_id: id, audience: node.audience });
    return id;
  };
  // The greater ranks first; the tens leave room for what an administrator wants between two nodes.
  let sort = 100_010;
  const nextSort = () => {
    sort -= 10;
    return sort;
  };
  for (const group of menuGroups) {
    const everybody = ['C', 'G', 'A'] as const;
    const groupNode = {
      key: groupNodeKey(group.key),
      name: group.name,
      path: '',
      type: 1 as const,
      icon: group.icon,
      language_variables: `menu.section.${group.key}`,
    };
    const groupId = await ensure({ ...groupNode, sort: nextSort(), audience: everybody });
    for (const screen of group.screens as readonly ScreenNode[]) {
      const { path, name, icon, audience } = screen;
      const screenNode = {
        parent_id: groupId,
        key: path,
        name,
        path,
        type: 1 as const,
        icon,
        language_variables: `menu.${path}`,
        show_headshot: !screen.hidden,
      };
      const screenId = await ensure({ ...screenNode, sort: nextSort(), audience });
      for (const button of screen.buttons) {
        const buttonNode = {
          parent_id: screenId,
          key: `${path}.${button}`,
          name: button,
          path: `${path}.${button}`,
          type: 2 as const,
          language_variables: `menu.button.${button}`,
        };
        await ensure({ ...buttonNode, sort: nextSort(), audience: buttonAudience(screen, button) });
      }
    }
  }
  await removeFormerGroups(db);
  const grants = roles.flatMap((own) => {
    const letter = builtInRoles.find((builtIn) => builtIn.kind === own.kind)?.audience;
    return added
      .filter((node) => letter === 'all' || node.audience.some((one) => one === letter))
      .map(({ node_id }) => ({ role_id: own.id, node_id }));
  });
  if (grants.length === 0) return;
  await db.insert(role_node).values(grants).onConflictDoNothing();
  await db
    .update(role)
    .set({ version: sql`${role.version} + 1` })
    .where(eq(role.built_in, true));
}
