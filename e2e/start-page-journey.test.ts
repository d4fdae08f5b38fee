import { expect, type Locator, type Page, test } from './kit/test.ts';
import type { User } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name }).first();
const panel = (page: Page, name: string) => page.getByRole('region', { name });

/** A code that had a visit, and then one more than it may; the loader brings them into the database within seconds. */
async function addExhausted(user: User, name: string): Promise<void> {
  const targets = [{ kind: 'text', content: '欢迎', threshold: 1 }];
  const { url } = await user.call<{ url: string }>('qr_code_list/add', { name, targets });
  for (let visit = 0; visit < 2; visit += 1) await fetch(url, { headers: { 'user-agent': phone } });
  const needs = () => user.call<{ content: unknown[] }>('home/needs').then(({ content }) => content.length);
  const visits = () => user.call<{ content: unknown[] }>('today_statistics/newest_visits').then(({ content }) => content.length);
  await expect.poll(needs, { timeout: 60_000 }).toBeGreaterThan(0);
  await expect.poll(visits, { timeout: 60_000 }).toBe(2);
}

test('a new user is led to his first code before anything else', async ({ page }) => {
  const steps = panel(page, '三步开始使用').getByRole('listitem');
  await expect(steps).toHaveCount(3);
  await expect(steps.first()).toContainText('新建活码');
  await expect(page.getByText('没有需要处理的事')).toHaveCount(0);
});

test('a code without visits left waits on the start page, is refilled there with a click, and waits no more', async ({ page, user }) => {
  await addExhausted(user, '入群码');
  await page.reload();
  await expect(panel(page, '待处理')).toContainText('入群码');
  await panel(page, '待处理').getByRole('button', { name: '补满次数' }).click();
  await expect(page.getByText('已补满“入群码”的访问次数')).toBeVisible();
  await expect(page.getByText('没有需要处理的事')).toBeVisible();
});

test('the newest visits stand there, and lead to their code', async ({ page, user }) => {
  await addExhausted(user, '入群码');
  await page.reload();
  const visits = panel(page, '最新访问').getByRole('listitem');
  await expect(visits).toHaveCount(2);
  await expect(visits.filter({ hasText: '子码次数用完' })).toHaveCount(1);
  await visits.first().getByRole('link', { name: '入群码' }).click();
  await expect(page.getByRole('heading', { name: '入群码', level: 1 })).toBeVisible();
});

test('a table of codes is imported with four clicks, looked at as a whole, and taken back', async ({ page }) => {
  let clicks = 0;
  async function click(locator: Locator): Promise<void> {
    clicks += 1;
    await locator.click();
  }
  await click(button(page, /新建$/));
  await click(page.getByRole('menuitem', { name: /导入/ }));
  const content = 'name,link\n春茶,https://example.com/spring\n,https://shop.example.com/\n';
  await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const dialog = page.getByRole('dialog');
  await click(dialog.getByRole('button', { name: '检查' }));
  await expect(dialog.getByText('没有名称，会这样命名')).toBeVisible();
  await click(dialog.getByRole('button', { name: '导入 2 行' }));
  expect(clicks).toBeLessThanOrEqual(4);
  await page.getByRole('button', { name: '查看导入的活码' }).click();
  await expect(page.getByText('这次导入的 2 个活码')).toBeVisible();
  await expect(page.getByRole('link', { name: 'shop.example.com', exact: true })).toBeVisible();
  await page.getByRole('button', { name: '撤销导入' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '撤销导入' }).click();
  await expect(page.getByText('这次导入的 0 个活码')).toBeVisible();
});

test('what a list shows is kept by a name and comes back with a click', async ({ page, product }) => {
  const list = `${product.backOffice}/#/customer/qr_code_list`;
  await page.goto(`${list}?open=false`);
  await page.getByRole('button', { name: '视图' }).click();
  await page.getByRole('textbox', { name: '视图名称' }).fill('已关闭的');
  await page.getByRole('button', { name: '保存当前视图' }).click();
  await expect(page.getByText('已保存视图“已关闭的”')).toBeVisible();
  await page.goto(product.backOffice);
  await page.goto(list);
  await page.getByRole('button', { name: '视图' }).click();
  await page.getByRole('button', { name: /^已关闭的/ }).click();
  await expect(page).toHaveURL(/qr_code_list\?open=false$/);
});
