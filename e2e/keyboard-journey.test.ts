import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import { chooseByArrows, pressAt, pressInDialog, tabTo } from './kit/keyboard.ts';
import type { Product } from './kit/product.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';
import { phone } from './kit/visitor.ts';

let product: Product;
let page: Page;
let token: string;

beforeJourneys(async (journey) => {
  ({ product } = journey);
  const customer = await addCustomer(product, 'journey-keyboard');
  token = await tokenOf(product.backOffice, customer.account, customer.password);
  page = await openPageAs(customer, journey);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

async function call<T>(path: string, input: object, as = token): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${as}` };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Opens a screen by the palette, as its keyboard's user does. */
async function openByPalette(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /搜索页面/ });
  await field.waitFor();
  await page.keyboard.type(name);
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toContain(name);
  await page.keyboard.press('Enter');
  await field.waitFor({ state: 'hidden' });
}

test('a code is found, its statistics are shared, and its labels are printed', async () => {
  await call('qr_code_list/add', { name: '键盘之码', file_name: 'keys-only', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  await openByPalette('键盘之码');
  await page.getByRole('heading', { name: '键盘之码', level: 1 }).waitFor();

  await pressAt(page, '分享统计');
  await pressInDialog(page, '生成链接并复制');
  await page.getByText('分享链接已生成').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/share_access\?name=keys-only/);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  await pressAt(page, '打印');
  const dialog = page.getByRole('dialog', { name: '打印“键盘之码”' });
  const number = dialog.getByRole('spinbutton', { name: '张数' });
  await expect.poll(() => number.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type('4');
  await dialog.getByText(/4 张标签/).waitFor();
  await tabTo(page, '下载 PDF');
  const [sheet] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(sheet.suggestedFilename()).toMatch(/\.pdf$/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});

test('a code without visits left is refilled on the start page', async () => {
  const { url } = await call<{ url: string }>('qr_code_list/add', {
    name: '入群',
    targets: [{ kind: 'text', content: '欢迎', threshold: 1 }],
  });
  for (let visit = 0; visit < 2; visit += 1) await fetch(url, { headers: { 'user-agent': phone } });
  const needs = () => call<{ content: unknown[] }>('home/needs', {}).then(({ content }) => content.length);
  await expect.poll(needs, { timeout: 60_000 }).toBeGreaterThan(0);
  await openByPalette('工作台');
  await page.reload();
  await page.getByRole('region', { name: '待处理' }).getByText('入群').waitFor();
  await pressAt(page, '补满次数');
  await page.getByText('没有需要处理的事').waitFor();
});

test('a table of codes is imported, and taken back', async () => {
  await openByPalette('工作台');
  await page.getByRole('heading', { name: '工作台' }).waitFor();
  await pressAt(page, '新建');
  await chooseByArrows(page, '导入');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const content = 'name,link\n键盘一,https://example.com/1\n键盘二,https://example.com/2\n';
  // The machine's own window for files is beyond the page: what it hands over is handed over here.
  await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await dialog.getByRole('button', { name: '检查' }).waitFor();
  await pressAt(page, '检查');
  await dialog.getByRole('button', { name: '导入 2 行' }).waitFor();
  await pressAt(page, '导入 2 行');
  await page.getByRole('button', { name: '查看导入的活码' }).waitFor();
  await pressAt(page, '查看导入的活码');
  await page.getByText('这次导入的 2 个活码').waitFor();
  await pressAt(page, '撤销导入');
  await pressInDialog(page, '撤销导入');
  await page.getByText('这次导入的 0 个活码').waitFor();
});

test('a code is closed in the list, and opened again by the keys that undo', async () => {
  await call('qr_code_list/add', { name: '先关后开', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  const isOpen = () =>
    call<{ content: { open: boolean }[] }>('qr_code_list/inquire', { search: '先关后开' }).then(({ content }) => content[0]?.open);
  await openByPalette('活码列表');
  const row = page.getByRole('row').filter({ hasText: '先关后开' });
  await row.waitFor();
  await row.getByRole('switch').focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^撤\s*销/ }).waitFor();
  expect(await isOpen()).toBe(false);
  await page.keyboard.press('Control+z');
  await expect.poll(isOpen).toBe(true);
});

test('a domain is put in the place of another on its codes', async () => {
  const add = (host: string) => call<{ id: number }>('domain_list/add', { host, type: 1 });
  const [first] = [await add('keys-a.example.com'), await add('keys-b.example.com')];
  await call('qr_code_list/add', {
    name: '换域名',
    entry_domain_id: first.id,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
  // What becomes known of a name while its dialog is open would have to be accepted there first,
  // and what an earlier page read of it is shown until it is read again.
  const states = async () =>
    (await call<{ content: { dns_state: string | null }[] }>('domain_list/inquire', { host: 'keys-' })).content.map(
      ({ dns_state }) => dns_state,
    );
  await expect.poll(states, { timeout: 60_000 }).not.toContain(null);
  await page.reload();
  await page.getByRole('button', { name: /新建$/ }).waitFor();
  await openByPalette('域名列表');
  const row = page.getByRole('row').filter({ hasText: 'keys-a.example.com' });
  await row.waitFor();
  await row.getByRole('button', { name: '更多操作' }).focus();
  await page.keyboard.press('Enter');
  await chooseByArrows(page, '替换');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/1 个活码/).waitFor();
  const field = dialog.getByRole('combobox', { name: '新域名' });
  await field.focus();
  await page.keyboard.type('keys-b');
  await page.locator('.ant-select-item-option[title="keys-b.example.com"]').waitFor();
  await page.keyboard.press('Enter');
  const risk = dialog.getByRole('checkbox', { name: '我知道风险，仍然使用' });
  const submit = dialog.getByRole('button', { name: '替换 1 个码' });
  await risk.or(submit.and(page.locator(':enabled'))).waitFor();
  if ((await risk.count()) > 0) {
    await risk.focus();
    await page.keyboard.press('Space');
  }
  await pressAt(page, '替换 1 个码');
  await page.getByText('已替换 1 个码的域名').waitFor();
});
