import { pressEscape, tabTo } from './kit/keyboard.ts';
import { openScreen } from './kit/menu.ts';
import { scan, scanLabels } from './kit/scan.ts';
import { expect, type Locator, type Page, test } from './kit/test.ts';
import { type User, unique } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

let clicks = 0;

/** Each way begins at the list: from there clicks are counted. */
async function openList(page: Page): Promise<void> {
  await openScreen(page, '活码列表');
  await expect(page.getByRole('heading', { name: '活码列表' })).toBeVisible();
  clicks = 0;
}

async function click(locator: Locator): Promise<void> {
  clicks += 1;
  await locator.click();
}
/** A button's picture has a name of its own, which stands before its words; an empty list repeats its first act. */
const button = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`${name}$`) }).first();
const codeLink = (page: Page, name: string) => page.getByRole('row').getByRole('link', { name, exact: true });
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const downloaded = async (page: Page, act: () => Promise<void>) => (await Promise.all([page.waitForEvent('download'), act()]))[0].path();

/** A code made by the call, for what begins with one. */
const addCode = (user: User, input: object) => user.call<{ id: number; url: string }>('qr_code_list/add', input);
const visit = async (url: string) => (await fetch(url, { headers: { 'accept-language': 'zh-CN', 'user-agent': phone } })).text();

test('a pasted link alone makes a code, which is downloaded with the third click', { tag: '@gate' }, async ({ page }) => {
  await openList(page);
  await click(button(page, '新建活码'));
  const link = page.getByRole('textbox', { name: '链接' });
  await expect(link).toBeFocused();
  await page.keyboard.insertText('www.example.com/pasted');
  await click(button(page, '新建活码'));
  await expect(page.getByRole('status').filter({ hasText: '已新建活码' })).toBeVisible();
  await expect(title(page, 'www.example.com')).toBeVisible();
  await expect(page.getByRole('img', { name: '“www.example.com”的二维码' })).toBeVisible();
  const image = await downloaded(page, () => click(button(page, '下载二维码')));
  expect(clicks).toBeLessThanOrEqual(3);

  const url = (await scan(image)) ?? 'unreadable';
  await expect(button(page, `复制 ${url.replace(/^https?:\/\//, '')}`)).toBeVisible();
  expect(await visit(url)).toContain('https://www.example.com/pasted');
});

