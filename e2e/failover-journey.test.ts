import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, logIn, openPage } from './kit/journey.ts';
import { openScreen } from './kit/menu.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';

let page: Page;
const host = 'dry-run-a.example.com';

beforeJourneys(async ({ product, browser }) => {
  const { account, password } = await addCustomer(product, 'failover-journey');
  const token = await tokenOf(product.backOffice, account, password);
  await fetch(`${product.backOffice}/api/domain_list/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ host, type: 1 }),
  });
  page = await openPage(browser);
  await logIn(page, product.backOffice, account, password);
});

const isShown = (locator: { isVisible: () => Promise<boolean> }) => expect.poll(() => locator.isVisible(), { timeout: 40_000 }).toBe(true);

test('a customer sets a rule of his own, tries it on a domain, and goes back to what the platform says', async () => {
  await openScreen(page, '拦截处理');
  const rule = page.getByRole('article', { name: '入口域名' });
  await isShown(rule.getByText('平台默认'));
  await rule.getByRole('button', { name: '编辑规则：入口域名' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('每小时最多替换次数').fill('7');
  await dialog.getByRole('radio', { name: /暂停活码/ }).click();
  await dialog.getByRole('button', { name: '保存' }).click();
  await isShown(rule.getByText('每小时最多 7 次'));
  await isShown(rule.getByText('都没有时暂停活码'));

  await page.getByRole('button', { name: '试演' }).click();
  await page.getByRole('combobox', { name: '域名', exact: true }).fill(host);
  await page.getByTitle(host).click();
  await isShown(page.getByText(`${host} 不会有任何更改`));
  await isShown(page.getByText('域名上没有码'));
  await isShown(page.getByText('按持有人自己的规则'));
  await page.keyboard.press('Escape');

  await rule.getByRole('button', { name: '恢复平台默认' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '恢复平台默认' }).click();
  await isShown(rule.getByText('每小时最多 20 次'));
}, 180_000);
