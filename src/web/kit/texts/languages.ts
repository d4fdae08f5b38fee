import { type BuiltInLanguage, isBuiltInLanguage, type Language } from '../../../contract/enums.ts';
import { readLocal, writeLocal } from '../local.ts';

export const defaultLanguage: BuiltInLanguage = 'zh-CN';

/** The code of a language as it can stand in an address or in `lang`; anything else in this browser's storage is forgotten. */
const codePattern = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/;

const bases = new Map<Language, BuiltInLanguage>();

/** Keeps which built-in language an added one is made from; the chosen one's is needed before the site has answered. */
export function keepBases(offered: readonly { code: Language; base: BuiltInLanguage }[]): void {
  for (const { code, base } of offered) bases.set(code, base);
  const chosen = offered.find(({ code }) => code === readLocal('language'));
  if (chosen) writeLocal('language_base', chosen.base);
}

/** The built-in language whose messages, formats and library words a language uses. */
export function baseOf(language: Language): BuiltInLanguage {
  if (isBuiltInLanguage(language)) return language;
  const kept = bases.get(language) ?? readLocal('language_base');
  return isBuiltInLanguage(kept) ? kept : defaultLanguage;
}

/** The language chosen in this browser, or null while nobody chose one. */
export function chosenLanguage(): Language | null {
  const chosen = readLocal('language');
  return chosen !== null && codePattern.test(chosen) ? chosen : null;
}
