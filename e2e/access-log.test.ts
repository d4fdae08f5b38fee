import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPage } from './kit/journey.ts';
import type { Product } from './kit/product.ts';

let product: Product;
let browser: Browser;

beforeJourneys((journey) => {
  ({ product, browser } = journey);
});

const open = (options: BrowserContextOptions): Promise<Page> => openPage(browser, options);

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50(0x18003233) NetType/4G Language/zh_CN';
const huawei =
  'Mozilla/5.0 (Linux; Android 12; ELS-AN00 Build/HUAWEIELS-AN00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

const key = 'tea-password';
let token = '';

async function call(path: string, input: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`);
  return body;
}

async function visit(ip: string, agent: string, times = 1): Promise<void> {
  for (let one = 0; one < times; one++) {
    const answer = await fetch(`http://localhost:${product.visitPort}/tea-friends`, {
      headers: { 'user-agent': agent, 'x-forwarded-for': ip },
    });
    expect(answer.status).toBe(200);
  }
}

const cards = (page: Page) => page.locator('.lc-access-results .lc-card');
const filter = (page: Page, name: string) => page.getByRole('group', { name: '按条件筛选' }).getByRole('button', { name });

test('whoever has the key finds on a phone which addresses visited, and what is remarkable about them', async () => {
  token = String((await call('admin/login', { account: 'admin', password: product.password })).token);
  const targets = [{ kind: 'url', content: 'https://example.com/' }];
  await call('qr_code_list/add', { name: '茶友群', file_name: 'tea-friends', password: key, targets });
  await visit('120.196.165.24', iphone, 12);
  await visit('114.114.114.114', huawei);
  await visit('114.114.114.115', huawei);
  await visit('8.8.8.8', windows);

  const page = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await page.goto(`${product.backOffice}/#/access_log?name=tea-friends`);
  const ask = page.getByRole('button', { name: '查询' });
  const addresses = page.getByRole('textbox', { name: 'IP 地址' });

  // What is missing or wrong is said beside its field, in the words of the specification.
  await page.getByRole('textbox', { name: '账号 / 卡密' }).fill(key);
  await ask.click();
  await page.getByText('请输入要查询的IP地址').waitFor();
  await addresses.fill('120.196.165.24\n1.2.3');
  await ask.click();
  await page.getByText('ip地址不合法，请重新输入').waitFor();
  await page.getByText('有误的行：2').waitFor();

  await addresses.fill('120.196.165.24\n114.114.114.114\n114.114.114.115\n8.8.8.8\n7.7.7.7');
  // Visits are in the database a second or two after they were answered.
  await expect
    .poll(
      async () => {
        const answer = page.waitForResponse(/public_enquiry/);
        await ask.click();
        return ((await (await answer).json()) as { content: { ip_count: number }[] }).content.map(({ ip_count }) => ip_count).sort();
      },
      { timeout: 20_000, interval: 500 },
    )
    .toEqual([1, 1, 1, 12]);

  await page.getByText('查询 5 个 IP，其中 4 个有访问记录').waitFor();
  await page.getByText('没有访问记录的 IP（1）').waitFor();
  expect(await cards(page).count()).toBe(4);
  for (const [name, found] of Object.entries({ 全部: 4, 移动: 1, 微信访问: 1, 境外: 1, 苹果: 1, 安卓: 2, '相同 UA': 2 }))
    expect([name, await filter(page, name).textContent()]).toEqual([name, `${name} ${found}`]);

  await filter(page, '苹果').click();
  expect(await cards(page).count()).toBe(1);
  const text = await cards(page).first().textContent();
  for (const part of ['120.196.165.24', '10–19 次', '境内微信访问', '广东', '中国移动', 'iOS', '12']) expect(text).toContain(part);
  await filter(page, '境外').click();
  expect(await cards(page).first().textContent()).toContain('境外 IP');
  await filter(page, '安卓').click();
  expect(await cards(page).filter({ hasText: '同网段 IP' }).count()).toBe(2);

  // A wrong key says the same as a wrong suffix, and takes the former answer away.
  await page.getByRole('textbox', { name: '账号 / 卡密' }).fill('admin');
  await ask.click();
  await page.getByText('没有找到对应的活码，请检查账号、卡密和活码后缀').waitFor();
  expect(await cards(page).count()).toBe(0);
});

test('who is logged in asks with the account, may clear the days only to be asked for them, and is not polled for messages', async () => {
  const page = await open({ viewport: { width: 1440, height: 900 } });
  const polled: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/message_list/')) polled.push(request.url());
  });
  await page.addInitScript((held) => localStorage.setItem('livecode.token', held), token);
  await page.goto(`${product.backOffice}/#/access_log?name=tea-friends`);
  await expect.poll(() => page.getByRole('textbox', { name: '账号 / 卡密' }).inputValue(), { timeout: 15_000 }).toBe('admin');
  await page.getByRole('textbox', { name: 'IP 地址' }).fill('8.8.8.8');

  const firstDay = page.locator('.ant-picker').first();
  await firstDay.hover();
  await firstDay.locator('.ant-picker-clear').click();
  await page.getByRole('button', { name: '查询' }).click();
  await page.getByText('请输入要搜索的时间').waitFor();
  await page.reload();
  await page.getByRole('textbox', { name: 'IP 地址' }).fill('8.8.8.8');
  await page.getByRole('button', { name: '查询' }).click();
  const row = page.getByRole('row').filter({ hasText: '8.8.8.8' });
  await row.waitFor();
  expect(await row.textContent()).toContain('Windows');
  expect(polled).toEqual([]);
});

test('pages that cannot begin without their site say why, and begin once it can be read', async () => {
  const page = await open({ viewport: { width: 390, height: 844 } });
  await page.route('**/api/website/info', (route) => route.abort());
  for (const [path, begun] of [
    ['access_log', '活码后缀'],
    ['admin_register', '确认密码'],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(`${product.backOffice}/#/${path}`);
    await page.getByRole('alert').getByText('无法连接服务器').waitFor();
    expect(await page.getByLabel(begun).count()).toBe(0);
    await page.unroute('**/api/website/info');
    await page.getByRole('button', { name: '重试' }).click();
    await page.getByLabel(begun).first().waitFor();
    await page.route('**/api/website/info', (route) => route.abort());
  }
  await page.context().close();
});
