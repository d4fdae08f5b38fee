import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { glossary } from '../src/locales/glossary.ts';
import { reportTexts } from '../src/server/redirect/pages/report-texts.ts';
import { texts } from '../src/server/redirect/pages/texts.ts';
import { checkCatalogues, flatten, type Messages, patternOf, pluralBase } from './messages/catalogues.ts';
import { checkGlossary } from './messages/glossary.ts';
import { readSource, type Source } from './messages/sources.ts';

export type Report = { errors: string[]; warnings: string[] };

/** Keys that data names and no screen spells out: the server's codes and words, the menu's nodes, the settings. */
const namedByData =
  /^((errors|menu|push_text|settings)\.|common\.(crud|field|lines)\.|async_operations\.(kind|message)\.|set_qr_code\.(reminder|exhausted_notice)\.|(js_config|login|webhook|telegram_bot_binding)\.notice\.|telegram_bot_binding\.(command|renewal|reply)\.|(no_domain_name|report_list|withdrawal_list)\.message\.|bill\.alert\.|visit_digest\.text\.|export_domain_resolution\.host_unicode$|qr_code\.unnamed$|[a-z_]+\.(empty_help$|line_)|log\.(action|column|group|nobody|title|sentence|sentence_as|conversion_failed)\b)/;

/** A screen's field without words of its own has those that all screens share. */
const sharedField = (key: string): string => key.replace(/^[a-z_]+\.(?=[a-z_]+$)/, 'common.field.');

/** Compares the message files with each other and with what the sources ask for. */
export function checkMessages(catalogues: Record<string, Messages>, sources: readonly Source[]): Report {
  const errors = checkCatalogues(catalogues);
  const keys = new Set(Object.values(catalogues).flatMap((messages) => Object.keys(messages)));
  const files = new Set([...keys].map((key) => key.split('.', 1)[0] ?? ''));
  const mentioned = new Set<string>();
  for (const source of sources) {
    const found = readSource(source, files);
    for (const { key, line, own } of found.keys)
      if (!keys.has(key) && (own || !keys.has(sharedField(key)))) errors.push(`${source.path}:${line}: there is no message ${key}`);
    for (const { parts, line } of found.templates) {
      const matching = [...keys].filter((key) => patternOf(parts).test(key));
      for (const key of matching) mentioned.add(key);
      if (matching.length === 0) errors.push(`${source.path}:${line}: no message matches ${parts.join('…')}`);
    }
    for (const { text, line } of found.literals) errors.push(`${source.path}:${line}: literal text, use a message: ${text}`);
    for (const text of found.mentions) mentioned.add(text);
  }
  // Lists and forms name a screen's field by its last part alone.
  const isNamed = (key: string) => mentioned.has(key) || (key.split('.').length === 2 && mentioned.has(key.slice(key.indexOf('.') + 1)));
  const unused = [...keys].filter((key) => !isNamed(key) && !isNamed(pluralBase(key) ?? key) && !namedByData.test(key));
  return { errors, warnings: unused.sort().map((key) => `unused message: ${key}`) };
}

const root = new URL('../', import.meta.url);

export function readCatalogues(): Record<string, Messages> {
  const folder = new URL('src/locales/', root);
  const languages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(
    languages.map(({ name }) => {
      const all = readdirSync(new URL(`${name}/`, folder), { recursive: true, encoding: 'utf8' });
      const files = all.filter((file) => file.endsWith('.json'));
      const trees = files.map((file) => {
        const tree: unknown = JSON.parse(readFileSync(new URL(`${name}/${file}`, folder), 'utf8'));
        return flatten(tree, basename(file, '.json'));
      });
      return [name, Object.assign({}, ...trees) as Messages];
    }),
  );
}

/** Locales and visitor pages, whose words stand in the sources of the redirect, are held to one glossary. */
export function checkWords(catalogues: Record<string, Messages>): string[] {
  const all = Object.entries(catalogues).map(([language, messages]) => {
    const own = language as keyof typeof texts;
    return [language, { ...messages, ...flatten(texts[own] ?? {}, 'visitor_page'), ...flatten(reportTexts[own] ?? {}, 'report_page') }];
  });
  return checkGlossary(Object.fromEntries(all), glossary);
}

export function readSources(): Source[] {
  const folder = new URL('src/web/', root);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$|(^|\/)testing\//.test(path))
    .map((path) => ({ path: `src/web/${path}`, text: readFileSync(new URL(path, folder), 'utf8') }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const catalogues = readCatalogues();
  const { errors, warnings } = checkMessages(catalogues, readSources());
  errors.push(...checkWords(catalogues));
  for (const warning of warnings) console.warn(`warning: ${warning}`);
  for (const error of errors) console.error(error);
  console.log(errors.length > 0 ? `${errors.length} faults in messages` : 'messages are complete');
  process.exitCode = errors.length > 0 ? 1 : 0;
}
