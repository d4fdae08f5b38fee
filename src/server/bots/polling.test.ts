import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { eventually } from '../kit/testing/eventually.ts';
import { onCallback } from './bots.public.ts';
import { addBot, ask, bindChat, chats, heard, here, makeCode, prepareBots, settled, stopWork, work } from './testing/setup.ts';

prepareBots();

type BotRow = { enabled: boolean; last_error: string | null; failures: number; configured_at: string | null };
const readBot = async (): Promise<BotRow | undefined> =>
  (await here.test_app.db.execute<BotRow>(sql`SELECT * FROM telegram_bot WHERE id = ${here.bot_id}`)).rows[0];
const stateOf = async () => (await here.test_app.call(here.administrator, 'telegram_bot', 'inquire', {})).body.content[0];
const update = (input: object) => here.test_app.send(here.administrator, 'telegram_bot/update', { id: here.bot_id, ...input });
const polls = () => here.telegram.asked.filter(({ method, bot_id }) => method === 'getUpdates' && bot_id === here.bot.id);

describe('a polled bot', () => {
  test('is told of its commands in each language', async () => {
    work();
    await eventually(async () => expect((await stateOf())?.state).toBe('running'));
    expect([...here.bot.commands.keys()].sort()).toEqual(['', 'en', 'ja', 'th', 'vi', 'zh']);
    expect(here.bot.commands.get('en')?.map(({ command }) => command)).toEqual(['status', 'today', 'codes', 'mute', 'unbind', 'help']);
  });

  test('is polled by one worker at a time, and each update takes effect once', async () => {
    for (let worker = 0; worker < 3; worker += 1) work();
    const chat = await bindChat();
    let presses = 0;
    onCallback('count', async (tx, { data }) => {
      presses += 1;
      await tx.execute(sql`UPDATE telegram_chat SET nickname = nickname || ${data} WHERE bot_id = ${here.bot_id}`);
      return { text: data };
    });
    const expected = Array.from({ length: 15 }, (_, index) => String.fromCharCode(97 + index));
    const ids = expected.map((letter) => here.telegram.press(here.bot, chat, 1, `count:${letter}`));
    await eventually(() => expect(ids.map((id) => here.telegram.world.presses.get(id)?.answer?.text)).toEqual(expected));
    expect([presses, (await chats())[0]?.nickname]).toEqual([15, `小明${expected.join('')}`]);
    expect(here.logged).toEqual([]);
  });

  test('loses and doubles nothing when its worker is gone after it had fetched', async () => {
    const first = work();
    const chat = await bindChat();
    await first.stop();
    // As a worker leaves it that was killed before the effect: kept, claimed, and the offset not yet told to Telegram.
    here.telegram.say(here.bot, chat, '/mute 5');
    const kept = here.bot.queue.at(-1);
    await here.test_app.db.execute(sql`
      INSERT INTO telegram_update (bot_id, update_id, chat_id, update, claim, claimed_until)
      VALUES (${here.bot_id}, ${kept?.update_id}, ${chat.id}, ${JSON.stringify(kept)}::jsonb, gen_random_uuid(), now() - interval '1 second')`);
    work();
    expect(await heard(chat, 2)).toContain('已静音');
    await settled();
    expect(here.telegram.said(here.bot, chat)).toHaveLength(2);
  });

  test('says again what was not heard, and only that', { tags: 'full' }, async () => {
    work();
    const chat = await bindChat();
    here.telegram.fail('sendMessage', { error_code: 500, description: 'Internal Server Error' });
    here.telegram.fail('sendMessage', { error_code: 429, description: 'Too Many Requests', retry_after: 1 });
    here.telegram.say(here.bot, chat, '/mute 5');
    await eventually(() => expect(here.telegram.said(here.bot, chat)).toHaveLength(2), { interval: 100 });
  });

  test('answers a chat in the order in which it asked', async () => {
    work();
    const chat = await bindChat();
    for (const text of ['/mute 5', '/mute 0', '/mute 7', '/help']) here.telegram.say(here.bot, chat, text);
    await heard(chat, 5);
    const [, ...said] = here.telegram.said(here.bot, chat).map(({ text }) => text);
    expect(said.map((text) => text.slice(0, 2))).toEqual(['🔕', '🔔', '🔕', '已绑']);
  });

  test('stops within two seconds though Telegram holds its request open', async () => {
    work();
    await eventually(() => expect(polls().length).toBeGreaterThan(0));
    await stopWork();
    const claimed = await here.test_app.db.execute(sql`SELECT FROM telegram_bot WHERE claim IS NOT NULL`);
    expect(claimed.rowCount).toBe(0);
  });

  test('is left alone when it is switched off, and goes on when it is on again', async () => {
    work();
    const chat = await bindChat();
    await update({ enabled: false });
    expect((await stateOf())?.state).toBe('off');
    await eventually(async () => expect((await readBot())?.configured_at).not.toBeNull());
    here.telegram.say(here.bot, chat, '/help');
    const before = polls().length;
    const refused = await here.test_app.call(here.owner, 'telegram_bot_binding', 'test', { id: (await chats())[0]?.id ?? 0 });
    expect([refused.status, refused.body.code, polls().length]).toEqual([409, 'telegram.bot_off', before]);
    await update({ enabled: true });
    expect(await heard(chat, 2)).toContain('/status');
  });
});

