import { request } from 'node:http';
import type { Browser, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, logIn, openPage } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { phone } from './kit/visitor.ts';

let product: Product;
let browser: Browser;
let page: Page;

beforeJourneys(async (journey) => {
  ({ product, browser } = journey);
  page = await openPage(browser);
});

/** Browsers know names below localhost, not every resolver does: the visit says by its header which it means. */
const visit = (link: string): Promise<{ status: number | undefined; location: string | undefined }> =>
  new Promise((resolve, reject) => {
    const { host, pathname } = new URL(link);
    request({ host: '127.0.0.1', port: product.visitPort, path: pathname, headers: { host, 'user-agent': phone } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, location: answer.headers.location });
    })
      .on('error', reject)
      .end();
  });

test('a live code gets a short link from its own row; visits are counted, and after a new one is made the old one leads nowhere', async () => {
  await logIn(page, product.backOffice, 'admin', product.password);
  await openScreen(page, '活码列表');
  const row = page.locator('.ant-table-row').filter({ hasText: 'cafe-menu' });
  await row.getByRole('button', { name: '更多操作' }).click();
  await page.getByText('生成短码', { exact: true }).click();

  const form = page.getByRole('dialog', { name: '生成短码' });
  await form.getByText('cafe-menu').waitFor();
  await form.getByRole('textbox', { name: '自定义路径' }).fill('Lunch');
  await form.getByRole('button', { name: /^生/ }).click();
  const made = page.getByRole('dialog', { name: '已生成 1 个短码' });
  const link = `http://s.localhost:${product.visitPort}/lunch`;
  await made.getByText(link).waitFor();
  await made.getByRole('button', { name: /^关/ }).last().click();

  expect(await visit(link)).toEqual({ status: 302, location: expect.stringContaining('/cafe-menu') });
  const listed = page.locator('.ant-table-row').filter({ hasText: '/lunch' });
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: '刷新' }).click();
        return listed.locator('.lc-short-figures').first().textContent();
      },
      { timeout: 20_000, interval: 1_000 },
    )
    .toMatch(/^1/);

  await listed.getByText('重新生成').click();
  const again = page.getByRole('dialog', { name: '重新生成' });
  await again.getByText('旧短链接立即失效').waitFor();
  await again.getByRole('textbox', { name: '自定义路径' }).fill('dinner');
  await again.getByRole('button', { name: '重新生成' }).click();
  await made.getByText('/dinner').waitFor();
  await made.getByRole('button', { name: /^关/ }).last().click();
  await expect.poll(async () => (await visit(link)).status, { timeout: 5_000 }).toBe(404);
  expect((await visit(link.replace('lunch', 'dinner'))).status).toBe(302);
});

test('a platform that is tried out says what is missing beside its fields, and Enter there tries out instead of adding it', async () => {
  await openScreen(page, '短链平台');
  await page.getByRole('button', { name: '添加平台' }).click();
  const form = page.getByRole('dialog', { name: '添加平台' });
  await form.getByRole('textbox', { name: '名称' }).fill('Ours');
  await form.getByRole('textbox', { name: '密钥' }).fill('abc');
  await form.getByRole('textbox', { name: '用于测试的链接' }).press('Enter');
  const faultOf = (label: string) => form.locator('.ant-form-item', { hasText: label }).locator('.ant-form-item-explain-error');
  await faultOf('接口地址').getByText('请填写此项').waitFor();
  expect(await faultOf('密钥').textContent()).toBe('至少 4 个字符');
  // Leaving a field as it was takes back nothing of what was said about it.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect.poll(() => faultOf('接口地址').allTextContents()).toEqual(['请填写此项']);
  await form.getByRole('textbox', { name: '用于测试的链接' }).fill('nowhere');
  await form.getByRole('button', { name: '测试' }).click();
  await form.getByText('请填写完整的链接').waitFor();

  await form.getByRole('combobox', { name: '类型' }).click();
  await page.getByTitle('2. 字符串拼接').click();
  await form.getByRole('textbox', { name: '前缀' }).fill('https://jump.example.com/?u=');
  await form.getByRole('textbox', { name: '用于测试的链接' }).fill('https://example.com/');
  await form.getByRole('textbox', { name: '用于测试的链接' }).press('Enter');
  await form.getByText('成功，得到的链接').waitFor();
  await form.getByRole('button', { name: '添加平台' }).click();
  await page.locator('.ant-table-row').filter({ hasText: 'Ours' }).waitFor();
});

