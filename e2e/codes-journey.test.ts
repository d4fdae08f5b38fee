import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { placeOf, sheetPresets } from '../src/web/qr/sheet/layout.ts';
import { readSheet } from '../src/web/qr/testing/sheet.ts';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { scan, scanPixels } from './kit/scan.ts';
import { addCustomer } from './kit/seed.ts';
import { phone } from './kit/visitor.ts';

let product: Product;
let browser: Browser;
let page: Page;

const pixelsPerPoint = 4;

beforeJourneys(async (journey) => {
  ({ product, browser } = journey);
  page = await openPageAs(await addCustomer(product, 'journey-codes'), journey);
  await page.waitForURL(/customer/);
});

const shows = (locator: Locator, text: RegExp | string) =>
  expect.poll(async () => (await locator.allInnerTexts()).join('\n'), { timeout: 20_000 }).toMatch(text);
const gone = (locator: Locator) => expect.poll(() => locator.count(), { timeout: 20_000 }).toBe(0);
const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });
/** What a visitor sees: the page's status and where it leads, or its words. */
async function visit(path: string) {
  const answer = await fetch(`${product.visits}${path}`, { headers: { 'accept-language': 'zh-CN', 'user-agent': phone } });
  return { status: answer.status, body: await answer.text() };
}

/** What a scanner reads on the first labels of a printed sheet. */
async function labelsOf(pdf: Buffer, number: number): Promise<string[]> {
  const [first] = readSheet(pdf, pixelsPerPoint);
  const toPixels = (millimetres: number) => Math.round((millimetres / 25.4) * 72 * pixelsPerPoint);
  const grid = sheetPresets.a4_3x8;
  const [width, height] = [toPixels(grid.label_width), toPixels(grid.label_height)];
  return Promise.all(
    Array.from({ length: number }, async (_, at) => {
      const { x, y } = placeOf(at, grid, 0);
      const part = first?.canvas.getContext('2d').getImageData(toPixels(x), toPixels(y), width, height);
      return (part && (await scanPixels({ data: part.data, width, height }))) ?? 'unreadable';
    }),
  );
}

const file = `名称,后缀,分组,子码 1,子码 2
一号门店,store-one,门店,https://example.com/one,https://example.com/one-b
二号门店,store-two,门店,https://example.com/two,
"=三号门店, 旗舰",store-three,,https://example.com/three,
没有去处,store-none,,,
`;

test('codes come in from a file, are grouped, designed and printed, and a print leads where it should', async () => {
  await openScreen(page, '活码列表');
  await page.getByRole('button', { name: '导入' }).first().click();
  const dialog = page.getByRole('dialog', { name: '导入活码' });
  await dialog.locator('input[type=file]').setInputFiles({ name: '门店.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${file}`) });
  await shows(dialog, /4 行/);
  await dialog.getByRole('button', { name: '检查' }).click();
  await shows(dialog, /新建\s*3/);
  await shows(dialog, /有问题\s*1/);
  await shows(dialog, /将新建分组：门店/);
  await dialog.getByRole('button', { name: /导入 3 行/ }).click();
  await shows(page.getByRole('dialog'), /已完成/);
  await page.getByRole('dialog').getByRole('button', { name: '关闭', exact: true }).last().click();
  for (const name of ['一号门店', '二号门店', '=三号门店, 旗舰']) await rowOf(name).waitFor();
  expect(await visit('/store-one')).toMatchObject({ status: 200, body: expect.stringContaining('https://example.com/one') });

  // Two stand in the group that came with the file; the third joins them.
  await rowOf('=三号门店, 旗舰').getByRole('checkbox').check();
  await page.locator('.lc-batch').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '移到分组');
  const move = page.getByRole('dialog', { name: '移到分组' });
  await move.getByRole('combobox').click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: '门店' }).click();
  await move.getByRole('button', { name: '移动' }).click();
  await gone(page.getByRole('dialog'));
  await openScreen(page, '分组');
  await shows(rowOf('门店'), /3/);

  // A design of its own, downloaded and read as a scanner reads it.
  await openScreen(page, '活码列表');
  await rowOf('store-two').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '二维码样式与下载');
  await page.getByRole('button', { name: '圆点' }).click();
  await page.getByText('扫码检查通过').waitFor();
  const [image] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: '下载' }).click(),
  ]);
  const link = await scan(await image.path());
  expect(link).toBe(`${product.visits}/store-two`);
  await page.getByRole('button', { name: '保存样式' }).click();
  await page.getByText('样式已保存').waitFor();
  await gone(page.getByRole('dialog'));

  // A sheet of labels: each is read where it stands.
  await page.getByRole('checkbox', { name: '选择本页全部' }).check();
  await page.locator('.lc-batch').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '打印二维码');
  const printing = page.getByRole('dialog', { name: '打印 3 个二维码' });
  const [sheet] = await Promise.all([page.waitForEvent('download'), printing.getByRole('button', { name: '下载 PDF' }).click()]);
  const printed = await labelsOf(readFileSync(await sheet.path()), 3);
  expect(printed.toSorted()).toEqual(['store-one', 'store-three', 'store-two'].map((key) => `${product.visits}/${key}`));
  await page.keyboard.press('Escape');
  await gone(printing);

  const visitor = await (await browser.newContext({ locale: 'zh-CN', viewport: { width: 390, height: 844 } })).newPage();
  await visitor.route('https://example.com/**', (route) =>
    route.fulfill({ body: `<h1>${new URL(route.request().url()).pathname}</h1>`, contentType: 'text/html' }),
  );
  await visitor.goto(printed.find((label) => label.endsWith('/store-two')) ?? '');
  await shows(visitor.locator('h1'), '/two');
});

