import { faultsOf } from './kit/accessibility.ts';
import { go } from './kit/menu.ts';
import { expect, type Page, test } from './kit/test.ts';
import { makeBlocks, minutesAhead, sendUsdt } from './kit/tron.ts';
import type { User } from './kit/users.ts';

test.use({ productEnv: { LIVECODE_DEMO: '1', LIVECODE_TRON_PORT: 'free' } });

const patience = { timeout: 60_000 };
const card = (page: Page, combo: string) => page.getByRole('region', { name: combo, exact: true });
/** Asks for a combo and answers what is asked then. */
async function order(page: Page, combo: string, confirm: '提交订单' | '用余额支付'): Promise<void> {
  await card(page, combo).getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: confirm }).click();
}
const addressOn = async (page: Page): Promise<string> => (await page.locator('.lc-pay-now .lc-code').textContent()) ?? '';
const toSend = (page: Page) => page.locator('.lc-pay-amount');

async function idOf(user: User, admin: User): Promise<number | undefined> {
  const { content } = await admin.call<{ content: { id: number }[] }>('user_list/inquire', { search: user.account });
  return content[0]?.id;
}
const give = async (user: User, amount: string, admin: User) =>
  admin.call('user_list/update_balance', { id: await idOf(user, admin), amount });

test('who pays too little sees what is missing, pays the rest, and is a member in every open tab', async ({
  page,
  user,
  open,
  product,
  admin,
}) => {
  // Other tests have put the chain's clock ahead: by that, half an hour may be over already.
  await admin.call('pay_config/update', { order_minutes: 10_080 });
  await go(page, 'customer/buy_vip_combo');
  await page.getByLabel('优惠码').fill('welcome20');
  await page.getByRole('button', { name: '使用', exact: true }).click();
  await expect(card(page, '专业版').getByText('优惠 5.98 USDT，只需支付 23.92 USDT')).toBeVisible();
  await order(page, '专业版', '提交订单');
  await expect(toSend(page)).toContainText('23.92 USDT');
  expect(await faultsOf(page)).toEqual([]);
  const address = await addressOn(page);

  await sendUsdt(product, address, 10);
  await expect(page.getByText(/区块 \d+，10\.00 USDT/)).toBeVisible(patience);
  await makeBlocks(product, 25);
  await expect(toSend(page)).toContainText('13.92 USDT', patience);

  // The address of the page is enough to go on elsewhere.
  const other = await open(user);
  await other.goto(page.url());
  await expect(toSend(other)).toContainText('13.92 USDT');
  await sendUsdt(product, address, 13.92);
  await expect(page.getByText('金额已够，正在等待区块确认')).toBeVisible(patience);
  await makeBlocks(product, 25);
  for (const tab of [page, other]) await expect(tab.getByText('已付款，“专业版”已生效')).toBeVisible(patience);
  expect(await faultsOf(page)).toEqual([]);

  // Its invoice is issued once, and stands there when it was.
  await admin.call('configuration/update', { values: { invoice_issuer: '活码科技有限公司' } });
  await page.reload();
  await go(page, 'customer/user_order');
  await page.getByRole('row').filter({ hasText: '专业版' }).getByRole('button', { name: '发票' }).click();
  const invoice = page.getByRole('dialog');
  await invoice.getByLabel('购买方名称').fill('旅程商行');
  const file = page.waitForEvent('download');
  await invoice.getByRole('button', { name: '开具发票' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.pdf$/);
  await expect(invoice.getByText('活码科技有限公司')).toBeVisible();
  await expect(invoice.getByRole('button', { name: '下载 PDF' })).toBeVisible();
});

test('who pays late loses nothing: the order is over, the money pays the next one at once', async ({ page, user, product, admin }) => {
  await give(user, '12', admin);
  await admin.call('pay_config/update', { order_minutes: 5 + (await minutesAhead(product)) });
  await go(page, 'customer/buy_vip_combo');
  await order(page, '企业版', '提交订单');
  await expect(toSend(page)).toBeVisible();
  const address = await addressOn(page);
  // Ten minutes of the chain.
  await makeBlocks(product, 200);
  await expect(page.getByText('订单已失效').first()).toBeVisible(patience);
  await sendUsdt(product, address, 300);
  await makeBlocks(product, 25);
  await expect(page.getByText('您的余额为 312.00 USDT')).toBeVisible(patience);
  await page.getByRole('button', { name: '重新下单' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '用余额支付' }).click();
  await expect(page.getByText('已购买“企业版”，会员立即生效')).toBeVisible();
});

test('two tabs that pay at once buy once, and a refund takes it back', async ({ page, user, open, admin }) => {
  await give(user, '100', admin);
  type Offers = { content: { id: number; name: string; amount: string }[] };
  const { content: offers } = await user.call<Offers>('buy_vip_combo/inquire');
  const offer = offers.find(({ name }) => name === '专业版');
  await user.call('buy_vip_combo/buy', { combo_id: offer?.id, amount: offer?.amount, last_order_id: null });

  const tabs = [page, await open(user)];
  const payments = tabs.map((tab) => tab.getByRole('dialog').getByRole('button', { name: '用余额支付' }));
  for (const tab of tabs) {
    await go(tab, 'customer/buy_vip_combo');
    await card(tab, '专业版').getByRole('button', { name: '续费' }).click();
  }
  for (const payment of payments) await expect(payment).toBeVisible();
  await Promise.all(payments.map((payment) => payment.click()));
  await Promise.any(tabs.map((tab) => expect(tab.getByText('已购买“专业版”')).toBeVisible()));
  await Promise.any(tabs.map((tab) => expect(tab.getByText('价格或会员状态刚刚有变化')).toBeVisible()));
  const { content } = await user.call<{ content: { id: number; order_no: string; state: string }[] }>('user_order/inquire');
  expect(content.map(({ state }) => state)).toEqual(['paid', 'paid']);
  const [last] = content;
  await go(page, `customer/order_payment/${last?.id}`);
  await expect(page.getByText('已付款，“专业版”已生效')).toBeVisible();

  const office = await open(admin);
  await go(office, 'customer/order');
  await office.getByRole('row').filter({ hasText: last?.order_no }).getByRole('button', { name: '退款' }).click();
  await office.getByRole('dialog').getByLabel('原因').fill('重复购买');
  await office.getByRole('dialog').getByRole('button', { name: '退款' }).click();
  await expect(page.getByText('订单已退款').first()).toBeVisible();
});

test('a member whose time ran out is told where he works, and comes back by buying', async ({ page, user, admin }) => {
  await give(user, '100', admin);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  await admin.call('user_list/update_expiry', { ids: [await idOf(user, admin)], member_expires_at: yesterday });
  await page.reload();
  await expect(page.getByText('会员即将到期或已到期')).toBeVisible();
  await page
    .getByRole('button', { name: '续费' })
    .or(page.getByRole('link', { name: '续费' }))
    .click();
  await expect(page.getByText(/会员已于 .* 到期/)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  await order(page, '专业版', '用余额支付');
  await expect(page.getByText('已购买“专业版”，会员立即生效')).toBeVisible();
  await expect(page.getByText(/会员已于 .* 到期/)).toHaveCount(0);
});
