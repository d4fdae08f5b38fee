import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, type Journey, openPageAs } from './kit/journey.ts';
import { go } from './kit/menu.ts';

let journey: Journey;
let administrator: { account: string; password: string };
let page: Page;
const dialogs = '[role="dialog"]:visible';

beforeJourneys(async (started) => {
  journey = started;
  administrator = { account: 'admin', password: journey.product.password };
  page = await openPageAs(administrator, journey);
});

test.each([
  ['phone', { width: 390, height: 844 }],
  ['small laptop', { width: 1280, height: 640 }],
])("every entry of a row's menu can be reached, wherever the row stands in the window of a %s", async (_, viewport) => {
  const page = await openPageAs(administrator, journey, { viewport });
  await go(page, 'customer/qr_code_list');
  const more = page.getByRole('button', { name: '更多操作' });
  await more.first().waitFor();
  const entries = page.locator('.ant-dropdown:visible').getByRole('menuitem');
  for (const button of [more.nth(0), more.nth(1), more.nth(2), more.last()]) {
    await button.click();
    await entries.first().waitFor();
    expect(await entries.count()).toBeGreaterThan(10);
    for (const entry of [entries.first(), entries.last()]) {
      await entry.scrollIntoViewIfNeeded();
      const box = await entry.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => entries.count()).toBe(0);
  }
  await page.context().close();
});

test('a dialog is filled in and sent by the keyboard alone, and the focus returns to where it was', async () => {
  await go(page, 'system/rotation_type');
  const opener = page.locator('.lc-page-actions button.ant-btn-primary');
  await opener.focus();
  await page.keyboard.press('Enter');
  const name = page.getByRole('dialog').getByRole('textbox', { name: '类型名称' });
  await expect.poll(() => name.evaluate((field) => field === document.activeElement), { timeout: 10_000 }).toBe(true);
  await page.keyboard.type('键盘');
  await page.keyboard.press('Enter');
  await page.getByRole('row').filter({ hasText: '键盘' }).waitFor();
  await expect.poll(() => page.locator(dialogs).count(), { timeout: 10_000 }).toBe(0);
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement), { timeout: 10_000 }).toBe(true);
});

test('what the server refused is mended, and sent by one click', async () => {
  await go(page, 'system/ip_correction');
  await page.getByRole('button', { name: '新建更正' }).first().click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: '新建更正' });
  await dialog.getByRole('textbox', { name: '地址段' }).fill('192.0.2.0/99');
  await send.click();
  await dialog.getByText('请填写有效的 IP、网段或首尾地址').waitFor();
  // The fault goes while one types: one that went with the click would take the button away from under the pointer.
  await dialog.getByRole('textbox', { name: '地址段' }).fill('192.0.2.0/28');
  await dialog.getByText('请填写有效的 IP、网段或首尾地址').waitFor({ state: 'hidden' });
  await send.click();
  await page.getByRole('row').filter({ hasText: '192.0.2.0/28' }).waitFor();
});

test('the focus returns to what opened a drawer, a menu’s dialog, or a dialog that another one followed', async () => {
  const expectFocus = (locator: Locator) =>
    expect.poll(() => locator.evaluate((element) => element === document.activeElement), { timeout: 10_000 }).toBe(true);
  async function leaveFor(opener: Locator) {
    // A dialog that is still opening may pass over the key.
    async function left() {
      await page.keyboard.press('Escape');
      return (await page.locator(dialogs).count()) === 0;
    }
    await expect.poll(left, { timeout: 10_000, interval: 500 }).toBe(true);
    await expectFocus(opener);
  }

  await go(page, 'customer/qr_code_list_admin');
  const more = page.locator('.ant-table-tbody tr.ant-table-row').first().getByRole('button', { name: '更多操作' });
  const menu = page.locator('.ant-dropdown').getByRole('menuitem');
  await more.press('Enter');
  await expectFocus(menu.first());
  await menu.filter({ hasText: '分享统计' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await leaveFor(more);

  await go(page, 'customer/api_token');
  const help = page.getByRole('button', { name: '使用说明' });
  await help.press('Enter');
  await page.getByRole('dialog').waitFor();
  await leaveFor(help);

  const add = page.locator('.lc-page-actions button.ant-btn-primary');
  await add.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: '只读' }).click();
  const name = page.getByRole('dialog').getByRole('textbox', { name: '名称' });
  await name.fill('键盘');
  await name.press('Enter');
  const kept = page.getByRole('button', { name: '我已保存' });
  await kept.press('Enter');
  await expectFocus(add);
});

test("where less motion is wished for, a row's menu opens beside its button", async () => {
  await go(page, 'customer/qr_code_list_admin');
  // By its key: codes that others make meanwhile come before it.
  const key = await page.locator('.ant-table-tbody tr.ant-table-row').first().getAttribute('data-row-key');
  const button = page.locator(`tr[data-row-key="${key}"]`).getByRole('button', { name: '更多操作' });
  await button.click();
  const menu = page.locator('.ant-dropdown:not(.ant-dropdown-hidden)');
  const gap = async () => {
    const [above, below] = [await button.boundingBox(), await menu.boundingBox()];
    return above && below ? Math.abs(below.y - above.y - above.height) : Number.POSITIVE_INFINITY;
  };
  await expect.poll(gap, { timeout: 10_000 }).toBeLessThan(24);
  await page.keyboard.press('Escape');
});

test('rows that are awaited show no text, in whatever column', async () => {
  await go(page, 'system/update_password');
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/message_list/inquire_sent', async (route) => {
    await held;
    await route.continue();
  });
  await go(page, 'system/message_list?search=nothing');
  await page.locator('.lc-skeleton').first().waitFor();
  expect(await page.locator('.lc-table .ant-table-row').allTextContents()).toEqual(Array(10).fill(''));
  answer();
  await page.locator('.lc-skeleton').first().waitFor({ state: 'hidden' });
});
