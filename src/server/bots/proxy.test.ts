import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../kit/testing/proxy.ts';
import { ask, bindChat, here, prepareBots, work } from './testing/setup.ts';

prepareBots();

test('where Telegram is not reached, everything goes by the proxy of the settings', async () => {
  const proxy = await startProxy(Number(new URL(here.telegram.url).port));
  onTestFinished(() => proxy.stop());
  const set = (key: string, value: string) =>
    here.test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES (${key}, ${JSON.stringify(value)}::jsonb)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
  // A name that nobody here knows.
  await set('telegram_api', 'http://telegram.invalid');
  await set('telegram_proxy', proxy.url);
  onTestFinished(async () => {
    await set('telegram_api', here.telegram.url);
    await set('telegram_proxy', '');
  });
  work();
  const chat = await bindChat();
  expect(await ask(chat, '/codes')).toContain('活码');
  expect(new Set(proxy.asked)).toEqual(new Set(['telegram.invalid:80']));
});
