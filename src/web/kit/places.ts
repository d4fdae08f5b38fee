// not messages: the names under which the address data files countries.
import type { Language } from '../../contract/enums.ts';

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
