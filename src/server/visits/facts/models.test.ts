import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { describeModel, plainCode } from './models.ts';

const folder = new URL('./dictionary/', import.meta.url);
const dictionary = readdirSync(folder).flatMap((file) =>
  Object.entries(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, Record<string, string[]>>).flatMap(
    ([brand, names]) => Object.entries(names).flatMap(([name, codes]) => codes.map((code) => ({ file, brand, name, code }))),
  ),
);

describe('the dictionary', () => {
  test('knows more than 1,500 codes, each once, and gives every one its name', () => {
    expect(dictionary.length).toBeGreaterThan(1500);
    expect(new Set(dictionary.map(({ code }) => code.toUpperCase())).size).toBe(dictionary.length);
    for (const { brand, name, code } of dictionary) expect(describeModel(code.replace('*', 'ZZ9')), code).toEqual({ brand, name });
  });

  test('has every brand in one file and texts that may be shown', () => {
    const files = new Map<string, Set<string>>();
    for (const { brand, file } of dictionary) files.set(brand, (files.get(brand) ?? new Set()).add(file));
    for (const [brand, places] of files) expect(places.size, brand).toBe(1);
    for (const { name, code } of dictionary) expect(`${name}${code}`).toMatch(/^[\x20-\x7e]+$/);
  });
});

test.each([
  ['NOH-AN00', 'Huawei', 'HUAWEI Mate 40 Pro'],
  ['noh-an00', 'Huawei', 'HUAWEI Mate 40 Pro'],
  ['HUAWEI NOH-AN00', 'Huawei', 'HUAWEI Mate 40 Pro'],
  ['ELE-L77', 'Huawei', 'HUAWEI P30'],
  ['SM-S918B', 'Samsung', 'Galaxy S23 Ultra'],
  ['SAMSUNG SM-G9600', 'Samsung', 'Galaxy S9'],
  ['JAT-L41', 'Honor', 'HONOR 8A Pro / HUAWEI Y6s'],
  ['MI 8', 'Xiaomi', 'Xiaomi Mi 8'],
  ['Redmi Note 8 (2021)', 'Redmi', 'Redmi Note 8 (2021)'],
  ['vivo X9Plus', 'vivo', 'vivo X9Plus'],
  ['OPPO R11', 'OPPO', 'OPPO R11'],
  ['Pixel 7 Pro', 'Google', 'Pixel 7 Pro'],
  ['RMX3357', 'realme', 'realme GT Neo2T'],
  ['Lenovo L78051', 'Lenovo', 'Lenovo Z6 Pro'],
  ['iPhone14,5', 'Apple', 'iPhone 13'],
])('%s is known', (code, brand, name) => {
  expect(describeModel(code)).toEqual({ brand, name });
});

test.each([
  ['RMX9999', 'realme'],
  ['V2999A', 'vivo'],
  ['24999XX9CC', 'Xiaomi'],
  ['SM-Q999', 'Samsung'],
  ['OPPO PCXM99', 'OPPO'],
  ['HONOR ABC-AN00', 'Honor'],
  ['ZTE A9999', 'ZTE'],
  ['NX999J', 'nubia'],
  ['QQQ-AN00', 'Honor'],
  ['QQQ-AL00', 'Huawei'],
  ['BAH9-W09', 'Huawei'],
  ['XYZ-1234', ''],
  ['CPH2999', 'OPPO'],
  ['PZC110', 'OPPO'],
  ['PD2941', 'vivo'],
  ['24999RX9CC', 'Redmi'],
  ['24999PX9CG', 'POCO'],
  ['ZTE 9999N', 'ZTE'],
  ['M999Q', 'Meizu'],
  ['S9', ''],
  ['', ''],
  [' ', ''],
  ['\0', ''],
  ['constructor', ''],
  ['__proto__', ''],
])('%j is unknown, its brand %j', (code, brand) => {
  expect(describeModel(code)).toEqual({ brand, name: '' });
});

test('no name holds a text that was destroyed on its way, or a bare code', () => {
  for (const code of ['PRA-TL10', 'HRY-TL00', 'WAS-AL00', 'PGZ110', 'vivo 1718', 'V2040']) {
    expect(describeModel(code).name).toMatch(/^(?!V2040|vivo \d{4}$)[\x20-\x7e]*$/);
  }
});

test('the maker before a code goes only where the rest is known', () => {
  expect(plainCode('SAMSUNG SM-G9600')).toBe('SM-G9600');
  expect(plainCode('OPPO PCXM99')).toBe('OPPO PCXM99');
  expect(plainCode('Redmi Note 8')).toBe('Redmi Note 8');
  expect(plainCode(' M2012K11AC ')).toBe('M2012K11AC');
});

test('names of administrators come first, and may change at any time', () => {
  const extra = new Map([['NOH-AN00', { brand: 'Huawei', name: 'Mine' }]]);
  expect(describeModel('NOH-AN00', extra).name).toBe('Mine');
  extra.clear();
  expect(describeModel('NOH-AN00', extra).name).toBe('HUAWEI Mate 40 Pro');
});
