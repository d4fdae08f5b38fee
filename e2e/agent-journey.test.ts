import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { stepOf, totpCode } from '../src/server/users/login/totp.ts';
import { faultsOf } from './kit/accessibility.ts';
import { beforeJourneysAlone, type Journey, openPage, openPageAs } from './kit/journey.ts';
import { freePort } from './kit/product.ts';

let journey: Journey;
let [agent, office, customer]: Page[] = [];
/** What the demo gave the agent, in USDT. */
let before = 0;
const tronPort = await freePort();
const network = `http://127.0.0.1:${tronPort}`;
/** Of a wallet outside of the site. */
const address = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf';
/** What the administrator's authenticator app keeps. */
let secret: Buffer = Buffer.alloc(0);

beforeJourneysAlone(
  async (own) => {
    journey = own;
    const { password } = own.product;
    office = await openPageAs({ account: 'admin', password }, own);
    await ask(office, 'configuration/update', { values: { withdrawal_cool_off_hours: 0, withdrawal_minimum: '5' } });
    const quotas = { live_codes: 100, domains: 5, short_codes: null, monitors: null };
    await ask(office, 'vip_combo/add', { name: '旅程套餐', price: '60', days: 30, quotas });
    agent = await openPageAs({ account: 'lina', password }, own);
    before = await balanceOf(agent);
  },
  { LIVECODE_DEMO: '1', LIVECODE_TRON_PORT: String(tronPort) },
);

const patience = { timeout: 30_000 };
/** A window that the journey has opened. */
function opened(page: Page | undefined): Page {
  if (!page) throw new Error('the window is opened by an earlier step');
  return page;
}

/** A call by the user of a window. */
async function ask(page: Page, path: string, input: object): Promise<Record<string, unknown>> {
  const token = await page.evaluate(() => localStorage.getItem('livecode.token'));
  const answer = await fetch(`${journey.product.backOffice}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(body)}`);
  return body;
}

const balanceOf = async (page: Page) => Number((await ask(page, 'acting_withdrawal_list/terms', {})).balance);
/** As screens write it. */
const shown = (amount: number) => `${amount.toLocaleString('zh-CN', { minimumFractionDigits: 2 })} USDT`;
const [share, fee] = [6, 1];

