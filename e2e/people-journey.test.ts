import { chooseEntry, openScreen } from './kit/menu.ts';
import { expect, type Page, test } from './kit/test.ts';
import { addUser, unique } from './kit/users.ts';

const addButton = (page: Page) => page.getByRole('link', { name: '新建活码' }).or(page.getByRole('button', { name: '新建活码' }));
const find = (page: Page, account: string) => page.getByPlaceholder('账号、姓名、电话或备注').fill(account);

test('an invitation link leads through the registration to the first screen, and its code says who invited', { tag: '@gate' }, async ({
  admin,
  open,
}) => {
  const [agent, shop] = [`agent-${unique()}`, `shop-${unique()}`];
  const office = await open(admin, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openScreen(office, '用户');
  await office.getByRole('button', { name: '新建用户' }).first().click();
  const form = office.getByRole('dialog');
  await form.getByRole('textbox', { name: '账号' }).fill(agent);
  await form.getByRole('textbox', { name: '密码' }).fill('agentTea2026');
  await form.getByRole('combobox', { name: '角色' }).click();
  await office.locator('.ant-select-dropdown').getByTitle('代理', { exact: true }).click();
  await form.getByRole('button', { name: '新建用户' }).click();
  await expect(form).toHaveCount(0);
  await find(office, agent);
  await office.getByRole('row').filter({ hasText: agent }).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(office, '复制邀请链接');
  await expect(office.getByText('复制成功')).toBeVisible();
  const link = await office.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#\/admin_register\?code=[A-Za-z0-9]+$/);

  const customer = await open();
  await customer.goto(link);
  await expect(customer.getByLabel('邀请码')).toHaveValue(link.split('code=')[1] ?? '');
  const register = async (account: string, password: string, repeat: string) => {
    await customer.getByLabel('账号').fill(account);
    await customer.getByLabel('密码', { exact: true }).fill(password);
    await customer.getByLabel('确认密码').fill(repeat);
    await customer.getByRole('button', { name: '注册' }).click();
  };
  await register('abcd', 'x', 'y');
  await expect(customer.getByText('用户名需要大于5个字符')).toBeVisible();
  await register(shop, 'x', 'x');
  await expect(customer.getByText('密码需要大于6个字符')).toBeVisible();
  await register(shop, 'tea-shop-1', 'tea-shop-1');
  await expect(customer.getByText('密码只能是英文+数字的组合')).toBeVisible();
  await register(shop, 'customerTea2026', 'customerTea2026');
  await expect(customer).toHaveURL(/#\/customer\/today_statistics$/);
  await expect(customer.getByRole('heading', { name: '工作台' })).toBeVisible();

  await find(office, shop);
  // Who invited him stands among what has no room in the row.
  await office.getByRole('row').filter({ hasText: shop }).getByRole('button').first().click();
  await expect(office.getByRole('row').filter({ hasText: '上级' }).filter({ hasText: agent }).last()).toBeVisible();
});

test('a button taken from a role is gone with the next menu, and its call answers 403', { tag: '@gate' }, async ({
  product,
  admin,
  open,
}) => {
  const name = `角色 ${unique()}`;
  const { content } = await admin.call<{ content: { id: number; name: string }[] }>('role/options');
  const { id: role_id } = await admin.call<{ id: number }>('role/copy', { id: content.find((role) => role.name === '默认角色')?.id, name });
  const user = await addUser(product, admin, { role_id });
  const [office, customer] = [await open(admin), await open(user)];
  await openScreen(customer, '活码列表');
  await expect(addButton(customer).first()).toBeVisible();

  await openScreen(office, '角色');
  await office.getByRole('row').filter({ hasText: name }).getByRole('button', { name: '权限设置' }).click();
  await office.getByRole('group', { name: '活码列表' }).getByRole('checkbox', { name: '新建', exact: true }).uncheck();
  await expect(office.getByText('添加 0 项，移除 1 项')).toBeVisible();
  await office.getByRole('button', { name: '保存权限' }).click();
  const question = office.getByRole('dialog', { name: `保存 ${name} 的权限` });
  await expect(question.getByText('活码列表 · 新建')).toBeVisible();
  await question.getByRole('button', { name: '保存权限' }).click();
  await expect(office.getByText('已保存角色权限')).toBeVisible();

  await customer.reload();
  await expect(customer.getByRole('heading', { name: '活码列表' })).toBeVisible();
  await expect(addButton(customer)).toHaveCount(0);
  await expect(user.call('qr_code_list/add', { name: 'x', targets: [{ kind: 'url', content: 'https://example.com' }] })).rejects.toThrow(
    'answered 403',
  );
});

test('language and theme survive a reload', async ({ page }) => {
  const ground = page.locator('body');
  const dark = 'rgb(10, 11, 13)';
  await openScreen(page, '活码列表');
  await expect(ground).not.toHaveCSS('background-color', dark);
  await page.getByRole('button', { name: '主题' }).click();
  await chooseEntry(page, '深色');
  await expect(ground).toHaveCSS('background-color', dark);
  await page.getByRole('button', { name: '语言' }).click();
  await chooseEntry(page, 'English');
  await expect(page.getByRole('heading', { name: 'Live codes' })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Live codes' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  await expect(ground).toHaveCSS('background-color', dark);
});

test('a phone walks through login, menu, a list and a form without scrolling sideways', async ({ product, admin, user, open }) => {
  const page = await open(undefined, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const fits = () => expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(`${product.backOffice}/#/admin_login`);
  await expect(page.getByRole('button', { name: '登录' })).toBeVisible();
  await fits();
  await page.getByLabel('账号').fill(admin.account);
  await page.getByLabel('密码', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: '登录' }).click();
  await expect(page).toHaveURL(/#\/customer/);
  await page.getByRole('button', { name: '打开菜单' }).click();
  await openScreen(page, '用户');
  await expect(page.getByRole('button', { name: `复制 ${user.account}` })).toBeVisible();
  await fits();
  await page.getByRole('button', { name: '新建用户' }).first().click();
  const form = page.getByRole('dialog').filter({ hasText: '新建用户' });
  const account = `phone-${unique()}`;
  await form.getByRole('textbox', { name: '账号' }).fill(account);
  await form.getByRole('textbox', { name: '密码' }).fill('phoneTea2026');
  await fits();
  await form.getByRole('button', { name: '新建用户' }).click();
  await expect(page.getByRole('button', { name: `复制 ${account}` })).toBeVisible();
});
