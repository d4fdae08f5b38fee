import type { Browser, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import { chooseEntry } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { scan } from './kit/scan.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';
import { phone as messenger } from './kit/visitor.ts';

let product: Product;
let browser: Browser;

beforeJourneys((journey) => {
  ({ product, browser } = journey);
});

const devices: [string, BrowserContextOptions][] = [
  ['by mouse on a desktop', { viewport: { width: 1440, height: 900 } }],
  ['by touch on a phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
];

/** The daily jobs, each from the start page. A blocked domain is replaced in `blocked-domain-journey.test.ts`. */
describe.each(devices)('%s', (device, options) => {
  let page: Page;
  let presses = 0;

  beforeAll(async () => {
    const customer = await addCustomer(product, `journey-jobs-${options.hasTouch ? 'touch' : 'mouse'}`);
    page = await openPageAs(customer, { product, browser }, options);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const token = await tokenOf(product.backOffice, customer.account, customer.password);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const body = JSON.stringify({ name: '门店海报', targets: [{ kind: 'url', content: 'https://example.com/before' }] });
    const answer = await fetch(`${product.backOffice}/api/qr_code_list/add`, { method: 'POST', headers, body });
    const { url } = (await answer.json()) as { url: string };
    await fetch(url, { headers: { 'user-agent': messenger } });
  });
  afterAll(() => page.context().close());

  async function start(): Promise<void> {
    await page.goto(`${product.backOffice}/#/customer/today_statistics`);
    await page.reload();
    await page.getByRole('heading', { name: '工作台' }).waitFor();
    presses = 0;
  }
  async function press(locator: Locator): Promise<void> {
    presses += 1;
    await (options.hasTouch ? locator.tap() : locator.click());
  }
  const button = (name: string) => page.getByRole('button', { name: new RegExp(`${name}$`) }).first();
  const downloaded = async (locator: Locator) => (await Promise.all([page.waitForEvent('download'), press(locator)]))[0];

  /** The code was scanned, so that the start page names it. */
  async function openCode(): Promise<void> {
    const link = page.getByRole('main').getByRole('link', { name: '门店海报' }).first();
    // The loader brings the visit into the database within seconds.
    const isThere = () =>
      link.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    await expect.poll(() => start().then(isThere), { timeout: 60_000 }).toBe(true);
    await press(link);
    await page.getByRole('heading', { name: '门店海报', level: 1 }).waitFor();
  }

  test('a code is made and its QR code downloaded with three presses', async () => {
    await start();
    await press(button('新建'));
    presses += 1;
    await chooseEntry(page, '新建活码');
    await page.getByRole('textbox', { name: '链接' }).fill('https://example.com/quick');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'example.com', level: 1 }).waitFor();
    const file = await downloaded(button('下载二维码'));
    expect(presses, device).toBeLessThanOrEqual(3);
    expect(await scan(await file.path())).toMatch(/^http/);
  });

  test("a code's thirty days are one press away, and shared with three", async () => {
    await openCode();
    await page.getByRole('img', { name: '近 30 天的访问' }).waitFor();
    expect(presses).toBeLessThanOrEqual(2);
    await press(button('分享统计'));
    await press(button('生成链接并复制'));
    await page.getByText('分享链接已生成').waitFor();
    expect(presses).toBeLessThanOrEqual(3);
  });

  test('a target is changed with three presses', async () => {
    await openCode();
    await press(page.getByRole('button', { name: '编辑子码 1' }));
    const dialog = page.getByRole('dialog', { name: '编辑子码 1' });
    await dialog.getByRole('textbox', { name: '链接' }).fill('https://example.com/after');
    await press(dialog.getByRole('button', { name: '保存' }));
    await page.locator('.lc-code-target-panel').getByText('example.com/after').first().waitFor();
    expect(presses).toBeLessThanOrEqual(3);
  });

  test('twenty labels are printed with four presses', async () => {
    await openCode();
    await press(button('打印'));
    const dialog = page.getByRole('dialog', { name: '打印“门店海报”' });
    await dialog.getByRole('spinbutton', { name: '张数' }).fill('20');
    await dialog.getByText(/20 张标签/).waitFor();
    const sheet = await downloaded(dialog.getByRole('button', { name: '下载 PDF' }));
    expect(sheet.suggestedFilename()).toMatch(/\.pdf$/);
    expect(presses).toBeLessThanOrEqual(4);
  });

  test('a table of codes is imported with four presses', async () => {
    await start();
    await press(button('新建'));
    presses += 1;
    await chooseEntry(page, '导入');
    const buffer = Buffer.from('name,link\n春茶,https://example.com/spring\n秋茶,https://example.com/autumn\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer });
    const dialog = page.getByRole('dialog');
    await press(dialog.getByRole('button', { name: '检查' }));
    await press(dialog.getByRole('button', { name: '导入 2 行' }));
    await page.getByRole('button', { name: '查看导入的活码' }).waitFor();
    expect(presses).toBeLessThanOrEqual(4);
  });
});
