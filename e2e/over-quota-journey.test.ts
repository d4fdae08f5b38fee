import { faultsOf } from './kit/accessibility.ts';
import { go } from './kit/menu.ts';
import { expect, test } from './kit/test.ts';
import { unique } from './kit/users.ts';

test('who has more codes than a smaller combo allows is told before, and chooses which he can change', async ({ page, user, admin }) => {
  const [small, first, second] = [`小套餐${unique()}`, `旧码${unique()}`, `新码${unique()}`];
  await admin.call('vip_combo/add', {
    ...{ name: small, price: '5', days: 30 },
    quotas: { live_codes: 1, domains: null, short_codes: null, monitors: null },
  });
  const { content: people } = await admin.call<{ content: { id: number }[] }>('user_list/inquire', { search: user.account });
  await admin.call('user_list/update_balance', { id: people[0]?.id, amount: '5' });
  const targets = [{ kind: 'url', content: 'https://example.com/' }];
  await user.call('qr_code_list/add', { name: first, targets });
  const { id } = await user.call<{ id: number }>('qr_code_list/add', { name: second, targets });

  await test.step('the question before he buys says how many are too many', async () => {
    await go(page, 'customer/buy_vip_combo');
    await page.getByRole('region', { name: small }).getByRole('button', { name: '购买' }).click();
    const question = page.getByRole('dialog');
    await expect(question.getByText('换成此套餐后超出配额：活码 1 个')).toBeVisible();
    await question.getByRole('button', { name: '用余额支付' }).click();
    await expect(page.getByText(`已购买“${small}”`)).toBeVisible();
  });

  await test.step('a need leads to the choice, by default of the oldest', async () => {
    await go(page, 'customer/today_statistics');
    await page.getByRole('button', { name: '选择保留' }).click();
    const choice = page.getByRole('dialog', { name: '选择保留的活码' });
    await expect(choice.getByRole('checkbox', { name: first })).toBeChecked();
    expect(await faultsOf(page)).toEqual([]);
    await choice.getByRole('checkbox', { name: first }).uncheck();
    await expect(choice.getByRole('button', { name: '保留所选' })).toBeDisabled();
    await choice.getByRole('checkbox', { name: second }).check();
    await choice.getByRole('button', { name: '保留所选' }).click();
    await expect(page.getByText('已按您的选择保留')).toBeVisible();
  });

  await test.step('taken back, the former choice holds again', async () => {
    await page.getByRole('button', { name: /^撤\s?销$/ }).click();
    await expect(page.getByText('已撤销')).toBeVisible();
    await page.getByRole('button', { name: '选择保留' }).click();
    const choice = page.getByRole('dialog', { name: '选择保留的活码' });
    await expect(choice.getByRole('checkbox', { name: first })).toBeChecked();
    await choice.getByRole('checkbox', { name: first }).uncheck();
    await choice.getByRole('checkbox', { name: second }).check();
    await choice.getByRole('button', { name: '保留所选' }).click();
    await expect(choice).toHaveCount(0);
  });

  await test.step('the other one is marked, and the chosen one can be changed', async () => {
    await go(page, 'customer/qr_code_list');
    await expect(page.getByRole('row', { name: first }).getByText('超出配额')).toBeVisible();
    await expect(page.getByRole('row', { name: second }).getByText('超出配额')).toHaveCount(0);
    await user.call('qr_code_list/update', { id, name: `${second}二` });
  });
});
