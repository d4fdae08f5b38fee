import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { ask, askInVain, bindChat, chats, here, prepareBots, settled } from '../testing/setup.ts';

prepareBots({ works: true });

const addCode = async (name: string, as = here.owner): Promise<number> => {
  const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
  return (await here.test_app.call(as, 'qr_code_list', 'add', { name, targets })).body.id;
};
const addDomain = async (host: string, block_status: number | null, as = here.owner): Promise<void> => {
  const { body } = await here.test_app.call(as, 'domain_list', 'add', { host, type: 1 });
  await here.test_app.db.execute(sql`UPDATE domain SET block_status = ${block_status} WHERE id = ${body.id}`);
};
const unique = () => crypto.randomUUID().slice(0, 8);

describe('a chat that is not bound', () => {
  test('gets one polite line a minute and nothing else', async () => {
    const chat = here.telegram.addChat({ person: { language_code: 'en' } });
    expect(await ask(chat, '/status')).toContain('not bound');
    for (const text of ['/codes', '/today', 'hello', '/unbind']) await askInVain(chat, text);
  });

  test('gets nothing by pressing buttons', async () => {
    const chat = here.telegram.addChat();
    const id = here.telegram.press(here.bot, chat, 1, 'seen:1');
    await settled();
    expect(here.telegram.world.presses.get(id)?.answer).toEqual({ text: '', alert: false });
  });
});

describe('a bound chat', () => {
  test('hears of the own codes and domains, of nobody else’s', async () => {
    const [mine, foreign] = [unique(), unique()];
    const stranger = await here.test_app.makeUser('customer');
    await addCode(`my ${mine}`);
    await addCode(`not mine ${foreign}`, stranger);
    await addDomain(`bad-${mine}.example.com`, 2);
    await addDomain(`good-${mine}.example.com`, 1);
    await addDomain(`bad-${foreign}.example.com`, 2, stranger);
    const chat = await bindChat();
    const status = await ask(chat, '/status');
    expect(status).toContain('活码 1：开启 1，关闭 0，冻结 0');
    expect(status).toContain('域名 2：正常 1，被拦截 1，检测失败 0，未检测 0');
    expect(status).toContain(`bad-${mine}.example.com`);
    const codes = await ask(chat, '/codes');
    expect(codes).toContain(`my ${mine} · 今日 0 · 开启`);
    expect(await ask(chat, '/today')).toContain('访问 0（昨日同时段 0）');
    for (const { text } of here.telegram.said(here.bot, chat)) expect(text).not.toContain(foreign);
  });

  test('is told names as they are, whatever they look like', async () => {
    await addCode('<b>bold</b> & co');
    const chat = await bindChat();
    expect(await ask(chat, '/codes')).toContain('<b>bold</b> & co · ');
  });

  test('is answered in the language of its user', async () => {
    await here.test_app.db.execute(sql`UPDATE user_account SET language = 'ja-JP' WHERE id = ${here.owner.id}`);
    const chat = await bindChat();
    expect(await ask(chat, '/help')).toContain('コマンドの説明'.slice(0, 4));
    expect(await ask(chat, '/mute abc')).toContain('分数');
  });

  test('asks no more often than it may', async () => {
    const chat = await bindChat();
    for (let number = 0; number < 19; number += 1) await ask(chat, '/help');
    expect(await ask(chat, '/help')).toContain('过于频繁');
    await askInVain(chat, '/help');
  });

  test('mutes its pushes for a while, and ends that', async () => {
    const chat = await bindChat();
    expect(await ask(chat, '/mute')).toContain('已静音至');
    const muted = async () => (await chats())[0]?.muted_until;
    expect(new Date((await muted()) ?? 0).getTime() - Date.now()).toBeGreaterThan(59 * 60_000);
    expect(await ask(chat, '/status')).toContain('静音至');
    const listed = await here.test_app.call(here.owner, 'telegram_bot_binding', 'inquire', {});
    expect(listed.body.content[0]?.muted_until).not.toBeNull();
    expect(await ask(chat, '/mute 0')).toContain('已恢复');
    expect(await muted()).toBeNull();
    for (const text of ['/mute 99999', '/mute -1', '/mute 1.5']) expect(await ask(chat, text)).toContain('之间的分钟数');
  });
});

describe('a chat whose user', () => {
  const cases = {
    'is disabled': sql`disabled = true`,
    'is frozen': sql`frozen_at = now()`,
    'has a membership that is over': sql`member_expires_at = now() - interval '1 day'`,
  };
  test.each(Object.entries(cases))('%s hears nothing of him, and can be unbound', async (_name, change) => {
    const name = unique();
    await addCode(name);
    const chat = await bindChat();
    await here.test_app.db.execute(sql`UPDATE user_account SET ${change} WHERE id = ${here.owner.id}`);
    expect(await ask(chat, '/codes')).toContain('当前不可用');
    for (const text of ['/status', '/today', '/help', '/mute 5']) await askInVain(chat, text);
    for (const { text } of here.telegram.said(here.bot, chat)) expect(text).not.toContain(name);
    expect(await ask(chat, '/unbind')).toContain('已解绑');
    expect(await chats()).toEqual([]);
  });

  test('has a role without the rights is refused', async () => {
    const chat = await bindChat();
    await here.test_app.db.execute(sql`
      WITH empty AS (INSERT INTO role (name, kind) VALUES (${unique()}, 'customer') RETURNING id)
      UPDATE user_account SET role_id = empty.id FROM empty WHERE user_account.id = ${here.owner.id}`);
    for (const text of ['/status', '/codes', '/today', '/check https://example.com']) expect(await ask(chat, text)).toContain('没有此权限');
  });
});

describe('/check', () => {
  test('is not told of where nothing checks', async () => {
    const chat = await bindChat();
    expect(await ask(chat, '/help')).not.toContain('/check');
    expect(await ask(chat, '/check https://example.com')).toContain('没有开启拦截检测');
  });
});
