import { expect, test } from 'vitest';
import { groups } from '../../../contract/api.ts';
import type { Call } from '../../../contract/kit/call.ts';
import { start } from './start.ts';

test('what is asked before the contract is there exists and writes nothing: it needs no id to be repeated by', () => {
  const calls = groups as unknown as Record<string, { calls: Record<string, Call> }>;
  for (const { group, action } of Object.values(start))
    expect([group, action, calls[group]?.calls[action]?.writes]).toEqual([group, action, false]);
});
