import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../kit/calls/errors.ts';
import { ask, bindChat, here, prepareBots, work } from '../testing/setup.ts';

prepareBots();

describe('/check', () => {
  const asked: object[] = [];
  beforeEach(() => {
    asked.length = 0;
    work({
      async checkUrl(_db, { user_id, url }) {
        asked.push({ user_id, url });
        if (url === 'nonsense') throw new AppError(400, 'input.invalid', { fields: { url: 'invalid_url' } });
        return { url: 'http://a.com/?q=<x>', block_status: 2, reason: '检测器 A' };
      },
    });
  });

  test('asks for the chat’s user, says what was found, and is told of', async () => {
    const chat = await bindChat();
    expect(await ask(chat, '/help')).toContain('/check');
    expect(await ask(chat, '/check a.com')).toBe('⛔ 被拦截\nhttp://a.com/?q=<x>\n检测器 A');
    expect(await ask(chat, '/check nonsense')).toContain('请填写完整的链接');
    expect(await ask(chat, '/check')).toContain('/check https://example.com');
    expect(asked).toEqual([
      { user_id: here.owner.id, url: 'a.com' },
      { user_id: here.owner.id, url: 'nonsense' },
    ]);
    expect(here.bot.commands.get('zh')?.map(({ command }) => command)).toContain('check');
  });

  test('is for five a minute', async () => {
    const chat = await bindChat();
    for (let number = 0; number < 5; number += 1) await ask(chat, '/check a.com');
    expect(await ask(chat, '/check a.com')).toContain('过于频繁');
    expect(asked).toHaveLength(5);
  });
});
