import type { TrialDraft, TrialVisitor } from '../../../../contract/qr-code-trial.ts';
import type { RuleSystem, TargetRule } from '../../../../contract/targeting.ts';
import { china } from '../../../kit/places.ts';
import { type LiveTargets, visitsLeft } from '../../preview/decide.ts';
import type { CodeValues, TargetValues } from '../values.ts';

/** A target as it would be saved, with the visits that it would have left. */
function draftTarget({ id, kind, content, name, weight, threshold, enabled, expires_at, rules, ...rest }: TargetValues, live: LiveTargets) {
  const remaining = visitsLeft({ id, kind, content, name, weight, threshold, enabled, expires_at, rules, ...rest }, live);
  const common = { kind, content: content ?? '', name: name ?? '', weight: weight ?? 1, threshold, enabled, expires_at, rules, remaining };
  return id === undefined ? common : { id, ...common };
}

/** What the form holds, saved or not, as it is tried out. */
export const draftOf = (values: CodeValues, live: LiveTargets): TrialDraft => ({
  targets: values.targets.map((target) => draftTarget(target, live)),
  rotation_mode: values.rotation_mode,
  restriction_visit: values.restriction_visit,
  open: values.open,
  expires_at: values.expires_at,
  fallback_url: values.fallback_url || null,
});

const systems: readonly [RegExp, RuleSystem][] = [
  [/openharmony|harmonyos/i, 'harmonyos'],
  [/iphone|ipad|ipod/i, 'ios'],
  [/android/i, 'android'],
  [/windows nt/i, 'windows'],
  [/mac os x/i, 'macos'],
  [/linux/i, 'linux'],
];

/** The visitor who holds this device, now. */
export function thisDevice(userAgent: string, language: string): TrialVisitor {
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';
  return { system, messenger: /micromessenger/i.test(userAgent), language };
}

/** A visitor whom a rule fits, by the first of each of its conditions; undefined where time of day, weekday or date would have to fit. */
export function visitorOf(rule: TargetRule): TrialVisitor {
  const region = rule.regions?.[0];
  const country = rule.countries?.[0] ?? (region === undefined ? undefined : china);
  const visitor = {
    country,
    region,
    carrier: rule.carriers?.[0],
    system: rule.systems?.[0],
    messenger: rule.messenger,
    language: rule.languages?.[0],
  };
  return Object.fromEntries(Object.entries(visitor).filter(([, value]) => value !== undefined));
}

const mostRuled = 19;

/** One visitor for each rule and one of whom nothing is known, all equally often. */
export function mixedVisitors(values: CodeValues): { share: number; visitor: TrialVisitor }[] {
  const ruled = values.targets.flatMap(({ rules }) => rules ?? []).map(visitorOf);
  const different = [...new Map(ruled.map((visitor) => [JSON.stringify(visitor), visitor])).values()];
  return [...different.slice(0, mostRuled), {}].map((visitor) => ({ share: 1, visitor }));
}
