import type { RoleNode } from '../../../contract/people/role.ts';

/** Ids of the chosen screens and buttons. Groups permit nothing and are never among them. */
export type Chosen = ReadonlySet<number>;

const permits = (node: RoleNode): boolean => node.path !== '';

/** A screen with its buttons, a group with all its screens. */
export const permissionsOf = (node: RoleNode): RoleNode[] => [...(permits(node) ? [node] : []), ...node.children.flatMap(permissionsOf)];

/** Whether the caller cannot change this node: it is not for choosing, or he may not give it. What is held may be taken and given back. */
export const isFixed = (node: RoleNode): boolean => !node.allow_selection || (!node.held && !node.grantable);

export const heldIds = (tree: readonly RoleNode[]): Chosen =>
  new Set(
    tree
      .flatMap(permissionsOf)
      .filter((node) => node.held)
      .map((node) => node.id),
  );

export type Ticks = { chosen: number; total: number; state: 'none' | 'some' | 'all' };

/** How much of a node and what is below it is chosen. */
export function ticksOf(node: RoleNode, chosen: Chosen): Ticks {
  const all = permissionsOf(node);
  const number = all.filter(({ id }) => chosen.has(id)).length;
  return { chosen: number, total: all.length, state: number === 0 ? 'none' : number === all.length ? 'all' : 'some' };
}

function add(next: Set<number>, node: RoleNode): void {
  if (permits(node) && !next.has(node.id)) {
    // Buttons of a screen that cannot be opened would permit nothing.
    if (isFixed(node)) return;
    next.add(node.id);
  }
  for (const child of node.children) add(next, child);
}

function take(next: Set<number>, node: RoleNode): void {
  for (const child of node.children) take(next, child);
  const keepsButton = node.children.some((child) => next.has(child.id));
  if (!keepsButton && !isFixed(node)) next.delete(node.id);
}

/**
 * Ticks or unticks a node with everything below it. A button brings its screen; a screen takes its buttons along, and stays while one
 * of them cannot be taken.
 * @param screen the screen of a button
 */
export function choose(chosen: Chosen, node: RoleNode, isOn: boolean, screen?: RoleNode): Chosen {
  const next = new Set(chosen);
  if (!isOn) {
    take(next, node);
    return next;
  }
  if (screen && !next.has(screen.id)) {
    if (isFixed(screen)) return chosen;
    next.add(screen.id);
  }
  add(next, node);
  return next;
}

/** The screen without its buttons: for looking only. */
export function chooseViewOnly(chosen: Chosen, screen: RoleNode): Chosen {
  const next = new Set(chosen);
  for (const button of screen.children) take(next, button);
  if (!isFixed(screen)) next.add(screen.id);
  return next;
}

/** What saving would give to the role and take from it, in the order of the tree. */
export function differenceOf(tree: readonly RoleNode[], chosen: Chosen): { added: RoleNode[]; removed: RoleNode[] } {
  const all = tree.flatMap(permissionsOf);
  return {
    added: all.filter((node) => !node.held && chosen.has(node.id)),
    removed: all.filter((node) => node.held && !chosen.has(node.id)),
  };
}

/** The screens that match, or whose group or a button does, each whole: a part of a screen could not be ticked rightly. */
export function searchTree(tree: readonly RoleNode[], matches: (node: RoleNode) => boolean): RoleNode[] {
  return tree.flatMap((node) => {
    if (matches(node)) return [node];
    if (permits(node)) return node.children.some(matches) ? [node] : [];
    const children = searchTree(node.children, matches);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}
