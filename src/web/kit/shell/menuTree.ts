import { nodeType } from '../../../contract/enums.ts';
import type { MenuItem } from '../../../contract/people/admin.ts';
import type { ScreenNode } from '../../../contract/permissions/node.ts';
import { menuGroups, screens } from '../../../contract/permissions.ts';

/** A screen of the menu, and the way to it. */
export type MenuScreen = { path: string; route: string; item: MenuItem };
/** One line of the menu: a screen, or several that are tabs of one page. `key` is the screen's path or the shared entry's. */
export type MenuEntry = { key: string; route: string; tabs: MenuScreen[] };
export type MenuSection = { key: string; item: MenuItem; entries: MenuEntry[] };

type Translate = (key: string) => string;

const byPath = new Map<string, ScreenNode>(screens.map((screen) => [screen.path, screen]));
const groupKeys = new Map<string, string>(menuGroups.map((group) => [group.name, group.key]));

/** What the contract says of a screen; undefined where no screen has the path. */
export const screenOf = (path: string): ScreenNode | undefined => byPath.get(path);

export const routeOf = (path: string): string => `/${byPath.get(path)?.area ?? 'customer'}/${path}`;

/** The screen that an address shows; undefined where it is none of the tree. */
export function screenAt(pathname: string): ScreenNode | undefined {
  const [, area, path, ...rest] = pathname.split('/');
  const screen = rest.length === 0 && path ? byPath.get(path) : undefined;
  return screen?.area === area ? screen : undefined;
}

/** The user's tree as the menu shows it: screens that have a route, put together where they share an entry; groups that still hold one. */
export function menuSections(tree: readonly MenuItem[]): MenuSection[] {
  return tree
    .map((item): MenuSection => ({ key: item.language_variables || String(item.id), item, entries: entriesOf(item) }))
    .filter((section) => section.entries.length > 0);
}

function entriesOf(item: MenuItem): MenuEntry[] {
  const found = screensOf(item);
  const paths = new Set(found.map(({ path }) => path));
  const shown = found.filter(({ path }) => !paths.has(byPath.get(path)?.same_as ?? ''));
  const entries = Map.groupBy(shown, ({ path }) => byPath.get(path)?.entry ?? path);
  return [...entries].map(([key, tabs]) => ({ key, route: tabs[0]?.route ?? '', tabs }));
}

function screensOf(item: MenuItem): MenuScreen[] {
  const screen = byPath.get(item.path);
  const isShown = screen && item.type === nodeType.route && !screen.hidden;
  const own: MenuScreen[] = isShown ? [{ path: item.path, route: routeOf(item.path), item }] : [];
  return [...own, ...item.children.filter((child) => child.type === nodeType.route).flatMap(screensOf)];
}

/** Every screen of the menu, tabs included. */
export const menuScreens = (sections: readonly MenuSection[]): MenuScreen[] =>
  sections.flatMap((section) => section.entries.flatMap((entry) => entry.tabs));

/** The entry to mark at a path: its own, or the one that a screen without a tab of its own belongs to (`set_qr_code`). */
export function markedEntry(sections: readonly MenuSection[], pathname: string): { section: MenuSection; entry: MenuEntry } | undefined {
  // What stands below a screen belongs to it: `/customer/qr_code/12` is a page of the codes.
  const path = pathname.split('/')[2] ?? '';
  const key = byPath.get(path)?.entry ?? pagesBelow[path] ?? path;
  for (const section of sections) {
    const entry = section.entries.find((candidate) => candidate.key === key);
    if (entry) return { section, entry };
  }
  return undefined;
}

/** Pages that are no screens of the tree, by the entry they belong to. */
const pagesBelow: Readonly<Record<string, string>> = { qr_code: 'codes', order_payment: 'orders' };

/**
 * A node's words: the translation of its language variable while nobody has changed its name; without a variable, or with a changed
 * name, the name itself. Groups have no path; they are known by their first name.
 */
export function menuName(item: Pick<MenuItem, 'path' | 'name'> & { language_variables?: string }, translate: Translate): string {
  if (item.language_variables === '') return item.name;
  const group = item.path === '' ? groupKeys.get(item.name) : undefined;
  if (group) return translate(`menu.section.${group}`);
  return byPath.get(item.path)?.name === item.name ? translate(`menu.${item.path}`) : item.name;
}

/** An entry's words: those of its only screen, or its own where it has several. */
export function entryName(entry: MenuEntry, translate: Translate): string {
  const [first, second] = entry.tabs;
  return first && !second ? menuName(first.item, translate) : translate(`menu.entry.${entry.key}`);
}
