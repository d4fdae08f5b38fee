import { describe, expect, test } from 'vitest';
import type { TargetRule } from '../../../contract/codes/targeting.ts';
import { ruleFacts } from '../testing/visitor.ts';
import { ruleSystemOf } from './systems.ts';
import { compileRule, createRuleClock, firstMiss, fittingRule, needsOf } from './targeting.ts';

const visitor = ruleFacts({ weekday: 3, day: '2026-11-18' });
const nobody = { ...visitor, country: '', region: '', carrier: null, language: '' };
const miss = (rule: TargetRule, facts = visitor) => firstMiss(compileRule(rule), facts);

describe('a rule', () => {
  test.each<[TargetRule, ReturnType<typeof miss>]>([
    [{ countries: ['中国', '日本'] }, null],
    [{ countries: ['日本'] }, 'countries'],
    [{ regions: ['浙江省'] }, null],
    [{ regions: ['浙江'], countries: ['日本'] }, 'countries'],
    [{ regions: ['江苏'] }, 'regions'],
    [{ carriers: ['unicom', 'telecom'] }, 'carriers'],
    [{ systems: ['ios'] }, 'systems'],
    [{ systems: ['ios', 'android'] }, null],
    [{ messenger: false }, 'messenger'],
    [{ messenger: true }, null],
    [{ languages: ['ZH'] }, null],
    [{ languages: ['zh-tw'] }, 'languages'],
    [{ languages: ['z'.repeat(3)] }, 'languages'],
    [{ hours: [8, 9] }, null],
    [{ hours: [23, 0] }, 'hours'],
    [{ weekdays: [6, 7] }, 'weekdays'],
    [{ weekdays: [3] }, null],
    [{ from: '2026-11-18', to: '2026-11-18' }, null],
    [{ from: '2026-11-19' }, 'from'],
    [{ to: '2026-11-17' }, 'to'],
    [{ systems: ['android'], hours: [10] }, 'hours'],
  ])('%j is failed by %s', (rule, expected) => {
    expect(miss(rule)).toBe(expected);
  });

  test('that asks for a place or a language fits nobody of whom it is unknown', () => {
    for (const rule of [{ countries: ['中国'] }, { regions: ['浙江'] }, { carriers: ['other' as const] }, { languages: ['zh'] }]) {
      expect(miss(rule, nobody)).not.toBeNull();
    }
  });

  test('holds a language by whole parts of its tag', () => {
    expect(miss({ languages: ['zh'] }, { ...visitor, language: 'zha-cn' })).toBe('languages');
    expect(miss({ languages: ['zh-hant'] }, { ...visitor, language: 'zh-hant-hk' })).toBeNull();
    expect(miss({ languages: ['en'] }, { ...visitor, language: '*' })).toBe('languages');
  });

  test('names a region by its short name, and leaves short names alone', () => {
    for (const region of ['内蒙古自治区', '新疆维吾尔自治区', '北京市', '香港特别行政区']) {
      const short = { 内: '内蒙古', 新: '新疆', 北: '北京', 香: '香港' }[region.charAt(0)] ?? '';
      expect(miss({ regions: [region] }, { ...visitor, region: short })).toBeNull();
    }
    expect(miss({ regions: ['省'] }, { ...visitor, region: '省' })).toBeNull();
  });
});

test('of several rules one that fits is enough, and the first of them is told', () => {
  const rules = [{ systems: ['ios' as const] }, { hours: [9] }, { messenger: true }].map(compileRule);
  expect(fittingRule(rules, visitor)).toBe(1);
  expect(fittingRule(rules.slice(0, 1), visitor)).toBe(-1);
  expect(fittingRule([], visitor)).toBe(-1);
});

test('says which facts have to be looked up', () => {
  expect(needsOf([{ hours: [1] }, { messenger: true }].map(compileRule))).toEqual({ place: false, agent: true });
  expect(needsOf([{ hours: [1] }].map(compileRule))).toEqual({ place: false, agent: false });
  expect(needsOf([{ carriers: ['mobile' as const] }].map(compileRule))).toEqual({ place: true, agent: false });
  expect(needsOf([{ systems: ['ios' as const] }, { regions: ['浙江'] }].map(compileRule))).toEqual({ place: true, agent: true });
});

describe('the clock', () => {
  const at = (time: string, zone = 'Asia/Shanghai') => createRuleClock(zone)(Date.parse(time));

  test('shows hour, weekday and day of the site, not of the server', () => {
    expect(at('2026-11-20T15:59:59Z')).toEqual({ hour: 23, weekday: 5, day: '2026-11-20' });
    expect(at('2026-11-20T16:00:00Z')).toEqual({ hour: 0, weekday: 6, day: '2026-11-21' });
    expect(at('2026-11-22T03:00:00Z', 'UTC')).toEqual({ hour: 3, weekday: 7, day: '2026-11-22' });
    expect(at('2026-11-22T18:29:00Z', 'Asia/Kolkata')).toEqual({ hour: 23, weekday: 7, day: '2026-11-22' });
  });

  test('goes on within a minute and goes back where the time does', () => {
    const clock = createRuleClock('Asia/Shanghai');
    const noon = Date.parse('2026-11-20T03:59:59.999Z');
    expect(clock(noon).hour).toBe(11);
    expect(clock(noon + 1).hour).toBe(12);
    expect(clock(noon).hour).toBe(11);
  });
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)', 'ios'],
  ['Mozilla/5.0 (Linux; Android 14; SM-S9210)', 'android'],
  ['Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit', 'harmonyos'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macos'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'linux'],
  ['Mozilla/5.0 (Windows Phone 10.0)', 'other'],
  ['', 'other'],
])('%s is %s', (agent, system) => {
  expect(ruleSystemOf(agent)).toBe(system);
});
