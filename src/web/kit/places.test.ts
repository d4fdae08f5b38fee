import { expect, test } from 'vitest';
import { countryName, isForeign, placeOf, recordedCountries, shortPlaceOf } from './places.ts';

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

test('countries that visits can record come once each, and regions of China are none of them', () => {
  const names = recordedCountries();
  expect(names[0]).toBe('中国');
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['日本', '美国', '越南']));
  expect(names.filter((name) => /香港|澳门|台湾|欧盟|未知/.test(name))).toEqual([]);
});

test('a place names what is known, nothing twice, country and province in the language of the user', () => {
  const hangzhou = { country: '中国', region: '浙江省', city: '杭州市' };
  expect(placeOf(hangzhou, 'zh-CN')).toBe('中国 浙江省 杭州市');
  expect(placeOf(hangzhou, 'en-US')).toBe('China Zhejiang 杭州市');
  expect(placeOf({ country: '中国', region: '北京', city: '北京' }, 'zh-CN')).toBe('中国 北京');
  expect(placeOf({ country: '中国', region: '北京', city: '北京' }, 'en-US')).toBe('China Beijing');
  expect(placeOf({ country: '新加坡', region: '', city: '' }, 'zh-CN')).toBe('新加坡');
  expect(placeOf({ country: '', region: '', city: '' }, 'en-US')).toBe('–');
  const japan = { country: '日本', region: '', city: '' };
  const virginia = { country: '美国', region: '弗吉尼亚', city: '' };
  expect([hangzhou, japan, virginia].map((place) => shortPlaceOf(place, 'zh-CN'))).toEqual(['浙江省 杭州市', '日本', '美国 弗吉尼亚']);
  expect([hangzhou, japan, virginia].map((place) => shortPlaceOf(place, 'en-US'))).toEqual([
    ...['Zhejiang 杭州市', 'Japan', 'United States 弗吉尼亚'],
  ]);
});
