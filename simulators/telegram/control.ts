import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Played } from './people.ts';
import type { Bot, Chat } from './world.ts';

const page = new URL('control.html', import.meta.url);

export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

type Act = {
  act: 'bot' | 'chat' | 'say' | 'picture' | 'press' | 'lose' | 'return' | 'fail';
  name?: string;
  username?: string;
  type?: 'private' | 'group' | 'supergroup';
  bot_id?: number;
  chat_id?: number;
  message_id?: number;
  text?: string;
  data?: string;
  error_code?: number;
};

const botOf = ({ world }: Played, id: number | undefined): Bot => {
  const found = [...world.bots.values()].find((bot) => bot.id === id);
  if (!found) throw new Error('no such bot');
  return found;
};
const chatOf = ({ world }: Played, id: number | undefined): Chat => {
  const found = world.chats.get(id ?? 0);
  if (!found) throw new Error('no such chat');
  return found;
};

/** Everything that the page shows. */
const stateOf = ({ world, asked }: Played, bot_id: number | undefined) => ({
  bots: [...world.bots.values()].map(({ id, token, username, first_name, queue, webhook, commands }) => ({
    id,
    token,
    username,
    first_name,
    waiting: queue.length,
    webhook: webhook?.url ?? null,
    commands: commands.get('zh') ?? commands.get('') ?? [],
  })),
  chats: [...world.chats.values()].map(({ id, type, title, people, lost, written }) => ({
    id,
    type,
    name: title || [...people.values()].map(({ person }) => person.first_name).join(', '),
    is_lost: bot_id !== undefined && lost.has(bot_id),
    written: (bot_id === undefined ? undefined : written.get(bot_id)) ?? [],
  })),
  presses: [...world.presses.values()].filter(({ answer }) => answer).slice(-1),
  asked: asked.slice(-30).reverse(),
});

const acts: Record<Act['act'], (telegram: Played, act: Act) => unknown> = {
  bot: (telegram, { name, username }) => telegram.addBot({ ...(name ? { first_name: name } : {}), ...(username ? { username } : {}) }),
  chat: (telegram, { name = '', type = 'private' }) =>
    telegram.addChat({ type, ...(type === 'private' ? { person: name ? { first_name: name } : {} } : { title: name || '运营群' }) }),
  say: (telegram, { bot_id, chat_id, text = '' }) => telegram.say(botOf(telegram, bot_id), chatOf(telegram, chat_id), text),
  picture: (telegram, { bot_id, chat_id, data = '', text = '' }) =>
    telegram.sendPicture(botOf(telegram, bot_id), chatOf(telegram, chat_id), Buffer.from(data, 'base64'), { caption: text }),
  press: (telegram, { bot_id, chat_id, message_id = 0, data = '' }) =>
    telegram.press(botOf(telegram, bot_id), chatOf(telegram, chat_id), message_id, data),
  lose: (telegram, { bot_id, chat_id }) => telegram.lose(botOf(telegram, bot_id), chatOf(telegram, chat_id)),
  return: (telegram, { bot_id, chat_id }) => chatOf(telegram, chat_id).lost.delete(bot_id ?? 0),
  fail: (telegram, { error_code = 500 }) =>
    telegram.fail('sendMessage', { error_code, description: 'simulated', ...(error_code === 429 ? { retry_after: 3 } : {}) }),
};

/** The page by which one plays a chat, and what its buttons ask for. */
export function answerControl(telegram: Played, path: string, body: string, response: ServerResponse): void {
  if (path === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(readFileSync(page));
    return;
  }
  try {
    const act = (body === '' ? {} : JSON.parse(body)) as Act;
    if (path === '/control/state') answerJson(response, 200, stateOf(telegram, act.bot_id));
    else if (path === '/control/act' && Object.hasOwn(acts, act.act)) {
      acts[act.act](telegram, act);
      answerJson(response, 200, {});
    } else answerJson(response, 404, { ok: false, error_code: 404, description: 'Not Found' });
  } catch (error) {
    answerJson(response, 400, { error: String(error) });
  }
}
