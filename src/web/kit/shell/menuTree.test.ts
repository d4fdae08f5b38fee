import { expect, test } from 'vitest';
import type { MenuItem } from '../../../contract/people/admin.ts';
import { markedEntry, menuName, menuSections, routeOf } from './menuTree.ts';

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
    item('', '活码', [item('qr_code_list', '活码列表', buttons), item('set_qr_code', '设置活码'), item('server_list', '服务器')]),
    item('', '资金', [item('bill', '账单')]),
  ];
  const sections = menuSections(tree);
  expect(sections.map((section) => section.entries.map((entry) => entry.route))).toEqual([['/customer/qr_code_list']]);
});

test('a screen without an entry marks the first of its group', () => {
  const sections = menuSections([
    item('', '活码', [item('qr_code_list', '活码列表'), item('set_qr_code', '设置活码')]),
    item('', '域名', [item('domain_list', '域名列表')]),
  ]);
  const marked = (pathname: string) => markedEntry(sections, pathname)?.entry.path;
  expect(marked('/customer/domain_list')).toBe('domain_list');
  expect(marked('/customer/set_qr_code')).toBe('qr_code_list');
  expect(marked('/customer/nowhere')).toBeUndefined();
});

test('a screen stands below the path of its area', () => {
  expect(routeOf('domain_list')).toBe('/customer/domain_list');
});

test('names are translated until an administrator changes them', () => {
  expect(menuName(item('domain_list', '域名列表'), translate)).toBe('<menu.domain_list>');
  expect(menuName(item('domain_list', '我的域名'), translate)).toBe('我的域名');
  expect(menuName(item('', '工作台'), translate)).toBe('<menu.section.workbench>');
  expect(menuName(item('', '别的组'), translate)).toBe('别的组');
  expect(menuName({ ...item('domain_list', '域名列表'), language_variables: '' }, translate)).toBe('域名列表');
});
