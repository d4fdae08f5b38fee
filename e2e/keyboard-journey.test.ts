import { riskOf } from '../src/contract/domains/domain-check.ts';
import { chooseByArrows, pressAt, pressInDialog, tabTo } from './kit/keyboard.ts';
import { expect, type Page, test } from './kit/test.ts';
import { unique } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const targets = [{ kind: 'url', content: 'https://example.com/' }];

/** Opens a screen by the palette, as its keyboard's user does. */
async function openByPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /搜索页面/ });
  await expect(field).toBeVisible();
  await page.keyboard.type(name);
  await expect(page.getByRole('option', { selected: true })).toContainText(name);
  await page.keyboard.press('Enter');
  await expect(field).toBeHidden();
}

test('a code is found, its statistics are shared, and its labels are printed', async ({ page, user }) => {
  const key = unique();
  await user.call('qr_code_list/add', { name: '键盘之码', file_name: key, targets });
  await openByPalette(page, '键盘之码');
  await expect(page.getByRole('heading', { name: '键盘之码', level: 1 })).toBeVisible();

  await pressAt(page, '分享统计');
  await pressInDialog(page, '生成链接并复制');
  await expect(page.getByText('分享链接已生成')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`share_access?name=${key}`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await pressAt(page, '打印');
  const dialog = page.getByRole('dialog', { name: '打印“键盘之码”' });
  const number = dialog.getByRole('spinbutton', { name: '张数' });
  await expect(number).toBeFocused();
  await page.keyboard.type('4');
  await expect(dialog.getByText(/4 张标签/)).toBeVisible();
  await tabTo(page, '下载 PDF');
  const [sheet] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(sheet.suggestedFilename()).toMatch(/\.pdf$/);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a code without visits left is refilled on the start page', async ({ page, user }) => {
  const limited = [{ kind: 'text', content: '欢迎', threshold: 1 }];
  const { url } = await user.call<{ url: string }>('qr_code_list/add', { name: '入群', targets: limited });
  for (let visit = 0; visit < 2; visit += 1) await fetch(url, { headers: { 'user-agent': phone } });
  const needs = () => user.call<{ content: unknown[] }>('home/needs').then(({ content }) => content.length);
  await expect.poll(needs, { timeout: 60_000 }).toBeGreaterThan(0);
  await openByPalette(page, '工作台');
  await page.reload();
  await expect(page.getByRole('region', { name: '待处理' }).getByText('入群')).toBeVisible();
  await pressAt(page, '补满次数');
  await expect(page.getByText('没有需要处理的事')).toBeVisible();
});

test('a table of codes is imported, and taken back', async ({ page }) => {
  await openByPalette(page, '工作台');
  await expect(page.getByRole('heading', { name: '工作台' })).toBeVisible();
  await pressAt(page, '新建');
  await chooseByArrows(page, '导入');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  const content = 'name,link\n键盘一,https://example.com/1\n键盘二,https://example.com/2\n';
  // The machine's own window for files is beyond the page: what it hands over is handed over here.
  await page.locator('input[type=file]').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  await expect(dialog.getByRole('button', { name: '检查' })).toBeVisible();
  await pressAt(page, '检查');
  await expect(dialog.getByRole('button', { name: '导入 2 行' })).toBeVisible();
  await pressAt(page, '导入 2 行');
  await expect(page.getByRole('button', { name: '查看导入的活码' })).toBeVisible();
  await pressAt(page, '查看导入的活码');
  await expect(page.getByText('这次导入的 2 个活码')).toBeVisible();
  await pressAt(page, '撤销导入');
  await pressInDialog(page, '撤销导入');
  await expect(page.getByText('这次导入的 0 个活码')).toBeVisible();
});

test('a code is closed in the list, and opened again by the keys that undo', { tag: '@gate' }, async ({ page, user }) => {
  await user.call('qr_code_list/add', { name: '先关后开', targets });
  const isOpen = () =>
    user.call<{ content: { open: boolean }[] }>('qr_code_list/inquire', { search: '先关后开' }).then(({ content }) => content[0]?.open);
  await openByPalette(page, '活码列表');
  const row = page.getByRole('row').filter({ hasText: '先关后开' });
  await expect(row).toBeVisible();
  await row.getByRole('switch').focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: /^撤\s*销/ })).toBeVisible();
  expect(await isOpen()).toBe(false);
  await page.keyboard.press('Control+z');
  await expect.poll(isOpen).toBe(true);
});

test('a domain is put in the place of another on its codes', async ({ page, user }) => {
  const own = unique();
  const add = (name: string) => user.call<{ id: number }>('domain_list/add', { host: `${name}-${own}.example.com`, type: 1 });
  const [first] = [await add('keys-a'), await add('keys-b')];
  await user.call('qr_code_list/add', { name: '换域名', entry_domain_id: first.id, targets });
  // What becomes known of a name while its dialog is open would have to be accepted there first,
  // and what an earlier page read of it is shown until it is read again.
  let found: (Parameters<typeof riskOf>[0] & { host: string })[] = [];
  const states = async () => {
    ({ content: found } = await user.call<{ content: typeof found }>('domain_list/inquire', { host: own }));
    return found.map(({ dns_state }) => dns_state);
  };
  await expect.poll(states, { timeout: 60_000 }).not.toContain(null);
  const taken = found.find(({ host }) => host.startsWith('keys-b'));
  await page.reload();
  await expect(page.getByRole('button', { name: /新建$/ })).toBeVisible();
  await openByPalette(page, '域名列表');
  const row = page.getByRole('row').filter({ hasText: `keys-a-${own}` });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: '更多操作' }).focus();
  await page.keyboard.press('Enter');
  await chooseByArrows(page, '替换');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/1 个活码/)).toBeVisible();
  const field = dialog.getByRole('combobox', { name: '新域名' });
  await field.focus();
  await page.keyboard.type(`keys-b-${own}`);
  await expect(page.locator(`.ant-select-item-option[title="keys-b-${own}.example.com"]`)).toBeVisible();
  await page.keyboard.press('Enter');
  const risk = dialog.getByRole('checkbox', { name: '我知道风险，仍然使用' });
  const submit = dialog.getByRole('button', { name: '替换 1 个码' });
  // What its name servers answered differs with the network that this runs in.
  if (taken && riskOf(taken, 'http')) {
    await risk.focus();
    await page.keyboard.press('Space');
  }
  await expect(submit).toBeEnabled();
  await pressAt(page, '替换 1 个码');
  await expect(page.getByText('已替换 1 个码的域名')).toBeVisible();
});
