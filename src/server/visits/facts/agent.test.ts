import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APP, BOT, BROWSER, ENTERPRISE, MESSENGER } from '../testing/agents.ts';
import type { Agent } from './agent.ts';
import { createAgentCache, describeAgent, MAX_AGENT_LENGTH } from './agent.ts';

test.each([
  ['messenger', MESSENGER],
  ['messenger_enterprise', ENTERPRISE],
  ['app', APP],
  ['browser', BROWSER],
  ['bot', BOT],
] as const)('every user agent of a %s is read', (source, fixtures) => {
  for (const [userAgent, expected] of fixtures) expect(describeAgent(userAgent), userAgent).toMatchObject({ source, ...expected });
});

describe('the messenger', () => {
  test('is no bot, whatever else its user agent holds', () => {
    for (const [userAgent] of BOT) {
      expect(describeAgent(`${userAgent} MicroMessenger/8.0.40`).source).toBe('messenger');
      expect(describeAgent(`${userAgent} MicroMessenger/7.0.1 wxwork/4.1.10`).source).toBe('messenger_enterprise');
    }
  });

  test('needs its version mark: its name alone proves nothing', () => {
    expect(describeAgent('Mozilla/5.0 (Windows NT 10.0) MicroMessengerFan Chrome/120.0 Safari/537.36').source).toBe('browser');
  });
});

test('names of administrators come before all others, also where the browser put the maker before the code', () => {
  const names = new Map([
    ['NOH-AN00', { brand: 'Huawei', name: 'Our test phone' }],
    ['XYZ-1234', { brand: 'Xyz', name: 'Xyz One' }],
  ]);
  const agent = (model: string): Agent => describeAgent(`Mozilla/5.0 (Linux; Android 12; ${model} Build/X) Chrome/99.0`, names);
  expect(agent('NOH-AN00').model_name).toBe('Our test phone');
  expect(agent('HUAWEI NOH-AN00').model_name).toBe('Our test phone');
  expect(agent('XYZ-1234')).toMatchObject({ brand: 'Xyz', model: 'XYZ-1234', model_name: 'Xyz One' });
});

describe('hostile user agents', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ maxLength: 2000 }),
    fc
      .array(
        fc.constantFrom(
          'Mozilla/5.0 (',
          'Linux; ',
          'Android 12; ',
          'Build/',
          ')',
          '(',
          ';',
          'MicroMessenger/',
          '\0',
          '\ud800',
          '中',
          'iPhone1,2',
          ' wv',
          'bot',
        ),
        { maxLength: 200 },
      )
      .map((parts) => parts.join('')),
  );

  test('give a whole answer without control characters, of bounded length', () => {
    fc.assert(
      fc.property(text, (userAgent) => {
        const agent = describeAgent(userAgent);
        for (const value of [agent.system, agent.system_version, agent.brand, agent.model, agent.model_name, agent.browser]) {
          expect(value.length).toBeLessThanOrEqual(64);
          expect(value).not.toMatch(/\p{Cc}|\p{Cs}/u);
        }
        expect(typeof agent.is_mobile).toBe('boolean');
        expect(['messenger', 'messenger_enterprise', 'browser', 'app', 'bot']).toContain(agent.source);
      }),
      { numRuns: 1000 },
    );
  });

  test('are read no further than the limit', () => {
    const filler = 'a'.repeat(MAX_AGENT_LENGTH);
    expect(describeAgent(`${filler} MicroMessenger/8.0`).source).not.toBe('messenger');
    expect(describeAgent(`Mozilla/5.0 (iPhone) MicroMessenger/8.0 ${'x'.repeat(64_000)}`)).toEqual(
      describeAgent(`Mozilla/5.0 (iPhone) MicroMessenger/8.0 ${'x'.repeat(64_000)}`.slice(0, MAX_AGENT_LENGTH)),
    );
  });

  test('of 64 kB made to make patterns backtrack are answered like short ones', () => {
    for (const piece of [
      '(',
      ';',
      '; ',
      ' Build/',
      'Mozilla/5.0 (',
      'a-',
      'zh-cn;',
      '://',
      'Android ',
      'bot ',
      '\0',
      '\u202e',
      '1.',
      'iPhone9,',
    ]) {
      const long = piece.repeat(Math.ceil(65_536 / piece.length));
      expect(describeAgent(`Mozilla/5.0 (Linux; Android 9; ${long}`).source).toBeDefined();
      expect(describeAgent(long)).toEqual(describeAgent(long.slice(0, MAX_AGENT_LENGTH)));
    }
  });

  test('keep no control signs or overlong text in the model', () => {
    const agent = describeAgent(`Mozilla/5.0 (Linux; Android 9; A\0B\u202eC\u2028${'d'.repeat(500)} Build/X)`);
    expect(agent.model).toMatch(/^ABCd+$/);
    expect(agent.model.length).toBeLessThanOrEqual(64);
  });
});

describe('the cache', () => {
  test('answers what describeAgent answers, and the same object the second time', () => {
    const cache = createAgentCache(100);
    for (const [userAgent] of [...MESSENGER, ...BROWSER]) {
      expect(cache.describe(userAgent)).toEqual(describeAgent(userAgent));
      expect(cache.describe(userAgent)).toBe(cache.describe(userAgent));
    }
  });

  test('never holds more than its size, and keeps the frequent ones', () => {
    const cache = createAgentCache(100);
    const frequent = MESSENGER[0]?.[0] ?? '';
    const first = cache.describe(frequent);
    for (let i = 0; i < 1000; i += 1) {
      cache.describe(`Mozilla/5.0 (Linux; Android 9; S-${i} Build/X) Chrome/99.0`);
      expect(cache.size()).toBeLessThanOrEqual(100);
      expect(cache.describe(frequent)).toBe(first);
    }
  });

  test('does not keep the parts of a long user agent that nobody reads', () => {
    const cache = createAgentCache(100);
    for (let i = 0; i < 10; i += 1) cache.describe(`${'a'.repeat(MAX_AGENT_LENGTH)}${i}`);
    expect(cache.size()).toBe(1);
  });

  test('learns a new name once it is cleared', () => {
    const names = new Map<string, { brand: string; name: string }>();
    const cache = createAgentCache(10, names);
    const userAgent = 'Mozilla/5.0 (Linux; Android 9; XYZ-1234 Build/X) Chrome/99.0';
    expect(cache.describe(userAgent).model_name).toBe('');
    names.set('XYZ-1234', { brand: 'Xyz', name: 'Xyz One' });
    expect(cache.describe(userAgent).model_name).toBe('');
    cache.clear();
    expect(cache.describe(userAgent).model_name).toBe('Xyz One');
  });
});
