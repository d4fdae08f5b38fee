import type { RuleCondition, TargetVerdict } from '../../contract/codes/qr-code-trial.ts';
import { rotationMode } from '../../contract/enums.ts';
import { compileRule, firstMiss, fittingRule, type RuleFacts } from '../kit/visits/targeting.ts';
import { compileCode } from './memory/compile.ts';
import type { Code, Domain, Owner, StoredCode, StoredTarget, Target } from './model.ts';
import type { Leases } from './rotation/leases.ts';
import { type Lease, newQuota } from './rotation/quota.ts';
import { chooseTarget, fittingTargets, isExpired } from './rotation/rotation.ts';
import { decide, type Verdict } from './visits/decide.ts';

export type { Owner, StoredCode, StoredTarget } from './model.ts';

/** The visitor of a trial, and when. */
export interface TrialVisitor {
  facts: RuleFacts;
  at: number;
  is_blocked: boolean;
}

export interface TrialOptions {
  /** With all its targets, switched off or not; those with a threshold have all remaining visits in `remaining`. */
  code: StoredCode;
  owner: Owner;
  /** Ids of targets that are switched off. */
  disabled: ReadonlySet<number>;
  jump_schemes: readonly string[];
  grace_milliseconds: number;
  random?: () => number;
}

export interface Explanation {
  verdict: TargetVerdict;
  rule: number | null;
  share: number;
  misses: { rule: number; condition: RuleCondition }[];
}

export type SimulatedTarget = { outcome: 'passed'; target: Target } | { outcome: 'exhausted' | Refused };
type Refused = Exclude<Verdict, 'load' | 'spend' | 'rotate' | 'entry'>;

/** A code under trial: what the visit path would do with it, on counts of its own. */
export interface Trial {
  code: Code;
  /** Decides one visit as the visit path does, and counts it. */
  visit(visitor: TrialVisitor): SimulatedTarget;
  /** Why each target would be chosen by a visit now, or not; in the order of the code's targets, `chosen` left to who knows it. */
  explain(visitor: TrialVisitor): Explanation[];
  /** Visits left; null is endless. */
  remaining(targetId: number): number | null;
}

/** Any domain of the platform, where every code may answer; that it leads on to a landing domain makes no difference to the end. */
const anywhere: Domain = { id: 0, host: 'trial.invalid', type: 1, holder_id: null, block_status: null, is_frozen: false };

/** Counts that nobody shares: all visits left are in one lease. */
function createCounts(): Pick<Leases, 'quotaOf' | 'take' | 'canAsk'> {
  return {
    quotaOf(target_id, generation, remaining) {
      const left = remaining ?? 0;
      const quota = Object.assign(newQuota(target_id, generation ?? 0, 0), { left, has_others: false, is_ending: true });
      const lease: Lease = { id: 0, left, served: 0, answered: 0, quota };
      quota.leases.push(lease);
      return quota;
    },
    take(quota) {
      if (quota.left === 0) return undefined;
      quota.left -= 1;
      return quota.leases[0];
    },
    canAsk: () => false,
  };
}

export function openTrial({ code: stored, owner, disabled, jump_schemes, grace_milliseconds, random = Math.random }: TrialOptions): Trial {
  const leases = createCounts();
  const enabled = { ...stored, targets: stored.targets.filter(({ id }) => !disabled.has(id)) };
  const code = compileCode(enabled, owner, { leases, jump_schemes, snippets: undefined }, undefined);
  const usable = new Map(code.usable.map((target) => [target.id, target]));
  const rulesOf = new Map(stored.targets.map(({ id, rules }) => [id, rules?.map(compileRule) ?? null]));
  /** Visitors of a simulation come again and again: which targets fit one is found once. */
  const fitting = new Map<RuleFacts, readonly Target[]>();
  const chooser = {
    leases,
    random,
    fittingOf(...[targeting, facts]: Parameters<typeof fittingTargets>) {
      const known = fitting.get(facts) ?? fittingTargets(targeting, facts);
      fitting.set(facts, known);
      return known;
    },
  };

  const judge = ({ facts, at, is_blocked }: TrialVisitor): Verdict =>
    decide({
      domain: anywhere,
      is_blocked,
      code,
      has_landing: false,
      at,
      grace_milliseconds,
      is_source_blocked: false,
      proof: 'spent',
      is_messenger: facts.is_messenger,
    });

  const hasVisits = ({ quota }: Target): boolean => quota === null || quota.left > 0;

  /** Those among whom rotation chooses, as the visit path finds them. */
  function candidatesOf({ facts, at }: TrialVisitor): readonly Target[] {
    const mayServe = (target: Target) => !isExpired(target, at) && hasVisits(target);
    const { targeting } = code;
    if (targeting === null) return code.usable.filter(mayServe);
    const ruled = fittingTargets(targeting, facts).filter(mayServe);
    return ruled.length > 0 ? ruled : targeting.open.filter(mayServe);
  }

  function shareOf(target: Target, candidates: readonly Target[]): number {
    if (!candidates.includes(target)) return 0;
    if (code.rotation_mode === rotationMode.round_robin) return 1 / candidates.length;
    if (code.rotation_mode !== rotationMode.random) return target === candidates[0] ? 1 : 0;
    return target.weight / candidates.reduce((sum, { weight }) => sum + weight, 0);
  }

  function verdictOf(
    stored: StoredTarget,
    target: Target | undefined,
    { facts, at }: TrialVisitor,
    candidates: readonly Target[],
  ): TargetVerdict {
    if (disabled.has(stored.id)) return 'disabled';
    if (isExpired(stored, at)) return 'expired';
    if (target === undefined) return 'unusable';
    if (!hasVisits(target)) return 'used_up';
    const rules = rulesOf.get(stored.id);
    if (rules && fittingRule(rules, facts) < 0) return 'no_rule_fits';
    return candidates.includes(target) ? 'candidate' : 'others_fit';
  }

  return {
    code,
    visit(visitor) {
      const verdict = judge(visitor);
      if (verdict === 'load' || verdict === 'spend' || verdict === 'entry') throw new Error(`a trial never has to ${verdict}`);
      if (verdict !== 'rotate') return { outcome: verdict };
      const choice = chooseTarget(code, visitor.at, chooser, visitor.facts);
      return choice !== null && 'target' in choice ? { outcome: 'passed', target: choice.target } : { outcome: 'exhausted' };
    },
    explain(visitor) {
      const candidates = candidatesOf(visitor);
      const isServed = judge(visitor) === 'rotate';
      return stored.targets.map((one) => {
        const target = usable.get(one.id);
        const rules = rulesOf.get(one.id) ?? [];
        const verdict = verdictOf(one, target, visitor, candidates);
        const rule = fittingRule(rules, visitor.facts);
        const misses = rules.flatMap((compiled, index) => {
          const condition = firstMiss(compiled, visitor.facts);
          return condition === null ? [] : { rule: index, condition };
        });
        return {
          verdict,
          rule: rule < 0 ? null : rule,
          share: isServed && target ? shareOf(target, candidates) : 0,
          misses: verdict === 'no_rule_fits' ? misses : [],
        };
      });
    },
    remaining: (id) => usable.get(id)?.quota?.left ?? null,
  };
}
