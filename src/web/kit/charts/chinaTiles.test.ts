import { expect, test } from 'vitest';
import { provinceOf, provinces } from './chinaTiles.ts';

test('there are 34 regions, each on a tile of its own', () => {
  expect(provinces).toHaveLength(34);
  expect(new Set(provinces.map(({ column, row }) => `${column},${row}`)).size).toBe(34);
  expect(new Set(provinces.map(({ code }) => code)).size).toBe(34);
});

test.each([
  ['广东', 'GD'],
  ['广东省', 'GD'],
  ['北京市', 'BJ'],
  ['广西壮族自治区', 'GX'],
  ['新疆维吾尔自治区', 'XJ'],
  ['宁夏回族自治区', 'NX'],
  ['内蒙古自治区', 'NM'],
  ['西藏自治区', 'XZ'],
  ['香港特别行政区', 'HK'],
  ['台湾省', 'TW'],
  ['Inner Mongolia', 'NM'],
])('%s is known by its name in the address data', (name, code) => {
  expect(provinceOf(name)?.code).toBe(code);
});

test.each(['', '加利福尼亚', '广', '省', 'constructor'])('%j is no region of China', (name) => {
  expect(provinceOf(name)).toBeUndefined();
});
