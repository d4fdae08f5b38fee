import { go } from './kit/menu.ts';
import { expect, test } from './kit/test.ts';
import { addUser, post, unique, userOf } from './kit/users.ts';

/** Shares are held for some days here, as they are by themselves. */
test.use({ as: 'admin', productEnv: { LIVECODE_DEMO: '1' } });

type Rows<T> = { content: T[] };

/** Comes from an address of his own, as through a proxy. */
async function from<O>(backOffice: string, ip: string, path: string, input: object): Promise<O> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip };
  const answer = await fetch(`${backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as O;
}

test('a share is held, one of the agent’s own address until it was looked at, and a refund takes a held one back', async ({
  page,
  product,
  admin,
  open,
}) => {
  const { backOffice } = product;
  const { content: roles } = await admin.call<Rows<{ id: number }>>('role/options', { kinds: ['agent'] });
  const { account, password } = await addUser(product, admin, { role_id: roles[0]?.id });
  await from(backOffice, '198.51.100.7', 'admin/login', { account, password });
  const agent = await userOf(product, account, password);
  const { invitation_code: code } = await agent.call<{ invitation_code: string }>('user_customer/invitation');
  const quotas = { live_codes: 100, domains: 5, short_codes: null, monitors: null };
  const combo = await admin.call<{ id: number }>('vip_combo/add', { name: `分成套餐${unique()}`, price: '60', days: 30, quotas });

  /** Registers by the agent's link from an address, and buys the combo from a balance that he was given. */
  async function buyFrom(ip: string): Promise<string> {
    const buyer = `b${unique()}`;
    const { token } = await from<{ token: string }>(backOffice, ip, 'admin/register', { account: buyer, password: 'buyerTea2026', code });
    const { content } = await admin.call<Rows<{ id: number }>>('user_list/inquire', { search: buyer });
    await admin.call('user_list/update_balance', { id: content[0]?.id, amount: '60', kind: 'payment' });
    await post(backOffice, 'buy_vip_combo/buy', { combo_id: combo.id, amount: '60.000000', last_order_id: null }, token);
    return buyer;
  }
  const own = await buyFrom('198.51.100.7');
  const another = await buyFrom('198.51.100.7');
  const stranger = await buyFrom('203.0.113.9');

  const agents = await open(agent);
  await go(agents, 'customer/agent_divided_into');
  await expect(agents.getByRole('row').filter({ hasText: stranger })).toContainText('冻结中');
  await expect(agents.getByRole('row').filter({ hasText: own })).toContainText('待审核');

  await go(page, 'customer/agent_divided_into?is_reviewing=true');
  const row = (buyer: string) => page.getByRole('row').filter({ hasText: buyer });
  await expect(row(own)).toContainText('待审核');
  await expect(row(stranger)).toHaveCount(0);
  await row(own).getByRole('button', { name: '放行' }).click();
  const release = page.getByRole('dialog', { name: `放行 ${account} 的分成 6 USDT？` });
  await expect(release.getByText('相同登录地址')).toBeVisible();
  await release.getByRole('button', { name: '放行' }).click();
  await expect(release.getByText('请填写此项')).toBeVisible();
  await release.getByLabel('原因').fill('同一栋楼的两家店');
  await release.getByRole('button', { name: '放行' }).click();
  await expect(page.getByText('分成已放行，到期后到账，已通知代理')).toBeVisible();
  await row(another).getByRole('button', { name: '收回' }).click();
  const reverse = page.getByRole('dialog', { name: `收回 ${account} 的分成 6 USDT？` });
  await reverse.getByLabel('原因').fill('自己购买');
  await reverse.getByRole('button', { name: '收回' }).click();
  await expect(page.getByText('分成已收回，已通知代理')).toBeVisible();

  await go(page, 'customer/order');
  await row(stranger).getByRole('button', { name: '退款' }).click();
  const refund = page.getByRole('dialog');
  await refund.getByLabel('原因').fill('买错了');
  await refund.getByRole('button', { name: '退款' }).click();
  await expect(row(stranger)).toContainText('已退款');

  await agents.reload();
  await expect(agents.getByRole('row').filter({ hasText: own })).toContainText('冻结中');
  await expect(agents.getByRole('row').filter({ hasText: another })).toContainText('已收回');
  await expect(agents.getByRole('row').filter({ hasText: stranger })).toContainText('已收回');
  await go(agents, 'customer/acting_withdrawal_list');
  await expect(agents.getByText(/冻结中的分成 6.00 USDT/)).toBeVisible();
});
