import { expect, test } from 'vitest';
import { settings, settingsOf } from './settings.ts';
import { visitSettingDefaults, visitSettingsOf } from './settings.visits.ts';

const rows = (values: object) => Object.entries(values).map(([key, value]) => ({ key, value }));

test('visits read what the settings of the site are', () => {
  const stored = rows({ color: '#112233', jump_schemes: ['weixin'], membership_grace_days: 3, time_zone: 'Europe/Berlin', port: 1 });
  expect(settingsOf(stored)).toMatchObject(visitSettingsOf(stored));
  expect(settingsOf([])).toMatchObject(visitSettingsOf([]));
  for (const [key, value] of Object.entries(visitSettingDefaults))
    expect(settings[key as keyof typeof settings].schema.parse(value)).toEqual(value);
});

test('a stored value of another kind, or a time zone that is none, counts as not set', () => {
  const broken = { color: 1, jump_schemes: ['a', 2], membership_grace_days: '3', time_zone: 'Mars/Olympus', visit_scheme: null };
  expect(visitSettingsOf(rows(broken))).toEqual(visitSettingDefaults);
});
