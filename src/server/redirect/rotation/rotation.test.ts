import { describe, expect, it } from 'vitest';
import { rotationMode } from '../../../contract/enums.ts';
import { ruleFacts } from '../../kit/testing/visitor.ts';
import { compileCode } from '../memory/compile.ts';
import type { Code, Owner, StoredCode, StoredTarget } from '../model.ts';
import { createLeases } from './leases.ts';
import { chooseTarget } from './rotation.ts';

const now = Date.UTC(2026, 5, 1);
const owner: Owner = { id: 9, is_disabled: false, is_frozen: false, member_expires_at: null, all_codes_open: true };
const leases = createLeases({
  query: () => Promise.reject(new Error('endless targets ask for nothing')),
  source: 'r0',
  isConnected: () => true,
  onFault: () => {},
});

const target = (id: number, changes: Partial<StoredTarget> = {}): StoredTarget => ({
  id,
  kind: 'url',
  content: `https://target.example/${id}`,
  picture: null,
  any_picture: false,
  name: '',
  weight: 1,
  is_limited: false,
  generation: null,
  remaining: null,
  expires_at: null,
  rules: null,
  ...changes,
});

function codeWith(rotation_mode: number, targets: StoredTarget[], before?: Code) {
  const stored: StoredCode = {
    id: 5,
    file_name: 'abcd',
    owner_id: 9,
    entry_domain_id: null,
    landing_domain_id: null,
    open: true,
    rotation_mode,
    jump_type: 1,
    access_mode: 1,
    restriction_visit: 1,
    open_log: true,
    fallback_url: null,
    page_title: '',
    page_text: '',
    page_style: 'card',
    page_color: null,
    expires_at: null,
    removed: false,
    is_frozen: false,
    same_target: false,
    js_config_ids: [],
    targets,
  };
  return compileCode(stored, owner, { leases, jump_schemes: [], snippets: undefined }, before);
}

const somebody = ruleFacts();

/** How often each target is chosen; chances are evenly spread instead of drawn, so that shares are exact. */
function sharesOf(code: Code, visits: number, at = now): Record<number, number> {
  const shares: Record<number, number> = {};
  for (let visit = 0; visit < visits; visit += 1) {
    const choice = chooseTarget(code, at, { leases, random: () => (visit + 0.5) / visits }, somebody);
    if (choice === null || !('target' in choice)) throw new Error('every visit finds a target');
    shares[choice.target.id] = (shares[choice.target.id] ?? 0) + 1;
  }
  return shares;
}

describe('targets without a threshold', () => {
  it('share random visits by their weights', () => {
    const code = codeWith(rotationMode.random, [target(1, { weight: 1 }), target(2, { weight: 2 }), target(3, { weight: 7 })]);
    expect(sharesOf(code, 1000)).toEqual({ 1: 100, 2: 200, 3: 700 });
  });

  it('are drawn as often as their weights say when chances are really random', () => {
    const code = codeWith(rotationMode.random, [target(1, { weight: 1 }), target(2, { weight: 3 })]);
    let first = 0;
    for (let visit = 0; visit < 100_000; visit += 1) {
      const choice = chooseTarget(code, now, { leases, random: Math.random });
      if (choice !== null && 'target' in choice && choice.target.id === 1) first += 1;
    }
    // Six standard deviations: less than one run in 500 million is outside.
    expect(Math.abs(first - 25_000)).toBeLessThan(6 * Math.sqrt(100_000 * 0.25 * 0.75));
  });

  it('take turns, and go on behind those whose time is over', () => {
    const code = codeWith(rotationMode.round_robin, [target(1), target(2), target(3, { expires_at: now + 1000 })]);
    expect(sharesOf(code, 300)).toEqual({ 1: 100, 2: 100, 3: 100 });
    expect(sharesOf(code, 300, now + 1000)).toEqual({ 1: 150, 2: 150 });
  });

  it('are served in their order: the first one for as long as it lasts', () => {
    const code = codeWith(rotationMode.sequential, [target(1, { expires_at: now + 1000 }), target(2)]);
    expect(sharesOf(code, 10)).toEqual({ 1: 10 });
    expect(sharesOf(code, 10, now + 1000)).toEqual({ 2: 10 });
  });

  it.each(Object.values(rotationMode))('find the only target and its end in mode %i', (mode) => {
    const code = codeWith(mode, [target(1, { expires_at: now + 1000 }), target(2, { content: 'javascript:alert(1)' })]);
    expect(sharesOf(code, 10)).toEqual({ 1: 10 });
    expect(chooseTarget(code, now + 1000, { leases, random: () => 0 })).toBe(null);
  });

  it('are not there where a code has none', () => {
    for (const mode of Object.values(rotationMode)) expect(chooseTarget(codeWith(mode, []), now, { leases, random: () => 0 })).toBe(null);
  });
});

describe('targets with rules that take turns', () => {
  const ruled = (...ids: number[]) => ids.map((id) => target(id, { rules: [{ messenger: true }] }));
  const open = [target(1), target(2)];

  it('go on where they were when the code changes', () => {
    const code = codeWith(rotationMode.round_robin, ruled(1, 2, 3));
    expect(sharesOf(code, 4)).toEqual({ 1: 2, 2: 1, 3: 1 });
    expect(sharesOf(codeWith(rotationMode.round_robin, ruled(1, 2, 3), code), 2)).toEqual({ 2: 1, 3: 1 });
  });

  it('begin anew when rules were taken away and come back, so that nobody has to catch up', () => {
    const first = codeWith(rotationMode.round_robin, ruled(1, 2));
    expect(sharesOf(first, 1001)).toEqual({ 1: 501, 2: 500 });
    const without = codeWith(rotationMode.round_robin, open, first);
    expect(sharesOf(without, 10)).toEqual({ 1: 5, 2: 5 });
    expect(sharesOf(codeWith(rotationMode.round_robin, ruled(1, 2), without), 100)).toEqual({ 1: 50, 2: 50 });
  });
});