test('links that cannot be shortened are named by their numbers, and nothing chosen is said beside the choice', async () => {
  await openScreen(page, '短码');
  await page.getByRole('button', { name: '生成短码' }).click();
  const form = page.getByRole('dialog', { name: '生成短码' });
  await form.getByRole('button', { name: /^生/ }).click();
  const fault = form.locator('.ant-form-item-explain-error');
  await expect.poll(() => fault.allTextContents(), { timeout: 5_000 }).toEqual(['请填写此项']);
  await form.getByText('链接', { exact: true }).click();
  await form.getByRole('textbox', { name: '链接' }).fill('https://example.com/\nnowhere\nhttps://example.com/b\nno');
  await form.getByRole('button', { name: /^生/ }).click();
  await expect.poll(() => fault.allTextContents(), { timeout: 5_000 }).toEqual([expect.stringMatching(/^第 2、4 项：请填写完整的链接/)]);
});

test('a link whose platform was closed names it, and says beside the choice that it makes no links', async () => {
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^放\s*弃/ }).click();
  await openScreen(page, '短链平台');
  // The list that is left names the platform too.
  await page.getByRole('heading', { name: '短链平台' }).waitFor();
  const platform = page.locator('.ant-table-row').filter({ hasText: '打开说明页' });
  await platform.getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '停用');
  await platform.getByText('已停用').waitFor();

  await openScreen(page, '短码');
  const link = page.locator('.ant-table-row').filter({ hasText: '/zhaosheng' });
  await link.getByText('重新生成').click();
  const form = page.getByRole('dialog', { name: '重新生成' });
  await form.getByText('打开说明页（不可用）').filter({ visible: true }).waitFor();
  await form.getByRole('button', { name: '重新生成' }).click();
  const fault = form.locator('.ant-form-item', { hasText: '生成方式' }).locator('.ant-form-item-explain-error');
  await expect.poll(() => fault.allTextContents(), { timeout: 5_000 }).toEqual(['平台不存在或已停用']);
  await form.getByRole('combobox', { name: '生成方式' }).click();
  await page.getByTitle('自动选择健康的短域名').click();
  await form.getByRole('button', { name: '重新生成' }).click();
  await page.getByRole('dialog', { name: '已生成 1 个短码' }).waitFor();
  await expect.poll(() => link.count()).toBe(0);
});

test('where the short domains cannot be read, that is said, and not that there are none', async () => {
  await page.keyboard.press('Escape');
  await page.route('**/api/{short_code/domains,url_key_platform/inquire}', (route) => route.abort());
  await page.reload();
  await page.getByRole('button', { name: '生成短码' }).click();
  const form = page.getByRole('dialog', { name: '生成短码' });
  await form.getByRole('combobox', { name: '生成方式' }).click();
  await page.locator('.ant-select-dropdown:visible').getByText('无法连接服务器').waitFor();
  expect(await form.getByRole('alert').count()).toBe(0);
  await page.unroute('**/api/{short_code/domains,url_key_platform/inquire}');
});

test('a logo is restored by the highest error level, which a preset leaves as it is', async () => {
  await page.reload();
  await openScreen(page, '活码列表');
  await page.locator('.ant-table-row').filter({ hasText: 'cafe-menu' }).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '二维码样式与下载');
  const designer = page.getByRole('dialog');
  await designer.locator('input[type=file]').setInputFiles('src/web/public/logo.png');
  await designer.getByText('商务蓝').click();
  await designer.getByText('扫码检查通过').waitFor();
  expect(await designer.getByText('Logo 遮住太多').count()).toBe(0);
});
