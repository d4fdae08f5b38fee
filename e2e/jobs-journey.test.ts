import type { BrowserContextOptions } from '@playwright/test';
import { chooseEntry } from './kit/menu.ts';
import { scan } from './kit/scan.ts';
import { expect, type Locator, type Page, test } from './kit/test.ts';
import type { User } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

const devices: [string, Pick<BrowserContextOptions, 'viewport' | 'isMobile' | 'hasTouch'>][] = [
  ['by mouse on a desktop', { viewport: { width: 1440, height: 900 } }],
  ['by touch on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
];

/** The daily jobs, each from the start page. A blocked domain is replaced in `blocked-domain-journey.test.ts`. */
for (const [device, options] of devices) {
  test.describe(device, () => {
    test.use({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
    let presses = 0;
    test.beforeEach(() => {
      presses = 0;
    });

    async function press(locator: Locator): Promise<void> {
      presses += 1;
      await (options.hasTouch ? locator.tap() : locator.click());
    }
    const button = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`${name}$`) }).first();
    const downloaded = async (page: Page, locator: Locator) => (await Promise.all([page.waitForEvent('download'), press(locator)]))[0];

    /** The code was scanned, so that the start page names it. */
    async function openCode(page: Page, user: User): Promise<void> {
      const targets = [{ kind: 'url', content: 'https://example.com/before' }];
      const { url } = await user.call<{ url: string }>('qr_code_list/add', { name: '门店海报', targets });
      await fetch(url, { headers: { 'user-agent': phone } });
      // The loader brings the visit into the database within seconds.
      const visits = () => user.call<{ content: unknown[] }>('today_statistics/newest_visits').then(({ content }) => content.length);
      await expect.poll(visits, { timeout: 60_000 }).toBe(1);
      await page.reload();
      await press(page.getByRole('main').getByRole('link', { name: '门店海报' }).first());
      await expect(page.getByRole('heading', { name: '门店海报', level: 1 })).toBeVisible();
    }

    test('a code is made and its QR code downloaded with three presses', async ({ page }) => {
      await press(button(page, '新建'));
      presses += 1;
      await chooseEntry(page, '新建活码');
      await page.getByRole('textbox', { name: '链接' }).fill('https://example.com/quick');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'example.com', level: 1 })).toBeVisible();
      const file = await downloaded(page, button(page, '下载二维码'));
      expect(presses).toBeLessThanOrEqual(3);
      expect(await scan(await file.path())).toMatch(/^http/);
    });

    test("a code's thirty days are one press away, and shared with three", async ({ page, user }) => {
      await openCode(page, user);
      await expect(page.getByRole('img', { name: '近 30 天的访问' })).toBeVisible();
      expect(presses).toBe(1);
      await press(button(page, '分享统计'));
      await press(button(page, '生成链接并复制'));
      await expect(page.getByText('分享链接已生成')).toBeVisible();
      expect(presses).toBeLessThanOrEqual(3);
    });

    test('a target is changed with three presses', async ({ page, user }) => {
      await openCode(page, user);
      await press(page.getByRole('button', { name: '编辑子码 1' }));
      const dialog = page.getByRole('dialog', { name: '编辑子码 1' });
      await dialog.getByRole('textbox', { name: '链接' }).fill('https://example.com/after');
      await press(dialog.getByRole('button', { name: '保存' }));
      await expect(page.locator('.lc-code-target-panel').getByText('example.com/after').first()).toBeVisible();
      expect(presses).toBeLessThanOrEqual(3);
    });

    test('twenty labels are printed with four presses', async ({ page, user }) => {
      await openCode(page, user);
      await press(button(page, '打印'));
      const dialog = page.getByRole('dialog', { name: '打印“门店海报”' });
      await dialog.getByRole('spinbutton', { name: '张数' }).fill('20');
      await expect(dialog).toContainText('20 张标签');
      const sheet = await downloaded(page, dialog.getByRole('button', { name: '下载 PDF' }));
      expect(sheet.suggestedFilename()).toMatch(/\.pdf$/);
      expect(presses).toBeLessThanOrEqual(4);
    });

    test('a table of codes is imported with four presses', async ({ page }) => {
      await press(button(page, '新建'));
      presses += 1;
      await chooseEntry(page, '导入');
      const buffer = Buffer.from('name,link\n春茶,https://example.com/spring\n秋茶,https://example.com/autumn\n');
      await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer });
      const dialog = page.getByRole('dialog');
      await press(dialog.getByRole('button', { name: '检查' }));
      await press(dialog.getByRole('button', { name: '导入 2 行' }));
      await expect(page.getByRole('button', { name: '查看导入的活码' })).toBeVisible();
      expect(presses).toBeLessThanOrEqual(4);
    });
  });
}
