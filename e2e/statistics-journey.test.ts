import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import type { Product } from './kit/product.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';
import { phone } from './kit/visitor.ts';

let product: Product;
let page: Page;
const visits = 4;

beforeJourneys(async (journey) => {
  ({ product } = journey);
  const customer = await addCustomer(product, 'journey-statistics');
  const token = await tokenOf(product.backOffice, customer.account, customer.password);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const code = { name: '统计海报', targets: [{ kind: 'text', content: '欢迎' }] };
  const answer = await fetch(`${product.backOffice}/api/qr_code_list/add`, { method: 'POST', headers, body: JSON.stringify(code) });
  const { url } = (await answer.json()) as { url: string };
  for (let visit = 0; visit < visits; visit += 1) await fetch(url, { headers: { 'user-agent': phone } });
  page = await openPageAs(customer, journey);
});

const open = async (screen: string, query = '') => {
  await page.goto(`${product.backOffice}/#/customer/${screen}${query}`);
  await page.reload();
};
const figure = (name: string) => page.locator('.lc-stat').filter({ hasText: new RegExp(`^${name}`) });
/** The values that filter, and the way to let go of them all. */
const chips = () => page.getByRole('list', { name: '当前筛选条件' }).getByRole('listitem');
const dimension = (name: string) => page.locator('figure').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('a value that is clicked filters all the rest, stays over a reload, and several do at once', async () => {
  await open('historical_statistics', '?range=today');
  await expect
    .poll(async () => (await figure('访问次数').allInnerTexts()).join(), { timeout: 15_000 })
    .toMatch(new RegExp(`\\b${visits}\\b`));
  await dimension('打开环境').getByRole('button', { name: /微信/ }).click();
  await expect.poll(() => chips().count()).toBe(2);
  await dimension('操作系统').getByRole('button', { name: /iOS/ }).click();
  await expect.poll(() => chips().count()).toBe(3);
  expect(page.url()).toContain('f=source%3Amessenger');
  await page.reload();
  await expect.poll(() => chips().count()).toBe(3);
  await expect.poll(async () => (await figure('访问次数').allInnerTexts()).join()).toMatch(new RegExp(`\\b${visits}\\b`));
  await page.getByRole('button', { name: '清空筛选' }).click();
  await expect.poll(() => chips().count()).toBe(0);
});

test('a change is explained against another period', async () => {
  await open('daily_statistics', '?range=today&compare=before');
  await page.getByRole('heading', { name: '访问为什么增加' }).waitFor();
  await page.getByRole('heading', { name: '每小时数据' }).waitFor();
});

test('days that lie ahead say so instead of zeros', async () => {
  await open('historical_statistics', '?range=custom&from=2190-01-01&to=2190-01-02');
  await page.getByText('这些日期还没有到').waitFor();
});

test('hours and the last half hour show the same visits', async () => {
  await open('hourly_statistics', '?range=today');
  const cells = page.locator('.lc-heat-cell');
  await expect.poll(async () => (await cells.allInnerTexts()).reduce((sum, text) => sum + Number(text || 0), 0)).toBe(visits);
  await open('access_real_time_statistics');
  await page.getByRole('heading', { name: '最新访问' }).waitFor();
  await expect.poll(() => page.locator('.lc-real-time-newest tbody tr').count()).toBeGreaterThanOrEqual(visits);
});

test('what one looks at is sent regularly, paused, sent at once and no more; its message leads back to the days that it told', async () => {
  await open('historical_statistics', '?range=today&f=source%3Amessenger');
  await page.getByRole('button', { name: /定期发送$/ }).click();
  await page.getByRole('button', { name: '定期发送当前页面' }).click();
  const form = page.getByRole('dialog').filter({ has: page.getByLabel('名称') });
  await form.getByLabel('名称').fill('微信日报');
  await form.getByRole('button', { name: '定期发送当前页面' }).click();
  const digest = page.locator('.lc-digests .ant-card').filter({ hasText: '微信日报' });
  await digest.getByText('每天 09:00').waitFor();
  await digest.getByRole('button', { name: '暂停' }).click();
  await digest.getByText('已暂停').waitFor();
  await digest.getByRole('button', { name: '立即发送' }).click();
  await digest.getByText('上次：').waitFor();
  await page.getByText(/^微信日报：.* 访问 0 次/).waitFor();
  await page.keyboard.press('Escape');
  await digest.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: '去查看' }).click();
  await expect.poll(() => page.url()).toMatch(/range=custom.*compare=before.*f=source%3Amessenger/);
  await page.getByRole('button', { name: /定期发送$/ }).click();
  await digest.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).last().click();
  await digest.waitFor({ state: 'detached' });
});
