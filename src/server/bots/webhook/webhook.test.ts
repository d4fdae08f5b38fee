import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../kit/testing/eventually.ts';
import { bindChat, chats, heard, here, prepareBots, settled } from '../testing/setup.ts';

prepareBots({ works: true });

let base: string;
beforeAll(async () => {
  base = await here.test_app.app.listen({ port: 0, host: '127.0.0.1' });
});

async function overWebhook(): Promise<{ url: string; secret: string }> {
  const { status } = await here.test_app.send(here.administrator, 'telegram_bot/update', {
    id: here.bot_id,
    mode: 'webhook',
    webhook_base: base,
  });
  expect(status).toBe(200);
  await eventually(() => expect(here.bot.webhook).not.toBeNull());
  return { url: here.bot.webhook?.url ?? '', secret: here.bot.webhook?.secret_token ?? '' };
}

const call = async (url: string, update: unknown, headers: Record<string, string> = {}): Promise<number> => {
  const body = typeof update === 'string' ? update : JSON.stringify(update);
  return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })).status;
};
const kept = async (): Promise<number> =>
  here.test_app.db.execute(sql`SELECT FROM telegram_update WHERE bot_id = ${here.bot_id}`).then(({ rowCount }) => rowCount ?? 0);

describe('a bot in webhook mode', () => {
  test('is called, answers at once, and acts', async () => {
    await overWebhook();
    const chat = await bindChat();
    expect(await chats()).toHaveLength(1);
    here.telegram.say(here.bot, chat, '/help');
    expect(await heard(chat, 2)).toContain('/status');
    expect(here.telegram.webhookCalls.every(({ status }) => status === 200)).toBe(true);
  });

  test('does what an update asks once, however often it comes', async () => {
    await overWebhook();
    const chat = await bindChat();
    const update = here.telegram.say(here.bot, chat, '/mute 5');
    await heard(chat, 2);
    await here.test_app.db.execute(sql`UPDATE telegram_chat SET muted_until = NULL`);
    for (let again = 0; again < 3; again += 1) expect(await here.telegram.callWebhook(here.bot, update)).toBe(true);
    await settled();
    expect([here.telegram.said(here.bot, chat).length, (await chats())[0]?.muted_until]).toEqual([2, null]);
  });

  test('gets nothing from whoever does not know its secret, or its address', async () => {
    const { url, secret } = await overWebhook();
    const chat = await bindChat();
    const message = { message_id: 1, from: { id: chat.id, first_name: 'x' }, chat: { id: chat.id, type: 'private' }, text: '/unbind' };
    const header = 'x-telegram-bot-api-secret-token';
    const before = await kept();
    const forged: Record<string, string>[] = [
      {},
      { [header]: '' },
      { [header]: 'wrong' },
      { [header]: `${secret}x` },
      { [header]: secret.slice(0, -1) },
    ];
    for (const headers of forged) expect(await call(url, { update_id: 1, message }, headers)).toBe(404);
    expect(await call(`${url}x`, { update_id: 2, message }, { [header]: secret })).toBe(404);
    expect(await call(`${base}/api/telegram/`, { update_id: 3, message }, { [header]: secret })).toBe(404);
    // Not even that the address is right is told by how a body is read.
    expect(await call(url, '{', {})).toBe(404);
    await settled();
    expect([await kept(), await chats()]).toMatchObject([before, [{ chat_id: chat.id }]]);
  });

  test('has another address and secret after each change, and the former ones open nothing', async () => {
    const former = await overWebhook();
    await here.test_app.send(here.administrator, 'telegram_bot/update', { id: here.bot_id, token: here.bot.token });
    await eventually(() => expect(here.bot.webhook?.url).not.toBe(former.url));
    expect(here.bot.webhook?.secret_token).not.toBe(former.secret);
    expect(await call(former.url, { update_id: 9 }, { 'x-telegram-bot-api-secret-token': former.secret })).toBe(404);
  });

  test('is not called any more once it is polled or switched off', async () => {
    const { url, secret } = await overWebhook();
    await here.test_app.send(here.administrator, 'telegram_bot/update', { id: here.bot_id, enabled: false });
    await eventually(() => expect(here.bot.webhook).toBeNull());
    expect(await call(url, { update_id: 9 }, { 'x-telegram-bot-api-secret-token': secret })).toBe(404);
    await here.test_app.send(here.administrator, 'telegram_bot/update', { id: here.bot_id, enabled: true, mode: 'polling' });
    const chat = await bindChat();
    expect(here.telegram.said(here.bot, chat)).toHaveLength(1);
  });

  test('says on the screen what Telegram does not like of its address', async () => {
    here.telegram.fail('setWebhook', {
      error_code: 400,
      description: 'Bad Request: bad webhook: An HTTPS URL must be provided for webhook',
    });
    await here.test_app.send(here.administrator, 'telegram_bot/update', { id: here.bot_id, mode: 'webhook', webhook_base: base });
    await eventually(async () => {
      const { body } = await here.test_app.call(here.administrator, 'telegram_bot', 'inquire', {});
      expect(body.content[0]).toMatchObject({ state: 'failing', last_error: expect.stringContaining('An HTTPS URL must be provided') });
    });
  });
});
