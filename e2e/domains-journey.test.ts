import { once } from 'node:events';
import { request } from 'node:http';
import { startDnsServer } from '../src/server/domains/testing/dns-server.ts';
import { pressEscape } from './kit/keyboard.ts';
import { chooseEntry, go, openScreen } from './kit/menu.ts';
import { scan } from './kit/scan.ts';
import { test as base, expect } from './kit/test.ts';
import { unique } from './kit/users.ts';

// More than a page of the list holds.
const codes = 40;
const numbers = Array.from({ length: codes }, (_, number) => number);

const test = base.extend<object, { dns: undefined }>({
  dns: [
    async ({ admin }, use) => {
      // No name server of the machine's network decides what a journey meets: here no name exists.
      const server = await startDnsServer({});
      await admin.call('configuration/update', { values: { dns_servers: [server.address] } });
      await use(undefined);
      await server.stop();
    },
    { scope: 'worker', auto: true },
  ],
});
test.use({ as: 'admin', productEnv: {} });

type Row = { id: number; file_name: string; url: string; entry_host: string };

test('a domain is replaced on many codes: links, QR images and visits follow, and it is undone', { tag: '@gate' }, async ({
  page,
  product,
  admin,
}) => {
  const own = unique();
  const prefix = `moved-${own}-`;
  const [former, next] = [`scan-a-${own}.example.com`, `scan-b-${own}.example.com`];
  const [land, nextLand] = [`land-a-${own}.example.com`, `land-b-${own}.example.com`];
  const addDomain = (host: string) => admin.call<{ id: number }>('domain_list/add', { host, type: 2 });
  const listed = async (): Promise<Row[]> => {
    const { content } = await admin.call<{ content: Row[] }>('qr_code_list/inquire', { search: prefix, page_size: 200 });
    return content.sort((one, other) => Number(one.file_name.slice(prefix.length)) - Number(other.file_name.slice(prefix.length)));
  };
  const links = async () => (await listed()).map(({ url }) => url);
  const linksAt = (host: string) => numbers.map((number) => `http://${host}/${prefix}${number}`);
  /** One visit with this Host, as a proxy in front of the visit path would pass it on. */
  async function visit(host: string, number: number): Promise<{ status: number; location: string; body: string }> {
    const sent = request(`${product.visits}/${prefix}${number}`, { headers: { host, 'x-forwarded-for': '120.196.165.24' } }).end();
    const [answer] = await once(sent, 'response');
    let body = '';
    for await (const chunk of answer) body += chunk;
    return { status: answer.statusCode, location: answer.headers.location ?? '', body };
  }

  // Both domains are added in one go, with what became of each line.
  await openScreen(page, '域名列表');
  await page.getByRole('button', { name: '添加域名' }).first().click();
  await page.getByRole('textbox', { name: '域名（每行一个）' }).fill(`${former} # 印在海报上\n${next}\nco.uk`);
  await page.getByRole('dialog').getByRole('button', { name: '添加域名' }).click();
  await expect(page.getByText('是公共后缀，不是完整域名')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: '关闭' }).last().click();
  const domains = () =>
    admin.call<{ content: { id: number; host: string; dns_state: string | null }[] }>('domain_list/inquire', { host: own });
  await expect
    .poll(async () => (await domains()).content.map(({ host, dns_state }) => [host, dns_state]).sort(), { timeout: 30_000 })
    .toEqual([former, next].map((host) => [host, 'nothing']));
  const entry_domain_id = (await domains()).content.find(({ host }) => host === former)?.id;
  const addCode = (number: number) =>
    admin.call('qr_code_list/add', {
      name: `活码 ${number}`,
      file_name: `${prefix}${number}`,
      entry_domain_id,
      landing_domain_id: null,
      targets: [{ kind: 'url', content: `https://example.com/${number}` }],
    });
  for (let first = 0; first < codes; first += 8) await Promise.all(numbers.slice(first, first + 8).map(addCode));
  expect(await links()).toEqual(linksAt(former));

  // In the screen: what it would change is shown first.
  await page.reload();
  await page.getByRole('row').filter({ hasText: former }).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '替换');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: '新域名' }).fill(next);
  await page.getByTitle(next, { exact: true }).click();
  await expect(dialog.getByText(`${codes} 个活码`)).toBeVisible();
  // Neither name leads here: that is said, and has to be accepted.
  const replaceAll = dialog.getByRole('button', { name: `替换 ${codes} 个码` });
  await expect(replaceAll).toBeDisabled();
  await dialog.getByRole('checkbox', { name: '我知道风险，仍然使用' }).check();
  await replaceAll.click();
  await expect(page.getByText(`已替换 ${codes} 个码的域名`)).toBeVisible();
  expect(await links()).toEqual(linksAt(next));

  // The QR image of one, read as a scanner reads it, and what answers there.
  await openScreen(page, '活码列表');
  await page.getByPlaceholder('名称、后缀、别名或备注').fill(`${prefix}39`);
  await page
    .getByRole('row')
    .filter({ hasText: `${prefix}39` })
    .getByRole('button', { name: '更多操作' })
    .click();
  await chooseEntry(page, '二维码样式与下载');
  await expect(page.getByText('扫码检查通过')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: '下载' }).click(),
  ]);
  expect(await scan(await download.path())).toBe(`http://${next}/${prefix}39`);
  expect(await visit(next, 39)).toMatchObject({ status: 200, body: expect.stringContaining('https://example.com/39') });

  // Undone in the screen.
  await pressEscape(page);
  await openScreen(page, '域名列表');
  await page.getByRole('button', { name: '替换记录' }).click();
  await page.getByRole('row').filter({ hasText: former }).getByRole('button', { name: '撤销' }).click();
  await page.getByRole('dialog').filter({ hasText: '撤销这次替换' }).getByRole('button', { name: '撤销' }).click();
  await expect(page.getByText(`已改回 ${codes} 个码`)).toBeVisible();
  expect(await links()).toEqual(linksAt(former));

  // A landing domain: the first hop of every code leads to the new one.
  const [landing, nextLanding] = [await addDomain(land), await addDomain(nextLand)];
  const ids = (await listed()).map(({ id }) => id);
  await admin.call('qr_code_list/change_domain_name', { ids, landing_domain_id: landing.id, accept_risk: true });
  const hostsOf = async () => {
    const hops = await Promise.all(numbers.map((number) => visit(former, number)));
    return [...new Set(hops.map(({ location }) => URL.parse(location)?.host))];
  };
  await expect.poll(hostsOf).toEqual([land]);
  const replaced = { from_domain_id: landing.id, to_domain_id: nextLanding.id, accept_risk: true };
  expect(await admin.call('domain_replacement/add', replaced)).toMatchObject({ affected: codes });
  await expect.poll(hostsOf).toEqual([nextLand]);
});

