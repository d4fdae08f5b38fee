import type { Browser, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type BuiltScreenPath, builtScreens } from '../src/contract/permissions.ts';
import { faultsOf } from './kit/accessibility.ts';
import { beforeJourneysAlone, openPage } from './kit/journey.ts';
import type { Product } from './kit/product.ts';
import { seedAdministration, tokenOf } from './kit/seed.ts';

let product: Product;
let browser: Browser;
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
/** Each in one of the themes, by turns; `npm run test:full` looks at all in both. */
const inThemes = <T extends object>(looks: readonly T[]): (T & { theme: Theme })[] =>
  looks.flatMap((look, at) =>
    themes.filter((_, number) => process.env.LIVECODE_TEST_FULL || number === at % themes.length).map((theme) => ({ ...look, theme })),
  );
/** So high that everything of a screen is in sight: axe passes over what is scrolled away. */
const desktop = { viewport: { width: 1440, height: 3400 } };
/** The administrator's windows. */
let windows: Record<Theme, Page>;

/** Further dialogs and drawers of a screen, by the names of the row actions that open them. */
const rowDialogs: Partial<Record<BuiltScreenPath, readonly string[]>> = {
  qr_code_list: ['统计'],
  qr_code_list_admin: ['统计'],
  qr_code_remove: ['修改历史', '彻底删除'],
  internal_code_grouping: ['编辑'],
  domain_list: ['编辑', '详情'],
  hold_domain: ['设置配额', '查看域名'],
  nodomain: ['分配域名'],
  user_list: ['编辑', '代登录'],
  administrators: ['编辑'],
  role: ['权限设置', '预览菜单'],
  message_list: ['查看'],
  rotation: ['编辑'],
  document_list: ['编辑'],
  log: ['查看'],
  log_type: ['设置规则'],
  log_config: ['编辑'],
  webhook: ['推送记录'],
  js_config: ['编辑', '审核'],
};
const dialogs = '[role="dialog"]:visible';

/** A window; with an account it is logged in. */
async function open(options: Parameters<Browser['newContext']>[0], account?: string): Promise<Page> {
  const page = await openPage(browser, { reducedMotion: 'reduce', ...options });
  await page.goto(`${product.backOffice}/#/document/0`);
  if (!account) return page;
  const token = await tokenOf(product.backOffice, account, product.password);
  await page.evaluate((value) => localStorage.setItem('livecode.token', value), token);
  // The token is read when the page starts, which a change of the part behind # doesn't do.
  await page.goto(`${product.backOffice}/#/system/update_password`);
  await page.reload();
  await page.locator('#main').waitFor();
  return page;
}

/** Goes to a screen as a link in the page does, without loading everything anew. */
async function go(page: Page, path: string, shown = '#main h1'): Promise<void> {
  await page.evaluate(
    ([hash, selector]) => {
      document.querySelector(selector)?.setAttribute('data-left', '');
      window.location.hash = hash;
    },
    [`#/${path}`, shown] as const,
  );
  await page.locator(`${shown}:not([data-left])`).first().waitFor();
}

