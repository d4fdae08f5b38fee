import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beforeJourneys, logIn, openPage } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { scan } from './kit/scan.ts';
import { addCustomer } from './kit/seed.ts';

let product: Product;
let browser: Browser;
let page: Page;

beforeJourneys(async (journey) => {
  ({ product, browser } = journey);
  const { account, password } = await addCustomer(product, 'journey-main');
  // As most people see it: with everything that moves.
  page = await openPage(browser, { viewport: { width: 1440, height: 900 }, reducedMotion: 'no-preference' });
  await logIn(page, product.backOffice, account, password);
});

/** A phone in the messenger, at a China Mobile address in Shenzhen. */
const phone = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50(0x18003233) NetType/4G Language/zh_CN',
  'x-forwarded-for': '120.196.165.24',
};

const isShown = (locator: { isVisible: () => Promise<boolean> }) => expect.poll(() => locator.isVisible(), { timeout: 15_000 }).toBe(true);

/** Figures count up to their value, so that a look may come too early. */
const shows = (locator: { textContent: () => Promise<string | null> }, text: RegExp) =>
  expect.poll(() => locator.textContent(), { timeout: 15_000 }).toMatch(text);

test('a live code is made, downloaded, scanned, rotated, recorded and counted', async () => {
  await openScreen(page, '活码列表');

  // A code with two targets, the first with two visits.
  await page
    .getByRole('link', { name: '新建活码' })
    .or(page.getByRole('button', { name: '新建活码' }))
    .first()
    .click();
  await page.getByRole('button', { name: '更多设置' }).click();
  await page.getByRole('textbox', { name: '名称', exact: true }).fill('旅程活码');
  await page.getByRole('textbox', { name: '后缀' }).fill('journey');
  await page.getByRole('textbox', { name: '* 链接' }).fill('https://example.com/first');
  await page.getByRole('spinbutton', { name: '访问上限' }).fill('2');
  await page.getByRole('button', { name: /链接$/ }).click();
  await page.getByRole('textbox', { name: '* 链接' }).last().fill('https://example.com/second');
  await page.getByRole('button', { name: '新建活码' }).click();
  await page.getByText('已新建活码').waitFor();

  // Its QR image, downloaded from its page and read as a scanner reads it.
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '下载二维码' }).click()]);
  expect(download.suggestedFilename()).toMatch(/\.png$/);
  const url = await scan(await download.path());
  expect(url).toBe(`http://localhost:${product.visitPort}/journey`);

  // Three scans: the third one lands on the second target.
  const landings: string[] = [];
  for (let visit = 0; visit < 3; visit++) {
    const answer = await fetch(url ?? '', { headers: phone });
    expect(answer.status).toBe(200);
    landings.push(/https:\/\/example\.com\/\w+/.exec(await answer.text())?.[0] ?? 'nowhere');
  }
  expect(landings).toEqual(['https://example.com/first', 'https://example.com/first', 'https://example.com/second']);

  // Today's screen: three visits, one address, the right system and place.
  await openScreen(page, '工作台');
  const main = page.getByRole('main');
  await isShown(main.getByText('iOS', { exact: true }).first());
  await isShown(main.getByText('旅程活码').first());
  for (const figure of [/访问次数\s*3(?!\d)/, /访客 IP\s*1(?!\d)/, /中国移动/]) await shows(main, figure);
  await isShown(main.getByText('广东').first());
  await isShown(main.getByText('微信', { exact: true }).first());

  // The shared page, without a login.
  await openScreen(page, '活码列表');
  await page.getByRole('row').filter({ hasText: 'journey' }).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '分享统计');
  await page.getByRole('textbox', { name: '分享密码' }).fill('only-for-friends');
  await page.getByRole('button', { name: '生成链接并复制' }).click();
  await page.getByText('分享链接已生成').waitFor();
  const visitor = await (await browser.newContext({ locale: 'zh-CN', viewport: { width: 390, height: 844 } })).newPage();
  await visitor.goto(`${product.backOffice}/#/share_access?name=journey&password=only-for-friends`);
  await isShown(visitor.getByText('旅程活码'));
  for (const figure of [/访问次数\s*3(?!\d)/, /访客 IP 数\s*1(?!\d)/]) await shows(visitor.locator('body'), figure);
  await visitor.goto(`${product.backOffice}/#/share_access?name=journey&password=wrong`);
  await isShown(visitor.getByText('页面出错，请联系管理员'));
});