test('a removed code answers no more, comes back whole, and goes for ever only by its name', async () => {
  await openScreen(page, '活码列表');
  await rowOf('store-one').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '移入回收站');
  await page.getByRole('dialog').getByRole('button', { name: '移入回收站' }).click();
  await expect.poll(async () => (await visit('/store-one')).status, { timeout: 2000 }).toBe(404);

  await openScreen(page, '回收站');
  await rowOf('一号门店').getByRole('button', { name: '恢复' }).click();
  await expect.poll(async () => (await visit('/store-one')).body, { timeout: 2000 }).toContain('https://example.com/one');
  await gone(rowOf('一号门店'));

  await openScreen(page, '活码列表');
  await rowOf('store-one').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '移入回收站');
  await page.getByRole('dialog').getByRole('button', { name: '移入回收站' }).click();
  await openScreen(page, '回收站');
  await rowOf('一号门店').getByRole('button', { name: '彻底删除' }).click();
  const dialog = page.getByRole('dialog', { name: '彻底删除活码' });
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('一号门');
  await dialog.getByRole('button', { name: '彻底删除' }).click();
  await shows(dialog.locator('.ant-form-item-explain-error'), /./);
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('一号门店');
  await dialog.getByRole('button', { name: '彻底删除' }).click();
  await gone(rowOf('一号门店'));
  expect((await visit('/store-one')).status).toBe(404);
});

test('the command palette finds a screen by keyboard, and closes every code of a domain after asking', async () => {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: /搜索页面/ });
  await palette.fill('域名列表');
  await shows(page.getByRole('option', { selected: true }), /域名列表/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/domain_list/);

  await page.keyboard.press('Control+k');
  await palette.fill('关闭 localhost 上的所有活码');
  await shows(page.getByRole('option', { selected: true }), /关闭 localhost:\d+ 上的全部 2 个活码/);
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog').filter({ hasText: '上的 2 个活码？' });
  expect((await visit('/store-two')).status).toBe(200);
  await question.getByRole('button', { name: '关闭', exact: true }).click();
  await page.getByText('已关闭 2 个活码').waitFor();
  await expect.poll(async () => (await visit('/store-two')).status, { timeout: 2000 }).toBe(403);
  await expect.poll(async () => (await visit('/store-three')).status, { timeout: 2000 }).toBe(403);

  await page.keyboard.press('Control+k');
  await palette.fill('打开 二号门店');
  await shows(page.getByRole('option', { selected: true }), /开启活码“二号门店”/);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await visit('/store-two')).status, { timeout: 2000 }).toBe(200);
});