test('a domain with a known fault is put on a code only once the risk is accepted', async ({ page, admin }) => {
  const host = `risk-${unique()}.example.com`;
  await admin.call('domain_list/add', { host, type: 1 });
  const state = async () =>
    (await admin.call<{ content: { dns_state: string | null }[] }>('domain_list/inquire', { host })).content[0]?.dns_state ?? '';
  await expect.poll(state, { timeout: 60_000 }).toMatch(/elsewhere|nothing/);
  const { id } = await admin.call<{ id: number }>('qr_code_list/add', { name: host, targets: [{ kind: 'text', content: '欢迎' }] });

  await go(page, `customer/qr_code/${id}?act=domain`);
  const dialog = page.getByRole('dialog');
  const submit = dialog.getByRole('button', { name: '更换域名' });
  const entry = dialog.getByRole('combobox', { name: '入口域名' });
  // Which the dialog gives it when it stands.
  await expect(entry).toBeFocused();
  await entry.fill(host);
  await page.locator('.ant-select-item-option').filter({ hasText: host }).click();
  await expect(dialog.locator('.ant-select').filter({ has: page.getByRole('combobox', { name: '入口域名' }) })).toContainText(host);
  await expect(submit).toBeDisabled();
  await dialog.getByRole('checkbox', { name: '我知道风险，仍然使用' }).check();
  await submit.click();
  await expect(dialog).toHaveCount(0);
  expect(await admin.call('qr_code_list/details', { id })).toMatchObject({ entry_host: host });
});
