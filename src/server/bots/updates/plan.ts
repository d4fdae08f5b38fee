import { z } from 'zod';
import type { Language } from '../../../contract/enums.ts';
import { countAttempt } from '../../kit/calls/attempts.ts';
import { scopeOf } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { languageOfUser } from '../../kit/calls/user-language.ts';
import { languageOf } from '../../kit/messages/messages.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { type Answer, answerPress, replaceButtons, replaceMessage, say } from '../api/answers.ts';
import type { Message, Update } from '../api/updates.ts';
import { handlerOf } from '../bots.callbacks.ts';
import { type ChatName, type ChatRow, findChat, forgetChat, lockChat, moveChat } from '../bots.chats.ts';
import { asCode, bindByCode } from '../bots.codes.ts';
import { readActive } from '../bots.people.ts';
import { type Asked, words } from '../commands/command.ts';
import { commands } from '../commands/commands.ts';
import { readCommand, type Typed } from '../commands/names.ts';
import type { Effect, Handling } from './effect.ts';
import { planPicture, sentPicture } from './picture.ts';

const nothing: Effect = async () => [];

const commandLimit = { max: 20, seconds: 60 };
const checkLimit = { max: 5, seconds: 60 };
const pictureLimit = { max: 20, seconds: 600 };
/** Of what is said to whoever has no business here. */
const politeLimit = { max: 1, seconds: 60 };
const codeLimit = { max: 5, seconds: 600 };

/** Whether there is room for one more. */
async function isWithin(
  db: Database,
  kind: string,
  { bot_id, chat_id }: ChatName,
  limit: { max: number; seconds: number },
): Promise<boolean> {
  try {
    await countAttempt(db, `telegram ${kind} ${bot_id} ${chat_id}`, limit);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 429) return false;
    throw error;
  }
}

const threadOf = ({ is_topic_message, message_thread_id }: Message): number | undefined =>
  is_topic_message ? message_thread_id : undefined;

/** Says one thing in the chat of a message, in HTML. */
const saying = (message: Message, html: string): Answer[] => [say(message.chat.id, { text: html, format: 'html' }, threadOf(message))];

/** The same, at most once a minute. */
async function politely(handling: Handling, message: Message, language: Language, key: string): Promise<Effect> {
  const name = { bot_id: handling.bot.id, chat_id: message.chat.id };
  const isFirst = await isWithin(handling.db, 'polite', name, politeLimit);
  return isFirst ? async () => saying(message, words(language, key)) : nothing;
}

const member = z.object({ status: z.string() });

/** Whether who writes may decide for the chat: everybody in his own, in a group its administrators, who may write as the group. */
async function mayDecide({ telegram, signal }: Handling, { chat, from, sender_chat }: Message): Promise<boolean> {
  if (chat.type === 'private' || sender_chat?.id === chat.id) return true;
  if (!from) return false;
  const { status } = await telegram('getChatMember', { chat_id: chat.id, user_id: from.id }, member, { signal });
  return status === 'creator' || status === 'administrator';
}

async function planBinding(handling: Handling, message: Message, code: string): Promise<Effect> {
  const { db, vault, bot } = handling;
  const { chat, from } = message;
  const language = languageOf(from?.language_code);
  if (!(await isWithin(db, 'code', { bot_id: bot.id, chat_id: chat.id }, codeLimit)))
    return politely(handling, message, language, 'too_many_codes');
  if (!(await mayDecide(handling, message))) return async () => saying(message, words(language, 'administrators_only'));
  return async (tx) => {
    const { key, user_id } = await bindByCode(tx, vault, { bot_id: bot.id, code, chat, from });
    const own = user_id === undefined ? language : await languageOfUser(tx, user_id);
    return saying(message, words(own, key, { name: chat.title ?? '' }));
  };
}

