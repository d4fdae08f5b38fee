import { readdirSync, readFileSync } from 'node:fs';
import { type Language, languages } from '../../contract/enums.ts';

type Tree = { [key: string]: string | Tree };

const folder = new URL('../../locales/', import.meta.url);

function flatten(tree: Tree, prefix: string, into: Map<string, string>): void {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') into.set(prefix + key, value);
    else flatten(value, `${prefix}${key}.`, into);
  }
}

function load(language: Language): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(new URL(`${language}/`, folder))) {
    if (file.endsWith('.json'))
      flatten(JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8')) as Tree, `${file.slice(0, -5)}.`, texts);
  }
  return texts;
}

const catalogues = new Map<Language, Map<string, string>>();

/** The text of a key such as `errors.not_found`, `{{name}}` replaced by the parameters; the key itself where no language has it. */
export function translate(language: Language, key: string, params: Record<string, string | number> = {}): string {
  const texts = catalogues.get(language) ?? load(language);
  catalogues.set(language, texts);
  const text = texts.get(key);
  if (text === undefined) return key;
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => String(params[name] ?? whole));
}

/** The first language of an `Accept-Language` header that the product speaks; entries beyond the first ten are not looked at. */
export function languageOf(header: string | undefined, fallback: Language): Language {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',', 10)
    .map((entry) => {
      const [tag = '', quality = 'q=1'] = entry.trim().toLowerCase().split(';');
      return { tag, quality: Number(quality.trim().slice(2)) || 0 };
    })
    .sort((one, other) => other.quality - one.quality);
  for (const { tag } of wanted) {
    const found =
      languages.find((language) => language.toLowerCase() === tag) ??
      languages.find((language) => tag !== '' && language.toLowerCase().split('-')[0] === tag.split('-')[0]);
    if (found) return found;
  }
  return fallback;
}
