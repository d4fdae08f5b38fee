import type { RuleCondition } from '../../../contract/codes/qr-code-trial.ts';
import { type RuleSystem, ruleSystems, type TargetRule } from '../../../contract/codes/targeting.ts';
import { type Carrier, carriers } from '../../../contract/enums.ts';
import { siteClock } from './site-clock.ts';

/** What rules ask of a visitor. Empty texts and a carrier of null are unknown, and fit no condition. */
export interface RuleFacts {
  country: string;
  region: string;
  carrier: Carrier | null;
  system: RuleSystem;
  is_messenger: boolean;
  /** The visitor's first language tag, lower case. */
  language: string;
  /** 0–23, by the site's clock as all three. */
  hour: number;
  /** 1 Monday – 7 Sunday. */
  weekday: number;
  /** `YYYY-MM-DD`. */
  day: string;
}

/** A rule ready to be asked: null where it has no such condition. */
export interface CompiledRule {
  countries: ReadonlySet<string> | null;
  regions: ReadonlySet<string> | null;
  /** Bits of positions in `carriers`, and in `ruleSystems`. */
  carriers: number | null;
  systems: number | null;
  messenger: boolean | null;
  /** Lower case. */
  languages: readonly string[] | null;
  /** Bits of the hours, and of the weekdays. */
  hours: number | null;
  weekdays: number | null;
  from: string | null;
  to: string | null;
}

/** Which facts the rules of a code ask for, so that no others are looked up. */
export interface RuleNeeds {
  place: boolean;
  /** Its system, or whether it is the messenger's. */
  agent: boolean;
}

/** Official names of places end in their kind, which visits leave out: 浙江省 is recorded as 浙江. */
export const plainPlace = (name: string): string =>
  name.replace(/(?<=..)(省|市|特别行政区|维吾尔自治区|壮族自治区|回族自治区|自治区)$/, '');

const setOf = <T>(values: readonly T[] | undefined): ReadonlySet<T> | null => (values === undefined ? null : new Set(values));
const bitsOf = (values: readonly number[] | undefined): number | null =>
  values === undefined ? null : values.reduce((bits, value) => bits | (1 << value), 0);

const bitsBy = <T extends string>(names: readonly T[]) => Object.fromEntries(names.map((name, at) => [name, 1 << at])) as Record<T, number>;
const carrierBits = bitsBy(carriers);
const systemBits = bitsBy(ruleSystems);

const hasBit = (bits: number, position: number): boolean => (bits & (1 << position)) !== 0;

export function compileRule(rule: TargetRule): CompiledRule {
  return {
    countries: setOf(rule.countries),
    regions: setOf(rule.regions?.map(plainPlace)),
    carriers: bitsOf(rule.carriers?.map((carrier) => carriers.indexOf(carrier))),
    systems: bitsOf(rule.systems?.map((system) => ruleSystems.indexOf(system))),
    messenger: rule.messenger ?? null,
    languages: rule.languages?.map((tag) => tag.toLowerCase()) ?? null,
    hours: bitsOf(rule.hours),
    weekdays: bitsOf(rule.weekdays),
    from: rule.from ?? null,
    to: rule.to ?? null,
  };
}

/** One object for all codes with the same needs: the processor has it at hand. */
const knownNeeds = [false, true].flatMap((place) => [false, true].map((agent): RuleNeeds => ({ place, agent })));

export function needsOf(rules: readonly CompiledRule[]): RuleNeeds {
  const place = rules.some(({ countries, regions, carriers }) => countries !== null || regions !== null || carriers !== null);
  const agent = rules.some(({ systems, messenger }) => systems !== null || messenger !== null);
  return knownNeeds.find((needs) => needs.place === place && needs.agent === agent) ?? { place, agent };
}

/** `zh` holds zh-CN and zh-Hant-TW, but not zha. */
function isLanguageIn(tags: readonly string[], given: string): boolean {
  for (const tag of tags) {
    if (given.startsWith(tag) && (given.length === tag.length || given.charCodeAt(tag.length) === 0x2d)) return true;
  }
  return false;
}

/** The first condition of a rule that a visitor fails; null where the rule fits him. */
export function firstMiss(rule: CompiledRule, facts: RuleFacts): RuleCondition | null {
  if (rule.countries !== null && !rule.countries.has(facts.country)) return 'countries';
  if (rule.regions !== null && !rule.regions.has(facts.region)) return 'regions';
  if (rule.carriers !== null && (facts.carrier === null || (rule.carriers & carrierBits[facts.carrier]) === 0)) return 'carriers';
  if (rule.systems !== null && (rule.systems & systemBits[facts.system]) === 0) return 'systems';
  if (rule.messenger !== null && rule.messenger !== facts.is_messenger) return 'messenger';
  if (rule.languages !== null && !isLanguageIn(rule.languages, facts.language)) return 'languages';
  if (rule.hours !== null && !hasBit(rule.hours, facts.hour)) return 'hours';
  if (rule.weekdays !== null && !hasBit(rule.weekdays, facts.weekday)) return 'weekdays';
  if (rule.from !== null && facts.day < rule.from) return 'from';
  return rule.to !== null && facts.day > rule.to ? 'to' : null;
}

/** The position of the first rule that fits, or -1. */
export function fittingRule(rules: readonly CompiledRule[], facts: RuleFacts): number {
  // Asked of every visit of a code with rules: a callback would cost as much as a condition.
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    if (rule !== undefined && firstMiss(rule, facts) === null) return index;
  }
  return -1;
}

export type ClockFacts = Pick<RuleFacts, 'hour' | 'weekday' | 'day'>;

const minuteMilliseconds = 60_000;

/** What the clocks of a time zone show; worked out once a minute, because every change of an offset falls on one. */
export function createRuleClock(zone: string): (at: number) => ClockFacts {
  const clock = siteClock(zone);
  let minute = -1;
  let shown: ClockFacts = { hour: 0, weekday: 1, day: '' };
  return (at) => {
    const current = Math.floor(at / minuteMilliseconds);
    if (current === minute) return shown;
    minute = current;
    const day = clock.dayOf(at);
    shown = { hour: clock.clockHourOf(at), weekday: new Date(`${day}T00:00:00Z`).getUTCDay() || 7, day };
    return shown;
  };
}
