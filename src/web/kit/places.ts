// not messages: the names under which the address data files countries.
import type { Language } from '../../contract/enums.ts';
import { provinceName, provinceOf } from './charts/chinaTiles.ts';
import { currentLanguage } from './texts/i18n.ts';

/** China as visits record it; its provinces are told apart. */
export const china = '中国';

/** Whether a country, as visits record it, is another one than China. */
export const isForeign = (country: string): boolean => country !== '' && country !== china;

let codes: Map<string, string> | undefined;

/** ISO codes by the Chinese names of countries, as this browser knows them. */
function codesByName(): Map<string, string> {
  if (codes) return codes;
  const names = new Intl.DisplayNames('zh-CN', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  codes = new Map();
  for (const first of letters) {
    for (const second of letters) {
      const name = names.of(first + second);
      if (name !== undefined && !codes.has(name)) codes.set(name, first + second);
    }
  }
  return codes;
}

/** A country in the user's language; visits record its Chinese name, which stays where no other is known. */
export function countryName(recorded: string, language: Language): string {
  if (language === 'zh-CN') return recorded;
  const code = codesByName().get(recorded);
  return (code && new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code)) ?? recorded;
}

/** A province of China in the user's language; any other region keeps the name that it was recorded by. */
export function regionName(recorded: string, language: string): string {
  const province = provinceOf(recorded);
  return province && language !== 'zh-CN' ? provinceName(province, language) : recorded;
}

/** Where a visit came from, as visits record it: Chinese names, empty where nothing is known. */
export type Place = { country: string; region: string; city: string };

/** Country, region and city as far as they are known, without saying the same twice (北京 北京). Cities keep their Chinese names. */
export function placeOf({ country, region, city }: Place, language: Language = currentLanguage()): string {
  const parts = [country && countryName(country, language), region !== country && regionName(region, language)];
  if (city !== region && city !== country) parts.push(city);
  return parts.filter(Boolean).join(' ') || '–';
}

/** The same where most places are at home: no country where the province is known. A region abroad alone tells few where it is. */
export const shortPlaceOf = (place: Place, language?: Language): string =>
  placeOf({ ...place, country: place.region && !isForeign(place.country) ? '' : place.country }, language);

/** Regions of China, which visits record as its provinces, and names of no country. */
const notCountries = new Set([
  ...['HK', 'MO', 'TW'],
  ...['EU', 'EZ', 'UN', 'ZZ', 'QO', 'XA', 'XB', 'AC', 'CP', 'CQ', 'DG', 'EA', 'IC', 'TA'],
]);

/** The names under which visits can record countries, China first. */
export function recordedCountries(): string[] {
  const names = [...codesByName()].filter(([, code]) => !notCountries.has(code)).map(([name]) => name);
  return [china, ...names.filter((name) => name !== china)];
}
