import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isBuiltInLanguage, type Language } from '../../../contract/enums.ts';
import { countOf } from '../../../contract/kit/count.ts';
import { readLocal, writeLocal } from '../local.ts';
import { baseOf, chosenLanguage, defaultLanguage } from './languages.ts';

type MessageFiles = Record<string, Resource>;
type Loaders = Record<string, () => Promise<MessageFiles>>;
/** What the pages before the login show, what the frame and the first screens add to it, and what all others do. */
const loaders = {
  start: import.meta.glob<MessageFiles>('../../../locales/*/start.ts', { import: 'messages' }) as Loaders,
  index: import.meta.glob<MessageFiles>('../../../locales/*/index.ts', { import: 'messages' }) as Loaders,
  screens: import.meta.glob<MessageFiles>('../../../locales/*/screens.ts', { import: 'messages' }) as Loaders,
};
type Part = keyof typeof loaders;
/** What acts say when they are done, which nobody needs before the first one. */
const doneLoaders = import.meta.glob<Resource>('../../../locales/*/done.json', { import: 'default' });
/** What the pages that were opened need. */
const wanted = new Set<Part>(['start']);

/** The operator's own words for some keys, and the state of the language list that they belong to. */
export type Overrides = { version: number; texts: Record<string, string> };

const overrides = new Map<Language, Overrides>();
const storageKey = (language: Language) => `texts.${language}`;
/** A browser's storage takes five million characters in all. */
const maxKept = 400_000;

export const currentLanguage = (): Language => i18next.language || defaultLanguage;

async function read(part: Part, language: Language): Promise<MessageFiles> {
  const loader = loaders[part][`../../../locales/${baseOf(language)}/${part}.ts`];
  if (!loader) throw new Error(`There are no messages for ${language}.`);
  return loader();
}

/** The messages of a language, as far as they are wanted. */
async function builtIn(language: Language): Promise<MessageFiles> {
  const files = Object.entries(Object.assign({}, ...(await Promise.all([...wanted].map((part) => read(part, language))))) as MessageFiles);
  // A file's name is the first part of the keys of its messages.
  return Object.fromEntries(files.map(([path, content]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), content]));
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

/** How many parts of a language are there. */
const loaded = new Map<Language, number>();

async function load(language: Language): Promise<void> {
  const known = overrides.get(language) ?? keptOverrides(language);
  if (known) overrides.set(language, known);
  // More may be wanted while it is loaded.
  while ((loaded.get(language) ?? 0) < wanted.size) {
    const parts = wanted.size;
    const messages = await builtIn(language);
    const kept = overrides.get(language);
    i18next.addResourceBundle(language, 'translation', kept ? withOverrides(messages, kept.texts) : messages, false, true);
    loaded.set(language, Math.max(parts, loaded.get(language) ?? 0));
  }
}

/** Loads a part in the language that is shown, and in every one that is chosen later. */
async function want(part: Part): Promise<void> {
  wanted.add(part);
  let language: Language;
  do {
    language = currentLanguage();
    await load(language);
    // Another one may have been chosen meanwhile, before it was known what is wanted.
  } while (language !== currentLanguage());
}

/** What the frame, the start page and the lists of codes show. */
export const loadOfficeMessages = (): Promise<void> => want('index');

/** What only the other screens show. */
export const loadScreenMessages = (): Promise<void> => want('screens');

/** The languages that have what acts say. */
const withDone = new Set<Language>();

/** Loads what acts say when they are done, in the language that is shown. */
export async function loadDoneMessages(language: Language = currentLanguage()): Promise<void> {
  const loader = doneLoaders[`../../../locales/${baseOf(language)}/done.json`];
  if (!loader) throw new Error(`There are no messages for ${language}.`);
  const messages = { done: await loader() };
  const kept = overrides.get(language);
  i18next.addResourceBundle(language, 'translation', kept ? withOverrides(messages, kept.texts) : messages, false, true);
  withDone.add(language);
}

/** Which version of the overrides a language is shown with; 0: with none. */
export const keptVersion = (language: Language): number => overrides.get(language)?.version ?? 0;

/** Takes other words into a language that is shown or will be; what shows them is drawn anew. */
export async function overrideTexts(language: Language, given: Overrides): Promise<void> {
  if (keptVersion(language) === given.version) return;
  overrides.set(language, given);
  const stored = JSON.stringify(given);
  writeLocal(storageKey(language), given.version > 0 && stored.length <= maxKept ? stored : null);
  const messages = withOverrides(await builtIn(language), given.texts);
  // Another change may have come in while the messages were loaded.
  if (overrides.get(language) !== given) return;
  i18next.addResourceBundle(language, 'translation', messages, false, true);
  if (withDone.has(language)) await loadDoneMessages(language);
}

/** What i18next's own function does; its type tells more of keys than can be said of all of them. */
type Translate = (key: unknown, gaps: unknown, ...others: unknown[]) => unknown;

/** i18next goes by `count` alone, and most texts name their number by what it counts. */
function chooseFormByAnyNumber(): void {
  const translateAs = i18next.t.bind(i18next) as unknown as Translate;
  const translate: Translate = (key, gaps, ...others) => {
    const count = isTree(gaps) ? countOf(gaps) : undefined;
    return translateAs(key, count === undefined ? gaps : { ...(gaps as object), count }, ...others);
  };
  i18next.t = translate as unknown as typeof i18next.t;
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
  chooseFormByAnyNumber();
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

/** The message of an act on a screen's rows: the screen's own, else the one that all screens share. */
export const crudText = (screen: string, act: string): string =>
  [`${screen}.${act}`, `common.crud.${act}`].find((key) => i18next.exists(key)) ?? `common.${act}`;
