import { expect, test } from 'vitest';
import type { NodeKey } from '../../../contract/permissions.ts';
import { routeAfter } from './routeAfter.ts';

const everything = () => true;
const removal = { group: 'qr_code_list', action: 'update_remove' };

test('what leaves its screen is followed to where it is then', () => {
  const after = (ids: number[], removed: boolean) => routeAfter(removal, { ids, removed }, everything);
  expect(after([7], true)).toBe('/customer/qr_code_remove');
  expect(after([7], false)).toBe('/customer/qr_code/7');
  expect(after([7, 8], false)).toBe('/customer/qr_code_list');
  expect(routeAfter({ group: 'qr_code_access', action: 'clear' }, { ids: [7] }, everything)).toBe('/customer/recover');
  expect(routeAfter({ group: 'group', action: 'remove' }, { ids: [7] }, everything)).toBeUndefined();
});

test('to screens only that one may open', () => {
  const only = (node: NodeKey) => (allowed: NodeKey) => allowed === node;
  const restored = { ids: [7, 8], removed: false };
  expect(routeAfter(removal, restored, only('qr_code_list_admin'))).toBe('/customer/qr_code_list_admin');
  expect(routeAfter(removal, restored, only('qr_code_remove'))).toBeUndefined();
  expect(routeAfter(removal, { ids: [7], removed: true }, only('qr_code_list'))).toBeUndefined();
});
