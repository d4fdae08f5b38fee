import { z } from 'zod';
import type { Language } from '../../../contract/enums.ts';
import { languageOf, translate } from '../../kit/messages/messages.ts';
import type { Telegram } from '../api/client.ts';

/** What a bot understands, in the order in which it tells of it; `start` binds and is known to everybody. */
export const commandNames = ['status', 'today', 'codes', 'check', 'mute', 'unbind', 'help'] as const;
export type CommandName = (typeof commandNames)[number];

const isCommandName = (name: string): name is CommandName => commandNames.some((known) => known === name);

export type Typed = { name: CommandName | 'start'; args: string };

/** Of a bot's own address another one's commands are told apart: `/status@other_bot`. */
export function readCommand(text: string, username: string): Typed | undefined {
  const [, name = '', at, args = ''] = /^\/([a-z]{1,32})(?:@(\w{1,64}))?(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  if (at !== undefined && at.toLowerCase() !== username.toLowerCase()) return undefined;
  const lower = name.toLowerCase();
  return lower === 'start' || isCommandName(lower) ? { name: lower, args: args.trim() } : undefined;
}

/** Telegram knows languages by two letters; both forms of Chinese are one there. */
const told: readonly { language: Language; code: string }[] = [
  { language: 'zh-CN', code: 'zh' },
  { language: 'en-US', code: 'en' },
  { language: 'vi-VN', code: 'vi' },
  { language: 'th-TH', code: 'th' },
  { language: 'ja-JP', code: 'ja' },
];

export const offeredCommands = ({ withCheck }: { withCheck: boolean }): CommandName[] =>
  commandNames.filter((name) => withCheck || name !== 'check');

const listOf = (language: Language, names: readonly CommandName[]): object[] =>
  names.map((name) => ({ command: name, description: translate(language, `telegram_bot_binding.command.${name}`) }));

/** Tells Telegram the commands that it offers while one types, in each language; the site's own stands for all others. */
export async function tellCommands(telegram: Telegram, signal: AbortSignal, offer: { withCheck: boolean }): Promise<void> {
  const names = offeredCommands(offer);
  await telegram('setMyCommands', { commands: listOf(languageOf(undefined), names) }, z.literal(true), { signal });
  for (const { language, code } of told)
    await telegram('setMyCommands', { commands: listOf(language, names), language_code: code }, z.literal(true), { signal });
}
