import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Language, languages } from '../../contract/enums.ts';
import { readLocal, writeLocal } from './local.ts';

export const defaultLanguage: Language = 'zh-CN';

type MessageFiles = Record<string, Resource>;
const loaders = import.meta.glob<MessageFiles>('../../locales/*/index.ts', { import: 'messages' });

const isLanguage = (value: string | null): value is Language => languages.some((language) => language === value);

/** The language chosen in this browser, or null while nobody chose one. */
export function chosenLanguage(): Language | null {
  const chosen = readLocal('language');
  return isLanguage(chosen) ? chosen : null;
}

export const currentLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : defaultLanguage);

async function load(language: Language): Promise<void> {
  const loader = loaders[`../../locales/${language}/index.ts`];
  if (!loader) throw new Error(`There are no messages for ${language}.`);
  if (!i18next.hasResourceBundle(language, 'translation')) i18next.addResourceBundle(language, 'translation', await loader());
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
    react: { useSuspense: false },
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
  await showLanguage(language);
}

/** Switches to the site's language, unless this browser has a choice of its own. */
export async function followSiteLanguage(language: Language): Promise<void> {
  if (chosenLanguage() === null && language !== currentLanguage()) await showLanguage(language);
}

/** Translates a message key; text that is no key is shown as it is, so that data may hold either. */
export const translate = (keyOrText: string, values?: Record<string, string | number>): string =>
  i18next.exists(keyOrText) ? i18next.t(keyOrText, values ?? {}) : keyOrText;
