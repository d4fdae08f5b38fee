import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Product, type StartedProduct, startProduct } from './product.ts';
import { tokenOf } from './seed.ts';
import { sharedProduct } from './shared-product.ts';

export type Journey = { product: Product; browser: Browser };

const desktop = { viewport: { width: 1440, height: 900 } };

type Prepare = (journey: Journey) => void | Promise<void>;

/**
 * Runs a browser from before the first test of a file until after its last, on the product that journeys share: it has demo data, and
 * other files work in it at the same time.
 * @param prepare keeps the two for the tests, and makes what they start from
 */
export function beforeJourneys(prepare: Prepare): void {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const [product, launched] = await Promise.all([sharedProduct(), launchBrowser()]);
    browser = launched;
    await prepare({ product, browser });
  });
  afterAll(() => browser?.close());
}

/**
 * The same on a product of the file's own, for journeys that change what everybody sees.
 * @param env further environment of the product, such as LIVECODE_DEMO
 */
export function beforeJourneysAlone(prepare: Prepare, env?: Record<string, string>): void {
  let product: StartedProduct | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(env), launchBrowser()]);
    await prepare({ product, browser });
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
}

/**
 * A window of its own, with a memory of its own. Where nothing else is asked for, what moves is moved at once: drawing each picture of a
 * motion takes a third of a journey's time.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = desktop): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'zh-CN', reducedMotion: 'reduce', ...options })).newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

/** A window in which this user is logged in already, at his first screen. How people log in is a journey of its own. */
export async function openPageAs(
  user: { account: string; password: string },
  { product, browser }: Journey,
  options: BrowserContextOptions = desktop,
): Promise<Page> {
  const token = await tokenOf(product.backOffice, user.account, user.password);
  const origins = [{ origin: product.backOffice, localStorage: [{ name: 'livecode.token', value: token }] }];
  const page = await openPage(browser, { ...options, storageState: { cookies: [], origins } });
  await page.goto(product.backOffice);
  // A change of the address before its parts are there would be a second start.
  await page.locator('#main').waitFor();
  return page;
}

/** Logs in as people do. @param address where the login is shown */
export async function logIn(page: Page, address: string, account: string, password: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录' }).click();
}
