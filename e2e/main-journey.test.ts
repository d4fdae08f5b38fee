import { chooseEntry, openScreen } from './kit/menu.ts';
import { scan } from './kit/scan.ts';
import { expect, test } from './kit/test.ts';
import { unique } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

// As most people see it: with everything that moves.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** At a China Mobile address in Shenzhen. */
const headers = { 'user-agent': phone, 'x-forwarded-for': '120.196.165.24' };

test('a live code is made, downloaded, scanned, rotated, recorded and counted', { tag: '@gate' }, async ({ page, product, open }) => {
  const key = `journey-${unique()}`;
  await openScreen(page, '活码列表');

  // A code with two targets, the first with two visits.
  await page
    .getByRole('link', { name: '新建活码' })
    .or(page.getByRole('button', { name: '新建活码' }))
    .first()
    .click();
  await page.getByRole('button', { name: '更多设置' }).click();
  await page.getByRole('textbox', { name: '名称', exact: true }).fill('旅程活码');
  await page.getByRole('textbox', { name: '后缀' }).fill(key);
  await page.getByRole('textbox', { name: '* 链接' }).fill('https://example.com/first');
  await page.getByRole('spinbutton', { name: '访问上限' }).fill('2');
  await page.getByRole('button', { name: /链接$/ }).click();
  await page.getByRole('textbox', { name: '* 链接' }).last().fill('https://example.com/second');
  await page.getByRole('button', { name: '新建活码' }).click();
  await expect(page.getByText('已新建活码')).toBeVisible();

  // Its QR image, downloaded from its page and read as a scanner reads it.
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '下载二维码' }).click()]);
  expect(download.suggestedFilename()).toMatch(/\.png$/);
  const url = await scan(await download.path());
  expect(url).toBe(`http://localhost:${product.visitPort}/${key}`);

  // Three scans: the third one lands on the second target.
  const landings: string[] = [];
  for (let visit = 0; visit < 3; visit++) {
    const answer = await fetch(url ?? '', { headers });
    expect(answer.status).toBe(200);
    landings.push(/https:\/\/example\.com\/\w+/.exec(await answer.text())?.[0] ?? 'nowhere');
  }
  expect(landings).toEqual(['https://example.com/first', 'https://example.com/first', 'https://example.com/second']);

  // Today's screen: three visits, one address, the right system and place.
  await openScreen(page, '工作台');
  const main = page.getByRole('main');
  for (const text of [/访问次数\s*3(?!\d)/, /访客 IP\s*1(?!\d)/, /中国移动/, /旅程活码/, /广东/, /iOS/, /微信/])
    await expect(main).toContainText(text);

  // The shared page, without a login.
  await openScreen(page, '活码列表');
  await page.getByRole('row').filter({ hasText: key }).getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '分享统计');
  await page.getByRole('textbox', { name: '分享密码' }).fill('only-for-friends');
  await page.getByRole('button', { name: '生成链接并复制' }).click();
  await expect(page.getByText('分享链接已生成')).toBeVisible();
  const visitor = await open(undefined, { viewport: { width: 390, height: 844 } });
  await visitor.goto(`${product.backOffice}/#/share_access?name=${key}&password=only-for-friends`);
  for (const text of [/旅程活码/, /访问次数\s*3(?!\d)/, /访客 IP 数\s*1(?!\d)/]) await expect(visitor.locator('body')).toContainText(text);
  await visitor.goto(`${product.backOffice}/#/share_access?name=${key}&password=wrong`);
  await expect(visitor.getByText('页面出错，请联系管理员')).toBeVisible();
});
