import { expect, test } from 'vitest';
import { beforeJourneys, type Journey, openPage } from './kit/journey.ts';
import { tokenOf } from './kit/seed.ts';

let journey: Journey;
beforeJourneys((shared) => {
  journey = shared;
});

test('who follows an address that there is not is told so, and goes to the login from there', async () => {
  const page = await openPage(journey.browser);
  await page.goto(`${journey.product.backOffice}/#/no_such_page`);
  // A click fails where something lies over what is clicked.
  await page.getByRole('button', { name: '返回首页' }).click();
  await page.getByRole('heading', { name: '登录' }).waitFor();
  await page.context().close();
});

test('who comes while his session cannot be read is told so, and tries again', async () => {
  const { product, browser } = journey;
  const page = await openPage(browser);
  const token = await tokenOf(product.backOffice, 'zhangwei', product.password);
  await page.addInitScript((value) => localStorage.setItem('livecode.token', value), token);
  await page.route('**/api/admin/*', (route) => route.fulfill({ status: 500, json: { code: 'internal', message: '系统内部错误' } }));
  await page.goto(`${product.backOffice}/#/customer/group`);
  const retry = page.getByRole('button', { name: '重试' });
  await retry.waitFor({ timeout: 40_000 });
  await page.unroute('**/api/admin/*');
  await retry.click();
  await page.getByRole('heading', { name: '分组' }).waitFor();
  expect(await retry.count()).toBe(0);
  await page.context().close();
});
