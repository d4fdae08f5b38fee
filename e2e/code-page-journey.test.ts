import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { placeOf, sheetPresets } from '../src/web/qr/sheet/layout.ts';
import { readSheet } from '../src/web/qr/testing/sheet.ts';
import { beforeJourneys, openPage, openPageAs } from './kit/journey.ts';
import { tabTo } from './kit/keyboard.ts';
import type { Product } from './kit/product.ts';
import { scan, scanPixels } from './kit/scan.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';
import { phone } from './kit/visitor.ts';

let product: Product;
let browser: Browser;
let page: Page;
let token: string;
let clicks = 0;

const pixelsPerPoint = 4;

beforeJourneys(async (journey) => {
  ({ product, browser } = journey);
  const customer = await addCustomer(product, 'journey-code-page');
  token = await tokenOf(product.backOffice, customer.account, customer.password);
  page = await openPageAs(customer, journey);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

/** Each way begins at the list: from there clicks are counted. */
async function openList(): Promise<void> {
  await page.goto(`${product.backOffice}/#/customer/qr_code_list`);
  await page.reload();
  await page.getByRole('heading', { name: '活码列表' }).waitFor();
  clicks = 0;
}

async function click(locator: Locator): Promise<void> {
  clicks += 1;
  await locator.click();
}
/** A button's picture has a name of its own, which stands before its words; an empty list repeats its first act. */
const button = (name: string) => page.getByRole('button', { name: new RegExp(`${name}$`) }).first();
const codeLink = (name: string) => page.getByRole('row').getByRole('link', { name, exact: true });
const downloaded = async (act: () => Promise<void>) => (await Promise.all([page.waitForEvent('download'), act()]))[0].path();
const shows = (locator: Locator, text: RegExp | string) =>
  expect.poll(async () => (await locator.allInnerTexts()).join('\n'), { timeout: 20_000 }).toMatch(text);

const hasFocus = (locator: Locator) =>
  expect.poll(() => locator.evaluate((element) => element === document.activeElement), { timeout: 10_000 }).toBe(true);

async function call<T>(path: string, input: object, as = token): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${as}` };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}
/** A code made by the call, for what begins with one. */
const addCode = (input: object) => call<{ id: number; url: string }>('qr_code_list/add', input);
const visit = async (url: string) => (await fetch(url, { headers: { 'accept-language': 'zh-CN', 'user-agent': phone } })).text();

/** What a scanner reads at the first places of a printed sheet. */
async function labelsOf(pdf: Buffer, number: number): Promise<(string | undefined)[]> {
  const [first] = readSheet(pdf, pixelsPerPoint);
  const toPixels = (millimetres: number) => Math.round((millimetres / 25.4) * 72 * pixelsPerPoint);
  const grid = sheetPresets.a4_3x8;
  const [width, height] = [toPixels(grid.label_width), toPixels(grid.label_height)];
  return Promise.all(
    Array.from({ length: number }, async (_, at) => {
      const { x, y } = placeOf(at, grid, 0);
      const part = first?.canvas.getContext('2d').getImageData(toPixels(x), toPixels(y), width, height);
      return part && scanPixels({ data: part.data, width, height });
    }),
  );
}

test('a pasted link alone makes a code, which is downloaded with the third click', async () => {
  await openList();
  await click(button('新建活码'));
  const link = page.getByRole('textbox', { name: '链接' });
  await hasFocus(link);
  await page.keyboard.insertText('www.example.com/pasted');
  await click(button('新建活码'));
  await page.getByRole('status').filter({ hasText: '已新建活码' }).waitFor();
  await page.getByRole('heading', { name: 'www.example.com', level: 1 }).waitFor();
  await page.getByRole('img', { name: '“www.example.com”的二维码' }).waitFor();
  const image = await downloaded(() => click(button('下载二维码')));
  expect(clicks).toBeLessThanOrEqual(3);

  const url = (await scan(image)) ?? 'unreadable';
  await button(`复制 ${url.replace(/^https?:\/\//, '')}`).waitFor();
  expect(await visit(url)).toContain('https://www.example.com/pasted');
});

test('what is missing is said beside the link, and all other settings are a press away', async () => {
  await openList();
  await click(button('新建活码'));
  await page.getByRole('textbox', { name: '链接' }).press('Enter');
  const faults = page.locator('.ant-form-item-explain-error');
  await shows(faults, /./);
  const key = page.getByRole('textbox', { name: '后缀' });
  expect(await key.isVisible()).toBe(false);
  await button('更多设置').click();
  await key.fill('no good key');
  await button('新建活码').click();
  await expect.poll(() => faults.count()).toBe(2);

  // Leaving asks, because something was typed.
  await page.getByRole('link', { name: /返回活码列表/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click();
  await page.getByRole('heading', { name: '活码列表' }).waitFor();
});

test('what is wrong with one of the other settings brings them all into sight', async () => {
  await openList();
  await button('新建活码').click();
  await page.getByRole('textbox', { name: '链接' }).fill('https://example.com/');
  const body = JSON.stringify({ code: 'input.invalid', message: '', fields: { file_name: 'taken' } });
  await page.route('**/api/qr_code_list/add', (route) => route.fulfill({ status: 400, contentType: 'application/json', body }), {
    times: 1,
  });
  await button('新建活码').click();
  await shows(page.locator('.ant-form-item').filter({ has: page.getByRole('textbox', { name: '后缀' }) }), /已被使用|已存在|已被/);
  await button('新建活码').click();
  await page.getByRole('heading', { name: 'example.com', level: 1 }).waitFor();
});

test('where a target leads is changed with the third click, and visitors follow', async () => {
  const { url } = await addCode({ name: '改去处', targets: [{ kind: 'url', content: 'https://example.com/before' }] });
  await openList();
  await click(codeLink('改去处'));
  await click(page.getByRole('button', { name: '编辑子码 1' }));
  const dialog = page.getByRole('dialog', { name: '编辑子码 1' });
  await dialog.getByRole('textbox', { name: '链接' }).fill('https://example.com/after');
  await click(dialog.getByRole('button', { name: '保存' }));
  await shows(page.locator('.lc-code-target-panel'), /example\.com\/after/);
  expect(clicks).toBeLessThanOrEqual(3);
  await expect.poll(() => visit(url), { timeout: 5000 }).toContain('https://example.com/after');

  // The change stands in the history, which leads back.
  const history = page.locator('.lc-code-history');
  await history.getByRole('button', { name: '恢复版本 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '恢复' }).click();
  await shows(page.locator('.lc-code-target-panel'), /example\.com\/before/);
});

test('what is wrong with a target is marked, and mended in place', async () => {
  const limited = { kind: 'url', threshold: 1 };
  const { url } = await addCode({
    name: '待修',
    targets: [
      { ...limited, content: 'https://example.com/full' },
      { ...limited, content: 'https://example.com/off', enabled: false },
      { kind: 'url', content: 'https://example.com/soon', expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    ],
  });
  expect(await visit(url)).toContain('/full');
  await openList();
  await codeLink('待修').click();
  const line = (number: number) =>
    page
      .locator('.lc-code-target-panel')
      .getByRole('listitem')
      .nth(number - 1);
  await shows(line(1), /已用完/);
  await shows(line(2), /已停用/);
  await shows(line(3), /即将到期/);
  await line(2).getByRole('button', { name: '启用' }).click();
  await shows(line(2), /可用/);
  await line(1).getByRole('button', { name: '补满' }).click();
  await shows(line(1), /可用/);
  await line(3).getByRole('button', { name: '延长' }).click();
  const dialog = page.getByRole('dialog', { name: '编辑子码 3' });
  await hasFocus(dialog.getByRole('textbox', { name: '链接' }));
  const end = dialog.getByRole('textbox', { name: '到期停用' });
  const later = '2040-01-01 00:00:00';
  // A calendar that is still opening puts the former time back over what is typed.
  await expect
    .poll(async () => {
      await end.click();
      await page.locator('.ant-picker-dropdown:visible').waitFor();
      await end.fill(later);
      await end.press('Enter');
      await page.locator('.ant-picker-dropdown:visible').waitFor({ state: 'hidden' });
      return end.inputValue();
    })
    .toBe(later);
  await dialog.getByRole('button', { name: '保存' }).click();
  await shows(line(3), /可用/);
});

test("a code's thirty days are a click away, and its statistics are shared with the third", async () => {
  const { url } = await addCode({ name: '看数据', file_name: 'figures-page', targets: [{ kind: 'text', content: '欢迎' }] });
  await openList();
  await click(codeLink('看数据'));
  await shows(page.getByRole('main'), /还没有人扫过/);
  for (let number = 0; number < 3; number++) await visit(url);
  await shows(page.getByRole('region', { name: '访问统计' }), /近 30 天\s*3/);
  await page.getByRole('img', { name: '近 30 天的访问' }).waitFor();
  await shows(page.locator('.lc-code-newest'), /成功/);
  expect(clicks).toBeLessThanOrEqual(2);

  await click(button('分享统计'));
  await click(button('生成链接并复制'));
  await page.getByText('分享链接已生成').waitFor();
  expect(clicks).toBeLessThanOrEqual(3);
  const shared = await page.evaluate(() => navigator.clipboard.readText());
  expect(shared).toMatch(/share_access\?name=figures-page&password=.+/);
  const visitor = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await visitor.goto(shared);
  await shows(visitor.locator('body'), /访问次数\s*3/);
  await visitor.context().close();
});

test('twenty labels of one code are printed with the third click', async () => {
  const { url } = await addCode({ name: '贴纸', targets: [{ kind: 'url', content: 'https://example.com/label' }] });
  await openList();
  await click(codeLink('贴纸'));
  await click(button('打印'));
  const dialog = page.getByRole('dialog', { name: '打印“贴纸”' });
  const number = dialog.getByRole('spinbutton', { name: '张数' });
  await hasFocus(number);
  await page.keyboard.type('20');
  await shows(dialog, /20 张标签/);
  const sheet = await downloaded(() => click(dialog.getByRole('button', { name: '下载 PDF' })));
  expect(clicks).toBeLessThanOrEqual(4);
  expect(await labelsOf(readFileSync(sheet), 21)).toEqual([...Array(20).fill(url), undefined]);
  await page.keyboard.press('Escape');
});

test('all of it goes by keyboard alone', async () => {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /搜索页面/ }).waitFor();
  await page.keyboard.type('新建活码');
  await shows(page.getByRole('option', { selected: true }), /新建活码/);
  await page.keyboard.press('Enter');
  const link = page.getByRole('textbox', { name: '链接' });
  await hasFocus(link);
  await page.keyboard.type('https://keys.example.com/one');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'keys.example.com', level: 1 }).waitFor();

  await tabTo(page, '下载二维码');
  const url = (await scan(await downloaded(() => page.keyboard.press('Enter')))) ?? 'unreadable';
  await tabTo(page, '编辑子码 1');
  await page.keyboard.press('Enter');
  // What is there is selected, so that what one types takes its place.
  const field = page.getByRole('dialog', { name: '编辑子码 1' }).getByRole('textbox', { name: '链接' });
  const isSelected = () =>
    field.evaluate(
      (one: HTMLInputElement) => one === document.activeElement && one.selectionStart === 0 && one.selectionEnd === one.value.length,
    );
  await expect.poll(isSelected, { timeout: 10_000 }).toBe(true);
  await page.keyboard.type('https://keys.example.com/two');
  await page.keyboard.press('Enter');
  await shows(page.locator('.lc-code-target-panel'), /keys\.example\.com\/two/);
  await expect.poll(() => visit(url), { timeout: 5000 }).toContain('https://keys.example.com/two');
});

test('the settings ask before they are left dirty, and the older address of the form leads to them', async () => {
  const { id } = await addCode({ name: '设置页', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  await page.goto(`${product.backOffice}/#/customer/set_qr_code?id=${id}`);
  await page.waitForURL(new RegExp(`qr_code/${id}/settings`));
  await page.getByRole('textbox', { name: '* 名称' }).fill('设置页二');
  await page.getByRole('link', { name: '概览' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '继续填写' }).click();
  await button('保存').click();
  await page.getByRole('heading', { name: '设置页二', level: 1 }).waitFor();
  await page.getByRole('link', { name: '概览' }).click();
  await page.getByRole('button', { name: '下载二维码' }).waitFor();
});

test('a code that is removed, unknown or cannot be read says so, and what to do', async () => {
  const { id } = await addCode({ name: '要删的', file_name: 'removed-page', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  await page.route('**/api/qr_code_list/details', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 2 });
  await page.goto(`${product.backOffice}/#/customer/qr_code/${id}`);
  await page.getByRole('button', { name: '重试' }).click();
  await page.getByRole('heading', { name: '要删的', level: 1 }).waitFor();

  await call('qr_code_list/update_remove', { ids: [id], removed: true });
  await page.reload();
  await shows(page.getByRole('main'), /这个活码在回收站里/);
  await page.getByRole('button', { name: '去恢复' }).click();
  await page.getByRole('row').filter({ hasText: 'removed-page' }).waitFor();

  await page.goto(`${product.backOffice}/#/customer/qr_code/987654321`);
  await shows(page.getByRole('main'), /没有找到这个活码/);
  await page.goto(`${product.backOffice}/#/customer/qr_code/none`);
  await shows(page.getByRole('main'), /没有找到这个活码/);
});

test('where a message names a code, the toast leads to its page', async () => {
  const { id } = await addCode({ name: '消息里的', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  const { user_info } = await call<{ user_info: { id: number } }>('admin/get_info', {});
  const content = `“消息里的”快用完了 /#/customer/qr_code/${id}`;
  const administrator = await tokenOf(product.backOffice, 'admin', product.password);
  await call('message_list/send', { title: '提醒', content, audience: 'users', user_ids: [user_info.id] }, administrator);
  await page.locator('.lc-message-toast').getByRole('link', { name: '打开活码' }).click();
  await page.getByRole('heading', { name: '消息里的', level: 1 }).waitFor();
  await expect.poll(() => page.locator('.lc-message-toast').count(), { timeout: 10_000 }).toBe(0);
});
