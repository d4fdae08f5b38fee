import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { addCustomer } from './kit/seed.ts';

let product: Product;
let page: Page;

beforeJourneys(async (journey) => {
  ({ product } = journey);
  page = await openPageAs(await addCustomer(product, 'journey-organising'), journey);
});

const answered = (status: number) =>
  expect.poll(async () => (await fetch(`http://localhost:${product.visitPort}/organised`)).status, { timeout: 15_000 }).toBe(status);
const row = (text: string) => page.getByRole('row').filter({ hasText: text });

async function choose(act: string): Promise<void> {
  await row('organised').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, act);
}

test('a code is put into a group, taken back, restored from its history, removed, restored and deleted for ever', async () => {
  // Before the list is looked at: an answer of a moment ago would be shown again.
  await page.getByRole('heading', { name: '工作台' }).waitFor();
  const made = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('livecode.token')}` };
    const body = JSON.stringify({ name: '门店海报', file_name: 'organised', targets: [{ kind: 'text', content: '欢迎光临' }] });
    return (await fetch('/api/qr_code_list/add', { method: 'POST', headers, body })).status;
  });
  expect(made).toBe(200);
  // The list was read before, and asks again after a while only.
  await page.reload();

  // A group, made on its own screen.
  await openScreen(page, '分组');
  await page.getByRole('button', { name: '新建分组' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: '分组名称' }).fill('春季活动');
  await dialog.getByRole('button', { name: '新建分组' }).click();
  await row('春季活动').waitFor();

  // The code goes into it and comes back by "undo".
  await openScreen(page, '活码列表');
  await choose('移到分组');
  await dialog.getByRole('combobox', { name: '分组' }).click();
  await page.getByTitle('春季活动').last().click();
  await dialog.getByRole('button', { name: /^移\s?动$/ }).click();
  await row('organised').filter({ hasText: '春季活动' }).waitFor();
  await page.getByRole('button', { name: /^撤\s?销$/ }).click();
  await page.getByText('已撤销对 1 个活码的修改').waitFor();
  await expect.poll(() => row('organised').filter({ hasText: '春季活动' }).count(), { timeout: 15_000 }).toBe(0);

  // Its history knows all of it, and leads back to each.
  await choose('修改历史');
  await page.getByRole('button', { name: '恢复版本 2', exact: true }).click();
  await page
    .getByRole('dialog', { name: '恢复到版本 2？' })
    .getByRole('button', { name: /^恢\s?复$/ })
    .click();
  await page.getByText('恢复到旧版本').waitFor();
  await openScreen(page, '活码列表');
  await row('organised').filter({ hasText: '春季活动' }).waitFor();
  await answered(200);

  // Into the recycle bin and back: visitors find it no more, and find it again.
  const confirmed = (name: string) => page.getByRole('dialog').getByRole('button', { name }).last().click();
  await choose('移入回收站');
  await confirmed('移入回收站');
  await answered(404);
  await openScreen(page, '回收站');
  await row('organised')
    .getByRole('button', { name: /^恢\s?复$/ })
    .click();
  await answered(200);

  // And away for ever, once its name was typed.
  await openScreen(page, '活码列表');
  await choose('移入回收站');
  await confirmed('移入回收站');
  await openScreen(page, '回收站');
  await row('organised').getByRole('button', { name: '彻底删除' }).click();
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('别的名称');
  await confirmed('彻底删除');
  await dialog.getByText('与名称不一致').waitFor();
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('门店海报');
  await confirmed('彻底删除');
  await page.getByText('已彻底删除').waitFor();
  await page.getByText('回收站是空的').waitFor();
  await answered(404);
});

test('groups are put in order with the keyboard, and a screen reader hears where each is', async () => {
  await openScreen(page, '分组');
  for (const name of ['夏季活动', '秋季活动']) {
    await page.getByRole('button', { name: '新建分组' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '分组名称' }).fill(name);
    await dialog.getByRole('button', { name: '新建分组' }).click();
    await row(name).waitFor();
  }
  await page.getByRole('button', { name: '调整顺序' }).click();
  const order = page.getByRole('dialog', { name: '调整顺序' });
  const names = () => order.getByRole('listitem').allInnerTexts();
  await expect.poll(names).toHaveLength(3);
  const [first, second, third] = await names();

  await order.getByRole('button', { name: /^移动/ }).nth(2).focus();
  await page.keyboard.press('Space');
  await page.getByText('已拿起第 3 项').waitFor({ state: 'attached' });
  // The list is measured a moment after the row was lifted, so that a key can be passed over; one that was pressed twice is taken back.
  async function moved(): Promise<boolean> {
    const told = (await page.getByText(/第 3 项移到第 \d 位/).allInnerTexts()).join();
    if (told.includes('第 2 位')) return true;
    await page.keyboard.press(told === '' ? 'ArrowUp' : 'ArrowDown');
    return false;
  }
  await expect.poll(moved, { timeout: 20_000, interval: 1000 }).toBe(true);
  await page.keyboard.press('Space');
  await expect.poll(names).toEqual([first, third, second]);
  await order.getByRole('button', { name: /^保\s?存$/ }).click();
  await order.waitFor({ state: 'hidden' });

  await page.reload();
  await page.getByRole('button', { name: '调整顺序' }).click();
  await expect.poll(names).toEqual([first, third, second]);
});
