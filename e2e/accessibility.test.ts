import { type ScreenPath, screens } from '../src/contract/permissions.ts';
import { faultsOf } from './kit/accessibility.ts';
import { pressEscape } from './kit/keyboard.ts';
import { go } from './kit/menu.ts';
import { seedAdministration } from './kit/seed.ts';
import { test as base, expect, type Page } from './kit/test.ts';
import { userOf } from './kit/users.ts';

const test = base.extend<object, { seeded: undefined }>({
  seeded: [
    async ({ product, admin }, use) => {
      await seedAdministration(product, admin);
      await use(undefined);
    },
    { scope: 'worker', auto: true },
  ],
});
test.describe.configure({ mode: 'parallel' });
/** So high that everything of a screen is in sight: axe passes over what is scrolled away. */
const desktop = { width: 1440, height: 8000 };
test.use({ as: 'admin', viewport: desktop, productEnv: { LIVECODE_DEMO: '1' } });

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

/** Looks at the dialog that stands open, and closes it by the keyboard. */
async function expectGoodDialog(page: Page): Promise<void> {
  await expect(page.locator(dialogs).first()).toBeVisible();
  expect.soft(await faultsOf(page, '[role="dialog"]')).toEqual([]);
  await pressEscape(page);
  await expect(page.locator(dialogs)).toHaveCount(0);
}

type Screen = (typeof screens)[number];
/** Screens by their groups, no more at a time than half a minute is enough for. */
const inParts = (list: readonly Screen[]): [string, Screen[]][] =>
  [...Map.groupBy(list, ({ group }) => group)].flatMap(([group, whole]) =>
    Array.from({ length: Math.ceil(whole.length / 6) }, (_, part): [string, Screen[]] => [
      part > 0 ? `${group}, part ${part + 1}` : group,
      whole.slice(part * 6, part * 6 + 6),
    ]),
  );
const administrators = screens.filter(({ audience }) => audience.includes('A'));
const ofUsers = screens.filter(({ audience }) => !audience.includes('A'));
// The menu and the bar above are the same around every screen: they are looked at once in each theme.
const [withShell] = administrators;

async function expectGoodScreen(page: Page, screen: Screen): Promise<void> {
  const { path, area } = screen;
  const buttons: readonly string[] = screen.buttons;
  await go(page, `${area}/${path}`);
  expect.soft(await faultsOf(page, screen === withShell ? undefined : '#main')).toEqual([]);
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
}

test.describe('of a page without a login', () => {
  test.use({ as: 'nobody' });

  test('axe finds a text that is too pale, and a picture and a field without words', async ({ page }) => {
    await page.setContent('<main><p style="color: #ccc">pale</p><img src="data:,"><input></main>');
    const found = (await faultsOf(page)).map((fault) => /[a-z-]+(?=:)/.exec(fault)?.[0]);
    expect(found).toEqual(expect.arrayContaining(['color-contrast', 'image-alt', 'label']));
  });
});

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`axe finds no serious fault, ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('on the public pages', async ({ open, product }) => {
      const publicPages = [
        { path: 'admin_login', shown: 'h1' },
        { path: 'admin_register', shown: 'h1' },
        { path: 'maintain', shown: 'h1' },
        { path: 'share_access', shown: '.lc-share-main' },
        { path: 'document/1', shown: 'article' },
      ];
      for (const { path, shown } of publicPages)
        await test.step(path, async () => {
          const visitor = await open(undefined, { viewport: { width: 1440, height: 900 }, colorScheme });
          await visitor.goto(`${product.backOffice}/#/${path}`);
          await expect(visitor.locator(shown).first()).toBeVisible();
          expect.soft(await faultsOf(visitor)).toEqual([]);
        });
    });

    for (const [part, list] of inParts(administrators))
      test(`on the screens of ${part}, their forms and their row dialogs`, async ({ page }) => {
        for (const screen of list) await test.step(screen.path, () => expectGoodScreen(page, screen));
      });

    test('on the page of a code', async ({ page }) => {
      // Each of another code, as the page of one code keeps its title from part to part.
      for (const [at, part] of ['', '/statistics', '/visitors', '/settings', '/history'].entries())
        await test.step(`qr_code${part}`, async () => {
          await go(page, `customer/qr_code/${at + 1}${part}`);
          expect.soft(await faultsOf(page, '#main')).toEqual([]);
        });
    });

    test('in the dialogs of a code', async ({ page }) => {
      await go(page, 'customer/qr_code/6');
      for (const act of ['编辑子码 1', '打印', '分享统计'])
        await test.step(act, async () => {
          await page.getByRole('button', { name: act }).click();
          await expectGoodDialog(page);
        });
    });

    for (const [part, list] of inParts(ofUsers))
      test(`on the screens of ${part} that only users have`, async ({ open, product }) => {
        const agent = await open(await userOf(product, 'lina', product.password), { colorScheme });
        for (const { area, path } of list)
          await test.step(path, async () => {
            await go(agent, `${area}/${path}`);
            expect.soft(await faultsOf(agent, '#main')).toEqual([]);
          });
      });

    test.describe('on a phone', () => {
      test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

      test('the menu, a list, a form and a code', async ({ page }) => {
        await go(page, 'customer/qr_code/1');
        expect.soft(await faultsOf(page)).toEqual([]);
        await go(page, 'system/user_list');
        expect.soft(await faultsOf(page)).toEqual([]);
        await page.locator('.lc-page-actions button.ant-btn-primary').click();
        await expectGoodDialog(page);
        await page.getByRole('button', { name: '打开菜单' }).click();
        await expectGoodDialog(page);
      });
    });
  });
