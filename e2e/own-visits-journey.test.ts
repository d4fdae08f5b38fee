import { pressEscape } from './kit/keyboard.ts';
import { expect, test } from './kit/test.ts';
import { unique } from './kit/users.ts';
import { phone as userAgent } from './kit/visitor.ts';

test('an owner marks his phone, whose visits are his own from then on, and names his address', async ({ page, product, user, open }) => {
  const file_name = `own${unique()}`;
  const { id } = await user.call<{ id: number }>('qr_code_list/add', {
    name: '自己看看',
    file_name,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
  await page.goto(`${product.backOffice}/#/system/update_password`);
  await page.getByRole('button', { name: '添加设备' }).click();
  const form = page.getByRole('dialog', { name: '添加设备' });
  await form.getByRole('textbox', { name: '设备名称' }).fill('我的手机');
  await form.getByRole('button', { name: '添加设备' }).click();
  const marking = page.getByRole('dialog', { name: '标记“我的手机”' });
  await expect(marking.getByRole('img', { name: '标记设备的二维码' })).toBeVisible();
  await pressEscape(page);
  await expect(page.getByText('还没有访问过活码')).toBeVisible();

  const [device] = (await user.call<{ content: { id: number }[] }>('own_device/inquire')).content;
  const { url } = await user.call<{ url: string }>('own_device/link', { id: device?.id });
  const phone = await open(undefined, { locale: 'zh-CN', userAgent });
  await phone.goto(url);
  await expect(phone.getByRole('heading', { name: '已标记为您自己的设备' })).toBeVisible();
  await expect(phone.getByText('您的域名都已标记')).toBeVisible();

  const visit = (request = phone.context().request) =>
    request.get(`${product.visits}/${file_name}`, { maxRedirects: 0, headers: { 'user-agent': userAgent } });
  expect((await visit()).ok()).toBe(true);
  const totals = async () => (await user.call<{ totals: object }>('qr_code_list/statistics', { id })).totals;
  await expect.poll(totals, { timeout: 60_000 }).toMatchObject({ visits: 0, ips: 0, own: 1 });
  await page.reload();
  await expect(page.getByText(/^最近访问 /)).toBeVisible();

  await page.getByRole('button', { name: /^添加当前地址/ }).click();
  await expect(page.getByText(/^当前地址 .* 已在列表中$/)).toBeVisible();
  const network = page.getByRole('textbox', { name: 'IP 地址或网段' });
  await network.fill('10.0.0.0/8');
  await network.press('Enter');
  await expect(page.getByText('网段太大：IPv4 最大 /24，IPv6 最大 /48')).toBeVisible();
});
