import type { Browser, Page } from '@playwright/test';
import { describe, expect, test } from 'vitest';
import { type ScreenPath, screens } from '../src/contract/permissions.ts';
import { faultsOf } from './kit/accessibility.ts';
import { beforeJourneysAlone, openPage } from './kit/journey.ts';
import { go } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { seedAdministration, tokenOf } from './kit/seed.ts';

let product: Product;
let browser: Browser;
const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
const inThemes = <T extends object>(looks: readonly T[]): (T & { theme: Theme })[] =>
  looks.flatMap((look) => themes.map((theme) => ({ ...look, theme })));
/** So high that everything of a screen is in sight: axe passes over what is scrolled away. */
const desktop = { viewport: { width: 1440, height: 8000 } };
/** The administrator's windows. */
let windows: Record<Theme, Page>;

/** Further dialogs and drawers of a screen, by the names of the row actions that open them. */
const rowDialogs: Partial<Record<ScreenPath, readonly string[]>> = {
  qr_code_remove: ['彻底删除'],
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
  mall_product_list: ['编辑'],
  log: ['查看'],
  log_type: ['设置规则'],
  log_config: ['编辑'],
  webhook: ['推送记录'],
  js_config: ['编辑', '审核'],
  admin_domain_monitor: ['详情'],
  we_chat_blocking_detection_configuration: ['测试', '编辑'],
};
/** Where the form of a screen opens that has several parts. */
const formAddress: Partial<Record<ScreenPath, string>> = { shield_push: 'customer/shield_push?part=channels' };
/** A new code is made on a screen of its own, days are given in the list of users. */
const madeElsewhere: ReadonlySet<string> = new Set<ScreenPath>(['qr_code_list', 'member_gift']);
const dialogs = '[role="dialog"]:visible';

/** A window; with an account it is logged in. */
async function open(options: Parameters<Browser['newContext']>[0], account?: string): Promise<Page> {
  const page = await openPage(browser, options);
  await page.goto(`${product.backOffice}/#/document/0`);
  if (!account) {
    // Its parts are all there: a change of the address before that would be a second start.
    await page.waitForLoadState('networkidle');
    return page;
  }
  const token = await tokenOf(product.backOffice, account, product.password);
  await page.evaluate((value) => localStorage.setItem('livecode.token', value), token);
  // The token is read when the page starts, which a change of the part behind # doesn't do.
  await page.goto(`${product.backOffice}/#/system/update_password`);
  await page.reload();
  await page.locator('#main').waitFor();
  return page;
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

  const administrators = screens.filter(({ audience }) => audience.includes('A'));
  // The menu and the bar above are the same around every screen: they are looked at once in each theme.
  const withShell: ReadonlySet<string> = new Set(administrators.slice(0, themes.length).map(({ path }) => path));
  test.each(inThemes(administrators))('on the screen $path, its form and its row dialogs, $theme', async (screen) => {
    const { path, area, theme } = screen;
    const buttons: readonly string[] = screen.buttons;
    const page = windows[theme];
    await go(page, `${area}/${path}`);
    expect(await faultsOf(page, withShell.has(path) ? undefined : '#main')).toEqual([]);
    if (!madeElsewhere.has(path) && (buttons.includes('add') || buttons.includes('send'))) {
      const address = formAddress[path as ScreenPath];
      if (address) await go(page, address);
      await page.locator('.lc-page-actions button.ant-btn-primary').click();
      await expectGoodDialog(page);
    }
    const row = page.locator('.ant-table-tbody tr.ant-table-row').first();
    for (const name of rowDialogs[path as ScreenPath] ?? []) {
      await row.getByRole('button', { name, exact: true }).click();
      await expectGoodDialog(page);
    }
  });

  // Each of another code, as the page of one code keeps its title from part to part.
  const codeParts = ['', '/statistics', '/visitors', '/settings', '/history'].map((part, at) => ({ path: `qr_code/${at + 1}${part}` }));
  test.each(inThemes(codeParts))('on the page of a code, $path, $theme', async ({ path, theme }) => {
    const page = windows[theme];
    await go(page, `customer/${path}`);
    expect(await faultsOf(page, '#main')).toEqual([]);
  });

  test.each(inThemes([{ act: '编辑子码 1' }, { act: '打印' }, { act: '分享统计' }]))(
    'in the dialog of a code: $act, $theme',
    async ({ act, theme }) => {
      const page = windows[theme];
      await go(page, 'customer/qr_code_list');
      await go(page, 'customer/qr_code/6');
      await page.getByRole('button', { name: act }).click();
      await expectGoodDialog(page);
    },
  );

  const ofUsers = screens.filter(({ audience }) => !audience.includes('A'));
  test.each(inThemes(ofUsers))('on the screen $path that only users have, $theme', async ({ area, path, theme }) => {
    const agent = await open({ ...desktop, colorScheme: theme }, 'lina');
    await go(agent, `${area}/${path}`);
    expect(await faultsOf(agent, '#main')).toEqual([]);
    await agent.context().close();
  });

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  test.each(inThemes([phone]))('on a phone: the menu, a list, a form and a code, $theme', async ({ theme, ...options }) => {
    const page = await open({ ...options, colorScheme: theme }, 'admin');
    await go(page, 'customer/qr_code/1');
    expect(await faultsOf(page)).toEqual([]);
    await go(page, 'system/user_list');
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('.lc-page-actions button.ant-btn-primary').click();
    await expectGoodDialog(page);
    await page.getByRole('button', { name: '打开菜单' }).click();
    await expectGoodDialog(page);
  });
});
