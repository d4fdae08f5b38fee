import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { maxChats } from '../../contract/detection/telegram-bot-binding.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { ask, askInVain, bindChat, chats, heard, here, makeCode, prepareBots, settled, work } from './testing/setup.ts';

prepareBots({ works: true });

const stateOf = async (id: number, as = here.owner) => (await here.test_app.call(as, 'telegram_bot_binding', 'binding', { id })).body;
const list = async (as = here.owner) => (await here.test_app.call(as, 'telegram_bot_binding', 'inquire', {})).body;

describe('a private chat', () => {
  test('is bound by the deep link, once, and the one who waits is told of it', async () => {
    const chat = here.telegram.addChat({ person: { first_name: '张', last_name: '伟', username: 'zhangwei', language_code: 'zh-hans' } });
    const made = await makeCode();
    expect(made.url).toBe(`https://t.me/${here.bot.username}?start=${made.code.replace('-', '')}`);
    expect(await stateOf(made.id)).toEqual({ state: 'waiting', chat: null });
    expect(await ask(chat, `/start ${new URL(made.url).searchParams.get('start')}`)).toContain('绑定成功');
    const { state, chat: bound } = await stateOf(made.id);
    expect([state, bound]).toMatchObject([
      'bound',
      {
        nickname: '张 伟',
        username: 'zhangwei',
        language: 'zh-hans',
        platform_account: here.owner.account,
        chat_id: chat.id,
        kind: 'private',
      },
    ]);
    expect((await list()).content).toMatchObject([{ chat_id: chat.id }]);
    // Somebody else who saw the code over a shoulder.
    expect(await ask(here.telegram.addChat(), `/start ${made.code}`)).toContain('不正确或已失效');
    expect(await chats()).toHaveLength(1);
  });

  test('is bound by the code alone, however it is typed', async () => {
    const chat = here.telegram.addChat();
    const { code } = await makeCode();
    expect(await ask(chat, ` ${code.toLowerCase()} `)).toContain('绑定成功');
  });

  test('is not bound by a code whose ten minutes are over', async () => {
    const { id, code } = await makeCode();
    await here.test_app.db.execute(sql`UPDATE telegram_code SET expires_at = now() - interval '1 second' WHERE id = ${id}`);
    expect(await ask(here.telegram.addChat(), `/start ${code}`)).toContain('不正确或已失效');
    expect([await chats(), await stateOf(id)]).toEqual([[], { state: 'expired', chat: null }]);
  });

  test('is bound by one of two that send a code at the same moment', async () => {
    work();
    const { code } = await makeCode();
    const both = [here.telegram.addChat(), here.telegram.addChat()];
    for (const chat of both) here.telegram.say(here.bot, chat, `/start ${code}`);
    await Promise.all(both.map((chat) => heard(chat, 1)));
    expect(await chats()).toHaveLength(1);
  });

  test('of another user stays his, and the code stays good', async () => {
    const chat = await bindChat();
    const stranger = await here.test_app.makeUser('customer');
    const { code } = await makeCode(stranger);
    expect(await ask(chat, `/start ${code}`)).toContain('其他账号');
    expect(await chats()).toMatchObject([{ user_id: here.owner.id }]);
    await ask(chat, '/unbind');
    expect(await ask(chat, `/start ${code}`)).toContain('绑定成功');
    expect(await chats()).toMatchObject([{ user_id: stranger.id }]);
  });

  test('guesses five codes in ten minutes, not more', async () => {
    const chat = here.telegram.addChat();
    for (let guess = 0; guess < 5; guess += 1) expect(await ask(chat, '/start AAAAABBBBB')).toContain('不正确');
    expect(await ask(chat, '/start AAAAABBBBB')).toContain('尝试次数过多');
    const { code } = await makeCode();
    await askInVain(chat, `/start ${code}`);
    expect(await chats()).toEqual([]);
  });

  test('may be one of several of a user, up to a limit', async () => {
    await bindChat();
    await bindChat();
    expect(await chats()).toHaveLength(2);
    const { code } = await makeCode();
    await here.test_app.db.execute(sql`
      INSERT INTO telegram_chat (bot_id, user_id, chat_id, kind) SELECT ${here.bot_id}, ${here.owner.id}, number, 'private'
      FROM generate_series(1, ${maxChats - 2}) AS number`);
    expect(await ask(here.telegram.addChat(), `/start ${code}`)).toContain('已达上限');
    const refused = await here.test_app.call(here.owner, 'telegram_bot_binding', 'bind', { bot_id: here.bot_id });
    expect([refused.status, refused.body.code]).toEqual([409, 'telegram.too_many_chats']);
  });
});