/** What somebody does on the page of the test network. */
const act = (fields: Record<string, string>) =>
  fetch(`${network}/control`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

type Block = { block_header: { raw_data: { number: number } } };
type Info = { id: string };

/** The hash of the last transaction of the network. */
async function lastHash(): Promise<string> {
  const read = async <T>(path: string): Promise<T> => (await (await fetch(`${network}/wallet/${path}`)).json()) as T;
  const head = (await read<Block>('getnowblock')).block_header.raw_data.number;
  for (let number = head; number > head - 40; number -= 1) {
    const [info] = await read<Info[]>(`gettransactioninfobyblocknum?num=${number}`);
    if (info) return info.id;
  }
  throw new Error('no block has a transaction');
}

test('a customer who came by an agent’s link pays a combo in USDT, and is a member without a reload', async () => {
  const { product, browser } = journey;
  const page = opened(agent);
  await page.goto(`${product.backOffice}/#/customer/user_customer`);
  const link =
    (await page
      .getByText(/admin_register\?code=\w+/)
      .first()
      .textContent()) ?? '';
  customer = await openPage(browser);
  await customer.goto(link.trim());
  await expect.poll(() => customer?.getByLabel('邀请码').inputValue(), patience).toBe(link.trim().split('code=')[1]);
  await customer.getByLabel('账号').fill('journey-buyer');
  await customer.getByLabel('密码', { exact: true }).fill('buyerTea2026');
  await customer.getByLabel('确认密码').fill('buyerTea2026');
  await customer.getByRole('button', { name: '注册' }).click();
  await customer.waitForURL(/#\/customer\/today_statistics$/);

  await customer.goto(`${product.backOffice}/#/customer/balance_recharge`);
  const deposit =
    (await customer
      .getByText(/^T\w{33}$/)
      .first()
      .textContent()) ?? '';
  await customer.goto(`${product.backOffice}/#/customer/buy_vip_combo`);
  const combo = customer.getByRole('region', { name: '旅程套餐' });
  await combo.getByRole('button', { name: '购买' }).click();
  await customer.getByRole('button', { name: '提交订单' }).click();
  await customer.waitForURL(/#\/customer\/order_payment\/\d+$/);
  await customer.getByText(deposit).first().waitFor();
  await act({ act: 'usdt', to: deposit, amount: '60' });
  await act({ act: 'blocks', count: '25' });
  await customer.getByText('已付款，“旅程套餐”已生效').waitFor(patience);
  await customer.goto(`${product.backOffice}/#/customer/buy_vip_combo`);
  await combo.getByText('当前套餐').waitFor();
});

test('the agent sees the share, and asks for it to be paid out', async () => {
  const { product } = journey;
  const page = opened(agent);
  await page.goto(`${product.backOffice}/#/customer/agent_divided_into`);
  const row = page.getByRole('row').filter({ hasText: 'journey-buyer' });
  await row.getByText('+6.00').waitFor(patience);
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(`${product.backOffice}/#/customer/agent_daily_statistics`);
  await page.getByText('收入与分成（USDT）').waitFor();
  await page.getByRole('cell', { name: '60.00' }).first().waitFor();
  expect(await faultsOf(page)).toEqual([]);

  await page.goto(`${product.backOffice}/#/customer/acting_withdrawal_list`);
  expect(await balanceOf(page)).toBe(before + share);
  await page
    .getByText(shown(before + share))
    .first()
    .waitFor();
  await page.getByRole('button', { name: '申请提现' }).click();
  const form = page.getByRole('dialog', { name: '申请提现' });
  await form.getByRole('textbox', { name: '提现金额' }).fill('4');
  await form.getByLabel('收款地址').fill('T123');
  await form.getByRole('button', { name: '申请提现' }).click();
  await form.getByText('请填写正确的 TRON 地址').waitFor();
  await form.getByLabel('收款地址').fill(address);
  await form.getByRole('button', { name: '申请提现' }).click();
  await form.getByText('低于最低提现金额').waitFor();
  await form.getByRole('button', { name: '全部' }).click();
  await form.getByText(shown(before + share - fee)).waitFor();
  expect(await faultsOf(page, '[role=dialog]')).toEqual([]);
  await form.getByRole('button', { name: '申请提现' }).click();
  await page.getByRole('row').filter({ hasText: '待审核' }).waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

test('an administrator approves it with the second factor, and the transaction that paid it is verified on the chain', async () => {
  const { product } = journey;
  const page = opened(office);
  const enrolled = await ask(page, 'update_password/enrol_second_factor', { password: product.password });
  secret = fromBase32(String(enrolled.secret));
  // Each code works once: the one before the present one is enough to begin with.
  await ask(page, 'update_password/confirm_second_factor', { totp: totpCode(secret, stepOf(new Date()) - 1) });

  await page.goto(`${product.backOffice}/#/customer/today_statistics`);
  // It stood there from the beginning, and looks again each minute only.
  await page.reload();
  await page.getByText('1 笔提现待审核').waitFor();
  await page.goto(`${product.backOffice}/#/customer/withdrawal_list`);
  const row = page.getByRole('row').filter({ hasText: 'lina' });
  await row.getByRole('button', { name: '通过' }).click();
  const approval = page.getByRole('dialog', { name: /通过 lina 的提现/ });
  await approval.getByLabel('密码', { exact: true }).fill(product.password);
  await approval.getByRole('button', { name: '通过' }).click();
  await approval.getByText('请填写此项').waitFor();
  expect(await faultsOf(page, '[role=dialog]')).toEqual([]);
  await approval.getByLabel('两步验证码').fill(totpCode(secret, stepOf(new Date())));
  await approval.getByRole('button', { name: '通过' }).click();
  await row.getByText('待打款').waitFor();

  await act({ act: 'usdt', to: address, amount: String(before + share - fee) });
  await act({ act: 'blocks', count: '1' });
  await row.getByRole('button', { name: '填写交易哈希' }).click();
  const payment = page.getByRole('dialog', { name: /向 lina 支付/ });
  await payment.getByLabel('交易哈希').fill('0'.repeat(64));
  await payment.getByRole('button', { name: '填写交易哈希' }).click();
  await payment.getByText('链上找不到这笔交易').waitFor();
  await payment.getByLabel('交易哈希').fill(await lastHash());
  await payment.getByRole('button', { name: '填写交易哈希' }).click();
  await row.getByText('等待确认').waitFor();
  await act({ act: 'blocks', count: '25' });
  await row.getByText('已打款').waitFor(patience);
  expect(await faultsOf(page)).toEqual([]);

  // The agent's page, which stood open all the time, shows it, too.
  await opened(agent).getByRole('row').filter({ hasText: '已打款' }).waitFor(patience);
});

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
