import { expect, test } from './kit/test.ts';

test.describe('who has not logged in', () => {
  test.use({ as: 'nobody' });

  test('who follows an address that there is not is told so, and goes to the login from there', async ({ page, product }) => {
    await page.goto(`${product.backOffice}/#/no_such_page`);
    // A click fails where something lies over what is clicked.
    await page.getByRole('button', { name: '返回首页' }).click();
    await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
  });
});

test('who comes while his session cannot be read is told so, and tries again', async ({ page, product }) => {
  await page.route('**/api/admin/*', (route) => route.fulfill({ status: 500, json: { code: 'internal', message: '系统内部错误' } }));
  await page.goto(`${product.backOffice}/#/customer/group`);
  await page.reload();
  const retry = page.getByRole('button', { name: '重试' });
  await expect(retry).toBeVisible({ timeout: 60_000 });
  await page.unroute('**/api/admin/*');
  await retry.click();
  await expect(page.getByRole('heading', { name: '分组' })).toBeVisible();
  await expect(retry).toHaveCount(0);
});
