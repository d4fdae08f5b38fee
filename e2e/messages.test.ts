import { randomUUID } from 'node:crypto';
import { go } from './kit/menu.ts';
import { expect, type Page, test } from './kit/test.ts';
import type { User } from './kit/users.ts';

/** It is asked for every ten seconds. */
const asked = { timeout: 30_000 };
const toast = (of: Page) => of.locator('.lc-message-toast');

async function tell(admin: User, { account }: User, title: string): Promise<void> {
  const { content } = await admin.call<{ content: { id: number }[] }>('user_list/options', { search: account });
  const message = { title, content: `${title}: content`, kind: 'info', audience: 'users', user_ids: content.map(({ id }) => id) };
  await admin.call('message_list/send', { ...message, request_id: randomUUID() });
}

test('a message of any kind is an error toast that stays, one after the other, below a dialog', async ({ page, user, admin }) => {
  await tell(admin, user, 'First news');
  await expect(toast(page)).toContainText('First news', asked);
  await expect(page.locator('.ant-notification-notice-error')).toHaveCount(1);
  const box = await toast(page).boundingBox();
  const head = page.locator('.lc-content h1').first();
  await expect.poll(async () => ((await head.boundingBox())?.y ?? 0) >= (box?.y ?? 0) + (box?.height ?? 0)).toBe(true);
  await tell(admin, user, 'Second news');
  await go(page, 'customer/domain_list');
  await page.getByRole('button', { name: '添加域名' }).first().click();
  await page.getByRole('dialog').getByRole('textbox').first().fill('toast.example.com');
  await expect
    .poll(() =>
      toast(page).evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }),
    )
    .toBe(false);
  await expect(toast(page)).toContainText('First news');
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click();
  await page.getByRole('button', { name: '放弃' }).click();
  await page.reload();
  await expect(toast(page)).toContainText('Second news', asked);
  await tell(admin, user, 'Third news');
  await toast(page).getByRole('button', { name: '关闭站内信' }).click();
  await expect(toast(page).filter({ hasText: 'Third news' })).toBeVisible(asked);
  await expect(toast(page)).toHaveCount(1);
});

test('it goes when the list of messages is opened in another tab', async ({ page, user, admin, product }) => {
  await tell(admin, user, 'News');
  await expect(toast(page)).toContainText('News', asked);
  const other = await page.context().newPage();
  await other.goto(`${product.backOffice}/#/customer/home`);
  await other.getByRole('button', { name: /^站内信/ }).click();
  await expect(toast(page)).toHaveCount(0);
});

test('what an administrator froze leads its owner to it, where he reads why', async ({ page, user, admin }) => {
  const targets = [{ kind: 'url', content: 'https://example.com/' }];
  const { id } = await user.call<{ id: number }>('qr_code_list/add', { name: 'Cold code', targets });
  await admin.call('report_list/freeze', { what: 'code', ids: [id], reason: 'sells fakes' });
  await expect(toast(page)).toContainText('活码已被冻结：Cold code', asked);
  await toast(page).getByRole('button', { name: '去查看' }).click();
  await expect(page.getByText('这个活码已被管理员冻结')).toBeVisible();
  await expect(page.getByText('原因：sells fakes').first()).toBeVisible();
  await expect(toast(page)).toHaveCount(0);
});
