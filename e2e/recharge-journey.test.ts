import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { faultsOf } from './kit/accessibility.ts';
import { beforeJourneysAlone, type Journey, openPageAs } from './kit/journey.ts';
import { freePort } from './kit/product.ts';
import { scan } from './kit/scan.ts';

let journey: Journey;
const tronPort = await freePort();
const pictures = mkdtempSync(join(tmpdir(), 'livecode-recharge-'));
beforeJourneysAlone(
  (own) => {
    journey = own;
  },
  { LIVECODE_DEMO: '1', LIVECODE_TRON_PORT: String(tronPort) },
);
afterAll(() => rmSync(pictures, { recursive: true, force: true }));

/** What somebody does on the page of the test network. */
const act = (fields: Record<string, string>) =>
  fetch(`http://127.0.0.1:${tronPort}/control`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

test('a customer pays to the address of the picture, sees the payment on its way, and has it without a reload', async () => {
  const { product } = journey;
  const page = await openPageAs({ account: 'chenjie', password: product.password }, journey);
  await page.goto(`${product.backOffice}/#/customer/balance_recharge`);
  await page.getByText('其中的 USDT 没有任何价值').waitFor();
  const path = join(pictures, 'address.png');
  await page.getByRole('img', { name: /的二维码/ }).screenshot({ path });
  const address = (await scan(path)) ?? '';
  expect(address).toMatch(/^T\w{33}$/);
  await page.getByText(address).first().waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await act({ act: 'usdt', to: address, amount: '25.5' });
  await page.getByRole('heading', { name: '确认中的充值' }).waitFor();
  expect(await page.getByText('0.00 USDT', { exact: true }).count()).toBe(1);
  await act({ act: 'blocks', count: '25' });
  await page.locator('.lc-recharge-balance', { hasText: '25.50 USDT' }).waitFor();
  await page.getByText('已到账').waitFor();
  await page.close();

  const admin = await openPageAs({ account: 'admin', password: product.password }, journey);
  await admin.goto(`${product.backOffice}/#/system/usdt_transaction_record`);
  await admin.getByText('已入账').first().waitFor();
  expect(await faultsOf(admin)).toEqual([]);
  await admin.goto(`${product.backOffice}/#/system/tron`);
  await admin.getByRole('button', { name: '实时余额' }).or(admin.getByText('实时余额')).first().click();
  await admin.getByText('25.50').waitFor();
  await admin.goto(`${product.backOffice}/#/customer/pay_config`);
  await admin.getByRole('button', { name: '测试连接' }).click();
  await admin.getByText(/个节点连接正常/).waitFor();
  expect(await faultsOf(admin)).toEqual([]);
});

test('an administrator sees what collecting costs, collects, and finds it in the summary', async () => {
  const { product } = journey;
  const post = async (token: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  };
  const { password } = product;
  const token = String((await post('', 'admin/login', { account: 'admin', password })).token);
  await post(token, 'pay_config/update', { collecting_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', password });

  const page = await openPageAs({ account: 'admin', password }, journey);
  await page.goto(`${product.backOffice}/#/system/tron`);
  await page.getByRole('button', { name: '生成钱包' }).click();
  await page.getByRole('button', { name: '全部归集' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('手续费钱包的 TRX 不足').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  const plan = (await post(token, 'tron/plan', {})) as { fee_address: string };
  await act({ act: 'trx', to: plan.fee_address, amount: '100' });
  await act({ act: 'blocks', count: '25' });
  await page.reload();
  await page.getByRole('button', { name: '全部归集' }).click();
  await dialog.getByText('25.50 USDT').waitFor();
  await dialog.getByRole('button', { name: '开始归集' }).click();
  await page.getByText('归集所有用户的钱包？').last().waitFor();
  await page.getByRole('button', { name: '全部归集' }).last().click();
  await page.getByText(/已开始归集 1 个钱包，共 25.50 USDT/).waitFor();
  await page.getByRole('link', { name: '归集汇总' }).last().click();
  await page.getByText('进行中').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  for (let round = 0; round < 20 && (await page.getByText('成功', { exact: true }).count()) === 0; round += 1) {
    await act({ act: 'blocks', count: '25' });
    await page
      .getByText('成功', { exact: true })
      .waitFor({ timeout: 6_000 })
      .catch(() => {});
  }
  expect(await page.getByText('成功', { exact: true }).count()).toBe(1);
  await page.getByText('按地址汇总').click();
  await page.getByText('25.50').waitFor();
  expect(await faultsOf(page)).toEqual([]);
});
