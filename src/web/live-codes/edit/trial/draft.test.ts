import { expect, test } from 'vitest';
import { trialDraft, trialVisitor } from '../../../../contract/codes/qr-code-trial.ts';
import { newCodeValues, newTarget } from '../values.ts';
import { draftOf, mixedVisitors, thisDevice, visitorOf } from './draft.ts';

const clock = { now: Date.parse('2026-11-20T12:30:00Z'), timeZone: 'Asia/Shanghai' };

test('an unfinished form can be tried: what is empty is empty, and visits left follow the typed threshold', () => {
  const values = newCodeValues();
  values.targets = [
    { ...newTarget('picture'), weight: null },
    { ...newTarget(), id: 3, threshold: 300, rules: [{ messenger: true }] },
  ];
  const draft = draftOf(values, new Map([[3, { threshold: 200, remaining: 50 }]]));
  expect(trialDraft.parse(draft)).toEqual(draft);
  expect(draft.targets).toMatchObject([
    { kind: 'picture', content: '', weight: 1, remaining: null },
    { id: 3, threshold: 300, remaining: 150, rules: [{ messenger: true }] },
  ]);
  expect(draft.targets[0]).not.toHaveProperty('id');
  expect(draft.fallback_url).toBeNull();
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) MicroMessenger/8.0', { system: 'ios', messenger: true }],
  ['Mozilla/5.0 (Linux; Android 14; SM-S9210)', { system: 'android', messenger: false }],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', { system: 'windows', messenger: false }],
  ['', { system: 'other', messenger: false }],
])('this device is told by %j', (agent, expected) => {
  expect(thisDevice(agent, 'zh-CN')).toEqual({ ...expected, language: 'zh-CN' });
});

test('each rule brings a visitor whom it fits, once, and others come as well', () => {
  const values = newCodeValues();
  const rules = [{ regions: ['浙江', '江苏'], systems: ['ios' as const] }];
  values.targets = [{ ...newTarget(), rules }, { ...newTarget(), rules }, newTarget()];
  const visitors = mixedVisitors(values, clock);
  expect(visitors.map(({ visitor }) => visitor)).toEqual([{ country: '中国', region: '浙江', system: 'ios' }, {}]);
  for (const { visitor } of visitors) expect(trialVisitor.parse(visitor)).toEqual(visitor);
});

test('a hundred targets with twenty rules each bring no more visitors than may be asked about', () => {
  const values = newCodeValues();
  values.targets = Array.from({ length: 100 }, (_, index) => ({
    ...newTarget(),
    rules: Array.from({ length: 20 }, (_rule, rule) => ({ countries: [`${index}-${rule}`] })),
  }));
  expect(mixedVisitors(values, clock)).toHaveLength(20);
});

test.each([
  ['an hour later today', { hours: [22, 23] }, '2026-11-20T14:30:00.000Z'],
  ['an hour that is over today', { hours: [3] }, '2026-11-20T19:30:00.000Z'],
  ['a weekday', { weekdays: [1] }, '2026-11-22T16:30:00.000Z'],
  ['a weekday’s hour', { weekdays: [7], hours: [9] }, '2026-11-22T01:30:00.000Z'],
  ['a day to come', { from: '2026-12-24' }, '2026-12-23T16:00:00.000Z'],
  ['a day that is over', { to: '2026-11-01' }, undefined],
  ['any time', { messenger: true }, undefined],
])('a visitor of %s comes when the rule fits', (_name, rule, at) => {
  expect(visitorOf(rule, clock).at).toBe(at);
});
