import { expect, test } from 'vitest';
import type { MenuItem } from '../../../contract/people/admin.ts';
import { entryName, markedEntry, menuName, menuSections, routeOf, screenAt } from './menuTree.ts';

let id = 0;
const item = (path: string, name: string, children: MenuItem[] = [], type: 1 | 2 = 1): MenuItem => ({
  id: ++id,
  name,
  path,
  type,
  platform: 1,
  icon: 'qrcode',
  show_headshot: true,
  language_variables: `menu.${path}`,
  children,
  children_number: children.length,
});
const translate = (key: string) => `<${key}>`;

test('only screens with a route and an entry of their own are shown, and groups that hold one', () => {
  const buttons = [item('qr_code_list.add', '新增', [], 2)];
  const tree = [
    item('', '活码', [item('qr_code_list', '活码列表', buttons), item('set_qr_code', '设置活码'), item('of_later', '以后')]),
    item('', '系统', [item('of_later', '以后')]),
  ];
  const sections = menuSections(tree);
  expect(sections.map((section) => section.entries.map((entry) => entry.route))).toEqual([['/customer/qr_code_list']]);
});

test('screens of one entry are its tabs; two routes of one page are one line', () => {
  const [section] = menuSections([
    item('', '日常', [
      item('today_statistics', '工作台'),
      item('home', '首页'),
      item('qr_code_list', '活码列表'),
      item('qr_code_list_admin', '全部活码'),
      item('set_qr_code', '设置活码'),
      item('qr_code_remove', '回收站'),
    ]),
  ]);
  expect(section?.entries.map((entry) => [entry.key, ...entry.tabs.map(({ path }) => path)])).toEqual([
    ['start', 'today_statistics'],
    ['codes', 'qr_code_list', 'qr_code_list_admin'],
    ['removed', 'qr_code_remove'],
  ]);
  expect(section?.entries.map((entry) => entryName(entry, translate))).toEqual([
    '<menu.today_statistics>',
    '<menu.entry.codes>',
    '<menu.qr_code_remove>',
  ]);
});

test('who may not see the start page finds the home screen in its place', () => {
  const [section] = menuSections([item('', '日常', [item('home', '首页')])]);
  expect(section?.entries.map(({ route }) => route)).toEqual(['/customer/home']);
});

test('an address names its screen, and nothing below or beside it', () => {
  expect(screenAt('/customer/domain_list')?.path).toBe('domain_list');
  expect(screenAt('/system/domain_list')).toBeUndefined();
  expect(screenAt('/customer/qr_code/12')).toBeUndefined();
});

test('a screen without an entry of its own marks the one it belongs to', () => {
  const sections = menuSections([
    item('', '活码', [item('qr_code_list', '活码列表'), item('set_qr_code', '设置活码')]),
    item('', '域名', [item('domain_list', '域名列表')]),
  ]);
  const marked = (pathname: string) => markedEntry(sections, pathname)?.entry.route;
  expect(marked('/customer/domain_list')).toBe('/customer/domain_list');
  expect(marked('/customer/set_qr_code')).toBe('/customer/qr_code_list');
  expect(marked('/customer/qr_code/12')).toBe('/customer/qr_code_list');
  expect(marked('/customer/nowhere')).toBeUndefined();
});

test('a screen stands below the path of its area', () => {
  expect(routeOf('domain_list')).toBe('/customer/domain_list');
});

test('names are translated until an administrator changes them', () => {
  expect(menuName(item('domain_list', '域名列表'), translate)).toBe('<menu.domain_list>');
  expect(menuName(item('domain_list', '我的域名'), translate)).toBe('我的域名');
  expect(menuName(item('', '日常'), translate)).toBe('<menu.section.daily>');
  expect(menuName(item('', '别的组'), translate)).toBe('别的组');
  expect(menuName({ ...item('domain_list', '域名列表'), language_variables: '' }, translate)).toBe('域名列表');
});
