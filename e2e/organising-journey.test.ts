import { chooseEntry, openScreen } from './kit/menu.ts';
import { expect, test } from './kit/test.ts';
import { unique } from './kit/users.ts';

test('a code is put into a group, taken back, restored from its history, removed, restored and deleted for ever', async ({
  page,
  product,
  user,
}) => {
  const key = `o${unique()}`;
  await user.call('qr_code_list/add', { name: '门店海报', file_name: key, targets: [{ kind: 'text', content: '欢迎光临' }] });
  const answered = (status: number) => expect.poll(async () => (await fetch(`${product.visits}/${key}`)).status).toBe(status);
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const grouped = row(key).filter({ hasText: '春季活动' });
  async function choose(act: string): Promise<void> {
    await row(key).getByRole('button', { name: '更多操作' }).click();
    await chooseEntry(page, act);
  }
  const undo = page.getByRole('button', { name: /^撤\s?销$/ });
  const confirmed = (name: string) => page.getByRole('dialog').getByRole('button', { name }).last().click();

  // A group, made on its own screen.
  await openScreen(page, '分组');
  await page.getByRole('button', { name: '新建分组' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: '分组名称' }).fill('春季活动');
  await dialog.getByRole('button', { name: '新建分组' }).click();
  await expect(row('春季活动')).toBeVisible();

  // The code goes into it and comes back by "undo".
  await openScreen(page, '活码列表');
  await choose('移到分组');
  await dialog.getByRole('combobox', { name: '分组' }).click();
  await page.getByTitle('春季活动').last().click();
  await dialog.getByRole('button', { name: /^移\s?动$/ }).click();
  await expect(grouped).toBeVisible();
  await undo.click();
  await expect(page.getByText('已撤销对 1 个活码的修改')).toBeVisible();
  await expect(grouped).toHaveCount(0);

  // Its history knows all of it, and leads back to each.
  await choose('修改历史');
  await page.getByRole('button', { name: '恢复版本 2', exact: true }).click();
  await page
    .getByRole('dialog', { name: '恢复到版本 2？' })
    .getByRole('button', { name: /^恢\s?复$/ })
    .click();
  await expect(page.getByText('恢复到旧版本')).toBeVisible();
  await undo.click();
  await expect(page.getByText('已恢复到版本 3')).toBeVisible();
  await undo.click();
  await expect(page.getByText('已恢复到版本 2')).toBeVisible();
  await openScreen(page, '活码列表');
  await expect(grouped).toBeVisible();
  await answered(200);

  // Into the recycle bin and back: visitors find it no more, and find it again. What is said leads there, and takes it back.
  const restore = row(key).getByRole('button', { name: /^恢\s?复$/ });
  const view = page.getByRole('link', { name: /^查\s?看$/ });
  await choose('移入回收站');
  await confirmed('移入回收站');
  await expect(page.getByText('已将活码“门店海报”移入回收站')).toBeVisible();
  await view.click();
  await answered(404);
  await restore.click();
  await answered(200);
  await expect(row(key)).toHaveCount(0);
  await undo.click();
  await answered(404);
  await restore.click();
  await expect(page.getByText('已恢复活码“门店海报”，立即可以访问')).toBeVisible();
  await view.click();
  await expect(page.getByRole('heading', { name: '门店海报' })).toBeVisible();
  await answered(200);

  // And away for ever, once its name was typed.
  await openScreen(page, '活码列表');
  await choose('移入回收站');
  await confirmed('移入回收站');
  await openScreen(page, '回收站');
  await row(key).getByRole('button', { name: '彻底删除' }).click();
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('别的名称');
  await confirmed('彻底删除');
  await expect(dialog.getByText('与名称不一致')).toBeVisible();
  await dialog.getByRole('textbox', { name: '活码名称' }).fill('门店海报');
  await confirmed('彻底删除');
  await expect(page.getByText('已彻底删除')).toBeVisible();
  await expect(page.getByText('回收站是空的')).toBeVisible();
  await answered(404);

  // Nothing of what was said stays, nor what could be taken back, where nothing moves either.
  await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 30_000 });
});

test('a group that is made before the list of groups has come stands in it', async ({ page }) => {
  const added = page.waitForResponse('**/api/group/add');
  await page.route(
    '**/api/group/inquire',
    async (route) => {
      const response = await route.fetch();
      await added;
      // Nobody may wait for this answer any more.
      await route.fulfill({ response }).catch(() => {});
    },
    { times: 1 },
  );
  await openScreen(page, '分组');
  await page.getByRole('button', { name: '新建分组' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: '分组名称' }).fill('春季活动');
  await dialog.getByRole('button', { name: '新建分组' }).click();
  await expect(page.getByRole('row').filter({ hasText: '春季活动' })).toBeVisible();
});

test('groups are put in order with the keyboard, and a screen reader hears where each is', async ({ page }) => {
  await openScreen(page, '分组');
  for (const name of ['春季活动', '夏季活动', '秋季活动']) {
    await page.getByRole('button', { name: '新建分组' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '分组名称' }).fill(name);
    await dialog.getByRole('button', { name: '新建分组' }).click();
    await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible();
  }
  await page.getByRole('button', { name: '调整顺序' }).click();
  const order = page.getByRole('dialog', { name: '调整顺序' });
  const rows = order.getByRole('listitem');
  await expect(rows).toHaveText(['秋季活动', '夏季活动', '春季活动']);
  // A row that is lifted while the dialog opens is measured where it isn't.
  await expect(order).not.toHaveClass(/ant-zoom/);

  await order.getByRole('button', { name: /^移动/ }).nth(2).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('已拿起第 3 项')).toBeAttached();
  // The list is measured a moment after the row was lifted, so that a key can be passed over; one too many changes nothing at the top.
  await expect(async () => {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText('第 3 项移到第 1 位')).toBeAttached({ timeout: 2000 });
  }).toPass();
  await page.keyboard.press('Space');
  await expect(rows).toHaveText(['春季活动', '秋季活动', '夏季活动']);
  await order.getByRole('button', { name: /^保\s?存$/ }).click();
  await expect(order).toBeHidden();

  await page.reload();
  await page.getByRole('button', { name: '调整顺序' }).click();
  await expect(rows).toHaveText(['春季活动', '秋季活动', '夏季活动']);
});
