import { describe, expect, test } from 'vitest';
import { AppError } from '../kit/calls/errors.ts';
import { codeOf } from '../kit/testing/outside.ts';
import { cutHtml, cutText, escapeHtml, maxTextLength, onCallback, sendTelegram, type TelegramMessage } from './bots.public.ts';
import { bindChat, chats, here, network, prepareBots, settled } from './testing/setup.ts';

prepareBots({ works: true });

const send = (message: Omit<TelegramMessage, 'bot_id'>) =>
  sendTelegram(here.test_app.db, network, here.vault, { bot_id: here.bot_id, ...message });

describe('a message to a bound chat', () => {
  test('is plain text as it is, or HTML', async () => {
    const chat = await bindChat();
    const { message_id } = await send({ chat_id: chat.id, text: '<b>a</b> & b' });
    await send({ chat_id: chat.id, text: `<b>${escapeHtml('<a> & b')}</b>`, format: 'html' });
    expect(here.telegram.said(here.bot, chat).slice(-2)).toMatchObject([
      { message_id, text: '<b>a</b> & b', html: null },
      { text: '<a> & b', html: '<b>&lt;a&gt; &amp; b</b>' },
    ]);
  });

  test('is cut to what Telegram takes, tags and characters whole', async () => {
    const chat = await bindChat();
    await send({ chat_id: chat.id, text: '好'.repeat(5000) });
    await send({ chat_id: chat.id, text: `<b>${'x &amp; '.repeat(2000)}</b>`, format: 'html' });
    for (const { text } of here.telegram.said(here.bot, chat).slice(-2)) {
      expect(text.length).toBeLessThanOrEqual(maxTextLength);
      expect(text.endsWith('…')).toBe(true);
    }
    expect(cutText('😀'.repeat(10), 6)).toBe('😀😀…');
    expect(cutHtml('<b>a<i>bcd</i>ef</b>', 4)).toBe('<b>a<i>bc…</i></b>');
    expect(cutHtml('<b>abc</b>', 3)).toBe('<b>abc</b>');
  });

  test('carries buttons, whose press is told to who registered their prefix', async () => {
    const chat = await bindChat();
    const { message_id } = await send({
      chat_id: chat.id,
      text: 'blocked',
      buttons: [
        [
          { text: '已读', data: 'test_seen:7' },
          { text: '打开', url: 'https://example.com/' },
        ],
      ],
    });
    const seen: unknown[] = [];
    onCallback('test_seen', async (_tx, { chat: { user_id }, data, language, ...pressed }) => {
      seen.push({ user_id, data, language, message_id: pressed.message_id });
      return { text: '好的', buttons: [] };
    });
    const id = here.telegram.press(here.bot, chat, message_id, 'test_seen:7');
    await settled();
    expect(seen).toEqual([{ user_id: here.owner.id, data: '7', language: 'zh-CN', message_id }]);
    expect(here.telegram.world.presses.get(id)?.answer?.text).toBe('好的');
    expect(here.telegram.said(here.bot, chat).at(-1)?.buttons).toEqual([]);
  });
});

describe('what stands in the way is told by its code', () => {
  test('a chat that is not bound, or of another bot', async () => {
    expect(await codeOf(send({ chat_id: here.telegram.addChat().id, text: 'x' }))).toBe('telegram.not_bound');
    expect(await codeOf(sendTelegram(here.test_app.db, network, here.vault, { bot_id: 0, chat_id: 1, text: 'x' }))).toBe(
      'telegram.bot_off',
    );
  });

  test('too many messages, with the time to wait', async () => {
    const chat = await bindChat();
    here.telegram.fail('sendMessage', { error_code: 429, description: 'Too Many Requests: retry after 17', retry_after: 17 });
    const failure = await send({ chat_id: chat.id, text: 'x' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'telegram.too_many', details: { retryAfterSeconds: 17 } });
  });

  test('a bot that was blocked: the chat is unbound', async () => {
    const chat = await bindChat();
    here.telegram.lose(here.bot, chat, { silently: true });
    expect(await codeOf(send({ chat_id: chat.id, text: 'x' }))).toBe('telegram.forbidden');
    expect(await chats()).toEqual([]);
  });

  test('a wrong token, and an answer that is none', async () => {
    const chat = await bindChat();
    here.telegram.fail('sendMessage', { error_code: 401, description: 'Unauthorized' });
    here.telegram.fail('sendMessage', { error_code: 502, description: 'Bad Gateway' });
    expect(await codeOf(send({ chat_id: chat.id, text: 'x' }))).toBe('telegram.unauthorized');
    expect(await codeOf(send({ chat_id: chat.id, text: 'x' }))).toBe('telegram.unavailable');
    expect(await chats()).toHaveLength(1);
  });
});
