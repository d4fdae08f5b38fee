import { randomBytes, randomInt } from 'node:crypto';
import type { Delivery } from './delivery.ts';
import type { Params } from './methods.ts';
import {
  type Bot,
  type Chat,
  type ChatKind,
  conversation,
  describeChat,
  type Person,
  type Update,
  type World,
  type Written,
} from './world.ts';

/** A request of a bot. */
export type Asked = { bot_id: number; method: string; params: Params };
export type Fault = { error_code: number; description: string; retry_after?: number };
type NewBot = { first_name?: string; username?: string; token?: string };
type NewChat = { type?: ChatKind; title?: string; person?: Partial<Person>; status?: 'creator' | 'administrator' | 'member' };

/** Numbers as Telegram gives them: of people positive, of groups negative, of supergroups far below. */
const newChatId = (type: ChatKind, person: Person): number => {
  if (type === 'private') return person.id;
  return type === 'group' ? -randomInt(1_000_000, 9_000_000) : -1_000_000_000_000 - randomInt(1e9, 9e9);
};

const firstOf = (chat: Chat): Person => {
  const [first] = chat.people.values();
  if (!first) throw new Error('a chat has people');
  return first.person;
};

/** What BotFather does, and chats with people in them. */
export const makers = (world: World) => ({
  addBot({ first_name = 'Livecode', username = `livecode_${world.nextId()}_bot`, token }: NewBot = {}): Bot {
    const id = token ? Number(token.split(':', 1)[0]) : randomInt(1_000_000_000, 9_000_000_000);
    const own = token ?? `${id}:AA${randomBytes(33).toString('base64url').slice(0, 33)}`;
    const bot: Bot = { id, token: own, username, first_name, queue: [], webhook: null, commands: new Map() };
    world.bots.set(own, bot);
    return bot;
  },

  /** A private chat with a person, or a group that he is in. */
  addChat({ type = 'private', title = '', person = {}, status = 'creator' }: NewChat = {}): Chat {
    const id = randomInt(100_000_000, 900_000_000);
    const who: Person = { id, is_bot: false, first_name: '小明', language_code: 'zh-hans', ...person };
    const people = new Map([[who.id, { person: who, status }]]);
    const chat: Chat = { id: newChatId(type, who), type, title, people, lost: new Set(), written: new Map(), migrated_to: null };
    world.chats.set(chat.id, chat);
    return chat;
  },

  /** The group becomes a supergroup, which has another number. */
  migrate(chat: Chat): Chat {
    const next: Chat = { ...chat, id: newChatId('supergroup', firstOf(chat)), type: 'supergroup' };
    world.chats.set(next.id, next);
    chat.migrated_to = next.id;
    return next;
  },
});

/** What people do in chats. */
export function players(world: World, delivery: Delivery) {
  /** An update for a bot, as Telegram would send it. */
  function tell(bot: Bot, content: Record<string, unknown>): Update {
    const update = { update_id: world.nextUpdateId(), ...content };
    bot.queue.push(update);
    delivery.news(bot);
    return update;
  }
  const now = () => Math.floor(Date.now() / 1000);

  return {
    /** A person writes; the first one of the chat unless said. */
    say(
      bot: Bot,
      chat: Chat,
      text: string,
      { from = firstOf(chat), ...further }: { from?: Person } & Record<string, unknown> = {},
    ): Update {
      const message_id = world.nextId();
      conversation(chat, bot.id).push({ message_id, from: from.first_name, text, html: null, buttons: [], edited: false, silent: false });
      return tell(bot, { message: { message_id, from, chat: describeChat(chat), date: now(), text, ...further } });
    },

    /** A person sends a picture, as Telegram makes pictures smaller, or as a file. */
    sendPicture(bot: Bot, chat: Chat, bytes: Uint8Array, { caption = '', asFile = false, mime_type = 'image/png' } = {}): Update {
      const [message_id, from] = [world.nextId(), firstOf(chat)];
      const sizeOf = (number: number, content: Uint8Array) => {
        const file_id = `AgACAgUAAx${randomBytes(24).toString('base64url')}`;
        world.files.set(file_id, { path: `photos/file_${message_id}_${number}.jpg`, bytes: content });
        return { file_id, file_unique_id: `u${message_id}${number}`, file_size: content.length };
      };
      // The small one comes first, and holds nothing that could be read.
      const photo = [
        { ...sizeOf(0, new Uint8Array(16)), width: 90, height: 90 },
        { ...sizeOf(1, bytes), width: 800, height: 800 },
      ];
      const content = asFile ? { document: { ...sizeOf(2, bytes), file_name: 'group.png', mime_type } } : { photo };
      const message = { message_id, from, chat: describeChat(chat), date: now(), ...content, ...(caption ? { caption } : {}) };
      conversation(chat, bot.id).push({
        message_id,
        from: from.first_name,
        text: caption,
        html: null,
        buttons: [],
        edited: false,
        silent: false,
      });
      return tell(bot, { message });
    },

    /** A person presses a button. Answers the id of the press, whose answer `world.presses` has. */
    press(bot: Bot, chat: Chat, message_id: number, data: string, from = firstOf(chat)): string {
      const id = String(randomInt(1e12, 9e12));
      world.presses.set(id, { id, bot_id: bot.id, answer: null });
      const message = { message_id, chat: describeChat(chat), date: now() };
      tell(bot, { callback_query: { id, from, chat_instance: String(chat.id), data, message } });
      return id;
    },

    /** The bot is blocked or removed from the group; without `silently` it is told of it. */
    lose(bot: Bot, chat: Chat, { silently = false } = {}): void {
      chat.lost.add(bot.id);
      const new_chat_member = { status: 'kicked', user: { id: bot.id, is_bot: true, first_name: bot.first_name } };
      if (!silently) tell(bot, { my_chat_member: { chat: describeChat(chat), from: firstOf(chat), date: now(), new_chat_member } });
    },

    /** What a bot said in a chat, oldest first. */
    said: (bot: Bot, chat: Chat): Written[] => conversation(chat, bot.id).filter(({ from }) => from === 'bot'),
  };
}

/** What the page plays with. */
export type Played = ReturnType<typeof makers> &
  ReturnType<typeof players> & { world: World; asked: readonly Asked[]; fail: (method: string, fault: Fault) => void };
