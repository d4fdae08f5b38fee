import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type Product, startProduct } from './product.ts';

export type Journey = { product: Product; browser: Browser };

const desktop = { viewport: { width: 1440, height: 900 } };

/**
 * Runs the product and a browser from before the first test of a file until after its last.
 * @param prepare keeps the two for the tests, and makes what they start from
 * @param env further environment of the product, such as LIVECODE_DEMO
 */
export function beforeJourneys(prepare: (journey: Journey) => void | Promise<void>, env?: Record<string, string>): void {
  let product: Product | undefined;
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

/** A window of its own, with a memory of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions = desktop): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'zh-CN', ...options })).newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

/** Logs in as people do. @param address where the login is shown */
export async function logIn(page: Page, address: string, account: string, password: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录' }).click();
}
