import { expect, test } from 'vitest';
import { countryName, isForeign } from './places.ts';

test('a country is told in the language of the user', () => {
  expect(countryName('日本', 'en-US')).toBe('Japan');
  expect(countryName('美国', 'en-US')).toBe('United States');
  expect(countryName('日本', 'zh-CN')).toBe('日本');
});

test('a name that no list knows stays as it was recorded', () => {
  expect(countryName('亚太地区', 'en-US')).toBe('亚太地区');
  expect(countryName('constructor', 'en-US')).toBe('constructor');
  expect(countryName('', 'en-US')).toBe('');
});

test('China and what is unknown are not abroad', () => {
  expect(['中国', '', '日本', '亚太地区'].filter(isForeign)).toEqual(['日本', '亚太地区']);
});
