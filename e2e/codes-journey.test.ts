import { pressEscape } from './kit/keyboard.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import { scan, scanLabels } from './kit/scan.ts';
import { expect, type Page, test } from './kit/test.ts';
import { unique } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** What a visitor sees: the page's status and where it leads, or its words. */
async function visit(url: string) {
  const answer = await fetch(url, { headers: { 'accept-language': 'zh-CN', 'user-agent': phone } });
  return { status: answer.status, body: await answer.text() };
}
const answers = (url: string, status: number) => expect.poll(async () => (await visit(url)).status).toBe(status);

test('codes come in from a file, are grouped, designed and printed, and a print leads where it should', { tag: '@gate' }, async ({
  page,
  product,
  open,
}) => {
  const [one, two, three] = [`one-${unique()}`, `two-${unique()}`, `three-${unique()}`];
  const file = `名称,后缀,分组,子码 1,子码 2
一号门店,${one},门店,https://example.com/one,https://example.com/one-b
二号门店,${two},门店,https://example.com/two,
"=三号门店, 旗舰",${three},,https://example.com/three,
没有去处,none-${unique()},,,
`;
  await openScreen(page, '活码列表');
  await page.getByRole('button', { name: '导入' }).first().click();
  const dialog = page.getByRole('dialog', { name: '导入活码' });
  await dialog.locator('input[type=file]').setInputFiles({ name: '门店.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${file}`) });
  await expect(dialog).toContainText('4 行');
  await dialog.getByRole('button', { name: '检查' }).click();
  for (const text of [/新建\s*3/, /有问题\s*1/, '将新建分组：门店']) await expect(dialog).toContainText(text);
  await dialog.getByRole('button', { name: /导入 3 行/ }).click();
  await expect(page.getByRole('dialog')).toContainText('已完成');
  await page.getByRole('dialog').getByRole('button', { name: '关闭', exact: true }).last().click();
  for (const name of ['一号门店', '二号门店', '=三号门店, 旗舰']) await expect(rowOf(page, name)).toBeVisible();
  const landing = { status: 200, body: expect.stringContaining('https://example.com/one') };
  expect(await visit(`${product.visits}/${one}`)).toMatchObject(landing);

  // Two stand in the group that came with the file; the third joins them.
  await rowOf(page, '=三号门店, 旗舰').getByRole('checkbox').check();
  await page.locator('.lc-batch').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '移到分组');
  const move = page.getByRole('dialog', { name: '移到分组' });
  await move.getByRole('combobox').click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: '门店' }).click();
  await move.getByRole('button', { name: '移动' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await openScreen(page, '分组');
  // Codes have the word in their names, too: their list stands until the other is there.
  await expect(page.getByRole('heading', { name: '分组' })).toBeVisible();
  await expect(rowOf(page, '门店')).toContainText('3');

  // A design of its own, downloaded and read as a scanner reads it.
  await openScreen(page, '活码列表');
  await rowOf(page, two).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '二维码样式与下载');
  await page.getByRole('button', { name: '圆点' }).click();
  await expect(page.getByRole('button', { name: '保存样式' })).toBeEnabled();
  await expect(page.getByText('扫码检查通过')).toBeVisible();
  const [image] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: '下载' }).click(),
  ]);
  expect(await scan(await image.path())).toBe(`${product.visits}/${two}`);
  await page.getByRole('button', { name: '保存样式' }).click();
  await expect(page.getByText('样式已保存')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // A sheet of labels: each is read where it stands.
  await page.getByRole('checkbox', { name: '选择本页全部' }).check();
  await page.locator('.lc-batch').getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '打印二维码');
  const printing = page.getByRole('dialog', { name: '打印 3 个二维码' });
  const [sheet] = await Promise.all([page.waitForEvent('download'), printing.getByRole('button', { name: '下载 PDF' }).click()]);
  const printed = await scanLabels(await sheet.path(), 3);
  expect(printed.toSorted()).toEqual([one, three, two].map((key) => `${product.visits}/${key}`));
  await pressEscape(page);
  await expect(printing).toHaveCount(0);

  const visitor = await open(undefined, { viewport: { width: 390, height: 844 } });
  await visitor.route('https://example.com/**', (route) =>
    route.fulfill({ body: `<h1>${new URL(route.request().url()).pathname}</h1>`, contentType: 'text/html' }),
  );
  await visitor.goto(printed.find((label) => label?.endsWith(two)) ?? '');
  await expect(visitor.locator('h1')).toHaveText('/two');
});

test('a removed code answers no more, comes back whole, and goes for ever only by its name', async ({ page, user }) => {
  const key = `r${unique()}`;
  const targets = [{ kind: 'url', content: 'https://example.com/one' }];
  const { url } = await user.call<{ url: string }>('qr_code_list/add', { name: '一号门店', file_name: key, targets });
  async function remove(): Promise<void> {
    await openScreen(page, '活码列表');
    await rowOf(page, key).getByRole('button', { name: '更多操作' }).click();
    await chooseEntry(page, '移入回收站');
    await page.getByRole('dialog').getByRole('button', { name: '移入回收站' }).click();
    await answers(url, 404);
    await openScreen(page, '回收站');
  }
  await remove();
  await rowOf(page, '一号门店').getByRole('button', { name: '恢复' }).click();
  await expect.poll(async () => (await visit(url)).body).toContain('https://example.com/one');
  await expect(rowOf(page, '一号门店')).toHaveCount(0);

  await remove();
  await rowOf(page, '一号门店').getByRole('button', { name: '彻底删除' }).click();
  const dialog = page.getByRole('dialog', { name: '彻底删除活码' });
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('一号门');
  await dialog.getByRole('button', { name: '彻底删除' }).click();
  await expect(dialog.locator('.ant-form-item-explain-error')).not.toBeEmpty();
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('一号门店');
  await dialog.getByRole('button', { name: '彻底删除' }).click();
  await expect(rowOf(page, '一号门店')).toHaveCount(0);
  expect((await visit(url)).status).toBe(404);
});

test('the command palette finds a screen by keyboard, and closes every code of a domain after asking', async ({ page, user }) => {
  const add = async (name: string) => {
    const targets = [{ kind: 'url', content: 'https://example.com/' }];
    return (await user.call<{ url: string }>('qr_code_list/add', { name, targets })).url;
  };
  const [two, three] = [await add('二号门店'), await add('三号门店')];
  const palette = page.getByRole('combobox', { name: /搜索页面/ });
  const selected = page.getByRole('option', { selected: true });
  await page.keyboard.press('Control+k');
  await palette.fill('域名列表');
  await expect(selected).toContainText('域名列表');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/domain_list/);

  await page.keyboard.press('Control+k');
  await palette.fill('关闭 localhost 上的所有活码');
  await expect(selected).toContainText(/关闭 localhost:\d+ 上的全部 2 个活码/);
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog').filter({ hasText: '上的 2 个活码？' });
  await expect(question).toBeVisible();
  expect((await visit(two)).status).toBe(200);
  await question.getByRole('button', { name: '关闭', exact: true }).click();
  await expect(page.getByText('已关闭 2 个活码')).toBeVisible();
  await answers(two, 403);
  await answers(three, 403);

  await page.keyboard.press('Control+k');
  await palette.fill('打开 二号门店');
  await expect(selected).toContainText('开启活码“二号门店”');
  await page.keyboard.press('Enter');
  await answers(two, 200);
});
