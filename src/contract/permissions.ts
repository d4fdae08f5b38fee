import { content } from './permissions/content.ts';
import { daily } from './permissions/daily.ts';
import { domains } from './permissions/domains.ts';
import { money } from './permissions/money.ts';
import type { ScreenNode } from './permissions/node.ts';
import { people } from './permissions/people.ts';
import { system } from './permissions/system.ts';
import { statistics } from './permissions/visits.ts';

/**
 * The whole menu and permission tree as data: groups of screens (type 1 nodes) with their buttons (type 2 nodes), arranged by work.
 */
export const menuGroups = [daily, domains, statistics, money, people, content, system] as const;

type Groups = (typeof menuGroups)[number];
type Screens = Groups['screens'][number];
export type GroupKey = Groups['key'];
/** Entries of the menu that stand for several screens. */
export type EntryKey = Extract<Screens, { entry: string }>['entry'];
export type ScreenPath = Screens['path'];
type ButtonsOf<S> = S extends { path: infer P extends string; buttons: readonly (infer B extends string)[] } ? `${P}.${B}` : never;
export type NodeKey = ScreenPath | ButtonsOf<Screens>;

export const screens: readonly (ScreenNode & { group: GroupKey })[] = menuGroups.flatMap((menuGroup) =>
  menuGroup.screens.map((screen: ScreenNode) => ({ ...screen, group: menuGroup.key })),
);
export const allNodeKeys = screens.flatMap((screen) => [
  screen.path,
  ...screen.buttons.map((button) => `${screen.path}.${button}`),
]) as NodeKey[];
