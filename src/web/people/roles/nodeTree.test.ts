import { describe, expect, test } from 'vitest';
import type { RoleNode } from '../../../contract/people/role.ts';
import { choose, chooseViewOnly, differenceOf, heldIds, isFixed, searchTree, ticksOf } from './nodeTree.ts';

let nextId = 1;
function node(path: string, children: RoleNode[] = [], changes: Partial<RoleNode> = {}): RoleNode {
  const type = path.includes('.') ? 2 : 1;
  const shown = { name: path, icon: '', sort: 0, show_headshot: true, allow_selection: true, language_variables: '' };
  return {
    id: nextId++,
    parent_id: null,
    key: path,
    path,
    type,
    platform: 1,
    ...shown,
    held: false,
    grantable: true,
    children,
    ...changes,
  };
}

const add = node('codes.add', [], { held: true });
const remove = node('codes.remove');
const codes = node('codes', [add, remove], { held: true });
const page = node('page');
const group = node('', [codes, page]);
const tree = [group];
const held = heldIds(tree);
const sorted = (ids: ReadonlySet<number>) => [...ids].sort((a, b) => a - b);
const ids = (...nodes: RoleNode[]) => nodes.map(({ id }) => id).sort((a, b) => a - b);

describe('the ticks of a tree', () => {
  test('are half where only a part below is chosen, and groups count for nothing themselves', () => {
    expect(ticksOf(group, held)).toEqual({ chosen: 2, total: 4, state: 'some' });
    expect(ticksOf(codes, new Set(ids(codes, add, remove)))).toMatchObject({ state: 'all' });
    expect(ticksOf(page, held)).toMatchObject({ state: 'none' });
  });
});

describe('choosing', () => {
  test('a group takes everything below it, and unticking it leaves nothing', () => {
    const all = choose(held, group, true);
    expect(sorted(all)).toEqual(ids(codes, add, remove, page));
    expect(sorted(choose(all, group, false))).toEqual([]);
  });

  test('a button brings its screen, and a screen takes its buttons along', () => {
    expect(sorted(choose(new Set(), remove, true, codes))).toEqual(ids(codes, remove));
    expect(sorted(choose(held, codes, false))).toEqual([]);
  });

  test('never changes the set it was given', () => {
    const before = sorted(held);
    choose(held, group, true);
    choose(held, group, false);
    chooseViewOnly(held, codes);
    expect(sorted(held)).toEqual(before);
  });

  test('a screen for looking only keeps the screen and drops its buttons', () => {
    expect(sorted(chooseViewOnly(held, codes))).toEqual(ids(codes));
    expect(sorted(chooseViewOnly(new Set(), codes))).toEqual(ids(codes));
  });

  test('what may not be chosen stays as it is, with the screen that it needs', () => {
    const fixedButton = node('x.keep', [], { held: true, allow_selection: false });
    const ungrantable = node('x.secret', [], { grantable: false });
    const screen = node('x', [fixedButton, ungrantable], { held: true });
    const present = heldIds([screen]);
    expect(sorted(choose(present, screen, false))).toEqual(ids(screen, fixedButton));
    expect(sorted(choose(present, screen, true))).toEqual(ids(screen, fixedButton));
  });

  test('a button of a screen that may not be given cannot be given either', () => {
    const button = node('y.add');
    const screen = node('y', [button], { grantable: false });
    expect(sorted(choose(new Set(), button, true, screen))).toEqual([]);
    expect(sorted(choose(new Set(), screen, true))).toEqual([]);
  });

  test('what the role has beyond the caller may be taken, and given back before it is saved', () => {
    const beyond = node('z', [], { held: true, grantable: false });
    expect(isFixed(beyond)).toBe(false);
    const taken = choose(heldIds([beyond]), beyond, false);
    expect(sorted(taken)).toEqual([]);
    expect(sorted(choose(taken, beyond, true))).toEqual(ids(beyond));
  });
});

test('the difference names what is given and what is taken, and nothing for a choice taken back', () => {
  const chosen = choose(choose(held, add, false, codes), page, true);
  expect(differenceOf(tree, chosen)).toEqual({ added: [page], removed: [add] });
  expect(differenceOf(tree, choose(choose(held, page, true), page, false))).toEqual({ added: [], removed: [] });
});

test('a search finds whole screens, by themselves, their group or a button', () => {
  const found = [{ ...group, children: [codes] }];
  expect(searchTree(tree, ({ path }) => path === 'codes.remove')).toEqual(found);
  expect(searchTree(tree, ({ path }) => path === 'codes')).toEqual(found);
  expect(searchTree(tree, ({ path }) => path === '')).toEqual(tree);
  expect(searchTree(tree, () => false)).toEqual([]);
});
