import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import type { Product } from './kit/product.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';
import { phone } from './kit/visitor.ts';

let product: Product;
let page: Page;
let token: string;
let clicks = 0;

beforeJourneys(async (journey) => {
  ({ product } = journey);
  const customer = await addCustomer(product, 'journey-start-page');
  token = await tokenOf(product.backOffice, customer.account, customer.password);
  page = await openPageAs(customer, journey);
  await page.getByRole('heading', { name: '工作台' }).waitFor();
});

/** Each way begins at the start page: from there clicks are counted. */
async function start(): Promise<void> {
  await page.goto(`${product.backOffice}/#/customer/today_statistics`);
  await page.reload();
  await page.getByRole('heading', { name: '工作台' }).waitFor();
  clicks = 0;
}
async function click(locator: Locator): Promise<void> {
  clicks += 1;
  await locator.click();
}
const button = (name: RegExp | string) => page.getByRole('button', { name }).first();
const panel = (name: string) => page.getByRole('region', { name });

async function addCode(input: object): Promise<{ id: number; url: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${product.backOffice}/api/qr_code_list/add`, { method: 'POST', headers, body: JSON.stringify(input) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { id: number; url: string };
}

test('a new user is led to his first code before anything else', async () => {
  await start();
  const steps = panel('三步开始使用').getByRole('listitem');
  await expect.poll(() => steps.allInnerTexts()).toHaveLength(3);
  expect((await steps.allInnerTexts())[0]).toContain('新建活码');
  expect(await page.getByText('没有需要处理的事').count()).toBe(0);
});

test('a code without visits left waits on the start page, is refilled there with a click, and waits no more', async () => {
  const { url } = await addCode({
    name: '入群码',
    targets: [{ kind: 'text', content: '欢迎', threshold: 1 }],
  });
  for (let visit = 0; visit < 2; visit += 1) await fetch(url, { headers: { 'user-agent': phone } });
  // The loader brings the visits into the database within seconds.
  await expect
    .poll(
      async () => {
        await start();
        return panel('待处理').getByText('入群码').count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await click(panel('待处理').getByRole('button', { name: '补满次数' }));
  await page.getByText('已补满“入群码”的访问次数').waitFor();
  await page.getByText('没有需要处理的事').waitFor();
  expect(clicks).toBe(1);
});

test('the newest visits stand there, and lead to their code', async () => {
  await start();
  const visits = panel('最新访问').getByRole('listitem');
  await expect.poll(() => visits.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
  expect((await visits.allInnerTexts()).join('\n')).toContain('子码次数用完');
  await click(visits.first().getByRole('link', { name: '入群码' }));
  await page.getByRole('heading', { name: '入群码', level: 1 }).waitFor();
});

test('a table of codes is imported with four clicks, looked at as a whole, and taken back', async () => {
  await start();
  await click(button(/新建$/));
  await click(page.getByRole('menuitem', { name: /导入/ }));
  const content = 'name,link\n春茶,https://example.com/spring\n,https://shop.example.com/\n';
  await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const dialog = page.getByRole('dialog');
  await click(dialog.getByRole('button', { name: '检查' }));
  await dialog.getByText('没有名称，会这样命名').waitFor();
  await click(dialog.getByRole('button', { name: '导入 2 行' }));
  expect(clicks).toBeLessThanOrEqual(4);
  await page.getByRole('button', { name: '查看导入的活码' }).click();
  await page.getByText('这次导入的 2 个活码').waitFor();
  await page.getByRole('link', { name: 'shop.example.com', exact: true }).waitFor();
  await page.getByRole('button', { name: '撤销导入' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '撤销导入' }).click();
  await page.getByText('这次导入的 0 个活码').waitFor();
});

test('what a list shows is kept by a name and comes back with a click', async () => {
  await page.goto(`${product.backOffice}/#/customer/qr_code_list?open=false`);
  await page.getByRole('button', { name: '视图' }).click();
  await page.getByRole('textbox', { name: '视图名称' }).fill('已关闭的');
  await page.getByRole('button', { name: '保存当前视图' }).click();
  await page.getByText('已保存视图“已关闭的”').waitFor();
  await start();
  await page.goto(`${product.backOffice}/#/customer/qr_code_list`);
  await page.getByRole('button', { name: '视图' }).click();
  await page.getByRole('button', { name: /^已关闭的/ }).click();
  await page.waitForURL(/qr_code_list\?open=false$/);
});
