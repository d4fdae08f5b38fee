import { request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beforeJourneys, logIn, openPage } from './kit/journey.ts';
import { openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';

let product: Product;
let browser: Browser;
let page: Page;

beforeJourneys(
  async (journey) => {
    ({ product, browser } = journey);
    page = await openPage(browser);
  },
  { LIVECODE_DEMO: '1' },
);

/** Browsers know names below localhost, not every resolver does: the visit says by its header which it means. */
const visit = (link: string): Promise<{ status: number | undefined; location: string | undefined }> =>
  new Promise((resolve, reject) => {
    const { host, pathname } = new URL(link);
    request({ host: '127.0.0.1', port: product.visitPort, path: pathname, headers: { host } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, location: answer.headers.location });
    })
      .on('error', reject)
      .end();
  });

test('a live code gets a short link from its own row; visits are counted, and after a new one is made the old one leads nowhere', async () => {
  await logIn(page, product.backOffice, 'admin', product.password);
  await openScreen(page, '活码', '活码列表');
  const row = page.locator('.ant-table-row').filter({ hasText: 'cafe-menu' });
  await row.getByRole('button', { name: '更多操作' }).click();
  await page.getByText('生成短链', { exact: true }).click();

  const form = page.getByRole('dialog', { name: '生成短链' });
  await form.getByText('cafe-menu').waitFor();
  await form.getByRole('textbox', { name: '自定义路径' }).fill('Lunch');
  await form.getByRole('button', { name: /^生/ }).click();
  const made = page.getByRole('dialog', { name: '已生成 1 个短链' });
  const link = `http://s.localhost:${product.visitPort}/lunch`;
  await made.getByText(link).waitFor();
  await made.getByRole('button', { name: /^关/ }).last().click();

  expect(await visit(link)).toEqual({ status: 302, location: expect.stringContaining('/cafe-menu') });
  const listed = page.locator('.ant-table-row').filter({ hasText: '/lunch' });
  await expect
    .poll(
      async () => {
        await page.getByRole('button', { name: '刷新' }).click();
        return listed.locator('.short-figures').first().textContent();
      },
      { timeout: 20_000, interval: 1_000 },
    )
    .toMatch(/^1/);

  await listed.getByText('重新生成').click();
  const again = page.getByRole('dialog', { name: '重新生成' });
  await again.getByText('旧短链立即失效').waitFor();
  await again.getByRole('textbox', { name: '自定义路径' }).fill('dinner');
  await again.getByRole('button', { name: '重新生成' }).click();
  await page.getByRole('dialog', { name: '已生成 1 个短链' }).getByText('/dinner').waitFor();
  await expect.poll(async () => (await visit(link)).status, { timeout: 5_000 }).toBe(404);
  expect((await visit(link.replace('lunch', 'dinner'))).status).toBe(302);
});
