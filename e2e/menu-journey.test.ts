import type { Browser, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, logIn, openPage } from './kit/journey.ts';
import { openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';

let product: Product;
let browser: Browser;
beforeJourneys((journey) => {
  ({ product, browser } = journey);
});

const paletteOf = (page: Page) => page.locator('.lc-palette');
const menuOf = (page: Page) => page.getByRole('navigation', { name: '主菜单' });
/** The lines of a group of the menu, which is open. */
const linesOf = async (page: Page, group: string) => {
  const title = menuOf(page).getByRole('button', { name: group, exact: true });
  await title.waitFor();
  return page
    .locator(`ul[id="${await title.getAttribute('aria-controls')}"]`)
    .getByRole('link')
    .allTextContents();
};

async function enter(account: string): Promise<Page> {
  const customer = await addCustomer(product, account);
  const page = await openPage(browser);
  await logIn(page, `${product.backOffice}/#/admin_login`, customer.account, customer.password);
  await page.getByRole('heading', { name: '工作台' }).waitFor();
  return page;
}

test('the menu keeps what was pinned, where one was, and what one closed', async () => {
  const page = await enter('menu-keeper');
  expect((await linesOf(page, '日常'))[0]).toBe('工作台');
  await openScreen(page, '域名列表');
  await page.getByRole('heading', { name: '域名列表' }).waitFor();
  await openScreen(page, '转发');
  await page.getByRole('heading', { name: '转发' }).waitFor();
  expect(await linesOf(page, '最近访问')).toEqual(['域名列表', '工作台']);

  // Pinned by keyboard: in the page's head, then in the menu.
  const heading = page.locator('.lc-page-heading');
  await heading.getByRole('button', { name: '收藏“转发”' }).focus();
  await page.keyboard.press('Enter');
  await menuOf(page).getByRole('button', { name: '收藏“批量查询”' }).focus();
  await Promise.all([page.waitForResponse(/preference\/update/), page.keyboard.press('Enter')]);
  expect(await linesOf(page, '收藏')).toEqual(['转发', '批量查询']);
  await menuOf(page).getByRole('link', { name: '批量查询' }).first().focus();
  // The answer to this order, not to an earlier one that is still on its way.
  const isKept = page.waitForResponse((answer) => {
    const sent = answer.request().postData() ?? '';
    return answer.url().includes('preference/update') && /batche_query.*forward/s.test(sent);
  });
  await Promise.all([isKept, page.keyboard.press('Alt+ArrowUp')]);
  expect(await linesOf(page, '收藏')).toEqual(['批量查询', '转发']);

  const daily = menuOf(page).getByRole('button', { name: '日常', exact: true });
  await daily.click();
  await page.reload();
  await page.getByRole('heading', { name: '转发' }).waitFor();
  expect(await daily.getAttribute('aria-expanded')).toBe('false');
  expect(await linesOf(page, '收藏')).toEqual(['批量查询', '转发']);
  expect(await linesOf(page, '最近访问')).toEqual(['域名列表', '工作台']);
});

test('screens of one entry are tabs, of those that one may see', async () => {
  const page = await enter('menu-tabs');
  await openScreen(page, '恢复记录');
  await page.getByRole('heading', { name: '恢复记录' }).waitFor();
  const tabs = page.getByRole('navigation', { name: '回收站与恢复' }).getByRole('link');
  expect(await tabs.allTextContents()).toEqual(['回收站', '恢复记录']);
  await tabs.first().click();
  await page.getByRole('heading', { name: '回收站' }).waitFor();
  // A customer has one list of codes: no tabs, and the entry bears its name.
  await openScreen(page, '活码列表');
  await page.getByRole('heading', { name: '活码列表' }).waitFor();
  expect(await page.locator('.lc-tabs').count()).toBe(0);
});

test('the palette finds screens as they are typed, and acts; “new” leads everywhere', async () => {
  const page = await enter('menu-palette');
  const box = paletteOf(page).getByRole('combobox');
  const options = paletteOf(page).getByRole('option');
  async function find(text: string): Promise<string> {
    await page.getByRole('button', { name: '搜索或执行命令' }).click();
    await box.fill(text);
    await options.first().waitFor();
    return (await options.first().textContent()) ?? '';
  }
  const finds: [string, RegExp][] = [
    ['hmlb', /^活码列表/],
    ['yumingliebiao', /^域名列表/],
    ['live codes', /^活码列表/],
    ['home', /^工作台/],
    ['import', /^导入活码/],
    ['导入', /^导入活码/],
    ['退出', /^退出登录/],
    ['log out', /^退出登录/],
    ['语言', /语言/],
  ];
  for (const [typed, found] of finds) {
    expect([typed, await find(typed)]).toEqual([typed, expect.stringMatching(found)]);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'hidden' });
  }

  // Until the palette has gone with its motion, letters are its own.
  await page.waitForFunction(() => !document.querySelector('.ant-modal-wrap:not([style*="display: none"])'));
  await page.keyboard.press('n');
  await page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: '添加域名' }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('dialog').getByText('添加域名').first().waitFor();
  expect(page.url()).not.toContain('act=');
  // Where one types, letters are letters.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('textbox').first().fill('');
  await page.keyboard.type('nd');
  expect(await page.getByRole('textbox').first().inputValue()).toBe('nd');
});

test('a code that the palette closed is opened again by what it offers', async () => {
  const page = await enter('menu-undo');
  const token = await tokenOf(product.backOffice, 'menu-undo', 'journey2password');
  const call = (path: string, input: object) =>
    fetch(`${product.backOffice}/api/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    }).then(async (answer) => (await answer.json()) as { id: number; open: boolean });
  const code = await call('qr_code_list/add', { name: '菜单旅程', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('关闭 菜单旅程');
  await page
    .getByRole('option', { name: /菜单旅程/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: '关 闭' })
    .or(page.getByRole('dialog').getByRole('button', { name: '关闭' }))
    .last()
    .click();
  await page.getByText('已关闭“菜单旅程”').waitFor();
  await Promise.all([page.waitForResponse(/qr_code_list\/undo/), page.getByRole('button', { name: '撤销' }).click()]);
  expect((await call('qr_code_list/details', { id: code.id })).open).toBe(true);
});
