import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type BuiltInLanguage, type Language, languages } from '../../../contract/enums.ts';
import { countOf } from '../../../contract/kit/count.ts';

type Tree = { [key: string]: string | Tree };

/** A language as this process speaks it: the texts of its base, with others in their place at some keys. */
export type SupportedLocale = { code: Language; base: BuiltInLanguage; is_offered: boolean; texts: ReadonlyMap<string, string> };
export type SiteLanguages = { default_language: BuiltInLanguage; spoken: ReadonlyMap<Language, SupportedLocale> };

const folder = new URL('../../../locales/', import.meta.url);

function flatten(tree: Tree, prefix: string, into: Map<string, string>): void {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') into.set(prefix + key, value);
    else flatten(value, `${prefix}${key}.`, into);
  }
}

function load(language: BuiltInLanguage): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(new URL(`${language}/`, folder), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.json'))
      flatten(JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8')) as Tree, `${basename(file, '.json')}.`, texts);
  }
  return texts;
}

const catalogues = new Map<BuiltInLanguage, ReadonlyMap<string, string>>();

/** Every text of a built-in language by its whole key. */
export function builtInTexts(language: BuiltInLanguage): ReadonlyMap<string, string> {
  const texts = catalogues.get(language) ?? load(language);
  catalogues.set(language, texts);
  return texts;
}

// One per process, as the catalogues are: what is said to a caller is the same wherever it is said.
let site: SiteLanguages = {
  default_language: 'zh-CN',
  spoken: new Map(languages.map((code) => [code, { code, base: code, is_offered: true, texts: new Map() }])),
};

/** From now on this process has these languages and texts. Called by the reader of the tables when they changed. */
export function setLocales(languagesOfSite: SiteLanguages): void {
  site = languagesOfSite;
}

/** Whether the site has this language, offered or not. */
export const isSupportedLocale = (language: Language): boolean => site.spoken.has(language);

/** The form of a text for a number, where the language has one of its own: `line_one` beside `line`. */
const formOf = (key: string, count: number, base: BuiltInLanguage): string => `${key}_${new Intl.PluralRules(base).select(count)}`;

/**
 * The text of a key such as `errors.not_found`, `{{name}}` replaced by the parameters; the key itself where no language has it. It is the form
 * for their number, see `countOf`, as in the web app.
 */
export function translate(language: Language, key: string, params: Record<string, string | number> = {}): string {
  const spoken = site.spoken.get(language);
  const base = spoken?.base ?? site.default_language;
  const textOf = (wanted: string) => spoken?.texts.get(wanted) ?? builtInTexts(base).get(wanted);
  const count = countOf(params);
  const text = (count === undefined ? undefined : textOf(formOf(key, count, base))) ?? textOf(key);
  if (text === undefined) return key;
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** Chinese of these regions, or of this script, is written in traditional characters. */
const traditional = /^zh-(hant|tw|hk|mo)\b/;
const firstPart = (tag: string): string => tag.toLowerCase().split('-', 1)[0] ?? '';

/**
 * The first language of an `Accept-Language` header that the site offers, else the site's own; entries beyond the first ten are not
 * looked at.
 */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',', 10)
    .map((entry) => {
      const [tag = '', quality = 'q=1'] = entry.trim().toLowerCase().split(';');
      return { tag, quality: Number(quality.trim().slice(2)) || 0 };
    })
    .sort((one, other) => other.quality - one.quality);
  const offered = [...site.spoken.values()].filter((language) => language.is_offered).map((language) => language.code);
  for (const { tag } of wanted) {
    const found =
      offered.find((code) => code.toLowerCase() === tag) ??
      offered.find((code) => traditional.test(tag) && code === 'zh-TW') ??
      offered.find((code) => tag !== '' && firstPart(code) === firstPart(tag));
    if (found) return found;
  }
  return site.default_language;
}