describe('a fault', () => {
  test('of a token that Telegram knows no more is shown and tried ever less often', async () => {
    here.telegram.world.bots.delete(here.bot.token);
    work();
    await eventually(async () => expect((await readBot())?.failures).toBeGreaterThanOrEqual(2));
    expect(await stateOf()).toMatchObject({ state: 'failing', last_error: expect.stringContaining('@BotFather') });
    const due = await here.test_app.db.execute(sql`SELECT FROM telegram_bot WHERE due_at > now()`);
    expect(due.rowCount).toBe(1);
  });

  test('of another program that polls with the same token is shown, and over when that ends', { tags: 'full' }, async () => {
    here.telegram.fail('getUpdates', { error_code: 409, description: 'Conflict: terminated by other getUpdates request' });
    work();
    await eventually(async () => expect((await stateOf())?.last_error).toContain('其他程序'));
    expect(await ask(here.telegram.addChat(), '/help')).toContain('尚未绑定');
    await eventually(async () => expect((await stateOf())?.state).toBe('running'));
  });

  test('of a webhook that stands in the way is mended', { tags: 'full' }, async () => {
    work();
    await ask(here.telegram.addChat(), '/help');
    const body = JSON.stringify({ url: 'http://127.0.0.1:1/' });
    await fetch(`${here.telegram.url}/bot${here.bot.token}/setWebhook`, { method: 'POST', body });
    expect(here.bot.webhook).not.toBeNull();
    await eventually(() => expect(here.bot.webhook).toBeNull());
    await ask(here.telegram.addChat(), '/help');
  });
});

describe('secrets', () => {
  test('a token is sealed, and never leaves by answers, logs or faults', async () => {
    here.telegram.fail('sendMessage', { error_code: 500, description: 'Internal Server Error' }, 2);
    work();
    const chat = here.telegram.addChat();
    const { code } = await makeCode();
    here.telegram.say(here.bot, chat, `/start ${code}`);
    await eventually(async () => expect(await chats()).toHaveLength(1));
    await eventually(() => expect(here.logged).not.toEqual([]));
    await here.test_app.send(here.administrator, 'telegram_bot/add', { token: here.bot.token });
    await update({ token: here.bot.token, remark: 'x' });
    await here.test_app.send(here.administrator, 'telegram_bot/test', { id: here.bot_id });
    const { rows: log } = await here.test_app.db.execute(sql`SELECT content, changes FROM log`);
    const { rows } = await here.test_app.db.execute(sql`SELECT * FROM telegram_bot`);
    const { rows: codes } = await here.test_app.db.execute(sql`SELECT * FROM telegram_code`);
    const shown = JSON.stringify([await stateOf(), here.logged, log, rows, codes, (await update({ remark: 'y' })).body]);
    const [, secret = ''] = here.bot.token.split(':');
    for (const kept of [secret, Buffer.from(secret).toString('hex'), code, code.replace('-', '')]) expect(shown).not.toContain(kept);
    expect(JSON.stringify(rows)).not.toContain(JSON.stringify([...Buffer.from(secret)]).slice(1, -1));
  });

  test('a token that Telegram does not know, of another bot, or that is registered already is refused beside its field', async () => {
    const send = (action: string, input: object) => here.test_app.send(here.administrator, `telegram_bot/${action}`, input);
    const other = here.telegram.addBot();
    const unknown = `${other.id}:${'x'.repeat(35)}`;
    expect((await send('add', { token: 'nonsense' })).body.fields).toEqual({ token: 'telegram_token' });
    expect((await send('add', { token: unknown })).body.fields).toEqual({ token: 'telegram_token' });
    expect((await send('add', { token: here.bot.token })).body.fields).toEqual({ token: 'taken' });
    expect((await send('update', { id: here.bot_id, token: other.token })).body.fields).toEqual({ token: 'telegram_other_bot' });
    expect((await send('add', { token: other.token, mode: 'webhook' })).body.fields).toEqual({ webhook_base: 'required' });
  });

  test('only who may manage bots sees them', async () => {
    for (const action of ['inquire', 'add', 'update', 'test', 'remove'])
      expect((await here.test_app.send(here.owner, `telegram_bot/${action}`, {})).status).toBe(403);
    const offered = await here.test_app.call(here.owner, 'telegram_bot_binding', 'bots', {});
    expect(offered.body.content).toEqual([{ id: here.bot_id, name: here.bot.first_name, username: here.bot.username }]);
  });

  test('two bots keep their chats apart', { tags: 'full' }, async () => {
    work();
    const chat = await bindChat();
    const first = { bot: here.bot, bot_id: here.bot_id };
    here.bot = here.telegram.addBot();
    here.bot_id = await addBot();
    expect(await ask(chat, '/help')).toContain('尚未绑定');
    const { content } = (await here.test_app.call(here.administrator, 'telegram_bot', 'inquire', { sort: 'id', order: 'asc' })).body;
    expect(content.map((row) => [row.id, row.chats])).toEqual([
      [first.bot_id, 1],
      [here.bot_id, 0],
    ]);
    Object.assign(here, first);
    expect(await ask(chat, '/help')).toContain('/status');
    expect(await chats()).toHaveLength(1);
  });
});
