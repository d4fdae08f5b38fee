import type { Concept, Refused } from '../../src/locales/glossary.ts';
import type { Messages } from './catalogues.ts';

/** Languages that write no spaces between words: a refused word is found anywhere. */
const unspaced = /^(zh|th|ja)/;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The words of a term in one expression, beside the expressions that it has itself. */
function patternsOf(not: readonly Refused[], language: string): RegExp[] {
  const words = not.filter((refused) => typeof refused === 'string').map(escaped);
  const expressions = not.filter((refused) => refused instanceof RegExp);
  if (words.length === 0) return expressions;
  const any = `(?:${words.join('|')})`;
  return [unspaced.test(language) ? new RegExp(any) : new RegExp(`(?<![\\p{L}-])${any}(?![\\p{L}-])`, 'iu'), ...expressions];
}

const keyPattern = (key: string): RegExp => new RegExp(`^${key.split('*').map(escaped).join('.*')}$`);

const visitorPages: Record<string, string> = { visitor_page: 'texts', report_page: 'report-texts' };

function fileOf(language: string, key: string): string {
  const file = key.split('.', 1)[0] ?? '';
  const page = visitorPages[file];
  return page ? `src/server/redirect/pages/${page}.ts` : `src/locales/${language}`;
}

/** Texts with a word that the glossary refuses, and exceptions that excuse no text any more. */
export function checkGlossary(catalogues: Record<string, Messages>, glossary: readonly Concept[]): string[] {
  const faults: string[] = [];
  const said = Object.fromEntries(
    Object.entries(catalogues).map(([language, messages]) => [
      language,
      Object.entries(messages).map(([key, text]) => [key, text.replace(/\{\{.*?\}\}/g, '{{}}')] as const),
    ]),
  );
  for (const { means, words, right_in = {} } of glossary) {
    const exceptions = Object.keys(right_in).map((key) => ({ key, pattern: keyPattern(key), used: false }));
    for (const [language, term] of Object.entries(words)) {
      const patterns = patternsOf(term.not, language);
      for (const [key, text] of said[language] ?? []) {
        const word = patterns.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
        if (word === undefined) continue;
        const exception = exceptions.find(({ pattern }) => pattern.test(key));
        if (exception) exception.used = true;
        else faults.push(`${fileOf(language, key)}: ${key} says “${word}”; say ${term.say} (${means})`);
      }
    }
    for (const { key, used } of exceptions) if (!used) faults.push(`src/locales/glossary.ts: ${key} needs no exception (${means})`);
  }
  return faults;
}
