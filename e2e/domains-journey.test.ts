import { once } from 'node:events';
import { request } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { beforeJourneysAlone, logIn, openPage } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { scan } from './kit/scan.ts';
import { tokenOf } from './kit/seed.ts';

const codes = 200;
const [former, next] = ['scan-a.example.com', 'scan-b.example.com'];

let product: Product;
let browser: Browser;
let page: Page;
let token: string;

beforeJourneysAlone(async (journey) => {
  ({ product, browser } = journey);
  page = await openPage(browser);
  token = await tokenOf(product.backOffice, 'admin', product.password);
});

type Row = { id: number; file_name: string; url: string; entry_host: string; landing_host: string };

async function call<T>(path: string, input: object): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

const addDomain = (host: string, type: 1 | 2) => call<{ id: number }>('domain_list/add', { host, type });
const listed = async (): Promise<Row[]> =>
  (await call<{ content: Row[] }>('qr_code_list/inquire', { search: 'moved-', page_size: 200, sort: 'id', order: 'asc' })).content;

/** One visit with this Host, as a proxy in front of the visit path would pass it on. */
async function visit(host: string, path: string): Promise<{ status: number; location: string; body: string }> {
  const sent = request(`${product.visits}${path}`, { headers: { host, 'x-forwarded-for': '120.196.165.24' } }).end();
  const [answer] = await once(sent, 'response');
  let body = '';
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode, location: answer.headers.location ?? '', body };
}

const isShown = (locator: { isVisible: () => Promise<boolean> }) => expect.poll(() => locator.isVisible(), { timeout: 15_000 }).toBe(true);

test('a domain is replaced on 200 codes: links, QR images and visits follow, and it is undone', async () => {
  const [landing, nextLanding] = [await addDomain('land-a.example.com', 2), await addDomain('land-b.example.com', 2)];
  await logIn(page, product.backOffice, 'admin', product.password);

  // Both domains are added in one go, with what became of each line.
  await openScreen(page, '域名', '域名列表');
  await page.getByRole('button', { name: '添加域名' }).first().click();
  await page.getByRole('textbox', { name: '域名（每行一个）' }).fill(`${former} # 印在海报上\n${next}\nco.uk`);
  await page.getByRole('dialog').getByRole('button', { name: '添加域名' }).click();
  await isShown(page.getByText('是公共后缀，不是完整域名'));
  await page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
  const { content: domains } = await call<{ content: { id: number; host: string }[] }>('domain_list/inquire', { host: former });
  const formerId = domains[0]?.id ?? 0;
  for (let number = 0; number < codes; number++) {
    await call('qr_code_list/add', {
      name: `活码 ${number}`,
      file_name: `moved-${number}`,
      entry_domain_id: formerId,
      landing_domain_id: null,
      targets: [{ kind: 'url', content: `https://example.com/${number}` }],
    });
  }
  expect((await listed()).map(({ url }) => url)).toEqual(Array.from({ length: codes }, (_, n) => `http://${former}/moved-${n}`));

  // In the screen: what it would change is shown first.
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: former });
  await row.getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '替换');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: '新域名' }).fill(next);
  await page.getByTitle(next, { exact: true }).click();
  await isShown(dialog.getByText(`${codes} 个活码`));
  await dialog.getByRole('button', { name: `替换 ${codes} 个码` }).click();
  await isShown(page.getByText(`已替换 ${codes} 个码的域名`));
  expect((await listed()).map(({ url }) => url)).toEqual(Array.from({ length: codes }, (_, n) => `http://${next}/moved-${n}`));

  // The QR image of one, read as a scanner reads it, and what answers there.
  await openScreen(page, '活码', '活码列表');
  const code = page.getByRole('row').filter({ hasText: 'moved-199' });
  await code.getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '二维码样式与下载');
  await page.getByText('扫码检查通过').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '下载' }).click()]);
  expect(await scan(await download.path())).toBe(`http://${next}/moved-199`);
  const answer = await visit(next, '/moved-199');
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('https://example.com/199')]);

  // Undone in the screen.
  await page.keyboard.press('Escape');
  await openScreen(page, '域名', '域名列表');
  await page.getByRole('button', { name: '替换记录' }).click();
  await page.getByRole('row').filter({ hasText: former }).getByRole('button', { name: '撤销' }).click();
  await page.getByRole('dialog').filter({ hasText: '撤销这次替换' }).getByRole('button', { name: '撤销' }).click();
  await isShown(page.getByText(`已改回 ${codes} 个码`));
  expect(new Set((await listed()).map(({ entry_host }) => entry_host))).toEqual(new Set([former]));

  // A landing domain: the first hop of every code leads to the new one within a second.
  const ids = (await listed()).map(({ id }) => id);
  await call('qr_code_list/change_domain_name', { ids, landing_domain_id: landing.id });
  let askedAt = 0;
  const hostsOf = async () => {
    askedAt = performance.now();
    const hops = await Promise.all(Array.from({ length: codes }, (_, n) => visit(former, `/moved-${n}`)));
    return [...new Set(hops.map(({ location }) => URL.parse(location)?.host))];
  };
  await expect.poll(hostsOf).toEqual(['land-a.example.com']);
  const replaced = await call<{ affected: number }>('domain_replacement/add', {
    from_domain_id: landing.id,
    to_domain_id: nextLanding.id,
  });
  expect(replaced.affected).toBe(codes);
  const committedAt = performance.now();
  await expect.poll(hostsOf, { interval: 20 }).toEqual(['land-b.example.com']);
  expect(askedAt - committedAt).toBeLessThan(1000);
}, 180_000);
