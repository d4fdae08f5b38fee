import type { Language } from '../../../contract/enums.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Person } from '../../kit/calls/authentication.ts';
import type { Scope } from '../../kit/calls/context.ts';
import { translate } from '../../kit/messages/messages.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { escapeHtml } from '../api/answers.ts';
import type { ChatRow } from '../bots.chats.ts';
import type { BlockCheckAnswer, CheckUrl } from '../bots.check.ts';

export type { BlockCheckAnswer, CheckUrl };

/** What a command is answered from: as the chat's user would ask, with his rights and about his rows. */
export type Asked = {
  db: Database;
  chat: ChatRow;
  person: Person;
  scope: Scope;
  language: Language;
  settings: Settings;
  now: Date;
  args: string;
  signal: AbortSignal;
  checkUrl: CheckUrl | undefined;
  /** Whether a picture is for something. */
  takesPictures: boolean;
};

export type Command = {
  /** The user must hold one of them; undefined: nothing of his is told. */
  nodes?: readonly NodeKey[];
  /** In groups it is for their administrators: it changes what the whole group gets. */
  administers?: true;
  /** Reads, and answers in HTML. */
  read: (asked: Asked) => Promise<string>;
  /** Writes, in the transaction in which the command takes effect; answers instead of `read`. */
  write?: (tx: Database, asked: Asked) => Promise<string>;
};

/** Text of ours with parameters of others, as HTML. */
export const words = (language: Language, key: string, params: Record<string, string | number> = {}): string =>
  escapeHtml(translate(language, `telegram_bot_binding.reply.${key}`, params));
export const heading = (language: Language, key: string, params: Record<string, string | number> = {}): string =>
  `<b>${words(language, key, params)}</b>`;

/** A figure as the language writes it; operators may have added languages that nobody knows. */
export function figure(language: Language, value: number): string {
  try {
    return new Intl.NumberFormat(language).format(value);
  } catch {
    return String(value);
  }
}

/** Names one after another, the first ones only. */
export function namesOf(names: readonly string[], shown: number, language: Language): string {
  const first = names.slice(0, shown).join(', ');
  return names.length > shown ? words(language, 'and_more', { names: first, number: names.length - shown }) : escapeHtml(first);
}
