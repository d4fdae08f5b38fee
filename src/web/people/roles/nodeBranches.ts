import { nodeType } from '../../../contract/enums.ts';
import type { PermissionNode } from '../../../contract/people/role.ts';
import { screens } from '../../../contract/permissions.ts';

export type NodeBranch = PermissionNode & { children?: NodeBranch[] };

export const isScreen = ({ type, path }: PermissionNode): boolean => type === nodeType.route && path !== '';

/** Message key of what a node is: a group and a screen are both of type 1. */
export const nodeKind = (node: PermissionNode): string => (node.path === '' ? 'role.type_group' : `role.type_${node.type}`);

const withRoute = new Set<string>(screens.map((screen) => screen.path));

/** The flat list of nodes as a tree, in its order. Screens that this version does not have are left out, and groups without any. */
export function nodeBranches(nodes: readonly PermissionNode[]): NodeBranch[] {
  const below = Map.groupBy(
    nodes.filter(({ path }) => path === '' || withRoute.has(path.split('.', 1)[0] ?? '')),
    (node) => node.parent_id,
  );
  const build = (parent_id: number | null): NodeBranch[] =>
    (below.get(parent_id) ?? []).flatMap((node) => {
      const children = build(node.id);
      if (children.length > 0) return [{ ...node, children }];
      return node.path === '' ? [] : [node];
    });
  return build(null);
}
