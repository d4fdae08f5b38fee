import { nodeType } from '../../../contract/enums.ts';
import type { MenuItem } from '../../../contract/people/admin.ts';
import { builtScreens, menuGroups, screens } from '../../../contract/permissions.ts';

export type MenuEntry = { path: string; route: string; item: MenuItem };
export type MenuSection = { key: string; item: MenuItem; entries: MenuEntry[] };

const built = new Map(builtScreens.map((screen) => [screen.path, screen]));
/** The names the screens had at first start: one that was changed since is shown as it was written. */
const firstNames = new Map<string, string>(screens.map((screen) => [screen.path, screen.name]));
const groupKeys = new Map<string, string>(menuGroups.map((group) => [group.name, group.key]));

export const routeOf = (path: string): string => `/${built.get(path)?.area ?? 'customer'}/${path}`;

/** The user's tree as the menu shows it: screens that have a route and an entry, groups that still hold one. */
export function menuSections(tree: readonly MenuItem[]): MenuSection[] {
  return tree
    .map((item): MenuSection => ({ key: String(item.id), item, entries: entriesOf(item) }))
    .filter((section) => section.entries.length > 0);
}

/** The entry to mark at a path: its own, or the first of its group where the screen has none (`set_qr_code`). */
export function markedEntry(sections: readonly MenuSection[], pathname: string): { section: MenuSection; entry: MenuEntry } | undefined {
  for (const section of sections) {
    const entry = section.entries.find((candidate) => candidate.route === pathname);
    if (entry) return { section, entry };
  }
  const screen = built.get(pathname.split('/').at(-1) ?? '');
  if (!screen?.hidden) return undefined;
  for (const section of sections) {
    const entry = section.entries.find((candidate) => built.get(candidate.path)?.group === screen.group);
    if (entry) return { section, entry };
  }
  return undefined;
}

function entriesOf(item: MenuItem): MenuEntry[] {
  const screen = built.get(item.path);
  const own: MenuEntry[] =
    screen && item.type === nodeType.route && !screen.hidden ? [{ path: item.path, route: routeOf(item.path), item }] : [];
  return [...own, ...item.children.filter((child) => child.type === nodeType.route).flatMap(entriesOf)];
}

/**
 * A node's words: the translation of its language variable while nobody has changed its name; without a variable, or with a changed
 * name, the name itself. Groups have no path; they are known by their first name.
 */
export function menuName(
  item: Pick<MenuItem, 'path' | 'name'> & { language_variables?: string },
  translate: (key: string) => string,
): string {
  if (item.language_variables === '') return item.name;
  const group = item.path === '' ? groupKeys.get(item.name) : undefined;
  if (group) return translate(`menu.section.${group}`);
  return firstNames.get(item.path) === item.name ? translate(`menu.${item.path}`) : item.name;
}