/** Looks at the dialog that stands open, and closes it by the keyboard. */
async function expectGoodDialog(page: Page): Promise<void> {
  await page.locator(dialogs).first().waitFor();
  expect(await faultsOf(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator(dialogs).count(), { timeout: 10_000 }).toBe(0);
}

beforeJourneysAlone(
  async (journey) => {
    ({ product, browser } = journey);
    await seedAdministration(product);
    const [light, dark] = await Promise.all(themes.map((colorScheme) => open({ ...desktop, colorScheme }, 'admin')));
    if (light && dark) windows = { light, dark };
  },
  { LIVECODE_DEMO: '1' },
);

test('axe finds a text that is too pale, and a picture and a field without words', async () => {
  const page = await openPage(browser);
  await page.setContent('<main><p style="color: #ccc">pale</p><img src="data:,"><input></main>');
  const found = (await faultsOf(page)).map((fault) => /[a-z-]+(?=:)/.exec(fault)?.[0]);
  expect(found).toEqual(expect.arrayContaining(['color-contrast', 'image-alt', 'label']));
  await page.context().close();
});

describe('axe finds no serious fault', () => {
  const publicPages = [
    { path: 'admin_login', shown: 'h1' },
    { path: 'admin_register', shown: 'h1' },
    { path: 'maintain', shown: 'h1' },
    { path: 'share_access', shown: '.lc-share-main' },
    { path: 'document/1', shown: 'article' },
  ];
  test.each(inThemes(publicPages))('on the public page $path, $theme', async ({ path, shown, theme }) => {
    const visitor = await open({ viewport: { width: 1440, height: 900 }, colorScheme: theme });
    await go(visitor, path, shown);
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.context().close();
  });

  const administrators = builtScreens.filter(({ audience }) => audience.includes('A'));
  test.each(inThemes(administrators))('on the screen $path, its form and its row dialogs, $theme', async (screen) => {
    const { path, area, theme } = screen;
    const buttons: readonly string[] = screen.buttons;
    const page = windows[theme];
    await go(page, `${area}/${path}`);
    expect(await faultsOf(page)).toEqual([]);
    // A new code is made on a screen of its own.
    if (path !== 'qr_code_list' && (buttons.includes('add') || buttons.includes('send'))) {
      await page.locator('.lc-page-actions button.ant-btn-primary').click();
      await expectGoodDialog(page);
    }
    const row = page.locator('.ant-table-tbody tr.ant-table-row').first();
    for (const name of rowDialogs[path as BuiltScreenPath] ?? []) {
      await row.getByRole('button', { name, exact: true }).click();
      await expectGoodDialog(page);
    }
  });

  const ofUsers = builtScreens.filter(({ audience }) => !audience.includes('A'));
  test.each(inThemes(ofUsers))('on the screen $path that only users have, $theme', async ({ area, path, theme }) => {
    const agent = await open({ ...desktop, colorScheme: theme }, 'lina');
    await go(agent, `${area}/${path}`);
    expect(await faultsOf(agent)).toEqual([]);
    await agent.context().close();
  });

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  test.each(inThemes([phone]))('on a phone: the menu, a list and a form, $theme', async ({ theme, ...options }) => {
    const page = await open({ ...options, colorScheme: theme }, 'admin');
    await go(page, 'system/user_list');
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('.lc-page-actions button.ant-btn-primary').click();
    await expectGoodDialog(page);
    await page.getByRole('button', { name: '打开菜单' }).click();
    await expectGoodDialog(page);
  });
});

test.each([
  ['phone', { width: 390, height: 844 }],
  ['small laptop', { width: 1280, height: 640 }],
])("every entry of a row's menu can be reached, wherever the row stands in the window of a %s", async (_, viewport) => {
  const page = await open({ viewport }, 'admin');
  await go(page, 'customer/qr_code_list');
  const more = page.getByRole('button', { name: '更多操作' });
  await more.first().waitFor();
  const entries = page.locator('.ant-dropdown:visible').getByRole('menuitem');
  for (const button of [more.nth(0), more.nth(1), more.nth(2), more.last()]) {
    await button.click();
    await entries.first().waitFor();
    expect(await entries.count()).toBeGreaterThan(10);
    for (const entry of [entries.first(), entries.last()]) {
      await entry.scrollIntoViewIfNeeded();
      const box = await entry.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => entries.count()).toBe(0);
  }
  await page.context().close();
});

test('a dialog is filled in and sent by the keyboard alone, and the focus returns to where it was', async () => {
  const page = windows.light;
  await go(page, 'system/rotation_type');
  const opener = page.locator('.lc-page-actions button.ant-btn-primary');
  await opener.focus();
  await page.keyboard.press('Enter');
  const name = page.getByRole('dialog').getByRole('textbox', { name: '类型名称' });
  await expect.poll(() => name.evaluate((field) => field === document.activeElement), { timeout: 10_000 }).toBe(true);
  await page.keyboard.type('键盘');
  await page.keyboard.press('Enter');
  await page.getByRole('row').filter({ hasText: '键盘' }).waitFor();
  await expect.poll(() => page.locator(dialogs).count(), { timeout: 10_000 }).toBe(0);
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement), { timeout: 10_000 }).toBe(true);
});

test('the focus returns to what opened a drawer, a menu’s dialog, or a dialog that another one followed', async () => {
  const page = windows.light;
  const expectFocus = (locator: Locator) =>
    expect.poll(() => locator.evaluate((element) => element === document.activeElement), { timeout: 10_000 }).toBe(true);
  async function leaveFor(opener: Locator) {
    // A dialog that is still opening may pass over the key.
    async function left() {
      await page.keyboard.press('Escape');
      return (await page.locator(dialogs).count()) === 0;
    }
    await expect.poll(left, { timeout: 10_000, interval: 500 }).toBe(true);
    await expectFocus(opener);
  }

  await go(page, 'customer/qr_code_list_admin');
  const more = page.locator('.ant-table-tbody tr.ant-table-row').first().getByRole('button', { name: '更多操作' });
  const menu = page.locator('.ant-dropdown').getByRole('menuitem');
  await more.press('Enter');
  await expectFocus(menu.first());
  await menu.filter({ hasText: '分享统计' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await leaveFor(more);

  await go(page, 'customer/api_token');
  const help = page.getByRole('button', { name: '使用说明' });
  await help.press('Enter');
  await page.getByRole('dialog').waitFor();
  await leaveFor(help);

  const add = page.locator('.lc-page-actions button.ant-btn-primary');
  await add.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: '只读' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: '名称' }).fill('键盘');
  await page.keyboard.press('Enter');
  const kept = page.getByRole('button', { name: '我已保存' });
  await kept.press('Enter');
  await expectFocus(add);
});

test("where less motion is wished for, a row's menu opens beside its button", async () => {
  const page = windows.light;
  await go(page, 'customer/qr_code_list_admin');
  const button = page.locator('.ant-table-tbody tr.ant-table-row').first().getByRole('button', { name: '更多操作' });
  await button.click();
  const menu = page.locator('.ant-dropdown:not(.ant-dropdown-hidden)');
  const gap = async () => {
    const [above, below] = [await button.boundingBox(), await menu.boundingBox()];
    return above && below ? Math.abs(below.y - above.y - above.height) : Number.POSITIVE_INFINITY;
  };
  await expect.poll(gap, { timeout: 10_000 }).toBeLessThan(24);
  await page.keyboard.press('Escape');
});

test('rows that are awaited show no text, in whatever column', async () => {
  const page = windows.light;
  await go(page, 'system/update_password');
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/message_list/inquire_sent', async (route) => {
    await held;
    await route.continue();
  });
  await go(page, 'system/message_list?search=nothing');
  await page.locator('.lc-skeleton').first().waitFor();
  expect(await page.locator('.lc-table .ant-table-row').allTextContents()).toEqual(Array(10).fill(''));
  answer();
  await page.locator('.lc-skeleton').first().waitFor({ state: 'hidden' });
});