describe('a group', () => {
  const addGroup = (status: 'creator' | 'administrator' | 'member' = 'administrator') =>
    here.telegram.addChat({ type: 'supergroup', title: '运营群', status });

  test('is bound by an administrator of it', async () => {
    const group = addGroup();
    const { code } = await makeCode();
    expect(await ask(group, `/start@${here.bot.username} ${code.replace('-', '')}`)).toContain('运营群');
    expect(await chats()).toMatchObject([{ chat_id: group.id, kind: 'supergroup', nickname: '运营群' }]);
  });

  test('is bound by one who writes as the group', async () => {
    const group = addGroup('member');
    const { code } = await makeCode();
    const from = { id: 1_087_968_824, is_bot: false as const, first_name: 'Group' };
    expect(await ask(group, `/start ${code}`, { from, sender_chat: { id: group.id } })).toContain('绑定成功');
  });

  test('is not bound, muted or unbound by just any member, who may still ask', async () => {
    const group = addGroup('member');
    const { code } = await makeCode();
    expect(await ask(group, `/start ${code}`)).toContain('只有群管理员');
    expect(await chats()).toEqual([]);
    const [[, who] = []] = group.people;
    if (who) who.status = 'administrator';
    await ask(group, `/start ${code}`);
    if (who) who.status = 'member';
    for (const text of ['/mute 5', '/unbind']) expect(await ask(group, text)).toContain('只有群管理员');
    expect(await ask(group, '/help')).toContain('/status');
    expect(await chats()).toMatchObject([{ muted_until: null }]);
  });

  test('is left alone while people talk, or speak to another bot', async () => {
    const group = addGroup();
    await askInVain(group, '大家好');
    await askInVain(group, '/status@other_bot');
    const { code } = await makeCode();
    await askInVain(group, code);
  });

  test('keeps its binding when it becomes a supergroup', async () => {
    const group = here.telegram.addChat({ type: 'group', title: '小群' });
    const { code } = await makeCode();
    await ask(group, `/start ${code}`);
    const next = here.telegram.migrate(group);
    const [row] = await chats();
    const sent = await here.test_app.call(here.owner, 'telegram_bot_binding', 'test', { id: row?.id ?? 0 });
    expect([sent.status, await chats()]).toMatchObject([200, [{ chat_id: next.id, kind: 'supergroup' }]]);
  });
});

describe('a chat is unbound', () => {
  const messages = async () =>
    (
      await here.test_app.db.execute<{ title: string; place: string }>(sql`
        SELECT title, place FROM site_message JOIN site_message_receiver ON message_id = site_message.id WHERE user_id = ${here.owner.id}`)
    ).rows;

  test('by its own command', async () => {
    const chat = await bindChat();
    expect(await ask(chat, '/unbind')).toContain('已解绑');
    expect(await chats()).toEqual([]);
  });

  test('by its user on the screen, and hears of it', async () => {
    const chat = await bindChat();
    const [row] = await chats();
    const done = await here.test_app.call(here.owner, 'telegram_bot_binding', 'unbind', { ids: [row?.id ?? 0] });
    expect([done.status, done.body]).toEqual([200, { affected: 1 }]);
    expect(await heard(chat, 2)).toContain('已解绑');
  });

  test('when the bot is blocked, and its user is told on the site', async () => {
    const chat = await bindChat();
    here.telegram.lose(here.bot, chat);
    await eventually(async () => expect(await chats()).toEqual([]));
    expect(await messages()).toEqual([{ title: 'Telegram 聊天已解绑', place: 'bots' }]);
  });

  test('when a message finds the bot blocked, of which nobody told', async () => {
    const chat = await bindChat();
    here.telegram.lose(here.bot, chat, { silently: true });
    here.telegram.say(here.bot, chat, '/help');
    await settled();
    expect([await chats(), await messages()]).toEqual([[], [expect.objectContaining({ place: 'bots' })]]);
  });
});

describe('who may', () => {
  test('see a chat: its user and administrators, nobody else', async () => {
    const agent = await here.test_app.makeUser('agent');
    here.owner = await here.test_app.makeUser('customer', { superior_id: agent.id });
    await bindChat();
    const stranger = await here.test_app.makeUser('customer');
    for (const [as, total] of [
      [here.owner, 1],
      [here.administrator, 1],
      [agent, 0],
      [stranger, 0],
    ] as const)
      expect((await list(as)).total).toBe(total);
  });

  test('test and unbind it: the same', async () => {
    const chat = await bindChat();
    const [row] = await chats();
    const stranger = await here.test_app.makeUser('customer');
    const said = here.telegram.said(here.bot, chat).length;
    const tested = await here.test_app.call(stranger, 'telegram_bot_binding', 'test', { id: row?.id ?? 0 });
    const unbound = await here.test_app.call(stranger, 'telegram_bot_binding', 'unbind', { ids: [row?.id ?? 0] });
    expect([tested.status, unbound.body, await chats()]).toMatchObject([404, { affected: 0 }, [{ id: row?.id }]]);
    expect(here.telegram.said(here.bot, chat)).toHaveLength(said);
    await here.test_app.call(here.administrator, 'telegram_bot_binding', 'test', { id: row?.id ?? 0 });
    expect(here.telegram.said(here.bot, chat).at(-1)?.text).toContain(here.owner.account);
  });

  test('look what became of a code: who made it', async () => {
    const { id } = await makeCode();
    const others = [await here.test_app.makeUser('customer'), here.administrator];
    for (const as of others) expect((await here.test_app.call(as, 'telegram_bot_binding', 'binding', { id })).status).toBe(404);
  });
});
