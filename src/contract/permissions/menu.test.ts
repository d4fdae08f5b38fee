import { describe, expect, test } from 'vitest';
import { menuGroups, screens } from '../permissions.ts';
import type { Audience, ScreenNode } from './node.ts';

/** The lines of a group's menu for those who hold these screens, whether built or not. */
function entriesOf(group: (typeof menuGroups)[number], holds: (screen: ScreenNode) => boolean): Set<string> {
  const held = (group.screens as readonly ScreenNode[]).filter((screen) => !screen.hidden && holds(screen));
  return new Set(held.map((screen) => screen.entry ?? screen.path));
}

const kinds: [string, (screen: ScreenNode) => boolean][] = [
  ['the super administrator', () => true],
  ...(['C', 'G', 'A'] as const).map((kind): [string, (screen: ScreenNode) => boolean] => [
    kind,
    ({ audience }) => audience.includes(kind as Audience),
  ]),
];

describe.each(kinds)('the menu of %s, with every screen there will be', (_who, holds) => {
  test('has at most seven groups of at most eight entries', () => {
    const sizes = menuGroups.map((group) => entriesOf(group, holds).size).filter((size) => size > 0);
    expect(sizes.length).toBeLessThanOrEqual(7);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(8);
  });
});

test('an entry is of one group, and what shows the same page is of the same entry', () => {
  const groups = Map.groupBy(
    screens.filter(({ entry }) => entry),
    ({ entry }) => entry,
  );
  for (const [entry, members] of groups) {
    expect([entry, new Set(members.map(({ group }) => group)).size]).toEqual([entry, 1]);
    expect(members.length).toBeGreaterThan(1);
  }
  for (const { path, entry, same_as } of screens.filter((screen) => screen.same_as))
    expect([path, screens.find((screen) => screen.path === same_as)?.entry]).toEqual([path, entry]);
});

test('the first entry is the start page', () => {
  expect(menuGroups[0].screens[0].path).toBe('today_statistics');
});
