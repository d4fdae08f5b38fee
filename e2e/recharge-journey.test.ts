import { faultsOf } from './kit/accessibility.ts';
import { go } from './kit/menu.ts';
import { scan } from './kit/scan.ts';
import { withSecondFactor } from './kit/second-factor.ts';
import { expect, test } from './kit/test.ts';
import { makeBlocks, sendTrx, sendUsdt } from './kit/tron.ts';
import { addAdministrator } from './kit/users.ts';

test.use({ productEnv: { LIVECODE_DEMO: '1', LIVECODE_TRON_PORT: 'free' } });

const patience = { timeout: 60_000 };

test('a customer tops up in USDT, and an administrator collects it', async ({ page, user, open, product, admin }, testInfo) => {
  const { password } = product;
  const office = await open(admin);

  await test.step('a customer pays to the address of the picture, sees the payment on its way, and has it without a reload', async () => {
    await go(page, 'customer/balance_recharge');
    await expect(page.getByText('其中的 USDT 没有任何价值')).toBeVisible();
    const path = testInfo.outputPath('address.png');
    await page.getByRole('img', { name: /的二维码/ }).screenshot({ path });
    const address = (await scan(path)) ?? '';
    expect(address).toMatch(/^T\w{33}$/);
    await expect(page.getByText(address).first()).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);

    await sendUsdt(product, address, 25.5);
    await expect(page.getByRole('heading', { name: '确认中的充值' })).toBeVisible(patience);
    await expect(page.getByText('0.00 USDT', { exact: true })).toHaveCount(1);
    await makeBlocks(product, 25);
    await expect(page.locator('.lc-recharge-balance')).toContainText('25.50 USDT', patience);
    await expect(page.getByText('已到账')).toBeVisible();
  });

  const row = office.getByRole('row').filter({ hasText: user.account });
  await test.step('an administrator finds the payment and the wallet, and tests the nodes', async () => {
    await go(office, 'system/usdt_transaction_record');
    await expect(row.getByText('已入账')).toBeVisible();
    expect(await faultsOf(office)).toEqual([]);
    await go(office, 'system/tron');
    await row.getByRole('button', { name: '实时余额' }).click();
    await expect(row.getByText('25.50')).toBeVisible();
    await go(office, 'customer/pay_config');
    await office.getByRole('button', { name: '测试连接' }).click();
    await expect(office.getByText(/个节点连接正常/)).toBeVisible();
    expect(await faultsOf(office)).toEqual([]);
  });

  await test.step('an administrator sees what collecting costs, collects, and finds it in the summary', async () => {
    await admin.call('pay_config/update', { collecting_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', password });
    await go(office, 'system/tron');
    await office.getByRole('button', { name: '生成钱包' }).click();
    await office.getByRole('button', { name: '全部归集' }).click();
    const dialog = office.getByRole('dialog');
    await expect(dialog.getByText('手续费钱包的 TRX 不足')).toBeVisible();
    expect(await faultsOf(office)).toEqual([]);
    type Plan = { fee_address: string; fee_balance: string; wallets: { cost: string }[] };
    const { fee_address, fee_balance, wallets } = await admin.call<Plan>('tron/plan');
    // No more than it takes: the next try is to miss it, too.
    await sendTrx(product, fee_address, Number((Number(wallets[0]?.cost) - Number(fee_balance)).toFixed(6)));
    await makeBlocks(product, 25);
    await office.reload();
    await office.getByRole('button', { name: '全部归集' }).click();
    await expect(dialog.getByText('25.50 USDT')).toBeVisible();
    await dialog.getByRole('button', { name: '开始归集' }).click();
    await expect(office.getByText('归集所有用户的钱包？').last()).toBeVisible();
    await office.getByRole('button', { name: '全部归集' }).last().click();
    await expect(office.getByText(/已开始归集 1 个钱包，共 25.50 USDT/)).toBeVisible();
    await office.getByRole('link', { name: '归集汇总' }).last().click();
    await expect(row.getByText('进行中')).toBeVisible();
    expect(await faultsOf(office)).toEqual([]);
    // Each of its transactions waits for blocks of its own.
    await expect(async () => {
      await makeBlocks(product, 25);
      await expect(row.getByText('成功', { exact: true })).toBeVisible({ timeout: 6_000 });
    }).toPass({ timeout: 90_000 });
    await office.getByText('按地址汇总').click();
    await expect(row.getByText('25.50')).toBeVisible();
    expect(await faultsOf(office)).toEqual([]);
  });
});

test('a private key is read by who proves himself, and is gone by itself after a minute', async ({ open, product, admin }) => {
  const proven = await withSecondFactor(product, await addAdministrator(product, admin));
  const page = await open(proven);
  await go(page, 'system/tron');
  await page.getByRole('button', { name: '生成钱包' }).click();
  await page.getByRole('button', { name: '更多操作' }).first().click();
  await page.clock.install();
  await page.getByRole('menuitem', { name: '查看私钥' }).click();
  const { password, totp } = await proven.proof();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('密码', { exact: true }).fill(password);
  await dialog.getByLabel('两步验证码').fill(totp);
  await dialog.getByRole('button', { name: '查看私钥' }).click();
  await expect(dialog.getByText('任何人得到私钥都可以转走')).toBeVisible();
  const key = dialog.getByText(/^[0-9a-f]{64}$/);
  await expect(key).toBeVisible();
  // To its last digit.
  expect(await key.evaluate((line) => line.scrollWidth - line.clientWidth)).toBeLessThanOrEqual(0);
  await page.clock.fastForward('01:01');
  await expect(dialog).toHaveCount(0);
  await proven.close();
});
