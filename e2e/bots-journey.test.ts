import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { afterAll, expect, test } from 'vitest';
import { startTelegram, type Telegram } from '../simulators/telegram/telegram.ts';
import type { Bot } from '../simulators/telegram/world.ts';
import { faultsOf } from './kit/accessibility.ts';
import { beforeJourneysAlone, logIn, openPage } from './kit/journey.ts';
import type { Product } from './kit/product.ts';
import { scan } from './kit/scan.ts';

let product: Product;
let browser: Browser;
let telegram: Telegram;
const pictures = mkdtempSync(join(tmpdir(), 'livecode-bots-'));
beforeJourneysAlone(
  async (journey) => {
    ({ product, browser } = journey);
    telegram = await startTelegram();
  },
  { LIVECODE_ALLOWED_NETWORKS: '127.0.0.1/32', LIVECODE_DEMO: '1' },
);
afterAll(async () => {
  rmSync(pictures, { recursive: true, force: true });
  await telegram.stop();
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function openAs(account: string, path: string, options?: Parameters<typeof openPage>[1]): Promise<Page> {
  const page = await openPage(browser, options);
  await logIn(page, product.backOffice, account, product.password);
  await page.locator('#main h1').waitFor();
  await page.goto(`${product.backOffice}/#/${path}`);
  return page;
}

/** What the picture on the screen holds. */
async function scanned(page: Page): Promise<URL> {
  const path = join(pictures, 'code.png');
  await page.getByRole('img', { name: /二维码/ }).screenshot({ path });
  return new URL((await scan(path)) ?? '');
}

async function registerBot(page: Page, bot: Bot): Promise<void> {
  await page.getByRole('button', { name: '机器人管理' }).first().click();
  await page.getByRole('button', { name: '添加机器人' }).first().click();
  const form = page.getByRole('dialog', { name: '添加机器人' });
  await form.getByLabel('Token').fill('123:abc');
  await form.getByRole('button', { name: '添加机器人' }).click();
  await form.getByText('Token 不正确').waitFor();
  await form.getByLabel('Token').fill(bot.token);
  await form.getByRole('button', { name: '添加机器人' }).click();
  await page.getByText('运行中').waitFor();
}

test('an administrator registers a bot; a customer binds a chat by its picture, asks there, and lets it go', async () => {
  const bot = telegram.addBot({ first_name: '活码助手', username: 'livecode_demo_bot' });
  const admin = await openAs('admin', 'system/configuration');
  await admin.getByLabel('Telegram 接口地址').fill(telegram.url);
  await admin.getByRole('button', { name: '保存' }).first().click();
  await admin
    .getByText(/已保存|操作成功/)
    .first()
    .waitFor();
  await admin.goto(`${product.backOffice}/#/system/telegram_bot_binding`);
  await registerBot(admin, bot);
  expect(await faultsOf(admin, '[role="dialog"]')).toEqual([]);

  const customer = await openAs('zhangwei', 'system/telegram_bot_binding', phone);
  await customer.getByRole('button', { name: '绑定聊天' }).first().click();
  const url = await scanned(customer);
  expect(`${url.origin}${url.pathname}`).toBe('https://t.me/livecode_demo_bot');
  expect(await faultsOf(customer, '[role="dialog"]')).toEqual([]);
  const chat = telegram.addChat({ person: { first_name: '张伟', username: 'zhangwei' } });
  telegram.say(bot, chat, `/start ${url.searchParams.get('start')}`);
  await customer.getByText('绑定成功').waitFor();
  await customer.getByRole('dialog').getByRole('button', { name: '发送测试' }).click();
  await expect.poll(() => telegram.said(bot, chat).at(-1)?.text).toContain('测试推送：此聊天已绑定到账号 zhangwei');
  await customer.getByRole('button', { name: '完成' }).click();
  telegram.say(bot, chat, '/codes');
  await expect.poll(() => telegram.said(bot, chat).at(-1)?.text).toMatch(/^活码（共 \d+ 个）\n1\. /);

  // The administrator sees it, another customer does not.
  await admin.keyboard.press('Escape');
  await admin.reload();
  await admin.getByRole('cell', { name: '@zhangwei' }).waitFor();
  const other = await openAs('lina', 'system/telegram_bot_binding');
  await other.getByText('还没有绑定聊天').waitFor();
  expect(await other.getByText('机器人管理').count()).toBe(0);

  await customer.getByRole('button', { name: '解绑' }).first().click();
  await customer.getByRole('dialog').getByRole('button', { name: '解绑' }).click();
  await expect.poll(() => telegram.said(bot, chat).at(-1)?.text).toContain('已解绑');
  await customer.getByText('还没有绑定聊天').waitFor();
  telegram.say(bot, chat, '/codes');
  await expect.poll(() => telegram.said(bot, chat).at(-1)?.text).toContain('尚未绑定');
}, 180_000);
