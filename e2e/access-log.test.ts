import type { Product } from './kit/product.ts';
import { expect, loggedIn, type Page, test } from './kit/test.ts';
import { type User, unique } from './kit/users.ts';
import { phone as iphone } from './kit/visitor.ts';

const huawei =
  'Mozilla/5.0 (Linux; Android 12; ELS-AN00 Build/HUAWEIELS-AN00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

const password = 'tea-password';

async function addCode(user: User): Promise<string> {
  const file_name = `tea-${unique()}`;
  await user.call('qr_code_list/add', { name: '茶友群', file_name, password, targets: [{ kind: 'url', content: 'https://example.com/' }] });
  return file_name;
}

async function visit({ visits }: Product, code: string, ip: string, agent: string, times = 1): Promise<void> {
  for (let one = 0; one < times; one++) {
    const answer = await fetch(`${visits}/${code}`, { headers: { 'user-agent': agent, 'x-forwarded-for': ip } });
    expect(answer.status).toBe(200);
  }
}

/** Asks until so many addresses with visits are found: they are in the database a second or two after they were answered. */
async function askUntil(page: Page, visits: number[]): Promise<void> {
  await expect(async () => {
    const answer = page.waitForResponse(/public_enquiry/);
    await page.getByRole('button', { name: '查询' }).click();
    const { content } = (await (await answer).json()) as { content: { ip_count: number }[] };
    expect(content.map(({ ip_count }) => ip_count).sort((one, other) => one - other)).toEqual(visits);
  }).toPass({ timeout: 30_000 });
}

test('whoever has the key finds on a phone which addresses visited, and what is remarkable about them', async ({ product, user, open }) => {
  const code = await addCode(user);
  await visit(product, code, '120.196.165.24', iphone, 12);
  await visit(product, code, '114.114.114.114', huawei);
  await visit(product, code, '114.114.114.115', huawei);
  await visit(product, code, '8.8.8.8', windows);

  const page = await open(undefined, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await page.goto(`${product.backOffice}/#/access_log?name=${code}`);
  const key = page.getByRole('textbox', { name: '账号 / 卡密' });
  const ask = page.getByRole('button', { name: '查询' });
  const addresses = page.getByRole('textbox', { name: 'IP 地址' });
  const cards = page.locator('.lc-access-results .lc-card');
  const filter = (name: string) => page.getByRole('group', { name: '按条件筛选' }).getByRole('button', { name });

  // What is missing or wrong is said beside its field, in the words of the specification.
  await key.fill(password);
  await ask.click();
  await expect(page.getByText('请输入要查询的IP地址')).toBeVisible();
  await addresses.fill('120.196.165.24\n1.2.3');
  await ask.click();
  await expect(page.getByText('ip地址不合法，请重新输入')).toBeVisible();
  await expect(page.getByText('有误的行：2')).toBeVisible();

  await addresses.fill('120.196.165.24\n114.114.114.114\n114.114.114.115\n8.8.8.8\n7.7.7.7');
  await askUntil(page, [1, 1, 1, 12]);

  await expect(page.getByText('查询 5 个 IP，其中 4 个有访问记录')).toBeVisible();
  await expect(page.getByText('没有访问记录的 IP（1）')).toBeVisible();
  await expect(cards).toHaveCount(4);
  for (const [name, found] of Object.entries({ 全部: 4, 移动: 1, 微信访问: 1, 境外: 1, 苹果: 1, 安卓: 2, '相同 UA': 2 }))
    await expect(filter(name)).toHaveText(`${name} ${found}`);

  await filter('苹果').click();
  await expect(cards).toHaveCount(1);
  for (const part of ['120.196.165.24', '10–19 次', '境内微信访问', '广东', '中国移动', 'iOS', '12'])
    await expect(cards.first()).toContainText(part);
  await expect(cards.first().locator('.lc-access-count')).toHaveClass(/lc-access-often/);
  await filter('境外').click();
  await expect(cards.first()).toContainText('境外 IP');
  await filter('安卓').click();
  await expect(cards.filter({ hasText: '同网段 IP' })).toHaveCount(2);

  // A wrong key says the same as a wrong suffix, and takes the former answer away.
  await key.fill('admin');
  await ask.click();
  await expect(page.getByText('没有找到对应的活码，请检查账号、卡密和活码后缀')).toBeVisible();
  await expect(cards).toHaveCount(0);
});

test('who is logged in asks with the account, may clear the days only to be asked for them, and is not polled for messages', async ({
  product,
  user,
  open,
}) => {
  const code = await addCode(user);
  await visit(product, code, '8.8.8.8', windows);
  // No screen of the back office was open in it before.
  const page = await open(undefined, { storageState: loggedIn(product, user) });
  const polled: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/message_list/')) polled.push(request.url());
  });
  await page.goto(`${product.backOffice}/#/access_log?name=${code}`);
  await expect(page.getByRole('textbox', { name: '账号 / 卡密' })).toHaveValue(user.account);
  await page.getByRole('textbox', { name: 'IP 地址' }).fill('8.8.8.8');

  const firstDay = page.locator('.ant-picker').first();
  await firstDay.hover();
  await firstDay.locator('.ant-picker-clear').click();
  await page.getByRole('button', { name: '查询' }).click();
  await expect(page.getByText('请输入要搜索的时间')).toBeVisible();
  await page.reload();
  await page.getByRole('textbox', { name: 'IP 地址' }).fill('8.8.8.8');
  await askUntil(page, [1]);
  await expect(page.getByRole('row').filter({ hasText: '8.8.8.8' })).toContainText('Windows');
  expect(polled).toEqual([]);
});

test('pages that cannot begin without their site say why, and begin once it can be read', async ({ product, open }) => {
  const page = await open(undefined, { viewport: { width: 390, height: 844 } });
  for (const [path, begun] of [
    ['access_log', '活码后缀'],
    ['admin_register', '确认密码'],
  ] as const) {
    await page.goto('about:blank');
    await page.route('**/api/website/info', (route) => route.abort());
    await page.goto(`${product.backOffice}/#/${path}`);
    await expect(page.getByRole('alert').getByText('无法连接服务器')).toBeVisible();
    await expect(page.getByLabel(begun)).toHaveCount(0);
    await page.unroute('**/api/website/info');
    await page.getByRole('button', { name: '重试' }).click();
    await expect(page.getByLabel(begun).first()).toBeVisible();
  }
});
