import { type Language, languages } from '../../contract/enums.ts';
import { translate } from '../kit/messages/messages.ts';

/** What a template can name. */
export type LogPayload = {
  id: number;
  at: string;
  type: string;
  title: string;
  source: string;
  ip: string | null;
  user: { id: number | null; account: string };
  impersonator: { id: number; account: string } | null;
  content: unknown;
  before: unknown;
  after: unknown;
};

const longestSentence = 500;
const longestValue = 200;
const gap = /\{\{\s*([^{}]*?)\s*\}\}/g;
const path = /^[a-z_][a-z0-9_]*(\.[a-z0-9_]+)*$/i;

type Template = Partial<Record<Language, string>>;

/**
 * A template as it was typed: JSON, an object with a sentence for one language or more, gaps like `{{user.account}}`.
 * Undefined where it cannot be converted.
 */
export function parseTemplate(text: string): Template | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return undefined;
  const entries = Object.entries(parsed);
  const isGood = entries.length > 0 && entries.every(([key, value]) => languages.some((language) => language === key) && isSentence(value));
  return isGood ? (parsed as Template) : undefined;
}

function isSentence(value: unknown): boolean {
  if (typeof value !== 'string' || value.trim() === '') return false;
  const named = [...value.matchAll(gap)].every(([, name = '']) => path.test(name));
  return named && !/\{\{|\}\}/.test(value.replace(gap, ''));
}

/** Only what the payload holds itself is found, never what every object has. */
function valueAt(payload: unknown, name: string): unknown {
  let value = payload;
  for (const part of name.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > longestValue ? `${text.slice(0, longestValue - 1).toWellFormed()}…` : text;
}

/** The sentence of a template, or the literal that says that it cannot be made. */
export function sentenceOf(template: string, payload: LogPayload, language: Language): string {
  const parsed = parseTemplate(template);
  const sentence = parsed?.[language] ?? Object.values(parsed ?? {})[0];
  if (sentence === undefined) return translate(language, 'log.conversion_failed');
  const filled = sentence.replace(gap, (_whole, name: string) => textOf(valueAt(payload, name)));
  return filled.length > longestSentence ? `${filled.slice(0, longestSentence - 1).toWellFormed()}…` : filled;
}

/** What a type is called: its screen and what was done there. A type that we have no words for is shown as it is. */
export function titleOf(type: string, language: Language): string {
  const [group = '', action = ''] = type.split('/');
  const words = (...keys: string[]) => keys.map((key) => translate(language, key)).find((text, index) => text !== keys[index]);
  const screen = words(`log.group.${group}`, `menu.${group}`);
  const act = words(`log.action.${action}`);
  return screen && act ? translate(language, 'log.title', { group: screen, action: act }) : type;
}

/** What happened, where no rule has words of its own: who, and what it is called. */
export function plainSentence({ user, impersonator, title }: LogPayload, language: Language): string {
  const account = user.account || translate(language, 'log.nobody');
  return impersonator
    ? translate(language, 'log.sentence_as', { account, title, impersonator: impersonator.account })
    : translate(language, 'log.sentence', { account, title });
}
