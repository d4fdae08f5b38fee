import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { faultsOf } from './kit/accessibility.ts';
import { beforeJourneysAlone, type Journey, openPageAs } from './kit/journey.ts';
import { freePort } from './kit/product.ts';
import { tokenOf } from './kit/seed.ts';

let journey: Journey;
const tronPort = await freePort();
beforeJourneysAlone(
  (own) => {
    journey = own;
  },
  { LIVECODE_DEMO: '1', LIVECODE_TRON_PORT: String(tronPort) },
);

/** What somebody does on the page of the test network. */
const act = (fields: Record<string, string>) =>
  fetch(`http://127.0.0.1:${tronPort}/control`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
const makeBlocks = (count: number) => act({ act: 'blocks', count: String(count) });

async function call<T>(account: string, path: string, body: object): Promise<T> {
  const { product } = journey;
  const token = await tokenOf(product.backOffice, account, product.password);
  const response = await fetch(`${product.backOffice}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const as = (account: string) => openPageAs({ account, password: journey.product.password }, journey);
const open = (page: Page, route: string) => page.goto(`${journey.product.backOffice}/#${route}`);
const card = (page: Page, combo: string) => page.getByRole('region', { name: combo, exact: true });
/** Asks for a combo and answers what is asked then. */
async function order(page: Page, combo: string, confirm: '提交订单' | '用余额支付'): Promise<void> {
  await card(page, combo).getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click();
}
const addressOn = async (page: Page): Promise<string> => (await page.locator('.lc-pay-now .lc-code').textContent()) ?? '';
const toSend = (page: Page) => page.locator('.lc-pay-amount');

test('who pays too little sees what is missing, pays the rest, and is a member in every open tab', async () => {
  const page = await as('chenjie');
  await open(page, '/customer/buy_vip_combo');
  await page.getByLabel('优惠码').fill('welcome20');
  await page.getByRole('button', { name: '使用', exact: true }).click();
  await card(page, '专业版').getByText('优惠 5.98 USDT，只需支付 23.92 USDT').waitFor();
  await order(page, '专业版', '提交订单');
  await toSend(page).getByText('23.92 USDT').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const address = await addressOn(page);

  await act({ act: 'usdt', to: address, amount: '10' });
  await page.getByText(/区块 \d+，10\.00 USDT/).waitFor();
  await makeBlocks(25);
  await toSend(page).getByText('13.92 USDT').waitFor();

  // The address of the page is enough to go on elsewhere.
  const other = await as('chenjie');
  await other.goto(page.url());
  await toSend(other).getByText('13.92 USDT').waitFor();
  await act({ act: 'usdt', to: address, amount: '13.92' });
  await page.getByText('金额已够，正在等待区块确认').waitFor();
  await makeBlocks(25);
  for (const tab of [page, other]) await tab.getByText('已付款，“专业版”已生效').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await Promise.all([page.close(), other.close()]);
});

test('who pays late loses nothing: the order is over, the money pays the next one at once', async () => {
  await call('admin', 'pay_config/update', { order_minutes: 5 });
  const page = await as('lina');
  await open(page, '/customer/buy_vip_combo');
  await order(page, '企业版', '提交订单');
  await toSend(page).waitFor();
  const address = await addressOn(page);
  // Ten minutes of the chain.
  await makeBlocks(200);
  await page.getByText('订单已失效').first().waitFor();
  await act({ act: 'usdt', to: address, amount: '300' });
  await makeBlocks(25);
  await page.getByText(/您的余额为 31\d\.\d+ USDT/).waitFor();
  await page.getByRole('button', { name: '重新下单' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '用余额支付' }).click();
  await page.getByText('已购买“企业版”，会员立即生效').waitFor();
  await page.close();
});

test('two tabs that pay at once buy once, and a refund takes it back', async () => {
  const tabs = await Promise.all([as('zhangwei'), as('zhangwei')]);
  for (const tab of tabs) {
    await open(tab, '/customer/buy_vip_combo');
    await card(tab, '专业版').getByRole('button', { name: '续费' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: '用余额支付' }).waitFor();
  }
  await Promise.all(tabs.map((tab) => tab.getByRole('dialog').getByRole('button', { name: '用余额支付' }).click()));
  await Promise.any(tabs.map((tab) => tab.getByText('已购买“专业版”').waitFor()));
  await Promise.any(tabs.map((tab) => tab.getByText('价格或会员状态刚刚有变化').waitFor()));
  const { content } = await call<{ content: { id: number; order_no: string; state: string }[] }>('zhangwei', 'user_order/inquire', {});
  expect(content.filter(({ state }) => state === 'paid')).toHaveLength(2);
  const [last] = content;
  const [tab, second] = tabs;
  if (!last || !tab || !second) throw new Error('there are two tabs and an order');
  await second.close();
  await open(tab, `/customer/order_payment/${last.id}`);
  await tab.getByText('已付款，“专业版”已生效').waitFor();

  const admin = await as('admin');
  await open(admin, '/customer/order');
  const row = admin.getByRole('row').filter({ hasText: last.order_no });
  await row.getByRole('button', { name: '退款' }).click();
  await admin.getByRole('dialog').getByLabel('原因').fill('重复购买');
  await admin.getByRole('dialog').getByRole('button', { name: '退款' }).click();
  await tab.getByText('订单已退款').first().waitFor();
  await Promise.all([tab.close(), admin.close()]);
});

test('a member whose time ran out is told where he works, and comes back by buying', async () => {
  const { content } = await call<{ content: { id: number; account: string }[] }>('admin', 'user_list/inquire', { page_size: 50 });
  const zhangwei = content.find(({ account }) => account === 'zhangwei');
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  await call('admin', 'user_list/update_expiry', { ids: [zhangwei?.id], member_expires_at: yesterday });
  const page = await as('zhangwei');
  await open(page, '/customer/today_statistics');
  await page.getByText('会员即将到期或已到期').waitFor();
  await page
    .getByRole('button', { name: '续费' })
    .or(page.getByRole('link', { name: '续费' }))
    .click();
  await page.getByText(/会员已于 .* 到期/).waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await order(page, '专业版', '用余额支付');
  await page.getByText('已购买“专业版”，会员立即生效').waitFor();
  await expect.poll(() => page.getByText(/会员已于 .* 到期/).count()).toBe(0);
  await page.close();
});
