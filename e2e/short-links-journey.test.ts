import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { pressEscape } from './kit/keyboard.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { expect, type Page, test } from './kit/test.ts';
import { type User, unique } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

const row = (page: Page, text: string) => page.locator('.ant-table-row').filter({ hasText: text });

async function addCode(user: User): Promise<string> {
  const file_name = `menu${unique()}`;
  await user.call('qr_code_list/add', { name: '菜单', file_name, targets: [{ kind: 'url', content: 'https://example.com/' }] });
  return file_name;
}

/** Browsers know names below localhost, not every resolver does: the visit says by its header which it means. */
const visit = ({ visitPort }: Product, link: string): Promise<{ status: number | undefined; location: string | undefined }> =>
  new Promise((resolve, reject) => {
    const { host, pathname } = new URL(link);
    request({ host: '127.0.0.1', port: visitPort, path: pathname, headers: { host, 'user-agent': phone } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, location: answer.headers.location });
    })
      .on('error', reject)
      .end();
  });

test('a live code gets a short link from its own row; visits are counted, and after a new one is made the old one leads nowhere', {
  tag: '@gate',
}, async ({ page, product, user }) => {
  const code = await addCode(user);
  const [lunch, dinner] = [`Lunch${unique()}`, `dinner${unique()}`];
  await openScreen(page, '活码列表');
  await row(page, code).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '生成短码');

  const form = page.getByRole('dialog', { name: '生成短码' });
  await expect(form.getByText(code)).toBeVisible();
  await form.getByRole('textbox', { name: '自定义路径' }).fill(lunch);
  await form.getByRole('button', { name: /^生/ }).click();
  const made = page.getByRole('dialog', { name: '已生成 1 个短码' });
  const link = `http://s.localhost:${product.visitPort}/${lunch.toLowerCase()}`;
  await expect(made.getByText(link)).toBeVisible();
  await made.getByRole('button', { name: /^关/ }).last().click();

  expect(await visit(product, link)).toEqual({ status: 302, location: expect.stringContaining(`/${code}`) });
  const listed = row(page, `/${lunch.toLowerCase()}`);
  await expect(async () => {
    await page.getByRole('button', { name: '刷新' }).click();
    await expect(listed.locator('.lc-short-figures').first()).toHaveText(/^1/, { timeout: 1000 });
  }).toPass({ timeout: 60_000 });

  await listed.getByText('重新生成').click();
  const again = page.getByRole('dialog', { name: '重新生成' });
  await expect(again.getByText('旧短链接立即失效')).toBeVisible();
  await again.getByRole('textbox', { name: '自定义路径' }).fill(dinner);
  await again.getByRole('button', { name: '重新生成' }).click();
  await expect(made.getByText(`/${dinner}`)).toBeVisible();
  await made.getByRole('button', { name: /^关/ }).last().click();
  await expect.poll(async () => (await visit(product, link)).status).toBe(404);
  expect((await visit(product, link.replace(/\/lunch.*/, `/${dinner}`))).status).toBe(302);
});

test('links that cannot be shortened are named by their numbers, and nothing chosen is said beside the choice', async ({ page }) => {
  await openScreen(page, '短码');
  await page.getByRole('button', { name: '生成短码' }).first().click();
  const form = page.getByRole('dialog', { name: '生成短码' });
  await form.getByRole('button', { name: /^生/ }).click();
  const fault = form.locator('.ant-form-item-explain-error');
  await expect(fault).toHaveText(['请填写此项']);
  await form.getByText('链接', { exact: true }).click();
  await form.getByRole('textbox', { name: '链接' }).fill('https://example.com/\nnowhere\nhttps://example.com/b\nno');
  await form.getByRole('button', { name: /^生/ }).click();
  await expect(fault).toHaveText([/^第 2、4 项：请填写完整的链接/]);

  await pressEscape(page);
  await page.getByRole('button', { name: /^放\s*弃/ }).click();
  await expect(form).toHaveCount(0);
});

test('where the short domains cannot be read, that is said, and not that there are none', async ({ page }) => {
  await page.route('**/api/{short_code/domains,url_key_platform/inquire}', (route) => route.abort());
  await openScreen(page, '短码');
  await page.getByRole('button', { name: '生成短码' }).first().click();
  const form = page.getByRole('dialog', { name: '生成短码' });
  await form.getByRole('combobox', { name: '生成方式' }).click();
  await expect(page.locator('.ant-select-dropdown:visible').getByText('无法连接服务器')).toBeVisible();
  await expect(form.getByRole('alert')).toHaveCount(0);
});

