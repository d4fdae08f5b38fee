import { asc, desc } from 'drizzle-orm';
import type { MenuItem } from '../../contract/people/admin.ts';
import { type NodeKey, screens } from '../../contract/permissions.ts';
import type { Database } from '../kit/postgres/database.ts';
import { permission_node } from '../roles/roles.table.ts';

const withRoute = new Set<string>(screens.map((screen) => screen.path));

/** The groups, screens and buttons that these nodes open. A screen without a route, and a group without screens, is left out. */
export async function menuOf(db: Database, nodes: ReadonlySet<NodeKey>): Promise<MenuItem[]> {
  const rows = await db.select().from(permission_node).orderBy(desc(permission_node.sort), asc(permission_node.id));
  const childrenOf = Map.groupBy(rows, (row) => row.parent_id);
  const screenOf = (key: string) => key.split('.', 1)[0] ?? key;
  const isOpen = (row: (typeof rows)[number]): boolean =>
    row.path === '' || (nodes.has(row.key as NodeKey) && withRoute.has(screenOf(row.key)));
  const build = (parent: number | null): MenuItem[] =>
    (childrenOf.get(parent) ?? []).filter(isOpen).flatMap((row) => {
      const children = build(row.id);
      if (row.path === '' && children.length === 0) return [];
      const { parent_id: _parent, key: _key, sort: _sort, allow_selection: _selection, ...item } = row;
      return [{ ...item, children, children_number: children.length }];
    });
  return build(null);
}
