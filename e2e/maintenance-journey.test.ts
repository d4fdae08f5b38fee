import { openScreen } from './kit/menu.ts';
import { expect, test } from './kit/test.ts';

test.use({ productEnv: {} });

test('maintenance leads an open page away at once and back when it is over, and administrators work on', async ({ page, admin, open }) => {
  const setMaintenance = (maintenance: boolean) => admin.call('configuration/update', { values: { maintenance } });
  const office = await open(admin);
  await openScreen(office, '用户');
  await openScreen(page, '活码列表');
  await expect(page.getByRole('heading', { name: '活码列表' })).toBeVisible();
  await setMaintenance(true);
  await expect(page.getByRole('heading', { name: '网站维护中' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: '网站维护中' })).toBeVisible();
  const refreshed = office.waitForResponse(/user_list\/inquire/);
  await office.getByRole('button', { name: '刷新', exact: true }).click();
  expect((await refreshed).status()).toBe(200);
  await expect(office.getByRole('heading', { name: '用户', exact: true })).toBeVisible();
  await expect(office).not.toHaveURL(/maintain/);
  await setMaintenance(false);
  await expect(page.getByRole('heading', { name: '活码列表' })).toBeVisible();
});
