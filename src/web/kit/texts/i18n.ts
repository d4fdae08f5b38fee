import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isBuiltInLanguage, type Language } from '../../../contract/enums.ts';
import { readLocal, writeLocal } from '../local.ts';
import { baseOf, chosenLanguage, defaultLanguage } from './languages.ts';

type MessageFiles = Record<string, Resource>;
const loaders = import.meta.glob<MessageFiles>('../../locales/*/index.ts', { import: 'messages' });

/** The operator's own words for some keys, and the state of the language list that they belong to. */
export type Overrides = { version: number; texts: Record<string, string> };

const overrides = new Map<Language, Overrides>();
const storageKey = (language: Language) => `texts.${language}`;
/** A browser's storage takes five million characters in all. */
const longestKept = 400_000;

export const currentLanguage = (): Language => i18next.language || defaultLanguage;

async function builtIn(language: Language): Promise<MessageFiles> {
  const loader = loaders[`../../locales/${baseOf(language)}/index.ts`];
  if (!loader) throw new Error(`There are no messages for ${language}.`);
  return loader();
}

/** A copy of the messages with other words at some keys. A key that the messages don't have is left out. */
function withOverrides(messages: MessageFiles, texts: Record<string, string>): MessageFiles {
  const copy = structuredClone(messages);
  for (const [key, text] of Object.entries(texts)) {
    const parts = key.split('.');
    const last = parts.pop() ?? '';
    let place: unknown = copy;
    for (const part of parts) place = isTree(place) && Object.hasOwn(place, part) ? place[part] : undefined;
    if (isTree(place) && typeof place[last] === 'string' && Object.hasOwn(place, last)) place[last] = text;
  }
  return copy;
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What this browser kept of the overrides, so that a page does not begin with other words than it goes on with. */
function keptOverrides(language: Language): Overrides | undefined {
  try {
    const kept: unknown = JSON.parse(readLocal(storageKey(language)) ?? 'null');
    if (!isTree(kept) || typeof kept.version !== 'number' || !isTree(kept.texts)) return undefined;
    const texts = Object.entries(kept.texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { version: kept.version, texts: Object.fromEntries(texts) };
  } catch {
    return undefined;
  }
}

async function load(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  const kept = overrides.get(language) ?? keptOverrides(language);
  if (kept) overrides.set(language, kept);
  const messages = await builtIn(language);
  i18next.addResourceBundle(language, 'translation', kept ? withOverrides(messages, kept.texts) : messages);
}

/** Which version of the overrides a language is shown with; 0: with none. */
export const keptVersion = (language: Language): number => overrides.get(language)?.version ?? 0;

/** Takes other words into a language that is shown or will be; what shows them is drawn anew. */
export async function overrideTexts(language: Language, given: Overrides): Promise<void> {
  if (keptVersion(language) === given.version) return;
  overrides.set(language, given);
  const stored = JSON.stringify(given);
  writeLocal(storageKey(language), given.version > 0 && stored.length <= longestKept ? stored : null);
  const messages = withOverrides(await builtIn(language), given.texts);
  // Another change may have come in while the messages were loaded.
  if (overrides.get(language) === given) i18next.addResourceBundle(language, 'translation', messages, false, true);
}

/** Starts translation in the chosen language; resolves when its messages are there. */
export async function startTranslation(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: chosenLanguage() ?? defaultLanguage,
    fallbackLng: false,
    resources: {},
    nsSeparator: false,
    returnNull: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
  });
  await showLanguage(currentLanguage());
}

async function showLanguage(language: Language): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Switches to a language and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  writeLocal('language', language);
  writeLocal('language_base', isBuiltInLanguage(language) ? null : baseOf(language));
  await showLanguage(language);
}

/** Shows this browser's choice while the site offers it, else the site's own language. */
export async function followSite(offered: readonly { code: Language }[], siteLanguage: Language): Promise<void> {
  const chosen = chosenLanguage();
  const language = chosen !== null && offered.some(({ code }) => code === chosen) ? chosen : siteLanguage;
  if (language !== currentLanguage()) await showLanguage(language);
}

/** The message that a key stands for: its own, else, for a screen's field (`screen.field`), the one that all screens share. */
function messageOf(key: string): string | undefined {
  if (i18next.exists(key)) return key;
  const shared = key.replace(/^[a-z_]+\.(?=[a-z_]+$)/, 'common.field.');
  return shared !== key && i18next.exists(shared) ? shared : undefined;
}

/** Translates a message key; text that is no key is shown as it is, so that data may hold either. */
export function translate(keyOrText: string, values?: Record<string, string | number>): string {
  const key = messageOf(keyOrText);
  return key === undefined ? keyOrText : i18next.t(key, values ?? {});
}

/** A screen's own words for an act on its rows, else those that all screens share. */
export const crudText = (screen: string, act: string): string => {
  const own = `${screen}.${act}`;
  return i18next.exists(own) ? own : `common.crud.${act}`;
};
