import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ruleFacts } from '../kit/testing/visitor.ts';
import type { RuleFacts } from '../kit/visits/targeting.ts';
import type { StoredCode, StoredTarget } from './model.ts';
import { openTrial } from './trial.public.ts';

const now = Date.UTC(2026, 5, 1);
const owner = { id: 9, is_disabled: false, is_frozen: false, member_expires_at: null, all_codes_open: true };
const somebody = ruleFacts({ system: 'ios', is_messenger: false, hour: 8 });
const visitor = (facts: Partial<RuleFacts> = {}) => ({ facts: { ...somebody, ...facts }, at: now, is_blocked: false });

const target = (id: number, changes: Partial<StoredTarget> = {}): StoredTarget => ({
  id,
  kind: 'url',
  content: `https://target.example/${id}`,
  picture: null,
  any_picture: false,
  name: '',
  weight: 1,
  is_limited: changes.remaining !== undefined && changes.remaining !== null,
  generation: null,
  remaining: null,
  expires_at: null,
  rules: null,
  ...changes,
});

function trialOf(targets: StoredTarget[], { disabled = [] as number[], ...code }: Partial<StoredCode> & { disabled?: number[] } = {}) {
  const stored: StoredCode = {
    id: 5,
    file_name: 'abcd',
    owner_id: 9,
    entry_domain_id: null,
    landing_domain_id: null,
    open: true,
    rotation_mode: 1,
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
    ...code,
  };
  return openTrial({ code: stored, owner, disabled: new Set(disabled), jump_schemes: [], grace_milliseconds: 0 });
}

describe('a trial', () => {
  it('says of each target why it is taken or not, by what comes first', () => {
    const trial = trialOf(
      [
        target(1, { rules: [{ systems: ['ios'] }] }),
        target(2, { expires_at: now }),
        target(3, { kind: 'picture' }),
        target(4, { remaining: 0, rules: [{ systems: ['ios'] }] }),
        target(5, { rules: [{ systems: ['android'] }, { hours: [8], regions: ['江苏'] }] }),
        target(6),
        target(7, { rules: [{ systems: ['macos'] }, { regions: ['浙江'] }] }),
        target(8, { rules: [{ hours: [9] }] }),
      ],
      { disabled: [8] },
    );
    expect(trial.explain(visitor())).toEqual([
      { verdict: 'candidate', rule: 0, share: 1, misses: [] },
      { verdict: 'expired', rule: null, share: 0, misses: [] },
      { verdict: 'unusable', rule: null, share: 0, misses: [] },
      { verdict: 'used_up', rule: 0, share: 0, misses: [] },
      {
        verdict: 'no_rule_fits',
        rule: null,
        share: 0,
        misses: [
          { rule: 0, condition: 'systems' },
          { rule: 1, condition: 'regions' },
        ],
      },
      { verdict: 'others_fit', rule: null, share: 0, misses: [] },
      { verdict: 'candidate', rule: 1, share: 0, misses: [] },
      { verdict: 'disabled', rule: null, share: 0, misses: [] },
    ]);
    expect(trial.visit(visitor())).toMatchObject({ outcome: 'passed', target: { id: 1 } });
  });

  it('shares visitors by weight at random, evenly in turns', () => {
    const targets = [target(1, { weight: 3 }), target(2), target(3, { rules: [{ systems: ['android'] }], weight: 9 })];
    expect(
      trialOf(targets, { rotation_mode: 2 })
        .explain(visitor())
        .map(({ share }) => share),
    ).toEqual([0.75, 0.25, 0]);
    expect(
      trialOf(targets, { rotation_mode: 3 })
        .explain(visitor())
        .map(({ share }) => share),
    ).toEqual([0.5, 0.5, 0]);
  });

  it.each([
    ['closed', { open: false }],
    ['closed', { expires_at: now }],
    ['not_found', { removed: true }],
    ['not_messenger', { restriction_visit: 2 }],
  ])('is %s like the code itself', (outcome, code) => {
    const trial = trialOf([target(1)], code);
    expect(trial.visit(visitor())).toEqual({ outcome });
    expect(trial.explain(visitor())).toEqual([{ verdict: 'candidate', rule: null, share: 0, misses: [] }]);
  });

  it('refuses blocked addresses first, and takes a scan-only code as scanned', () => {
    expect(trialOf([target(1)], { open: false }).visit({ ...visitor(), is_blocked: true })).toEqual({ outcome: 'blocked_ip' });
    expect(trialOf([target(1)], { access_mode: 2 }).visit(visitor())).toMatchObject({ outcome: 'passed' });
  });

  it('goes where its explanation says, until nothing is left, for any targets', () => {
    const systems = fc.constantFrom('ios' as const, 'android' as const, 'other' as const);
    const targets = fc.array(
      fc.record({
        remaining: fc.option(fc.nat(3)),
        weight: fc.integer({ min: 1, max: 5 }),
        rules: fc.option(
          fc.array(fc.record({ systems: fc.array(systems, { minLength: 1, maxLength: 2 }) }), { minLength: 1, maxLength: 2 }),
        ),
        expires_at: fc.option(fc.constantFrom(now - 1, now + 1)),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(
        targets,
        fc.constantFrom(1, 2, 3),
        fc.array(systems, { minLength: 1, maxLength: 30 }),
        (drawn, rotation_mode, visitors) => {
          const trial = trialOf(
            drawn.map((changes, index) => target(index + 1, changes)),
            { rotation_mode },
          );
          for (const system of visitors) {
            const explained = trial.explain(visitor({ system }));
            const possible = explained.flatMap(({ verdict, share }, index) => (verdict === 'candidate' && share > 0 ? index + 1 : []));
            const total = explained.reduce((sum, { share }) => sum + share, 0);
            const went = trial.visit(visitor({ system }));
            if (went.outcome === 'passed') {
              expect(possible).toContain(went.target.id);
              expect(total).toBeCloseTo(1);
            } else expect({ outcome: went.outcome, possible }).toEqual({ outcome: 'exhausted', possible: [] });
          }
        },
      ),
    );
  });
});
