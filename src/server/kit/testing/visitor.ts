import type { RuleFacts } from '../visits/targeting.ts';

/** What rules ask of a visitor, of one who is in no way special: a phone in Hangzhou, on a Monday morning. */
export const ruleFacts = (changes: Partial<RuleFacts> = {}): RuleFacts => ({
  country: '中国',
  region: '浙江',
  carrier: 'mobile',
  system: 'android',
  is_messenger: true,
  language: 'zh-cn',
  hour: 9,
  weekday: 1,
  day: '2026-06-01',
  ...changes,
});
