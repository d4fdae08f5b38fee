/**
 * Whether the screen stays responsive: `npm run bench:screen -- [--codes 2000] [--rounds 3]`. Opens the list of live codes in Chromium with 200 rows a
 * page, scrolls, filters, sorts, selects and turns pages as a hurried operator does, and reads the longest task of the page's main thread from
 * a Chromium trace. Fails where one took more than 200 ms.
 */
import { parseArgs } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import { launchBrowser } from '../e2e/kit/browser.ts';
import { startProduct } from '../e2e/kit/product.ts';
import { tracedTasks } from './trace.ts';

const { values } = parseArgs({ options: { codes: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '3' } } });
const [codes, rounds] = [Number(values.codes), Number(values.rounds)];
const maxMilliseconds = 200;
const pageSize = 200;
const together = 8;

/** The longest task, in milliseconds, that a page's main thread ran while the act went on, beside how many took over 50 ms. */
async function traced(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<{ longest: number; long: number }> {
  const tasks = (await tracedTasks(browser, page, act)).map(({ wall }) => wall);
  return { longest: Math.max(...tasks), long: tasks.filter((task) => task > 50).length };
}

const product = await startProduct();
const browser = await launchBrowser();
let isMet = true;
try {
  const call = async <T>(path: string, body: object, token = ''): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { token } = await call<{ token: string }>('admin/login', { account: 'admin', password: product.password });
  let made = 0;
  await Promise.all(
    Array.from({ length: together }, async () => {
      while (made < codes) {
        made += 1;
        const targets = [{ kind: 'url', content: `https://example.com/${made}` }];
        await call('qr_code_list/add', { name: `活码 ${made}`, remark: `第 ${made} 号门店`, targets }, token);
      }
    }),
  );

  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(product.backOffice);
  await page.getByLabel('账号').fill('admin');
  await page.getByLabel('密码', { exact: true }).fill(product.password);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/customer/);

  const answered = () => page.waitForResponse((response) => response.url().includes('/qr_code_list/inquire'));
  const settled = () => page.waitForTimeout(700);
  const wheel = async (distance: number) => {
    for (let step = 0; step < 30; step += 1) {
      await page.mouse.wheel(0, distance);
      await page.waitForTimeout(30);
    }
  };
  const search = page.getByPlaceholder(/名称/).first();
  const after = async (act: () => Promise<unknown>) => {
    await Promise.all([answered(), act()]);
    await settled();
  };
  const acts: Record<string, () => Promise<unknown>> = {
    'open the list': () => after(() => page.goto(`${product.backOffice}/#/customer/qr_code_list?page_size=${pageSize}`)),
    'scroll down': () => wheel(400),
    'scroll up': () => wheel(-400),
    'type into the filter': () => after(() => search.pressSequentially('门店', { delay: 60 })),
    'empty the filter': () => after(() => search.fill('')),
    'sort by name': () => after(() => page.getByRole('columnheader', { name: '名称' }).first().click()),
    'select the page': () => page.getByRole('checkbox', { name: '选择本页全部' }).first().click().then(settled),
    'next page': () =>
      after(() =>
        page
          .getByRole('button', { name: /下一页|right/ })
          .first()
          .click(),
      ),
  };
  const worst = new Map<string, { longest: number; long: number }[]>();
  for (let round = 0; round < rounds; round += 1) {
    await page.goto(`${product.backOffice}/#/customer/domain_list`);
    await page.mouse.move(800, 600);
    await settled();
    for (const [name, act] of Object.entries(acts)) worst.set(name, [...(worst.get(name) ?? []), await traced(browser, page, act)]);
  }
  console.log(`\n${codes} codes, ${pageSize} rows a page, ${rounds} rounds: the longest task of the page's main thread`);
  for (const [name, found] of worst) {
    const longest = Math.max(...found.map((one) => one.longest));
    if (longest > maxMilliseconds) isMet = false;
    const each = found.map((one) => `${one.longest.toFixed(0)}`).join(', ');
    console.log(`  ${name.padEnd(22)} ${longest.toFixed(0).padStart(5)} ms (${each}; wanted ≤ ${maxMilliseconds})`);
  }
} finally {
  await browser.close();
  await product.stop();
}
if (!isMet) process.exitCode = 1;
