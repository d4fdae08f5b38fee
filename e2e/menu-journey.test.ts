import { openScreen } from './kit/menu.ts';
import { expect, type Page, test } from './kit/test.ts';

const paletteOf = (page: Page) => page.locator('.lc-palette');
const menuOf = (page: Page) => page.getByRole('navigation', { name: '主菜单' });
const titleOf = (page: Page, group: string) => menuOf(page).getByRole('button', { name: group, exact: true });
/** The lines of a group of the menu, which is open. */
const linesOf = (page: Page, group: string) =>
  menuOf(page)
    .locator('.lc-menu-group')
    .filter({ has: page.getByRole('button', { name: group, exact: true }) })
    .getByRole('link');

/** Does what keeps an order of the menu, until it is kept: an answer to an earlier one may still be on its way. */
async function keeping(page: Page, order: RegExp, act: () => Promise<void>): Promise<void> {
  const isKept = page.waitForResponse((answer) => {
    return answer.url().includes('preference/update') && order.test(answer.request().postData() ?? '');
  });
  await Promise.all([isKept, act()]);
}

test('the menu keeps what was pinned, where one was, and what one closed', async ({ page }) => {
  // One was where one saw the page.
  await expect(page.getByRole('heading', { name: '工作台' })).toBeVisible();
  await expect(linesOf(page, '日常').first()).toHaveText('工作台');
  await openScreen(page, '域名列表');
  await expect(page.getByRole('heading', { name: '域名列表' })).toBeVisible();
  await openScreen(page, '转发');
  await expect(page.getByRole('heading', { name: '转发' })).toBeVisible();
  await expect(linesOf(page, '最近访问')).toHaveText(['域名列表', '工作台']);

  // Pinned by keyboard: in the page's head, then in the menu.
  await page.locator('.lc-page-heading').getByRole('button', { name: '收藏“转发”' }).focus();
  await page.keyboard.press('Enter');
  await menuOf(page).getByRole('button', { name: '收藏“批量查询”' }).focus();
  await keeping(page, /forward.*batche_query/s, () => page.keyboard.press('Enter'));
  await expect(linesOf(page, '收藏')).toHaveText(['转发', '批量查询']);
  await menuOf(page).getByRole('link', { name: '批量查询' }).first().focus();
  await keeping(page, /batche_query.*forward/s, () => page.keyboard.press('Alt+ArrowUp'));
  await expect(linesOf(page, '收藏')).toHaveText(['批量查询', '转发']);

  await titleOf(page, '日常').click();
  await page.reload();
  await expect(page.getByRole('heading', { name: '转发' })).toBeVisible();
  await expect(titleOf(page, '日常')).toHaveAttribute('aria-expanded', 'false');
  await expect(linesOf(page, '收藏')).toHaveText(['批量查询', '转发']);
  await expect(linesOf(page, '最近访问')).toHaveText(['域名列表', '工作台']);
});

test('what is pinned before the menu shows what was pinned a moment ago is pinned beside it', async ({ page }) => {
  await openScreen(page, '转发');
  await expect(page.locator('.lc-page-heading').getByRole('button', { name: '收藏“转发”' })).toBeVisible();
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('.lc-page-heading button')?.click();
    document.querySelector<HTMLElement>('nav [aria-label="收藏“批量查询”"]')?.click();
  });
  await expect(linesOf(page, '收藏')).toHaveText(['转发', '批量查询']);
});

test('screens of one entry are tabs, of those that one may see', async ({ page }) => {
  await openScreen(page, '恢复记录');
  await expect(page.getByRole('heading', { name: '恢复记录' })).toBeVisible();
  const tabs = page.getByRole('navigation', { name: '回收站与恢复' }).getByRole('link');
  await expect(tabs).toHaveText(['回收站', '恢复记录']);
  await tabs.first().click();
  await expect(page.getByRole('heading', { name: '回收站' })).toBeVisible();
  // A customer has one list of codes: no tabs, and the entry bears its name.
  await openScreen(page, '活码列表');
  await expect(page.getByRole('heading', { name: '活码列表' })).toBeVisible();
  await expect(page.locator('.lc-tabs')).toHaveCount(0);
});

test('the palette finds screens as they are typed, and acts; “new” leads everywhere', async ({ page }) => {
  const box = paletteOf(page).getByRole('combobox');
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
    await page.getByRole('button', { name: '搜索或执行命令' }).click();
    await box.fill(typed);
    await expect(paletteOf(page).getByRole('option').first(), typed).toHaveText(found);
    await page.keyboard.press('Escape');
    await expect(box).toBeHidden();
  }

  // Until the palette has gone with its motion, letters are its own.
  await expect(page.locator('.ant-modal-wrap:visible')).toHaveCount(0);
  await page.keyboard.press('n');
  await expect(page.locator('.ant-dropdown:visible').getByRole('menuitem', { name: '添加域名' })).toBeVisible();
  await page.keyboard.press('d');
  await expect(page.getByRole('dialog').getByText('添加域名').first()).toBeVisible();
  await expect(page).not.toHaveURL(/act=/);
  // Where one types, letters are letters.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const search = page.getByRole('textbox').first();
  await search.fill('');
  await expect(search).toBeFocused();
  await page.keyboard.type('nd');
  await expect(search).toHaveValue('nd');
});

test('a code that the palette closed is opened again by what it offers', async ({ page, user }) => {
  const targets = [{ kind: 'url', content: 'https://example.com/' }];
  const { id } = await user.call<{ id: number }>('qr_code_list/add', { name: '菜单旅程', targets });
  const isOpen = async () => (await user.call<{ open: boolean }>('qr_code_list/details', { id })).open;
  await page.keyboard.press('Control+k');
  await paletteOf(page).getByRole('combobox').fill('关闭 菜单旅程');
  await page
    .getByRole('option', { name: /菜单旅程/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^关\s*闭$/ })
    .last()
    .click();
  await expect(page.getByText('已关闭“菜单旅程”')).toBeVisible();
  expect(await isOpen()).toBe(false);
  await page.getByRole('button', { name: '撤销' }).click();
  await expect.poll(isOpen).toBe(true);
});
