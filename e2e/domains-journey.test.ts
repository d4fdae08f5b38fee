import { once } from 'node:events';
import { request } from 'node:http';
import type { Page } from '@playwright/test';
import { afterAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../src/server/domains/testing/dns-server.ts';
import { beforeJourneysAlone, openPageAs } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { scan } from './kit/scan.ts';
import { tokenOf } from './kit/seed.ts';

const codes = 200;
const [former, next] = ['scan-a.example.com', 'scan-b.example.com'];

let product: Product;
let page: Page;
let token: string;
let dns: DnsServer;

// A landing domain is chosen for new codes of everybody.
beforeJourneysAlone(async (journey) => {
  ({ product } = journey);
  page = await openPageAs({ account: 'admin', password: product.password }, journey);
  token = await tokenOf(product.backOffice, 'admin', product.password);
  // No name server of the machine's network decides what a journey meets: here no name exists.
  dns = await startDnsServer({});
  await call('configuration/update', { values: { dns_servers: [dns.address] } });
});
afterAll(() => dns.stop());

type Row = { id: number; file_name: string; url: string; entry_host: string; landing_host: string };

async function call<T>(path: string, input: object): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

const addDomain = (host: string, type: 1 | 2) => call<{ id: number }>('domain_list/add', { host, type });
const numberOf = ({ file_name }: Row) => Number(file_name.slice('moved-'.length));
const listed = async (): Promise<Row[]> => {
  const { content } = await call<{ content: Row[] }>('qr_code_list/inquire', {
    search: 'moved-',
    page_size: 200,
    sort: 'id',
    order: 'asc',
  });
  return content.sort((one, other) => numberOf(one) - numberOf(other));
};

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

  // Both domains are added in one go, with what became of each line.
  await openScreen(page, '域名列表');
  await page.getByRole('button', { name: '添加域名' }).first().click();
  await page.getByRole('textbox', { name: '域名（每行一个）' }).fill(`${former} # 印在海报上\n${next}\nco.uk`);
  await page.getByRole('dialog').getByRole('button', { name: '添加域名' }).click();
  await isShown(page.getByText('是公共后缀，不是完整域名'));
  await page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
  const { content: domains } = await call<{ content: { id: number; host: string }[] }>('domain_list/inquire', { host: former });
  const stateOf = (host: string) =>
    call<{ content: { dns_state: string | null }[] }>('domain_list/inquire', { host }).then(({ content }) => content[0]?.dns_state);
  await expect.poll(() => Promise.all([former, next].map(stateOf)), { timeout: 30_000 }).toEqual(['nothing', 'nothing']);
  const formerId = domains[0]?.id ?? 0;
  const addCode = (number: number) =>
    call('qr_code_list/add', {
      name: `活码 ${number}`,
      file_name: `moved-${number}`,
      entry_domain_id: formerId,
      landing_domain_id: null,
      targets: [{ kind: 'url', content: `https://example.com/${number}` }],
    });
  // The last of them is made last: it stands first in the list.
  for (let first = 0; first < codes - 1; first += 8)
    await Promise.all(Array.from({ length: Math.min(8, codes - 1 - first) }, (_, at) => addCode(first + at)));
  await addCode(codes - 1);
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
  // Neither name leads here: that is said, and has to be accepted.
  await dialog.getByRole('checkbox', { name: '我知道风险，仍然使用' }).check();
  await dialog.getByRole('button', { name: `替换 ${codes} 个码` }).click();
  await isShown(page.getByText(`已替换 ${codes} 个码的域名`));
  expect((await listed()).map(({ url }) => url)).toEqual(Array.from({ length: codes }, (_, n) => `http://${next}/moved-${n}`));

  // The QR image of one, read as a scanner reads it, and what answers there.
  await openScreen(page, '活码列表');
  const code = page.getByRole('row').filter({ hasText: 'moved-199' });
  await code.getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '二维码样式与下载');
  await page.getByText('扫码检查通过').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: '下载' }).click(),
  ]);
  expect(await scan(await download.path())).toBe(`http://${next}/moved-199`);
  const answer = await visit(next, '/moved-199');
  expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('https://example.com/199')]);

  // Undone in the screen.
  await page.keyboard.press('Escape');
  await openScreen(page, '域名列表');
  await page.getByRole('button', { name: '替换记录' }).click();
  await page.getByRole('row').filter({ hasText: former }).getByRole('button', { name: '撤销' }).click();
  await page.getByRole('dialog').filter({ hasText: '撤销这次替换' }).getByRole('button', { name: '撤销' }).click();
  await isShown(page.getByText(`已改回 ${codes} 个码`));
  expect(new Set((await listed()).map(({ entry_host }) => entry_host))).toEqual(new Set([former]));

  // A landing domain: the first hop of every code leads to the new one within a second.
  const ids = (await listed()).map(({ id }) => id);
  await call('qr_code_list/change_domain_name', { ids, landing_domain_id: landing.id, accept_risk: true });
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
    accept_risk: true,
  });
  expect(replaced.affected).toBe(codes);
  const committedAt = performance.now();
  await expect.poll(hostsOf, { interval: 20 }).toEqual(['land-b.example.com']);
  expect(askedAt - committedAt).toBeLessThan(1000);
}, 180_000);
