import QRCode from 'qrcode';
import { startTelegram, type Telegram } from '../simulators/telegram/telegram.ts';
import type { Bot } from '../simulators/telegram/world.ts';
import { faultsOf } from './kit/accessibility.ts';
import { pressEscape } from './kit/keyboard.ts';
import { go, openScreen } from './kit/menu.ts';
import { scan } from './kit/scan.ts';
import { test as base, expect, type Page } from './kit/test.ts';
import { addUser, post, unique } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

const test = base.extend<{ telegram: Telegram }>({
  telegram: async ({ admin }, use) => {
    const telegram = await startTelegram();
    await use(telegram);
    const { content } = await admin.call<{ content: { id: number }[] }>('telegram_bot/inquire');
    if (content.length > 0) await admin.call('telegram_bot/remove', { ids: content.map(({ id }) => id) });
    await telegram.stop();
  },
});
test.use({ productEnv: { LIVECODE_ALLOWED_NETWORKS: '127.0.0.1/32' } });

const groupLink = (name: string) => `https://weixin.qq.com/g/${name}`;
const groupPicture = (name: string) => QRCode.toBuffer(groupLink(name), { width: 400 });

async function registerBot(page: Page, bot: Bot): Promise<void> {
  await page.getByRole('button', { name: '机器人管理' }).first().click();
  await page.getByRole('button', { name: '添加机器人' }).first().click();
  const form = page.getByRole('dialog', { name: '添加机器人' });
  await form.getByLabel('Token').fill('123:abc');
  await form.getByRole('button', { name: '添加机器人' }).click();
  await expect(form.getByText('Token 不正确')).toBeVisible();
  await form.getByLabel('Token').fill(bot.token);
  await form.getByRole('button', { name: '添加机器人' }).click();
  await expect(page.getByText('运行中')).toBeVisible();
}

test('an administrator registers a bot; a customer binds a chat by its picture, asks there, and lets it go', async ({
  product,
  admin,
  user,
  telegram,
  open,
}, testInfo) => {
  const [username, person] = [`journey_${unique()}_bot`, `person_${unique()}`];
  const bot = telegram.addBot({ first_name: '活码助手', username });
  await user.call('qr_code_list/add', { name: '茶友群', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  const office = await open(admin);
  await openScreen(office, '参数配置');
  await office.getByLabel('Telegram 接口地址').fill(telegram.url);
  await office.getByRole('button', { name: '保存' }).first().click();
  await expect(office.getByText(/已保存|操作成功/).first()).toBeVisible();
  await openScreen(office, '机器人绑定');
  await registerBot(office, bot);
  expect(await faultsOf(office, '[role="dialog"]')).toEqual([]);

  const customer = await open(user, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await go(customer, 'system/telegram_bot_binding');
  await customer.getByRole('button', { name: '绑定聊天' }).first().click();
  const picture = testInfo.outputPath('code.png');
  await customer.getByRole('img', { name: /二维码/ }).screenshot({ path: picture });
  const url = new URL((await scan(picture)) ?? '');
  expect(`${url.origin}${url.pathname}`).toBe(`https://t.me/${username}`);
  expect(await faultsOf(customer, '[role="dialog"]')).toEqual([]);
  const chat = telegram.addChat({ person: { first_name: '张伟', username: person } });
  const answer = () => telegram.said(bot, chat).at(-1)?.text;
  telegram.say(bot, chat, `/start ${url.searchParams.get('start')}`);
  await expect(customer.getByText('绑定成功')).toBeVisible();
  await customer.getByRole('dialog').getByRole('button', { name: '发送测试' }).click();
  await expect.poll(answer).toContain(`测试推送：此聊天已绑定到账号 ${user.account}`);
  await customer.getByRole('button', { name: '完成' }).click();
  telegram.say(bot, chat, '/codes');
  await expect.poll(answer).toMatch(/^活码（共 1 个）\n1\. /);

  // The weekly chore: the new picture of a group goes to the bot, and visitors see it after a tap.
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await groupPicture('old'))]), 'a.png');
  const { id } = await post<{ id: number }>(product.backOffice, 'file/add', form, user.token);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const targets = [{ kind: 'picture', content: String(id), expires_at }];
  const { url: printed } = await user.call<{ url: string }>('qr_code_list/add', { name: '周更群', targets });
  telegram.sendPicture(bot, chat, await groupPicture('new'));
  await expect.poll(answer).toContain('收到新的二维码');
  const offer = telegram.said(bot, chat).at(-1);
  telegram.press(bot, chat, offer?.message_id ?? 0, offer?.buttons[0]?.[0]?.callback_data ?? '');
  await expect.poll(answer).toContain('已换上：“周更群”第 1 个子码');
  const visitor = await open(undefined, { userAgent: phone });
  await expect(async () => {
    await visitor.goto(printed);
    const seen = testInfo.outputPath('seen.png');
    await visitor.screenshot({ path: seen });
    expect(await scan(seen)).toBe(groupLink('new'));
  }).toPass({ timeout: 30_000 });

  // The administrator sees it, another customer does not.
  await pressEscape(office);
  await office.reload();
  await expect(office.getByRole('cell', { name: `@${person}` })).toBeVisible();
  const other = await open(await addUser(product, admin));
  await openScreen(other, '机器人绑定');
  await expect(other.getByText('还没有绑定聊天')).toBeVisible();
  await expect(other.getByText('机器人管理')).toHaveCount(0);

  await customer.getByRole('button', { name: '解绑' }).first().click();
  await customer.getByRole('dialog').getByRole('button', { name: '解绑' }).click();
  await expect.poll(answer).toContain('已解绑');
  await expect(customer.getByText('还没有绑定聊天')).toBeVisible();
  telegram.say(bot, chat, '/codes');
  await expect.poll(answer).toContain('尚未绑定');
});
