import { pressEscape } from './kit/keyboard.ts';
import { openScreen } from './kit/menu.ts';
import { expect, test } from './kit/test.ts';
import { unique } from './kit/users.ts';

test('a customer sets a rule of his own, tries it on a domain, and goes back to what the platform says', async ({ page, user }) => {
  const host = `dry-run-${unique()}.example.com`;
  await user.call('domain_list/add', { host, type: 1 });
  await openScreen(page, '拦截处理');
  const rule = page.getByRole('article', { name: '入口域名' });
  await expect(rule.getByText('平台默认')).toBeVisible();
  await rule.getByRole('button', { name: '编辑规则：入口域名' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('每小时最多替换次数').fill('7');
  await dialog.getByRole('radio', { name: /暂停活码/ }).click();
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(rule.getByText('每小时最多 7 次')).toBeVisible();
  await expect(rule.getByText('都没有时暂停活码')).toBeVisible();

  await page.getByRole('button', { name: '试演' }).click();
  await page.getByRole('combobox', { name: '域名', exact: true }).fill(host);
  await page.getByTitle(host).click();
  await expect(page.getByText(`${host} 不会有任何更改`)).toBeVisible();
  await expect(page.getByText('域名上没有码')).toBeVisible();
  await expect(page.getByText('按持有人自己的规则')).toBeVisible();
  await pressEscape(page);

  await rule.getByRole('button', { name: '恢复平台默认' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '恢复平台默认' }).click();
  await expect(rule.getByText('每小时最多 20 次')).toBeVisible();
});
