import { expect, test } from 'vitest';
import { settingKeys, settings } from '../../../contract/settings.ts';
import { kindOf, valueText } from './settingKinds.ts';

const t = (key: string) => key;

test('every setting has a control that can hold its default', () => {
  const fits: Record<ReturnType<typeof kindOf>['kind'], (value: unknown) => boolean> = {
    switch: (value) => typeof value === 'boolean',
    number: (value) => typeof value === 'number',
    choice: (value) => typeof value === 'string',
    list: Array.isArray,
    color: (value) => /^#[0-9a-f]{6}$/i.test(String(value)),
    picture: (value) => typeof value === 'string',
    zone: (value) => typeof value === 'string',
    text: (value) => typeof value === 'string',
  };
  for (const key of settingKeys) expect([key, fits[kindOf(key).kind](settings[key].default)]).toEqual([key, true]);
});

test('a number is kept within the limits of its setting, and a share ratio may have decimals', () => {
  expect(kindOf('login_failure_minutes')).toEqual({ kind: 'number', minimum: 1, maximum: 1440, step: undefined });
  expect(kindOf('default_share_ratio')).toMatchObject({ kind: 'number', minimum: 0, maximum: 100, step: 0.01 });
});

test('a value is told in words: switches, languages, lists, nothing', () => {
  expect(valueText('maintenance', true, t)).toBe('configuration.on');
  expect(valueText('default_language', 'zh-CN', t)).toBe('简体中文');
  expect(valueText('jump_schemes', ['tel', 'sms'], t)).toBe('tel, sms');
  expect(valueText('jump_schemes', [], t)).toBe('configuration.empty_value');
  expect(valueText('socket_url', '', t)).toBe('configuration.empty_value');
});
