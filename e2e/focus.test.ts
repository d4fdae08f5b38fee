import { randomInt } from 'node:crypto';
import { go } from './kit/menu.ts';
import { expect, type Locator, test } from './kit/test.ts';
import { type User, unique } from './kit/users.ts';

const dialogs = '[role="dialog"]:visible';

/** A live code of this name, and the row of it alone in the list of all codes. */
async function addCode({ call }: User, name: string): Promise<string> {
  await call('qr_code_list/add', { name, targets: [{ kind: 'text', content: '欢迎' }] });
  return `customer/qr_code_list_admin?search=${name}`;
}

for (const [kind, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['small laptop', { width: 1280, height: 640 }],
] as const)
  test.describe(`in the window of a ${kind}`, () => {
    test.use({ viewport });

    test(`every entry of a row's menu can be reached, wherever the row stands in the window of a ${kind}`, async ({ page, user }) => {
      for (let code = 0; code < 12; code += 1) await addCode(user, `${code}`);
      await go(page, 'customer/qr_code_list');
      const more = page.getByRole('button', { name: '更多操作' });
      const entries = page.locator('.ant-dropdown:visible').getByRole('menuitem');
      for (const button of [more.nth(0), more.nth(1), more.nth(2), more.last()]) {
        await button.click();
        await expect(entries.nth(10)).toBeAttached();
        for (const entry of [entries.first(), entries.last()]) {
          await entry.scrollIntoViewIfNeeded();
          await expect(entry).toBeInViewport({ ratio: 0.95 });
        }
        await page.keyboard.press('Escape');
        await expect(entries).toHaveCount(0);
      }
    });
  });

test.describe('an administrator', () => {
  test.use({ as: 'admin' });

  test('a dialog is filled in and sent by the keyboard alone, and the focus returns to where it was', async ({ page }) => {
    const type = `键盘${unique()}`;
    await go(page, 'system/rotation_type');
    const opener = page.locator('.lc-page-actions button.ant-btn-primary');
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('textbox', { name: '类型名称' })).toBeFocused();
    await page.keyboard.type(type);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('row').filter({ hasText: type })).toBeVisible();
    await expect(page.locator(dialogs)).toHaveCount(0);
    await expect(opener).toBeFocused();
  });

  test('what the server refused is mended, and sent by one click', async ({ page }) => {
    // Of the networks for measurements, in which nobody visits.
    const network = `198.18.${randomInt(256)}.${randomInt(16) * 16}`;
    await go(page, 'system/ip_correction');
    await page.getByRole('button', { name: '新建更正' }).first().click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: '新建更正' });
    await dialog.getByRole('textbox', { name: '地址段' }).fill(`${network}/99`);
    await send.click();
    await expect(dialog.getByText('请填写有效的 IP、网段或首尾地址')).toBeVisible();
    // The fault goes while one types: one that went with the click would take the button away from under the pointer.
    await dialog.getByRole('textbox', { name: '地址段' }).fill(`${network}/28`);
    await expect(dialog.getByText('请填写有效的 IP、网段或首尾地址')).toBeHidden();
    await send.click();
    await expect(page.getByRole('row').filter({ hasText: `${network}/28` })).toBeVisible();
  });

  test('the focus returns to what opened a drawer, a menu’s dialog, or a dialog that another one followed', async ({ page, user }) => {
    async function leaveFor(opener: Locator) {
      // A dialog that is still opening may pass over the key.
      await expect(async () => {
        await page.keyboard.press('Escape');
        await expect(page.locator(dialogs)).toHaveCount(0, { timeout: 500 });
      }).toPass();
      await expect(opener).toBeFocused();
    }

    const name = `键盘${unique()}`;
    await go(page, await addCode(user, name));
    const more = page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: '更多操作' });
    const menu = page.locator('.ant-dropdown').getByRole('menuitem');
    await more.press('Enter');
    await expect(menu.first()).toBeFocused();
    await menu.filter({ hasText: '分享统计' }).press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await leaveFor(more);

    await go(page, 'customer/api_token');
    const help = page.getByRole('button', { name: '使用说明' });
    await help.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await leaveFor(help);

    const add = page.locator('.lc-page-actions button.ant-btn-primary');
    await add.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: '只读' }).click();
    const field = page.getByRole('dialog').getByRole('textbox', { name: '名称' });
    await field.fill(name);
    await field.press('Enter');
    await page.getByRole('button', { name: '我已保存' }).press('Enter');
    await expect(add).toBeFocused();
  });

  test("where less motion is wished for, a row's menu opens beside its button", async ({ page, user }) => {
    const name = `菜单${unique()}`;
    await go(page, await addCode(user, name));
    const button = page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: '更多操作' });
    await button.click();
    const menu = page.locator('.ant-dropdown:not(.ant-dropdown-hidden)');
    const gap = async () => {
      const [above, below] = [await button.boundingBox(), await menu.boundingBox()];
      return above && below ? Math.abs(below.y - above.y - above.height) : Number.POSITIVE_INFINITY;
    };
    await expect.poll(gap).toBeLessThan(24);
  });

  test('rows that are awaited show no text, in whatever column', async ({ page }) => {
    const held = Promise.withResolvers<void>();
    await page.route('**/api/message_list/inquire_sent', async (route) => {
      await held.promise;
      await route.continue();
    });
    await go(page, 'system/message_list?search=nothing');
    await expect(page.locator('.lc-skeleton').first()).toBeVisible();
    await expect(page.locator('.lc-table .ant-table-row')).toHaveText(Array(10).fill(/^$/));
    held.resolve();
    await expect(page.locator('.lc-skeleton')).toHaveCount(0);
  });
});
