import type { Language } from '../../contract/enums.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Buttons } from './api/answers.ts';
import type { ChatRow } from './bots.chats.ts';

/** A button that somebody pressed in a bound chat. Whose chat it is says `chat.user_id`: a handler touches that user's rows only. */
export type PressedButton = {
  chat: ChatRow;
  message_id: number;
  /** What follows the prefix. */
  data: string;
  /** Of the chat's user. */
  language: Language;
};
export type CallbackAnswer = {
  /** Shown to who pressed. */
  text?: string;
  /** The text stays until it is closed. */
  alert?: boolean;
  /** In place of the message's buttons; an empty list takes them away. */
  buttons?: Buttons;
  /** In place of the message and its buttons; HTML of ours. */
  message?: { html: string; buttons?: Buttons };
};
/** Runs in the transaction that marks the press as dealt with, so that it takes effect once. Nothing may be asked of other servers. */
export type CallbackHandler = (tx: Database, pressed: PressedButton) => Promise<CallbackAnswer>;

const handlers = new Map<string, CallbackHandler>();

/**
 * Says what happens when a button is pressed whose data begins with `{prefix}:`. To be called when a worker starts.
 * @param prefix letters and underscores
 */
export function onCallback(prefix: string, handler: CallbackHandler): void {
  handlers.set(prefix, handler);
}

export const handlerOf = (prefix: string): CallbackHandler | undefined => handlers.get(prefix);
