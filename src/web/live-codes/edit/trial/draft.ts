import dayjs from 'dayjs';
import type { TrialDraft, TrialVisitor } from '../../../../contract/codes/qr-code-trial.ts';
import type { RuleSystem, TargetRule } from '../../../../contract/codes/targeting.ts';
import { china } from '../../../kit/places.ts';
import { inZone } from '../../../kit/texts/time.ts';
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

export type Clock = { now: number; timeZone: string };
const hourMilliseconds = 3_600_000;
/** Every hour of every weekday comes within a week; one day more holds where clocks change. */
const searchedHours = 8 * 24;

/** The first moment from now on that fits a rule's hours, weekdays and days; undefined where it asks for none, or the days are over. */
function momentOf({ hours, weekdays, from, to }: TargetRule, { now, timeZone }: Clock): string | undefined {
  if (!hours && !weekdays && !from && !to) return undefined;
  const first = from ? Math.max(now, dayjs.tz(from, timeZone).valueOf()) : now;
  for (let hour = 0; hour < searchedHours; hour += 1) {
    const at = inZone(first + hour * hourMilliseconds, timeZone);
    const isWeekday = !weekdays || weekdays.includes(at.day() === 0 ? 7 : at.day());
    if (to && at.format('YYYY-MM-DD') > to) return undefined;
    if (isWeekday && (!hours || hours.includes(at.hour()))) return at.toISOString();
  }
  return undefined;
}

/** A visitor whom a rule fits, by the first of each of its conditions. */
export function visitorOf(rule: TargetRule, clock: Clock): TrialVisitor {
  const region = rule.regions?.[0];
  const country = rule.countries?.[0] ?? (region === undefined ? undefined : china);
  const visitor = {
    country,
    region,
    carrier: rule.carriers?.[0],
    system: rule.systems?.[0],
    messenger: rule.messenger,
    language: rule.languages?.[0],
    at: momentOf(rule, clock),
  };
  return Object.fromEntries(Object.entries(visitor).filter(([, value]) => value !== undefined));
}

const mostRuled = 19;

/** One visitor for each rule and one of whom nothing is known, all equally often. */
export function mixedVisitors(values: CodeValues, clock: Clock): { share: number; visitor: TrialVisitor }[] {
  const ruled = values.targets.flatMap(({ rules }) => rules ?? []).map((rule) => visitorOf(rule, clock));
  const different = [...new Map(ruled.map((visitor) => [JSON.stringify(visitor), visitor])).values()];
  return [...different.slice(0, mostRuled), {}].map((visitor) => ({ share: 1, visitor }));
}
