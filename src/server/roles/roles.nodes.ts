import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { PermissionNode, RoleNode, roleGroup } from '../../contract/people/role.ts';
import { allNodeKeys, screens } from '../../contract/permissions.ts';
import type { Actor, Context } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { mayGrant, type RoleOfUser } from './roles.public.ts';
import { permission_node, role, role_node } from './roles.table.ts';

type Calls = (typeof roleGroup)['calls'];

const withRoute = new Set<string>(screens.map((screen) => screen.path));
const screenOf = (key: string): string => key.split('.', 1)[0] ?? key;
/** Nodes of screens that this version does not have are not shown, and stay with the roles as they are. */
const isShown = ({ path }: { path: string }): boolean => path === '' || withRoute.has(screenOf(path));

export const readNodes = (db: Database): Promise<PermissionNode[]> =>
  db.select().from(permission_node).orderBy(desc(permission_node.sort), asc(permission_node.id));

async function heldIds(db: Database, role_id: number): Promise<Set<number>> {
  const rows = await db.select({ node_id: role_node.node_id }).from(role_node).where(eq(role_node.role_id, role_id));
  return new Set(rows.map(({ node_id }) => node_id));
}

/** The tree as the editor of a role shows it; a group without screens is left out. */
export async function nodeTree(db: Database, actor: Actor, { id, kind }: Pick<RoleOfUser, 'id' | 'kind'>): Promise<RoleNode[]> {
  const held = await heldIds(db, id);
  const isSuper = kind === 'super';
  const childrenOf = Map.groupBy((await readNodes(db)).filter(isShown), (node) => node.parent_id);
  const build = (parent_id: number | null): RoleNode[] =>
    (childrenOf.get(parent_id) ?? []).flatMap((node) => {
      const children = build(node.id);
      if (node.path === '') return children.length === 0 ? [] : [{ ...node, held: false, grantable: false, children }];
      const grantable = !isSuper && node.allow_selection && mayGrant(actor, kind, node.key);
      return [{ ...node, held: isSuper || held.has(node.id), grantable, children }];
    });
  return build(null);
}

/** The nodes of these ids that permit something, with the screens of their buttons. */
export function withScreens(nodes: readonly PermissionNode[], ids: readonly number[]): PermissionNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const chosen = new Map<number, PermissionNode>();
  for (const id of ids) {
    for (let node = byId.get(id); node && node.path !== ''; node = byId.get(node.parent_id ?? 0)) chosen.set(node.id, node);
  }
  return [...chosen.values()];
}

/** Sets which of the shown nodes a locked role holds. Answers what that changed, by node keys. */
export async function replaceNodes(
  { id, kind }: Pick<RoleOfUser, 'id' | 'kind'>,
  node_ids: readonly number[],
  { db, actor }: Context,
): Promise<{ added: string[]; removed: string[] }> {
  const nodes = await readNodes(db);
  const known = new Set(nodes.filter(isShown).map((node) => node.id));
  if (node_ids.some((node_id) => !known.has(node_id))) throw invalidField('node_ids', 'unknown_node');
  const held = await heldIds(db, id);
  const wanted = withScreens(nodes, node_ids);
  const wantedIds = new Set(wanted.map((node) => node.id));
  const added = wanted.filter((node) => !held.has(node.id));
  const removed = nodes.filter((node) => node.path !== '' && isShown(node) && held.has(node.id) && !wantedIds.has(node.id));
  const beyond = added.find((node) => !mayGrant(actor, kind, node.key));
  if (beyond) throw new AppError(403, 'role.beyond_own');
  const fixed = [...added, ...removed].find((node) => !node.allow_selection);
  if (fixed) throw new AppError(409, 'role.not_selectable', { params: { name: fixed.name } });
  if (added.length > 0) await db.insert(role_node).values(added.map((node) => ({ role_id: id, node_id: node.id })));
  if (removed.length > 0)
    await db.delete(role_node).where(
      and(
        eq(role_node.role_id, id),
        inArray(
          role_node.node_id,
          removed.map((node) => node.id),
        ),
      ),
    );
  return { added: added.map(({ key }) => key).sort(), removed: removed.map(({ key }) => key).sort() };
}

export async function updateNode({ id, ...changes }: ParsedInputOf<Calls['node_update']>, { db, audit }: Context): Promise<PermissionNode> {
  const [before] = await db.select().from(permission_node).where(eq(permission_node.id, id)).for('update');
  if (!before) throw notFound();
  const [after] = await db
    .update(permission_node)
    .set({ ...changes, id })
    .where(eq(permission_node.id, id))
    .returning();
  if (!after) throw notFound();
  audit(changesBetween(before, after));
  return after;
}

/** Routes and buttons of this version whose nodes are missing, as after a removal by hand. */
export const missingPaths = (nodes: readonly PermissionNode[]): string[] => {
  const present = new Set(nodes.map(({ key }) => key));
  return allNodeKeys.filter((key) => !present.has(key));
};

/** Adds the node of a route or button that this version knows. A button goes below its screen, a screen to the end of the menu's last group. */
export async function addNode(input: ParsedInputOf<Calls['node_add']>, { db }: Context): Promise<PermissionNode> {
  const { path, ...fields } = input;
  const nodes = await readNodes(db);
  if (!allNodeKeys.some((key) => key === path)) throw invalidField('path', 'unknown_route');
  const isButton = path.includes('.');
  const parent = isButton ? nodes.find((node) => node.key === screenOf(path)) : nodes.findLast((node) => node.path === '');
  if (isButton && !parent) throw invalidField('path', 'unknown_screen');
  const [added] = await db
    .insert(permission_node)
    .values({ ...fields, path, key: path, type: isButton ? 2 : 1, parent_id: parent?.id ?? null, show_headshot: !isButton })
    .onConflictDoNothing({ target: permission_node.key })
    .returning();
  if (!added) throw invalidField('path', 'taken');
  // Super administrators hold every node there is: their processes must read the nodes anew.
  await db
    .update(role)
    .set({ version: sql`${role.version} + 1` })
    .where(eq(role.kind, 'super'));
  return added;
}
