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

test('a start loads how payments are taken and the platforms of short links, and a banner stands while the server is away', async ({
  page,
}) => {
  const asked = (path: string) => page.waitForRequest(`**/api/${path}`, { timeout: 60_000 });
  const [info, payments, platforms] = [asked('website/info'), asked('pay_config/inquire'), asked('url_key_platform/inquire')];
  const socket = page.waitForEvent('websocket', { timeout: 60_000 });
  await page.clock.install();
  await page.reload();
  await Promise.all([info, payments, socket]);
  expect((await platforms).postDataJSON()).toEqual({ data_only: true });
  const banner = page.getByText('服务器暂时没有响应，正在重试');
  await page.route('**/healthz', (route) => route.abort());
  await page.clock.fastForward(10_000);
  await expect(banner).toBeVisible();
  await page.unroute('**/healthz');
  await page.clock.fastForward(10_000);
  await expect(banner).toHaveCount(0);
});

test('a list that cannot be loaded says so and tries again, and what takes long says that it is under way', async ({ page, product }) => {
  await page.route('**/api/group/inquire', (route) => route.fulfill({ status: 500, json: { code: 'internal', message: '系统内部错误' } }));
  await page.clock.install();
  await page.goto(`${product.backOffice}/#/customer/group`);
  await expect(page.getByText('加载失败...', { exact: true })).toBeVisible();
  await page.unroute('**/api/group/inquire');
  await page.getByRole('button', { name: '重试' }).click();
  await expect(page.getByText('加载失败...', { exact: true })).toHaveCount(0);
  // Above what is said of groups alone.
  await expect(page.getByText('暂无数据', { exact: true })).toBeVisible();

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/group/add', async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('button', { name: '新建分组' }).first().click();
  const dialog = page.getByRole('dialog');
  // As wide as the specification says.
  await expect
    .poll(async () => Math.round(((await dialog.boundingBox())?.width ?? 0) / ((page.viewportSize()?.width ?? 1) / 100)))
    .toBe(90);
  await dialog.getByRole('textbox', { name: '分组名称' }).fill('slow');
  await page.clock.pauseAt(Date.now() + 60_000);
  const sent = page.waitForRequest('**/api/group/add');
  await dialog.getByRole('button', { name: '新建分组' }).click();
  await sent;
  const underWay = page.getByText('正在请求，请稍候...', { exact: true });
  await page.clock.runFor(799);
  await expect(underWay).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(underWay).toBeVisible();
  await page.clock.resume();
  release();
  await expect(underWay).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a dialog is 96 % wide there', async ({ page, product }) => {
    await page.goto(`${product.backOffice}/#/customer/group?act=add`);
    const width = async () => Math.round((await page.getByRole('dialog').boundingBox())?.width ?? 0);
    await expect.poll(width).toBe(Math.round(390 * 0.96));
  });
});
