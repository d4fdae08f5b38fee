import type { TFunction } from 'i18next';
import type { TargetRule } from '../../../../contract/codes/targeting.ts';
import { countryName, regionName } from '../../../kit/places.ts';

/** What words are made with: the messages and the language of the user. */
export type Wording = { t: TFunction; language: string };

/** Numbers in rising order as stretches without a gap: 1, 2, 3, 6 is 1–3 and 6. */
export function stretchesOf(numbers: readonly number[]): [first: number, last: number][] {
  const stretches: [number, number][] = [];
  for (const number of [...new Set(numbers)].toSorted((one, other) => one - other)) {
    const present = stretches.at(-1);
    if (present && present[1] === number - 1) present[1] = number;
    else stretches.push([number, number]);
  }
  return stretches;
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** Hours 0–23 as times of the day, a night that goes over midnight in one: 22, 23, 0, 1 is 22:00–02:00. */
export function hourStretches(hours: readonly number[]): string[] {
  const stretches = stretchesOf(hours);
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first && last && first !== last && first[0] === 0 && last[1] === 23) {
    stretches.shift();
    last[1] = first[1];
  }
  return stretches.map(([from, to]) => `${clock(from)}–${clock(to === 23 ? 24 : to + 1)}`);
}

const wholeDay = 24;
const wholeWeek = 7;

/** The conditions of a rule in words, in the order of the editor; all of them must hold. */
function rulePhrases(rule: TargetRule, { t, language }: Wording): string[] {
  const phrase = (values: readonly string[]) => (values.length > 0 ? values.join(t('common.comma')) : []);
  const {
    countries = [],
    regions = [],
    carriers = [],
    systems = [],
    messenger,
    languages = [],
    hours = [],
    weekdays = [],
    from,
    to,
  } = rule;
  return [
    phrase(countries.map((country) => countryName(country, language))),
    phrase(regions.map((region) => regionName(region, language))),
    phrase(carriers.map((carrier) => t(`set_qr_code.targeting.carrier.${carrier}`))),
    phrase(systems.map((system) => t(`set_qr_code.targeting.system.${system}`))),
    messenger === undefined ? [] : t(messenger ? 'set_qr_code.targeting.in_messenger' : 'set_qr_code.targeting.outside_messenger'),
    phrase(languages.map((tag) => languageName(tag, language))),
    hours.length >= wholeDay ? [] : phrase(hourStretches(hours)),
    weekdays.length >= wholeWeek ? [] : phrase(weekdayStretches(weekdays, t)),
    from !== undefined && to !== undefined
      ? t('set_qr_code.targeting.phrase.between', { from, to })
      : [
          ...(from === undefined ? [] : [t('set_qr_code.targeting.phrase.from', { from })]),
          ...(to === undefined ? [] : [t('set_qr_code.targeting.phrase.to', { to })]),
        ],
  ].flat();
}

function weekdayStretches(weekdays: readonly number[], t: Wording['t']): string[] {
  const name = (day: number) => t(`set_qr_code.targeting.weekday.${day}`);
  return stretchesOf(weekdays).flatMap(([from, to]) => {
    if (from === to) return name(from);
    return to === from + 1 ? [name(from), name(to)] : t('set_qr_code.targeting.range', { from: name(from), to: name(to) });
  });
}

/** A language tag by its name in the user's language. */
export function languageName(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** One rule in a line. */
export const ruleLine = (rule: TargetRule, wording: Wording): string =>
  rulePhrases(rule, wording).join(wording.t('set_qr_code.targeting.and')) || wording.t('set_qr_code.targeting.always');

/** All rules of a target in a line, of which one must fit. */
export const rulesLine = (rules: readonly TargetRule[], wording: Wording): string =>
  rules.map((rule) => ruleLine(rule, wording)).join(wording.t('set_qr_code.targeting.or'));
