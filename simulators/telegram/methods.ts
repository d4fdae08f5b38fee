import { type Bot, type Button, type Chat, conversation, describeChat, type World, type Written } from './world.ts';

/** A refusal as the Bot API words it. */
export class Refusal extends Error {
  readonly error_code: number;
  readonly parameters: object | undefined;
  constructor(error_code: number, description: string, parameters?: object) {
    super(description);
    this.error_code = error_code;
    this.parameters = parameters;
  }
}

export type Params = Record<string, unknown>;
type Method = (world: World, bot: Bot, params: Params) => unknown;

const maxText = 4096;
const tag = /<(\/?)(b|strong|i|em|u|s|code|pre|a|blockquote|tg-spoiler)(?:\s[^<>]*)?>/gi;

/** The text that readers see of HTML, refused where Telegram would not parse it. */
function plainOf(html: string): string {
  const open: string[] = [];
  const without = html.replace(tag, (_whole, slash: string, name: string) => {
    if (!slash) open.push(name);
    else if (open.pop() !== name) throw new Refusal(400, `Bad Request: can't parse entities: unexpected end tag "${name}"`);
    return '';
  });
  if (open.length > 0) throw new Refusal(400, `Bad Request: can't parse entities: can't find end tag for "${open[0]}"`);
  if (/[<>]/.test(without)) throw new Refusal(400, "Bad Request: can't parse entities: unsupported start tag");
  return without.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

function readText({ text, parse_mode }: Params): { text: string; html: string | null } {
  const given = typeof text === 'string' ? text : '';
  const read = parse_mode === 'HTML' ? { text: plainOf(given), html: given } : { text: given, html: null };
  if (read.text.trim() === '') throw new Refusal(400, 'Bad Request: message text is empty');
  if (read.text.length > maxText) throw new Refusal(400, 'Bad Request: message is too long');
  return read;
}

function buttonsOf({ reply_markup }: Params): Button[][] {
  const rows = (reply_markup as { inline_keyboard?: Button[][] } | undefined)?.inline_keyboard ?? [];
  for (const { callback_data = '' } of rows.flat())
    if (Buffer.byteLength(callback_data) > 64) throw new Refusal(400, 'Bad Request: BUTTON_DATA_INVALID');
  return rows;
}

/** A chat that the bot may write to. */
function chatOf(world: World, bot: Bot, { chat_id }: Params): Chat {
  const chat = world.chats.get(Number(chat_id));
  if (!chat || (chat.type === 'private' && !chat.written.has(bot.id))) throw new Refusal(400, 'Bad Request: chat not found');
  if (chat.migrated_to !== null) {
    const parameters = { migrate_to_chat_id: chat.migrated_to };
    throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', parameters);
  }
  if (!chat.lost.has(bot.id)) return chat;
  throw new Refusal(403, `Forbidden: bot was ${chat.type === 'private' ? 'blocked by the user' : `kicked from the ${chat.type} chat`}`);
}

function messageOf(world: World, bot: Bot, params: Params): { chat: Chat; message: Written } {
  const chat = chatOf(world, bot, params);
  const message = conversation(chat, bot.id).find(({ message_id, from }) => message_id === Number(params.message_id) && from === 'bot');
  if (!message) throw new Refusal(400, 'Bad Request: message to edit not found');
  return { chat, message };
}

const told = (chat: Chat, bot: Bot, message: Written): object => ({
  message_id: message.message_id,
  from: { id: bot.id, is_bot: true, first_name: bot.first_name, username: bot.username },
  chat: describeChat(chat),
  date: Math.floor(Date.now() / 1000),
  text: message.text,
});

const sendMessage: Method = (world, bot, params) => {
  const chat = chatOf(world, bot, params);
  const silent = params.disable_notification === true;
  const message: Written = {
    message_id: world.nextId(),
    from: 'bot',
    ...readText(params),
    buttons: buttonsOf(params),
    edited: false,
    silent,
  };
  conversation(chat, bot.id).push(message);
  return told(chat, bot, message);
};

const editMessageText: Method = (world, bot, params) => {
  const { chat, message } = messageOf(world, bot, params);
  const changed = { ...readText(params), buttons: buttonsOf(params) };
  if (changed.text === message.text && JSON.stringify(changed.buttons) === JSON.stringify(message.buttons))
    throw new Refusal(400, 'Bad Request: message is not modified');
  Object.assign(message, changed, { edited: true });
  return told(chat, bot, message);
};

const editMessageReplyMarkup: Method = (world, bot, params) => {
  const { chat, message } = messageOf(world, bot, params);
  const buttons = buttonsOf(params);
  if (JSON.stringify(buttons) === JSON.stringify(message.buttons)) throw new Refusal(400, 'Bad Request: message is not modified');
  message.buttons = buttons;
  return told(chat, bot, message);
};

const answerCallbackQuery: Method = (world, bot, { callback_query_id, text = '', show_alert = false }) => {
  const press = world.presses.get(String(callback_query_id));
  if (press?.bot_id !== bot.id || press.answer)
    throw new Refusal(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
  press.answer = { text: String(text), alert: show_alert === true };
  return true;
};

const setWebhook: Method = (_world, bot, { url = '', secret_token = '' }) => {
  const [address, secret] = [String(url), String(secret_token)];
  if (address !== '' && !/^https?:\/\//.test(address)) throw new Refusal(400, 'Bad Request: bad webhook: An HTTPS URL must be provided');
  if (!/^[A-Za-z0-9_-]{0,256}$/.test(secret)) throw new Refusal(400, 'Bad Request: secret token contains unallowed characters');
  bot.webhook = address === '' ? null : { url: address, secret_token: secret };
  return true;
};

const setMyCommands: Method = (_world, bot, { commands, language_code = '' }) => {
  const list = Array.isArray(commands) ? (commands as { command: string; description: string }[]) : [];
  const isSound = list.every(({ command, description }) => /^[a-z0-9_]{1,32}$/.test(command) && /^.{1,256}$/.test(description));
  if (!isSound) throw new Refusal(400, 'Bad Request: BOT_COMMAND_INVALID');
  bot.commands.set(String(language_code), list);
  return true;
};

const getChatMember: Method = (world, bot, params) => {
  const member = chatOf(world, bot, params).people.get(Number(params.user_id));
  if (!member) throw new Refusal(400, 'Bad Request: member not found');
  return { user: member.person, status: member.status };
};

/** All but `getUpdates`, which waits. */
export const methods: Readonly<Record<string, Method>> = {
  getMe: (_world, { id, first_name, username }) => ({ id, is_bot: true, first_name, username, can_join_groups: true }),
  sendMessage,
  editMessageText,
  editMessageReplyMarkup,
  answerCallbackQuery,
  setWebhook,
  deleteWebhook: (_world, bot) => {
    bot.webhook = null;
    return true;
  },
  getWebhookInfo: (_world, { webhook, queue }) => ({ url: webhook?.url ?? '', pending_update_count: queue.length }),
  setMyCommands,
  getMyCommands: (_world, bot, { language_code = '' }) => bot.commands.get(String(language_code)) ?? [],
  getChatMember,
  getFile: (world, _bot, { file_id }) => {
    const file = world.files.get(String(file_id));
    if (!file) throw new Refusal(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
    return { file_id, file_unique_id: file.path, file_size: file.bytes.length, file_path: file.path };
  },
};
