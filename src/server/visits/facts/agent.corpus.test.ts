import { describe, expect, test } from 'vitest';
import { PHONES, SYSTEMS } from './agent.corpus.ts';
import { describeAgent } from './agent.ts';

const brands = [...new Set(PHONES.map(({ brand }) => brand))];
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

describe.each(brands)('of the user agents of %s', (brand) => {
  const samples = PHONES.filter((sample) => sample.brand === brand);
  const read = samples.map((sample) => ({ sample, agent: describeAgent(sample.userAgent) }));

  test('at least 95 % get their brand, though some codes stand in no list', () => {
    const wrong = read.filter(({ sample, agent }) => agent.brand !== sample.brand);
    expect(
      share(read.length - wrong.length, read.length),
      wrong.map(({ sample, agent }) => `${sample.userAgent} ${agent.brand}`).join('\n'),
    ).toBeGreaterThanOrEqual(0.95);
  });

  test('at least 90 % of those with a known name get it', () => {
    const named = read.filter(({ sample }) => sample.name !== '');
    const wrong = named.filter(({ sample, agent }) => agent.model_name.toLowerCase() !== sample.name.toLowerCase());
    expect(
      share(named.length - wrong.length, named.length),
      wrong.map(({ sample, agent }) => `${sample.userAgent} ${agent.model_name} ${sample.name}`).join('\n'),
    ).toBeGreaterThanOrEqual(0.9);
  });
});

test.each(Object.entries(SYSTEMS))('every user agent of %s gets its system', (system, agents) => {
  for (const userAgent of agents) expect(describeAgent(userAgent).system, userAgent).toBe(system);
});
