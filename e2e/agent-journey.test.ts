import { faultsOf } from './kit/accessibility.ts';
import { go } from './kit/menu.ts';
import { withSecondFactor } from './kit/second-factor.ts';
import { expect, test } from './kit/test.ts';
import { lastHash, makeBlocks, sendUsdt } from './kit/tron.ts';
import { addAdministrator, addUser, unique } from './kit/users.ts';

test.use({ as: 'nobody' });

const patience = { timeout: 60_000 };
/** Of a wallet outside of the site. */
const address = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf';
/** In USDT: what the agent has been given, and then earns, and what a withdrawal costs. */
const [before, share, fee] = [12, 6, 1];
/** As screens write it. */
const shown = (amount: number) => `${amount.toFixed(2)} USDT`;

test('an agent earns a share of what a customer pays, and has it paid out', { tag: '@gate' }, async ({
  page: customer,
  product,
  admin,
  open,
}) => {
  const combo = `旅程套餐${unique()}`;
  const buyer = `b${unique()}`;
  await admin.call('configuration/update', { values: { withdrawal_cool_off_hours: 0, share_hold_days: 0, withdrawal_minimum: '5' } });
  const quotas = { live_codes: 100, domains: 5, short_codes: null, monitors: null };
  await admin.call('vip_combo/add', { name: combo, price: '60', days: 30, quotas });
  const { content: roles } = await admin.call<{ content: { id: number }[] }>('role/options', { kinds: ['agent'] });
  const agent = await addUser(product, admin, { role_id: roles[0]?.id });
  const { content: people } = await admin.call<{ content: { id: number }[] }>('user_list/inquire', { search: agent.account });
  await admin.call('user_list/update_balance', { id: people[0]?.id, amount: String(before) });
  const page = await open(agent);

  await test.step('a customer who came by an agent’s link pays a combo in USDT, and is a member without a reload', async () => {
    await go(page, 'customer/user_customer');
    const link = (
      (await page
        .getByText(/admin_register\?code=\w+/)
        .first()
        .textContent()) ?? ''
    ).trim();
    await customer.goto(link);
    const code = link.split('code=')[1] ?? '';
    await expect(customer.getByLabel('邀请码')).toHaveValue(code);
    // Who comes back without it, or by another's, is still this agent's.
    await customer.goto(link.replace(code, 'another1'));
    await customer.reload();
    await expect(customer.getByLabel('邀请码')).toHaveValue(code);
    await expect(customer.getByText('您先打开了另一个邀请链接')).toBeVisible();
    await customer.getByLabel('账号').fill(buyer);
    await customer.getByLabel('密码', { exact: true }).fill('buyerTea2026');
    await customer.getByLabel('确认密码').fill('buyerTea2026');
    await customer.getByRole('button', { name: '注册' }).click();
    await expect(customer).toHaveURL(/#\/customer\/today_statistics$/);
    await expect(customer.locator('#main h1')).toBeVisible();

    await go(customer, 'customer/balance_recharge');
    const deposit =
      (await customer
        .getByText(/^T\w{33}$/)
        .first()
        .textContent()) ?? '';
    await go(customer, 'customer/buy_vip_combo');
    const offer = customer.getByRole('region', { name: combo });
    await offer.getByRole('button', { name: '购买' }).click();
    await customer.getByRole('button', { name: '提交订单' }).click();
    await expect(customer).toHaveURL(/#\/customer\/order_payment\/\d+$/);
    await expect(customer.getByText(deposit).first()).toBeVisible();
    await sendUsdt(product, deposit, 60);
    await makeBlocks(product, 25);
    await expect(customer.getByText(`已付款，“${combo}”已生效`)).toBeVisible(patience);
    await go(customer, 'customer/buy_vip_combo');
    await expect(offer.getByText('当前套餐')).toBeVisible();
  });

  await test.step('the agent sees the share, and asks for it to be paid out', async () => {
    await go(page, 'customer/agent_divided_into');
    await expect(page.getByRole('row').filter({ hasText: buyer }).getByText('+6.00')).toBeVisible(patience);
    expect(await faultsOf(page)).toEqual([]);
    await go(page, 'customer/agent_daily_statistics');
    await expect(page.getByText('收入与分成（USDT）')).toBeVisible();
    await expect(page.getByRole('cell', { name: '60.00' }).first()).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);

    await go(page, 'customer/acting_withdrawal_list');
    await expect(page.getByText(shown(share)).first()).toBeVisible();
    await expect(page.getByText(`余额 ${shown(before + share)}`)).toBeVisible();
    await page.getByRole('button', { name: '申请提现' }).click();
    const form = page.getByRole('dialog', { name: '申请提现' });
    await form.getByRole('textbox', { name: '提现金额' }).fill('4');
    await form.getByLabel('收款地址').fill('T123');
    await form.getByRole('button', { name: '申请提现' }).click();
    await expect(form.getByText('请填写正确的 TRON 地址')).toBeVisible();
    await form.getByLabel('收款地址').fill(address);
    await form.getByRole('button', { name: '申请提现' }).click();
    await expect(form.getByText('低于最低提现金额')).toBeVisible();
    await form.getByRole('button', { name: '全部' }).click();
    await expect(form.getByText(shown(share - fee))).toBeVisible();
    expect(await faultsOf(page, '[role=dialog]')).toEqual([]);
    await form.getByRole('button', { name: '申请提现' }).click();
    await expect(page.getByRole('row').filter({ hasText: '待审核' })).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
  });

  await test.step('an administrator approves it with the second factor, and the transaction that paid it is verified on the chain', async () => {
    const proven = await withSecondFactor(product, await addAdministrator(product, admin));
    const office = await open(proven);
    await go(office, 'customer/today_statistics');
    await expect(office.getByText('1 笔提现待审核')).toBeVisible();
    await go(office, 'customer/withdrawal_list');
    const row = office.getByRole('row').filter({ hasText: agent.account });
    await row.getByRole('button', { name: '通过' }).click();
    const approval = office.getByRole('dialog', { name: `通过 ${agent.account} 的提现` });
    const { password, totp } = await proven.proof();
    await approval.getByLabel('密码', { exact: true }).fill(password);
    await approval.getByRole('button', { name: '通过' }).click();
    await expect(approval.getByText('请填写此项')).toBeVisible();
    expect(await faultsOf(office, '[role=dialog]')).toEqual([]);
    await approval.getByLabel('两步验证码').fill(totp);
    await approval.getByRole('button', { name: '通过' }).click();
    await expect(row.getByText('待打款')).toBeVisible();
    await proven.close();

    await sendUsdt(product, address, share - fee);
    await makeBlocks(product, 1);
    await row.getByRole('button', { name: '填写交易哈希' }).click();
    const payment = office.getByRole('dialog', { name: `向 ${agent.account} 支付` });
    await payment.getByLabel('交易哈希').fill('0'.repeat(64));
    await payment.getByRole('button', { name: '填写交易哈希' }).click();
    await expect(payment.getByText('链上找不到这笔交易')).toBeVisible();
    await payment.getByLabel('交易哈希').fill(await lastHash(product));
    await payment.getByRole('button', { name: '填写交易哈希' }).click();
    await expect(row.getByText('等待确认')).toBeVisible();
    await makeBlocks(product, 25);
    await expect(row.getByText('已打款')).toBeVisible(patience);
    expect(await faultsOf(office)).toEqual([]);

    // The agent's page, which stood open all the time, shows it, too.
    await expect(page.getByRole('row').filter({ hasText: '已打款' })).toBeVisible(patience);
  });
});