async function planCommand(handling: Handling, message: Message, row: ChatRow, { name, args }: Typed): Promise<Effect> {
  const { db, settings, now, checkUrl, takePicture, signal } = handling;
  const language = await languageOfUser(db, row.user_id);
  const command = commands[name === 'start' ? 'help' : name];
  if (name === 'check' && !(await isWithin(db, 'check', row, checkLimit))) return politely(handling, message, language, 'too_often');
  const person = await readActive(db, row.user_id, settings);
  // Whoever lost his account can still be rid of the bot.
  if (!person && name !== 'unbind') return politely(handling, message, language, 'account_off');
  if (command.nodes && !command.nodes.some((node) => person?.nodes.has(node)))
    return async () => saying(message, words(language, 'no_rights'));
  if (command.administers && !(await mayDecide(handling, message)))
    return async () => saying(message, words(language, 'administrators_only'));
  const nobody = { user_id: row.user_id, account: '', role: { id: 0, name: '', kind: 'customer' as const }, nodes: new Set<never>() };
  const own = person ?? nobody;
  const scope = scopeOf(own.user_id, own.role.kind);
  const asked: Asked = {
    db,
    chat: row,
    person: own,
    scope,
    language,
    settings,
    now,
    args,
    signal,
    checkUrl,
    takesPictures: takePicture !== undefined,
  };
  const { write } = command;
  if (write) return async (tx) => ((await lockChat(tx, row)) ? saying(message, await write.call(command, tx, asked)) : []);
  const answer = await command.read(asked);
  // Unbound meanwhile, it is told nothing any more.
  return async (tx) => ((await lockChat(tx, row)) ? saying(message, answer) : []);
}

async function planMessage(handling: Handling, message: Message): Promise<Effect> {
  const { db, bot } = handling;
  const { chat, text = '' } = message;
  const name = { bot_id: bot.id, chat_id: chat.id };
  if (message.migrate_to_chat_id !== undefined) {
    const to = message.migrate_to_chat_id;
    return async (tx) => {
      await moveChat(tx, name, to);
      return [];
    };
  }
  const isPrivate = chat.type === 'private';
  if (!isPrivate && chat.type !== 'group' && chat.type !== 'supergroup') return nothing;
  const typed = readCommand(text, bot.username);
  const code = asCode(typed?.name === 'start' ? typed.args : isPrivate ? text : '');
  // What people of a group say to each other is none of the bot's business.
  if (!isPrivate && !typed) return nothing;
  const row = await findChat(db, name);
  const language = row ? await languageOfUser(db, row.user_id) : languageOf(message.from?.language_code);
  if (!(await isWithin(db, 'command', name, commandLimit))) return politely(handling, message, language, 'too_often');
  if (code !== undefined) return planBinding(handling, message, code);
  if (!row) return politely(handling, message, language, typed?.name === 'start' && typed.args !== '' ? 'wrong_code' : 'not_bound');
  if (isPrivate && handling.takePicture && sentPicture(message))
    return (await isWithin(db, 'picture', name, pictureLimit))
      ? planPicture(handling, message, row)
      : politely(handling, message, language, 'too_often');
  if (typed) return planCommand(handling, message, row, typed);
  return politely(handling, message, language, 'unknown_command');
}

/** A press in a chat that is not bound, or of a user who has no rights now, does nothing and is told nothing. */
async function planPress(handling: Handling, pressed: NonNullable<Update['callback_query']>): Promise<Effect> {
  const { db, bot, settings } = handling;
  const { id, data = '', message } = pressed;
  const silent: Effect = async () => [answerPress(id)];
  if (!message) return silent;
  const name = { bot_id: bot.id, chat_id: message.chat.id };
  const [, prefix = '', rest = ''] = /^([a-z_]+):(.*)$/s.exec(data) ?? [];
  const handler = handlerOf(prefix);
  const row = await findChat(db, name);
  if (!row || !handler || !(await isWithin(db, 'press', name, commandLimit))) return silent;
  if (!(await readActive(db, row.user_id, settings))) return silent;
  return async (tx) => {
    if (!(await lockChat(tx, row))) return silent(tx);
    const language = await languageOfUser(tx, row.user_id);
    const { text, alert, buttons, message: next } = await handler(tx, { chat: row, message_id: message.message_id, data: rest, language });
    return [
      answerPress(id, { ...(text === undefined ? {} : { text }), ...(alert === undefined ? {} : { alert }) }),
      ...(buttons ? [replaceButtons(message.chat.id, message.message_id, buttons)] : []),
      ...(next ? [replaceMessage(message.chat.id, message.message_id, { text: next.html, format: 'html', buttons: next.buttons })] : []),
    ];
  };
}

/** What an update does: all that is read and asked for happens here, all that is written in the effect. */
export async function planOf(handling: Handling, { message, callback_query, my_chat_member }: Update): Promise<Effect> {
  if (message) return planMessage(handling, message);
  if (callback_query) return planPress(handling, callback_query);
  if (!my_chat_member || !['kicked', 'left'].includes(my_chat_member.new_chat_member.status)) return nothing;
  const name = { bot_id: handling.bot.id, chat_id: my_chat_member.chat.id };
  return async (tx) => {
    await forgetChat(tx, name);
    return [];
  };
}
