import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneysAlone, logIn, openPage } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';

let product: Product;
let browser: Browser;
/** The administrator's window, at the list of users. */
let office: Page;
/** The window of the customer who registers below. */
let customer: Page;

const desktop = { locale: 'zh-CN', viewport: { width: 1440, height: 900 } };
const phone = { locale: 'zh-CN', viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const agentPassword = 'agentTea2026';
const customerPassword = 'customerTea2026';

const open = (options: BrowserContextOptions): Promise<Page> => openPage(browser, options);

async function enter(page: Page, account: string, password: string): Promise<void> {
  await logIn(page, `${product.backOffice}/#/admin_login`, account, password);
  await page.waitForURL(/#\/customer/);
}

const patience = { timeout: 15_000 };
const isShown = (locator: { isVisible: () => Promise<boolean> }) => expect.poll(() => locator.isVisible(), patience).toBe(true);

beforeJourneysAlone(async (journey) => {
  ({ product, browser } = journey);
  office = await open({ ...desktop, permissions: ['clipboard-read', 'clipboard-write'] });
  await enter(office, 'admin', product.password);
});

test('an invitation link leads through the registration to the first screen, and its code says who invited', async () => {
  await openScreen(office, '用户');
  await office.getByRole('button', { name: '新建用户' }).first().click();
  const form = office.getByRole('dialog');
  await form.getByRole('textbox', { name: '账号' }).fill('tea-agent');
  await form.getByRole('textbox', { name: '密码' }).fill(agentPassword);
  await form.getByRole('combobox', { name: '角色' }).click();
  await office.getByTitle('代理', { exact: true }).click();
  await form.getByRole('button', { name: '新建用户' }).click();
  const agent = office.getByRole('row').filter({ hasText: 'tea-agent' });
  await agent.getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(office, '复制邀请链接');
  await office.getByText('复制成功').waitFor();
  const link = await office.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#\/admin_register\?code=[A-Za-z0-9]+$/);

  customer = await open(desktop);
  await customer.goto(link);
  await expect.poll(() => customer.getByLabel('邀请码').inputValue(), patience).toBe(link.split('code=')[1]);
  const register = customer.getByRole('button', { name: '注册' });
  const fill = async (account: string, password: string, repeat: string) => {
    await customer.getByLabel('账号').fill(account);
    await customer.getByLabel('密码', { exact: true }).fill(password);
    await customer.getByLabel('确认密码').fill(repeat);
    await register.click();
  };
  await fill('abcd', 'x', 'y');
  await isShown(customer.getByText('用户名需要大于5个字符'));
  await fill('tea-shop', 'x', 'x');
  await isShown(customer.getByText('密码需要大于6个字符'));
  await fill('tea-shop', 'tea-shop-1', 'tea-shop-1');
  await isShown(customer.getByText('密码只能是英文+数字的组合'));
  await fill('tea-shop', customerPassword, customerPassword);
  await customer.waitForURL(/#\/customer\/today_statistics$/);
  await isShown(customer.getByRole('heading', { name: '工作台' }));

  await office.getByRole('button', { name: '刷新', exact: true }).click();
  // Who invited him stands among what has no room in the row.
  await office.getByRole('row').filter({ hasText: 'tea-shop' }).getByRole('button').first().click();
  await isShown(office.getByRole('row').filter({ hasText: '上级' }).filter({ hasText: 'tea-agent' }).last());
});

test('a button taken from a role is gone with the next menu, and its call answers 403', async () => {
  await openScreen(customer, '活码列表');
  const add = customer.getByRole('link', { name: '新建活码' }).or(customer.getByRole('button', { name: '新建活码' }));
  await isShown(add.first());

  await openScreen(office, '角色');
  await office.getByRole('row').filter({ hasText: '默认角色' }).getByRole('button', { name: '权限设置' }).click();
  await office.getByRole('group', { name: '活码列表' }).getByRole('checkbox', { name: '新建', exact: true }).uncheck();
  await isShown(office.getByText('添加 0 项，移除 1 项'));
  await office.getByRole('button', { name: '保存权限' }).click();
  const question = office.getByRole('dialog', { name: /保存 默认角色 的权限/ });
  await isShown(question.getByText('活码列表 · 新建'));
  await question.getByRole('button', { name: '保存权限' }).click();
  await office.getByText('已保存角色权限').waitFor();

  await customer.reload();
  await isShown(customer.getByRole('heading', { name: '活码列表' }));
  await expect.poll(() => add.count(), patience).toBe(0);
  const status = await customer.evaluate(async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem('livecode.token')}` };
    const body = JSON.stringify({ name: 'x', targets: [{ kind: 'url', content: 'https://example.com' }] });
    return (await fetch('/api/qr_code_list/add', { method: 'POST', headers, body })).status;
  });
  expect(status).toBe(403);
});

test('language and theme survive a reload', async () => {
  const ground = () => customer.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await customer.getByRole('button', { name: '主题' }).click();
  await chooseEntry(customer, '深色');
  await expect.poll(ground, patience).not.toBe(light);
  await customer.getByRole('button', { name: '语言' }).click();
  await chooseEntry(customer, 'English');
  await isShown(customer.getByRole('heading', { name: 'Live codes' }));

  await customer.reload();
  await isShown(customer.getByRole('heading', { name: 'Live codes' }));
  expect(await customer.evaluate(() => document.documentElement.lang)).toBe('en-US');
  await expect.poll(ground, patience).toBe('rgb(10, 11, 13)');
});

test('a phone walks through login, menu, a list and a form without scrolling sideways', async () => {
  const page = await open(phone);
  const fits = () => expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), patience).toBeLessThanOrEqual(390);
  await page.goto(`${product.backOffice}/#/admin_login`);
  await fits();
  await enter(page, 'admin', product.password);
  await page.getByRole('button', { name: '打开菜单' }).click();
  await openScreen(page, '用户');
  await isShown(page.getByRole('button', { name: '复制 tea-shop' }));
  await fits();
  await page.getByRole('button', { name: '新建用户' }).first().click();
  const form = page.getByRole('dialog').filter({ hasText: '新建用户' });
  await form.getByRole('textbox', { name: '账号' }).fill('phone-user');
  await form.getByRole('textbox', { name: '密码' }).fill('phoneTea2026');
  await fits();
  await form.getByRole('button', { name: '新建用户' }).click();
  await isShown(page.getByRole('button', { name: '复制 phone-user' }));
});

test('maintenance leads an open page away at once and back when it is over, and administrators work on', async () => {
  const setMaintenance = (maintenance: boolean) =>
    office.evaluate(async (value) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem('livecode.token')}` };
      const body = JSON.stringify({ values: { maintenance: value } });
      return (await fetch('/api/configuration/update', { method: 'POST', headers, body })).status;
    }, maintenance);
  const page = await open(desktop);
  await enter(page, 'tea-shop', customerPassword);
  await page.goto(`${product.backOffice}/#/customer/qr_code_list`);
  await isShown(page.getByRole('heading', { name: '活码列表' }));
  expect(await setMaintenance(true)).toBe(200);
  await isShown(page.getByRole('heading', { name: '网站维护中' }));
  await page.reload();
  await isShown(page.getByRole('heading', { name: '网站维护中' }));
  await office.getByRole('button', { name: '刷新', exact: true }).first().click();
  expect(await office.evaluate(() => window.location.hash)).not.toContain('maintain');
  expect(await setMaintenance(false)).toBe(200);
  await isShown(page.getByRole('heading', { name: '活码列表' }));
});