test('a logo is restored by the highest error level, which a preset leaves as it is', async ({ page, user }) => {
  const code = await addCode(user);
  await openScreen(page, '活码列表');
  await row(page, code).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '二维码样式与下载');
  const designer = page.getByRole('dialog');
  await designer.locator('input[type=file]').setInputFiles('src/web/public/logo.png');
  await expect(designer.getByRole('img', { name: 'Logo' })).toBeVisible();
  await designer.getByText('商务蓝').click();
  await expect(designer.getByText('扫码检查通过')).toBeVisible();
  await expect(designer.getByText('Logo 遮住太多')).toHaveCount(0);
});

test.describe('an administrator', () => {
  test.use({ as: 'admin' });

  test('a platform that is tried out says what is missing beside its fields, and Enter there tries out instead of adding it', async ({
    page,
  }) => {
    const name = `Ours ${unique()}`;
    await openScreen(page, '短链平台');
    await page.getByRole('button', { name: '添加平台' }).click();
    const form = page.getByRole('dialog', { name: '添加平台' });
    await form.getByRole('textbox', { name: '名称' }).fill(name);
    await form.getByRole('textbox', { name: '密钥' }).fill('abc');
    const tried = form.getByRole('textbox', { name: '用于测试的链接' });
    await tried.press('Enter');
    const faultOf = (label: string) => form.locator('.ant-form-item', { hasText: label }).locator('.ant-form-item-explain-error');
    await expect(faultOf('接口地址')).toHaveText('请填写此项');
    await expect(faultOf('密钥')).toHaveText('至少 4 个字符');
    // Leaving a field as it was takes back nothing of what was said about it.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(faultOf('接口地址')).toHaveText(['请填写此项']);
    await tried.fill('nowhere');
    await form.getByRole('button', { name: '测试' }).click();
    await expect(form.getByText('请填写完整的链接')).toBeVisible();

    await form.getByRole('combobox', { name: '类型' }).click();
    await page.getByTitle('2. 字符串拼接').click();
    await form.getByRole('textbox', { name: '前缀' }).fill('https://jump.example.com/?u=');
    await tried.fill('https://example.com/');
    await tried.press('Enter');
    await expect(form.getByText('成功，得到的链接')).toBeVisible();
    await form.getByRole('button', { name: '添加平台' }).click();
    await expect(row(page, name)).toBeVisible();
  });

  test('a link whose platform was closed names it, and says beside the choice that it makes no links', async ({ page, user }) => {
    const name = `说明页 ${unique()}`;
    const config = { type: 15, domain_id: null, title: '请在浏览器中打开', text: '点右上角的菜单', picture_id: null };
    const { id: platform_id } = await user.call<{ id: number }>('url_key_platform/add', { name, config, enabled: true });
    const links = { request_key: randomUUID(), platform_id, urls: ['https://example.com/'], remark: name };
    const { results } = await user.call<{ results: { short_url: string }[] }>('short_code/add', links);
    const path = new URL(results[0]?.short_url ?? '').pathname;

    await openScreen(page, '短链平台');
    const platform = row(page, name);
    await platform.getByRole('button', { name: '更多操作' }).click();
    await chooseEntry(page, '停用');
    await expect(platform.getByText('已停用')).toBeVisible();

    await openScreen(page, '短码');
    await page.getByPlaceholder('路径、目标、活码或备注').fill(name);
    await expect(page.locator('.ant-table-row')).toHaveCount(1);
    const link = row(page, path);
    await link.getByText('重新生成').click();
    const form = page.getByRole('dialog', { name: '重新生成' });
    await expect(form.getByText(`${name}（不可用）`).filter({ visible: true })).toBeVisible();
    await form.getByRole('button', { name: '重新生成' }).click();
    const fault = form.locator('.ant-form-item', { hasText: '生成方式' }).locator('.ant-form-item-explain-error');
    await expect(fault).toHaveText(['平台不存在或已停用']);
    // Of many platforms only those in sight are there to be pressed.
    await form.getByRole('combobox', { name: '生成方式' }).fill('自动选择');
    await page.getByTitle('自动选择健康的短域名').click();
    await form.getByRole('button', { name: '重新生成' }).click();
    await expect(page.getByRole('dialog', { name: '已生成 1 个短码' })).toBeVisible();
    await expect(link).toHaveCount(0);
    await expect(page.locator('.ant-table-row')).toHaveCount(1);
  });
});