test('what is missing is said beside the link, and all other settings are a press away', async ({ page }) => {
  await openList(page);
  await click(button(page, '新建活码'));
  await page.getByRole('textbox', { name: '链接' }).press('Enter');
  const faults = page.locator('.ant-form-item-explain-error');
  await expect(faults).toContainText(/./);
  const key = page.getByRole('textbox', { name: '后缀' });
  await expect(key).toBeHidden();
  await button(page, '更多设置').click();
  await key.fill('no good key');
  await button(page, '新建活码').click();
  await expect(faults).toHaveCount(2);

  // Leaving asks, because something was typed.
  await page.getByRole('link', { name: /返回活码列表/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click();
  await expect(page.getByRole('heading', { name: '活码列表' })).toBeVisible();
});

test('what is wrong with one of the other settings brings them all into sight', async ({ page }) => {
  await openList(page);
  await button(page, '新建活码').click();
  await page.getByRole('textbox', { name: '链接' }).fill('https://example.com/');
  const body = JSON.stringify({ code: 'input.invalid', message: '', fields: { file_name: 'taken' } });
  await page.route('**/api/qr_code_list/add', (route) => route.fulfill({ status: 400, contentType: 'application/json', body }), {
    times: 1,
  });
  await button(page, '新建活码').click();
  await expect(page.locator('.ant-form-item').filter({ has: page.getByRole('textbox', { name: '后缀' }) })).toContainText(
    /已被使用|已存在|已被/,
  );
  await button(page, '新建活码').click();
  await expect(title(page, 'example.com')).toBeVisible();
});

test('where a target leads is changed with the third click, and visitors follow', { tag: '@gate' }, async ({ page, user }) => {
  const { url } = await addCode(user, { name: '改去处', targets: [{ kind: 'url', content: 'https://example.com/before' }] });
  await openList(page);
  await click(codeLink(page, '改去处'));
  await click(page.getByRole('button', { name: '编辑子码 1' }));
  const dialog = page.getByRole('dialog', { name: '编辑子码 1' });
  await dialog.getByRole('textbox', { name: '链接' }).fill('https://example.com/after');
  await click(dialog.getByRole('button', { name: '保存' }));
  await expect(page.locator('.lc-code-target-panel')).toContainText(/example\.com\/after/);
  expect(clicks).toBeLessThanOrEqual(3);
  await expect.poll(() => visit(url)).toContain('https://example.com/after');

  // The change stands in the history, which leads back.
  const history = page.locator('.lc-code-history');
  await history.getByRole('button', { name: '恢复版本 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '恢复' }).click();
  await expect(page.locator('.lc-code-target-panel')).toContainText(/example\.com\/before/);
});

test('what is wrong with a target is marked, and mended in place', async ({ page, user }) => {
  const limited = { kind: 'url', threshold: 1 };
  const { url } = await addCode(user, {
    name: '待修',
    targets: [
      { ...limited, content: 'https://example.com/full' },
      { ...limited, content: 'https://example.com/off', enabled: false },
      { kind: 'url', content: 'https://example.com/soon', expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    ],
  });
  expect(await visit(url)).toContain('/full');
  await openList(page);
  await codeLink(page, '待修').click();
  const line = (number: number) =>
    page
      .locator('.lc-code-target-panel')
      .getByRole('listitem')
      .nth(number - 1);
  await expect(line(1)).toContainText(/已用完/);
  await expect(line(2)).toContainText(/已停用/);
  await expect(line(3)).toContainText(/即将到期/);
  await line(2).getByRole('button', { name: '启用' }).click();
  await expect(line(2)).toContainText(/可用/);
  await line(1).getByRole('button', { name: '补满' }).click();
  await expect(line(1)).toContainText(/可用/);
  await line(3).getByRole('button', { name: '延长' }).click();
  const dialog = page.getByRole('dialog', { name: '编辑子码 3' });
  await expect(dialog.getByRole('textbox', { name: '链接' })).toBeFocused();
  const end = dialog.getByRole('textbox', { name: '到期停用' });
  const later = '2040-01-01 00:00:00';
  // A calendar that is still opening puts the former time back over what is typed.
  await expect(async () => {
    await end.click();
    await expect(page.locator('.ant-picker-dropdown:visible')).toBeVisible();
    await end.fill(later);
    await end.press('Enter');
    await expect(page.locator('.ant-picker-dropdown:visible')).toHaveCount(0);
    expect(await end.inputValue()).toBe(later);
  }).toPass();
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(line(3)).toContainText(/可用/);
});

test("a code's thirty days are a click away, and its statistics are shared with the third", async ({ page, user, open }) => {
  const key = unique();
  const { url } = await addCode(user, { name: '看数据', file_name: key, targets: [{ kind: 'text', content: '欢迎' }] });
  await openList(page);
  await click(codeLink(page, '看数据'));
  await expect(page.getByRole('main')).toContainText(/还没有人扫过/);
  for (let number = 0; number < 3; number++) await visit(url);
  await expect(page.getByRole('region', { name: '访问统计' })).toContainText(/近 30 天\s*3/, { timeout: 60_000 });
  await expect(page.getByRole('img', { name: '近 30 天的访问' })).toBeVisible();
  await expect(page.locator('.lc-code-newest')).toContainText(/成功/);
  expect(clicks).toBeLessThanOrEqual(2);

  await click(button(page, '分享统计'));
  await click(button(page, '生成链接并复制'));
  await expect(page.getByText('分享链接已生成')).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(3);
  const shared = await page.evaluate(() => navigator.clipboard.readText());
  expect(shared).toMatch(new RegExp(`share_access\\?name=${key}&password=.+`));
  const visitor = await open(undefined, { viewport: { width: 390, height: 844 } });
  await visitor.goto(shared);
  await expect(visitor.locator('body')).toContainText(/访问次数\s*3/);
});

test('twenty labels of one code are printed with the third click', async ({ page, user }) => {
  const { url } = await addCode(user, { name: '贴纸', targets: [{ kind: 'url', content: 'https://example.com/label' }] });
  await openList(page);
  await click(codeLink(page, '贴纸'));
  await click(button(page, '打印'));
  const dialog = page.getByRole('dialog', { name: '打印“贴纸”' });
  const number = dialog.getByRole('spinbutton', { name: '张数' });
  await expect(number).toBeFocused();
  await page.keyboard.type('20');
  await expect(dialog).toContainText(/20 张标签/);
  const sheet = await downloaded(page, () => click(dialog.getByRole('button', { name: '下载 PDF' })));
  expect(clicks).toBeLessThanOrEqual(4);
  expect(await scanLabels(sheet, 21)).toEqual([...Array(20).fill(url), undefined]);
  await pressEscape(page);
});

test('all of it goes by keyboard alone', async ({ page }) => {
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /搜索页面/ })).toBeVisible();
  await page.keyboard.type('新建活码');
  await expect(page.getByRole('option', { selected: true })).toContainText(/新建活码/);
  await page.keyboard.press('Enter');
  const link = page.getByRole('textbox', { name: '链接' });
  await expect(link).toBeFocused();
  await page.keyboard.type('https://keys.example.com/one');
  await page.keyboard.press('Enter');
  await expect(title(page, 'keys.example.com')).toBeVisible();

  await tabTo(page, '下载二维码');
  const url = (await scan(await downloaded(page, () => page.keyboard.press('Enter')))) ?? 'unreadable';
  await tabTo(page, '编辑子码 1');
  await page.keyboard.press('Enter');
  // What is there is selected, so that what one types takes its place.
  const field = page.getByRole('dialog', { name: '编辑子码 1' }).getByRole('textbox', { name: '链接' });
  const isSelected = () =>
    field.evaluate(
      (one: HTMLInputElement) => one === document.activeElement && one.selectionStart === 0 && one.selectionEnd === one.value.length,
    );
  await expect.poll(isSelected).toBe(true);
  await page.keyboard.type('https://keys.example.com/two');
  await page.keyboard.press('Enter');
  await expect(page.locator('.lc-code-target-panel')).toContainText(/keys\.example\.com\/two/);
  await expect.poll(() => visit(url)).toContain('https://keys.example.com/two');
});

test('the settings ask before they are left dirty, and the older address of the form leads to them', async ({ page, product, user }) => {
  const { id } = await addCode(user, { name: '设置页', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  await page.goto(`${product.backOffice}/#/customer/set_qr_code?id=${id}`);
  await expect(page).toHaveURL(new RegExp(`qr_code/${id}/settings`));
  await page.getByRole('textbox', { name: '* 名称' }).fill('设置页二');
  await page.getByRole('link', { name: '概览' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '继续填写' }).click();
  await button(page, '保存').click();
  await expect(title(page, '设置页二')).toBeVisible();
  await page.getByRole('link', { name: '概览' }).click();
  await expect(page.getByRole('button', { name: '下载二维码' })).toBeVisible();
});

test('a code that is removed, unknown or cannot be read says so, and what to do', async ({ page, product, user }) => {
  const { id } = await addCode(user, { name: '要删的', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  await page.route('**/api/qr_code_list/details', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 2 });
  await page.goto(`${product.backOffice}/#/customer/qr_code/${id}`);
  await page.getByRole('button', { name: '重试' }).click();
  await expect(title(page, '要删的')).toBeVisible();

  await user.call('qr_code_list/update_remove', { ids: [id], removed: true });
  await page.reload();
  await expect(page.getByRole('main')).toContainText(/这个活码在回收站里/);
  await page.getByRole('button', { name: '去恢复' }).click();
  await expect(page.getByRole('row').filter({ hasText: '要删的' })).toBeVisible();

  await page.goto(`${product.backOffice}/#/customer/qr_code/987654321`);
  await expect(page.getByRole('main')).toContainText(/没有找到这个活码/);
  await page.goto(`${product.backOffice}/#/customer/qr_code/none`);
  await expect(page.getByRole('main')).toContainText(/没有找到这个活码/);
});

test('where a message names a code, the toast leads to its page', async ({ page, user, admin }) => {
  const { id } = await addCode(user, { name: '消息里的', targets: [{ kind: 'url', content: 'https://example.com/' }] });
  const { user_info } = await user.call<{ user_info: { id: number } }>('admin/get_info');
  const content = `“消息里的”快用完了 /#/customer/qr_code/${id}`;
  await admin.call('message_list/send', { title: '提醒', content, audience: 'users', user_ids: [user_info.id] });
  await page.locator('.lc-message-toast').getByRole('link', { name: '打开活码' }).click();
  await expect(title(page, '消息里的')).toBeVisible();
  await expect(page.locator('.lc-message-toast')).toHaveCount(0);
});
