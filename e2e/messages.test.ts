import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import type { Product } from './kit/product.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';

let product: Product;
let customer: { account: string; password: string };
/** The customer's first window. */
let page: Page;

const patience = { timeout: 20_000 };
const toast = (of: Page) => of.locator('.lc-message-toast');

/** Makes a call of the API as somebody. */
async function call<T>(as: { account: string; password: string }, path: string, input: object): Promise<T> {
  const authorization = `Bearer ${await tokenOf(product.backOffice, as.account, as.password)}`;
  const answer = await fetch(`${product.backOffice}/api/${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(path.endsWith('/options') ? input : { ...input, request_id: randomUUID() }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
const admin = () => ({ account: 'admin', password: product.password });

async function tell(title: string): Promise<void> {
  const { content } = await call<{ content: { id: number }[] }>(admin(), 'user_list/options', { search: customer.account });
  const user_ids = content.map(({ id }) => id);
  await call(admin(), 'message_list/send', { title, content: `${title}: content`, kind: 'info', audience: 'users', user_ids });
}

beforeJourneys(async (journey) => {
  ({ product } = journey);
  customer = await addCustomer(product, 'messages-reader');
  page = await openPageAs(customer, journey);
  await page.waitForURL(/#\/customer/);
});

test('a message of any kind is an error toast that stays, one after the other, below a dialog', async () => {
  await tell('First news');
  await expect.poll(() => toast(page).textContent(), patience).toContain('First news');
  expect(await page.locator('.ant-notification-notice-error').count()).toBe(1);
  await tell('Second news');
  await page.goto(`${product.backOffice}/#/customer/domain_list`);
  await page.getByRole('button', { name: '添加域名' }).first().click();
  await page.getByRole('dialog').getByRole('textbox').first().fill('toast.example.com');
  const isCovered = await toast(page).evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  expect(isCovered).toBe(true);
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();
  await page.getByRole('button', { name: '放弃' }).click();
  await page.reload();
  await expect.poll(() => toast(page).textContent(), patience).toContain('Second news');
});

test('it goes when the list of messages is opened in another tab', async () => {
  const other = await page.context().newPage();
  await other.goto(`${product.backOffice}/#/customer/home`);
  await other.getByRole('button', { name: /^站内信/ }).click();
  await expect.poll(() => toast(page).count(), patience).toBe(0);
  await other.close();
});

test('what an administrator froze leads its owner to it, where he reads why', async () => {
  const targets = [{ kind: 'url', content: 'https://example.com/' }];
  const { id } = await call<{ id: number }>(customer, 'qr_code_list/add', { name: 'Cold code', targets });
  await call(admin(), 'report_list/freeze', { what: 'code', ids: [id], reason: 'sells fakes' });
  await expect.poll(() => toast(page).textContent(), patience).toContain('活码已被冻结：Cold code');
  await toast(page).getByRole('button', { name: '去查看' }).click();
  await page.getByText('这个活码已被管理员冻结').waitFor();
  await page.getByText('原因：sells fakes').first().waitFor();
  expect(await toast(page).count()).toBe(0);
});
