/** What Telegram knows in the simulator: bots, people, chats, and what was written. */

export type Person = { id: number; is_bot: false; first_name: string; last_name?: string; username?: string; language_code?: string };
export type ChatKind = 'private' | 'group' | 'supergroup';
export type Button = { text: string; callback_data?: string; url?: string };
export type Written = {
  message_id: number;
  /** Of a bot, or of a person by his name. */
  from: 'bot' | string;
  text: string;
  /** As it was sent, where it is HTML. */
  html: string | null;
  buttons: Button[][];
  edited: boolean;
  silent: boolean;
};
export type Update = { update_id: number } & Record<string, unknown>;
export type Webhook = { url: string; secret_token: string };
export type Bot = {
  id: number;
  token: string;
  username: string;
  first_name: string;
  /** Updates that were not fetched yet. */
  queue: Update[];
  webhook: Webhook | null;
  /** By language; the empty one is for all others. */
  commands: Map<string, { command: string; description: string }[]>;
};
export type Chat = {
  id: number;
  type: ChatKind;
  title: string;
  people: Map<number, { person: Person; status: 'creator' | 'administrator' | 'member' }>;
  /** Bots that were blocked or removed. */
  lost: Set<number>;
  /** By bot: in a private chat every bot has a conversation of its own, and in a group it hears what concerns it. */
  written: Map<number, Written[]>;
  migrated_to: number | null;
};
/** A press that waits for the bot's answer. */
export type Press = { id: string; bot_id: number; answer: { text: string; alert: boolean } | null };

export type World = {
  bots: Map<string, Bot>;
  chats: Map<number, Chat>;
  presses: Map<string, Press>;
  /** What people sent, by its id and by its path. */
  files: Map<string, { path: string; bytes: Uint8Array }>;
  nextId: () => number;
  nextUpdateId: () => number;
};

export function createWorld(): World {
  let id = 100;
  // As Telegram begins: at a random number.
  let update_id = 700_000_000 + Math.floor(Math.random() * 1_000_000);
  return {
    bots: new Map(),
    chats: new Map(),
    presses: new Map(),
    files: new Map(),
    nextId: () => ++id,
    nextUpdateId: () => ++update_id,
  };
}

/** How Telegram tells of a chat. */
export function describeChat(chat: Chat): object {
  const [first] = chat.people.values();
  if (chat.type !== 'private') return { id: chat.id, type: chat.type, title: chat.title };
  const { first_name, last_name, username } = first?.person ?? {};
  return { id: chat.id, type: 'private', first_name, last_name, username };
}

export function conversation(chat: Chat, bot_id: number): Written[] {
  const written = chat.written.get(bot_id) ?? [];
  chat.written.set(bot_id, written);
  return written;
}
