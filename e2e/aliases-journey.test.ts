import { pressEscape } from './kit/keyboard.ts';
import { expect, test } from './kit/test.ts';
import { phone } from './kit/visitor.ts';

const visit = async (url: string) => fetch(url, { headers: { 'accept-language': 'zh-CN', 'user-agent': phone } });

test('an alias is added on the page of a code, counts its visits apart, and is deleted after a question that tells them', async ({
  page,
  user,
  product,
}) => {
  const targets = [{ kind: 'url', content: 'https://example.com/poster' }];
  const { id } = await user.call<{ id: number }>('qr_code_list/add', { name: '海报', targets });
  await page.goto(`${product.backOffice}/#/customer/qr_code/${id}`);
  const panel = page.locator('.lc-code-aliases');
  await panel.getByRole('button', { name: '添加别名' }).click();
  const form = page.getByRole('dialog', { name: '添加别名' });
  await form.getByRole('textbox', { name: '备注' }).fill('东门');
  await form.getByRole('button', { name: '添加别名' }).click();
  await expect(panel.getByText('东门')).toBeVisible();

  const { aliases } = await user.call<{ aliases: { key: string; url: string }[] }>('qr_code_list/details', { id });
  const { key = '', url = '' } = aliases[0] ?? {};
  await expect.poll(async () => (await visit(url)).text()).toContain('https://example.com/poster');
  await panel.getByRole('button', { name: `“${key}”的二维码` }).click();
  const qr = page.getByRole('dialog', { name: '东门' });
  await expect(qr.getByRole('img', { name: '“海报 东门”的二维码' })).toBeVisible();
  await pressEscape(page);
  await expect(qr).toBeHidden();

  // The loader has counted it.
  await expect
    .poll(async () => {
      const { aliases } = await user.call<{ aliases: { visits: number }[] }>('qr_code_list/details', { id });
      return aliases[0]?.visits;
    })
    .toBe(1);
  await page.getByRole('link', { name: '统计', exact: true }).click();
  await expect(page.locator('.lc-code-keys')).toContainText(`东门 ${key}1`);
  await page.getByRole('link', { name: '概览' }).click();
  await panel.getByRole('button', { name: `删除别名 ${key}` }).click();
  const question = page.getByRole('dialog', { name: `删除别名“${key}”？` });
  await expect(question).toContainText('它已有 1 次访问');
  await question.getByRole('button', { name: '删除' }).click();
  await expect(panel.getByText('东门')).toBeHidden();
  await expect.poll(async () => (await visit(url)).status).toBe(404);
});
