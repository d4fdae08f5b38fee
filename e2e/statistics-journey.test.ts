import { existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { pressEscape } from './kit/keyboard.ts';
import { chooseEntry, go, openScreen } from './kit/menu.ts';
import { expect, type Page, test } from './kit/test.ts';
import type { User } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

const visits = 4;
const allVisits = new RegExp(`\\b${visits}\\b`);

/** Makes a code, and has it visited until the visits are counted. */
async function bringVisits({ call }: User): Promise<void> {
  const { url } = await call<{ url: string }>('qr_code_list/add', { name: '统计海报', targets: [{ kind: 'text', content: '欢迎' }] });
  for (let visit = 0; visit < visits; visit += 1) await fetch(url, { headers: { 'user-agent': phone } });
  const counted = async () => (await call<{ visits: { today: number } }>('today_statistics/inquire')).visits.today;
  await expect.poll(counted, { timeout: 60_000 }).toBe(visits);
}

const figure = (page: Page, name: string) => page.locator('.lc-stat').filter({ hasText: new RegExp(`^${name}`) });
/** The values that filter, and the way to let go of them all. */
const chips = (page: Page) => page.getByRole('list', { name: '当前筛选条件' }).getByRole('listitem');
const dimension = (page: Page, name: string) => page.locator('figure').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('a value that is clicked filters all the rest, stays over a reload, and several do at once', { tag: '@gate' }, async ({
  page,
  user,
}) => {
  await bringVisits(user);
  await go(page, 'customer/historical_statistics?range=today');
  await expect(figure(page, '访问次数')).toContainText(allVisits);
  await dimension(page, '打开环境').getByRole('button', { name: /微信/ }).click();
  await expect(chips(page)).toHaveCount(2);
  await dimension(page, '操作系统').getByRole('button', { name: /iOS/ }).click();
  await expect(chips(page)).toHaveCount(3);
  await expect(page).toHaveURL(/f=source%3Amessenger/);
  await page.reload();
  await expect(chips(page)).toHaveCount(3);
  await expect(figure(page, '访问次数')).toContainText(allVisits);
  await page.getByRole('button', { name: '清空筛选' }).click();
  await expect(chips(page)).toHaveCount(0);
});

test('of visits by PCs, systems are shares of these, filter them, and are saved as they are shown', async ({ page, user: { call } }) => {
  const [windows, mac] = ['Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7'].map(
    (system) => `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36`,
  );
  const { url } = await call<{ url: string }>('qr_code_list/add', { name: '展台', targets: [{ kind: 'text', content: '欢迎' }] });
  for (const agent of [windows, windows, windows, mac, phone]) await fetch(url, { headers: { 'user-agent': agent ?? '' } });
  const counted = async () => (await call<{ visits: { today: number } }>('today_statistics/inquire')).visits.today;
  await expect.poll(counted, { timeout: 60_000 }).toBe(5);

  await go(page, 'customer/pc_historical_statistics?range=today');
  await expect(figure(page, '访问次数')).toContainText(/\b4\b/);
  const systems = dimension(page, '操作系统').getByRole('button', { name: /%/ });
  await expect(systems).toHaveText([/Windows.*75%/, /macOS.*25%/]);

  const saved = async (kind: string) => {
    const waiting = page.waitForEvent('download');
    await page.getByRole('button', { name: /导出$/ }).click();
    await page.getByRole('menuitem', { name: kind }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^PC.*\.(csv|xlsx|png)$/);
    return readFileSync(await download.path());
  };
  const csv = (await saved('CSV')).toString();
  const lines = csv.trim().split('\r\n');
  await expect(page.getByText(`已导出 ${lines.length - 3} 行`)).toBeVisible();
  expect(lines.filter((line) => line.startsWith('操作系统,'))).toEqual(['操作系统,Windows,3', '操作系统,macOS,1']);
  const { sheets } = await readXlsx(await saved('XLSX'));
  expect(sheets.flatMap(({ rows }) => rows).filter(([head]) => head === '操作系统')).toEqual([
    ['操作系统', 'Windows', 3],
    ['操作系统', 'macOS', 1],
  ]);
  const picture = await saved('图表 PNG');
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  // An empty ground as wide as the chart would be a fraction of these bytes.
  expect(picture.readUInt32BE(16)).toBeGreaterThan(800);
  expect(picture.length).toBeGreaterThan(4_000);
  await expect(page.getByText('图表已保存')).toBeVisible();

  await systems.first().click();
  await expect(figure(page, '访问次数')).toContainText(/\b3\b/);
  await systems.first().click();
  await expect(figure(page, '访问次数')).toContainText(/\b4\b/);
});

test('what only rows know of weeks is kept in files of the host, which may be damaged or deleted', async ({ product, admin }) => {
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
  // Of yesterday there is no file until some minutes of today are over.
  const [from, to] = [dayBefore(30), dayBefore(2)];
  const question = { from, to, filters: { language: ['zh-CN'] } };
  const ask = async () => (await admin.call<{ totals: { visits: number; ips: number } }>('historical_statistics/inquire', question)).totals;
  const folder = join(product.dataDir, 'visit-columns');
  const files = () =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter(({ name }) => !name.endsWith('.unfinished') && name.slice(0, from.length) >= from && name.slice(0, to.length) <= to)
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  // The demo's visits may still be loaded meanwhile: its days are whole when nothing came for a while.
  let before = 0;
  const isWhole = async () => {
    const { visits } = await ask();
    const wasBefore = visits === before && files().length === 29;
    before = visits;
    return wasBefore;
  };
  await expect.poll(isWhole, { timeout: 90_000, intervals: [3_000] }).toBe(true);
  const told = await ask();
  expect(told.visits).toBeGreaterThan(1_000);
  for (const file of files()) truncateSync(file, 100);
  expect(await ask()).toEqual(told);
  expect(files()).toEqual([]);
});

test('a change is explained against another period', async ({ page, user }) => {
  await bringVisits(user);
  await go(page, 'customer/daily_statistics?range=today&compare=before');
  await expect(page.getByRole('heading', { name: '访问为什么增加' })).toBeVisible();
  await expect(page.getByText('对比的时间里没有访问')).toBeVisible();
  await expect(page.getByRole('heading', { name: '每小时数据' })).toBeVisible();
});

test('a panel that cannot be read says so under its name, beside those that can', async ({ page, user }) => {
  await bringVisits(user);
  const calls = /historical_statistics\/(heatmap|breakdown)$/;
  await page.route(calls, (route) => route.fulfill({ status: 503, body: '{}' }));
  await go(page, 'customer/hourly_statistics?range=last_week');
  await expect(figure(page, '访问次数')).toContainText(allVisits);
  const panel = (name: string) => page.locator('section.lc-panel').filter({ has: page.getByRole('heading', { name, exact: true }) });
  for (const name of ['时段热力图', '维度明细']) await expect(panel(name).getByRole('alert')).toBeVisible();
  await page.unroute(calls);
  // They are asked for again every ten seconds.
  await expect(page.locator('.lc-heat-cell').first()).toBeVisible({ timeout: 60_000 });
  await expect(dimension(page, '操作系统')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('what one looks at is kept by a name, as the range that it was, comes back with a click, and after it was deleted by mistake', async ({
  page,
}) => {
  await go(page, 'customer/historical_statistics?range=last_week&f=source%3Amessenger');
  const views = page.getByRole('button', { name: '视图', exact: true });
  await expect(chips(page)).toHaveCount(2);
  await views.click();
  await page.getByRole('textbox', { name: '视图名称' }).fill('微信上周');
  await page.getByRole('button', { name: '保存当前视图' }).click();
  await expect(page.getByText('已保存视图“微信上周”')).toBeVisible();
  await go(page, 'customer/daily_statistics');
  await go(page, 'customer/historical_statistics?range=today');
  await expect(chips(page)).toHaveCount(0);
  await views.click();
  await page.getByRole('button', { name: /^微信上周/ }).click();
  await expect(chips(page)).toHaveCount(2);
  await expect(page).toHaveURL(/range=last_week.*f=source%3Amessenger/);
  await views.click();
  await page.getByRole('button', { name: '删除视图：微信上周' }).click();
  const deleted = page.locator('.ant-message-notice').filter({ hasText: '已删除视图“微信上周”' });
  await expect(page.getByRole('button', { name: /^微信上周/ })).toHaveCount(0);
  await deleted.getByRole('button', { name: /撤销/ }).click();
  await expect(page.getByText('已撤销')).toBeVisible();
  await go(page, 'customer/daily_statistics');
  await go(page, 'customer/historical_statistics?range=today');
  await views.click();
  await page.getByRole('button', { name: /^微信上周/ }).click();
  await expect(page).toHaveURL(/range=last_week.*f=source%3Amessenger/);
});

test('what is counted for long says so, and what nobody answered stays said until it is asked for again by itself and there', async ({
  page,
  user,
}) => {
  await bringVisits(user);
  let [isHeld, isDown, asked] = [true, true, 0];
  let refusal = JSON.stringify({ code: 'statistics.too_long', message: '统计超过 30 秒' });
  await page.clock.install();
  await page.route('**/api/historical_statistics/inquire', async (route) => {
    asked += 1;
    await expect.poll(() => isHeld, { timeout: 60_000 }).toBe(false);
    await (isDown ? route.fulfill({ status: 503, body: refusal }) : route.continue());
  });
  const counting = page.getByRole('status').filter({ hasText: '正在统计访问' });
  await go(page, 'customer/historical_statistics?range=last_week');
  await expect(figure(page, '访问次数')).toBeVisible();
  await expect(page.getByRole('heading', { name: '访问趋势' })).toBeVisible();
  await page.clock.fastForward(2_000);
  await expect(counting).toBeVisible();

  const message = page.getByRole('alert').getByRole('button', { name: /重试/ });
  isHeld = false;
  await expect(message).toBeVisible();
  // What takes too long would take as long again: it is left to who wants it.
  const refused = asked;
  await page.clock.fastForward(60_000);
  // What was asked before has come to the route before this.
  await page.evaluate(() => fetch('/api/website/info', { method: 'POST' }).then(() => undefined));
  expect(asked).toBe(refused);

  isHeld = true;
  refusal = '{}';
  await message.click();
  await expect.poll(() => asked).toBe(refused + 1);
  isHeld = false;
  await expect(message).toBeEnabled();
  await expect(message.locator('.ant-btn-loading-icon')).toHaveCount(0);
  isHeld = true;
  const before = asked;
  await expect.poll(() => page.clock.fastForward(1_000).then(() => asked)).toBeGreaterThan(before);
  await expect(message).toBeVisible();
  [isHeld, isDown] = [false, false];
  await expect(figure(page, '访问次数')).toContainText(allVisits);
  await expect(counting).toHaveCount(0);
});

test('days that lie ahead say so instead of zeros', async ({ page }) => {
  await go(page, 'customer/historical_statistics?range=custom&from=2190-01-01&to=2190-01-02');
  await expect(page.getByText('这些日期还没有到')).toBeVisible();
});

test('hours and the last half hour show the same visits', async ({ page, user }) => {
  await bringVisits(user);
  await go(page, 'customer/hourly_statistics?range=today');
  const cells = page.locator('.lc-heat-cell');
  await expect.poll(async () => (await cells.allInnerTexts()).reduce((sum, text) => sum + Number(text || 0), 0)).toBe(visits);
  await go(page, 'customer/access_real_time_statistics');
  await expect(page.getByRole('heading', { name: '最新访问' })).toBeVisible();
  await expect(page.locator('.lc-real-time-newest tbody tr')).toHaveCount(visits);
});

test('what one looks at is sent regularly, paused, sent at once and no more; its message leads back to the days that it told', async ({
  page,
}) => {
  await go(page, 'customer/historical_statistics?range=today&f=source%3Amessenger');
  await page.getByRole('button', { name: /定期发送$/ }).click();
  await page.getByRole('button', { name: '定期发送当前页面' }).click();
  const form = page.getByRole('dialog').filter({ has: page.getByLabel('名称') });
  await form.getByLabel('名称').fill('微信日报');
  await form.getByRole('button', { name: '定期发送当前页面' }).click();
  const digest = page.locator('.lc-digests .ant-card').filter({ hasText: '微信日报' });
  await expect(digest.getByText('每天 09:00')).toBeVisible();
  await digest.getByRole('button', { name: '暂停' }).click();
  await expect(digest.getByText('已暂停')).toBeVisible();
  await digest.getByRole('button', { name: '立即发送' }).click();
  await expect(digest.getByText('上次：')).toBeVisible();
  await expect(page.getByText(/^微信日报：.* 访问 0 次/)).toBeVisible();
  await pressEscape(page);
  await expect(digest).toBeHidden();
  await page.getByRole('button', { name: '去查看' }).click();
  await expect(page).toHaveURL(/range=custom.*compare=before.*f=source%3Amessenger/);
  await page.getByRole('button', { name: /定期发送$/ }).click();
  await digest.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).last().click();
  await expect(digest).toHaveCount(0);
});

test('a remark stands beside the figures, is changed by keyboard, and deleted', async ({ page }) => {
  await go(page, 'customer/historical_statistics?range=today');
  await page.getByRole('button', { name: '添加备注' }).click();
  const form = page.getByRole('dialog').filter({ has: page.getByLabel('内容') });
  await form.getByLabel('内容').fill('换了海报');
  await form.getByRole('button', { name: '添加备注' }).click();
  await expect(form).toBeHidden();
  const remarks = page.getByRole('region', { name: '备注与事件' });
  await expect(remarks.getByText('换了海报')).toBeVisible();
  await remarks.getByRole('button', { name: '编辑' }).press('Enter');
  await form.getByLabel('内容').fill('重印了海报');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(remarks.getByText('重印了海报')).toBeVisible();
  await expect(form).toBeHidden();
  await remarks.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(remarks).toBeHidden();
});

test('a rule that tells of falls is made, changed and disabled', async ({ page }) => {
  await go(page, 'customer/historical_statistics?range=today');
  await page.getByRole('button', { name: '访问提醒' }).click();
  await page.getByRole('button', { name: '新建规则' }).click();
  const form = page.locator('.ant-modal').filter({ has: page.getByLabel('幅度') });
  await form.getByLabel('幅度').fill('40');
  await form.getByRole('button', { name: '新建规则' }).click();
  const row = page.getByRole('row').filter({ hasText: '所有活码' });
  await expect(row).toContainText('40% 以上');
  await expect(form).toBeHidden();
  await row.getByRole('button', { name: '编辑' }).click();
  await form.getByText('减少或增加').click();
  await form.getByRole('button', { name: '保存' }).click();
  await expect(row).toContainText('减少或增加');
});

test('a history that is cleared is gone from the figures, comes back by one press, later from its list, or never again', async ({
  page,
  user,
}) => {
  await bringVisits(user);
  const code = page.getByRole('row').filter({ hasText: '统计海报' });
  const confirmed = (name: string) => page.getByRole('dialog').getByRole('button', { name }).last().click();
  const shows = async (figures: RegExp) => {
    await go(page, 'customer/historical_statistics?range=today');
    await expect(figure(page, '访问次数')).toContainText(figures);
  };
  const clear = async () => {
    await openScreen(page, '活码列表');
    await code.getByRole('button', { name: '更多操作' }).click();
    await chooseEntry(page, '清除访问历史');
    await expect(page.getByRole('dialog')).toContainText('清除“统计海报”的访问历史？');
    await confirmed('清除');
  };
  const undo = page.getByRole('button', { name: /^撤\s?销$/ });
  await clear();
  await undo.click();
  await expect(undo).toHaveCount(0);
  await shows(allVisits);

  await clear();
  await expect(undo).toBeVisible();
  await shows(/\b0\b/);
  await openScreen(page, '恢复记录');
  const cleared = code.filter({ hasText: '已清除' });
  await cleared.getByRole('button', { name: /^恢\s?复$/ }).click();
  await expect(cleared).toHaveCount(0);
  await shows(allVisits);

  await clear();
  await expect(undo).toBeVisible();
  await openScreen(page, '恢复记录');
  await cleared.getByRole('button', { name: '彻底删除' }).click();
  await expect(page.getByRole('dialog')).toContainText(`清除的 ${visits} 次访问`);
  await confirmed('彻底删除');
  await expect(cleared).toHaveCount(0);
  await shows(/\b0\b/);
});
