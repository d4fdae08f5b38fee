import { z } from 'zod';
import type { Telegram } from './client.ts';

/** A button below a message: `data` comes back as a callback, `url` is opened. */
export type Button = { text: string } & ({ data: string } | { url: string });
export type Buttons = readonly (readonly Button[])[];

/** One request to Telegram that needs no answer but that it succeeded: what a bot says. */
export type Answer = { method: 'sendMessage' | 'answerCallbackQuery' | 'editMessageReplyMarkup' | 'editMessageText'; params: object };

/** Telegram's own bound of a message, counted after its tags are read. */
export const maxTextLength = 4096;

/** Text that stands in HTML of ours, as Telegram reads it. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Cut so that it fits, never within a character. */
export function cutText(text: string, max = maxTextLength): string {
  if (text.length <= max) return text;
  return `${text
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

const piece = /<(\/?)([a-z-]+)[^>]*>|&[a-z0-9#]+;|[\ud800-\udbff][\udc00-\udfff]|[\s\S]/giy;

/** The same of HTML: tags are not counted, nor cut, and those that are open at the end are closed. */
export function cutHtml(html: string, max = maxTextLength): string {
  const pieces = [...html.matchAll(piece)];
  const shown = pieces.reduce((sum, { 0: whole, 2: tag }) => sum + lengthOf(whole, tag), 0);
  if (shown <= max) return html;
  const open: string[] = [];
  let cut = '';
  let length = 0;
  for (const { 0: whole, 1: slash, 2: tag } of pieces) {
    length += lengthOf(whole, tag);
    if (length >= max) break;
    cut += whole;
    if (tag && slash) open.pop();
    else if (tag) open.push(tag);
  }
  return `${cut}…${open
    .reverse()
    .map((tag) => `</${tag}>`)
    .join('')}`;
}

/** What stands for one character, an entity above all, counts as one. */
const lengthOf = (whole: string, tag: string | undefined): number =>
  tag ? 0 : whole.startsWith('&') && whole.length > 1 ? 1 : whole.length;

const markup = (buttons: Buttons): object => ({
  inline_keyboard: buttons.map((row) =>
    row.map((button) => ('data' in button ? { text: button.text, callback_data: button.data } : { text: button.text, url: button.url })),
  ),
});

export type Words = {
  text: string;
  /** `html`: the text is HTML of ours, what others wrote in it escaped by `escapeHtml`. Plain unless said. */
  format?: 'plain' | 'html';
  buttons?: Buttons | undefined;
  /** Without a sound. */
  silent?: boolean;
};

export const messageParams = ({ text, format = 'plain', buttons, silent = false }: Words): object => ({
  ...(format === 'html' ? { text: cutHtml(text), parse_mode: 'HTML' } : { text: cutText(text) }),
  link_preview_options: { is_disabled: true },
  ...(silent ? { disable_notification: true } : {}),
  ...(buttons && buttons.length > 0 ? { reply_markup: markup(buttons) } : {}),
});

export const say = (chat_id: number, words: Words, thread?: number): Answer => ({
  method: 'sendMessage',
  params: { chat_id, ...(thread === undefined ? {} : { message_thread_id: thread }), ...messageParams(words) },
});
export const answerPress = (callback_query_id: string, { text = '', alert = false } = {}): Answer => ({
  method: 'answerCallbackQuery',
  params: { callback_query_id, ...(text === '' ? {} : { text: cutText(text, 200), show_alert: alert }) },
});
export const replaceButtons = (chat_id: number, message_id: number, buttons: Buttons): Answer => ({
  method: 'editMessageReplyMarkup',
  params: { chat_id, message_id, reply_markup: markup(buttons) },
});

export const replaceMessage = (chat_id: number, message_id: number, words: Words): Answer => ({
  method: 'editMessageText',
  params: { chat_id, message_id, ...messageParams(words) },
});

const sent = z.object({ message_id: z.number().int().positive() });

export const send = (telegram: Telegram, chat_id: number, words: Words): Promise<{ message_id: number }> =>
  telegram('sendMessage', { chat_id, ...messageParams(words) }, sent);
