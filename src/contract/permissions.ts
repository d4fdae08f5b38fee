import { administration, agents } from './permissions/administration.ts';
import { developer } from './permissions/developer.ts';
import type { ScreenNode } from './permissions/node.ts';
import { codes, domains, statistics } from './permissions/operations.ts';

/**
 * The whole menu and permission tree as data: groups of screens (type 1 nodes) with their buttons (type 2 nodes).
 * A screen with `built: true` has a route in the web app; the others exist as permissions and enter the menu with their screen.
 */
export const menuGroups = [...codes, ...domains, ...statistics, ...developer, ...agents, ...administration] as const;

type Groups = (typeof menuGroups)[number];
type Screens = Groups['screens'][number];
export type GroupKey = Groups['key'];
export type ScreenPath = Screens['path'];
/** Screens that have a route in the web app. */
export type BuiltScreenPath = Extract<Screens, { built: true }>['path'];
type ButtonsOf<S> = S extends { path: infer P extends string; buttons: readonly (infer B extends string)[] } ? `${P}.${B}` : never;
export type NodeKey = ScreenPath | ButtonsOf<Screens>;

export const screens: readonly (ScreenNode & { group: GroupKey })[] = menuGroups.flatMap((menuGroup) =>
  menuGroup.screens.map((screen: ScreenNode) => ({ ...screen, group: menuGroup.key })),
);
export const builtScreens = screens.filter((screen) => screen.built);
export const allNodeKeys = screens.flatMap((screen) => [
  screen.path,
  ...screen.buttons.map((button) => `${screen.path}.${button}`),
]) as NodeKey[];
