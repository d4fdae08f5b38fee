import { expect, test } from 'vitest';
import { placeOf } from './place.ts';

test('a place names what is known, and nothing twice', () => {
  expect(placeOf({ country: '中国', region: '浙江', city: '杭州' })).toBe('中国 浙江 杭州');
  expect(placeOf({ country: '中国', region: '北京', city: '北京' })).toBe('中国 北京');
  expect(placeOf({ country: '新加坡', region: '', city: '' })).toBe('新加坡');
  expect(placeOf({ country: '', region: '', city: '' })).toBe('–');
});
