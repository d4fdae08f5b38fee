import { type DetectionApis, startDetectionApis } from '../simulators/detection-apis/detection-apis.ts';
import { type Gateway, startGateway } from '../simulators/gateway/gateway.ts';
import { faultsOf } from './kit/accessibility.ts';
import { pressEscape } from './kit/keyboard.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import { test as base, expect, type Page } from './kit/test.ts';
import { unique } from './kit/users.ts';

const key = 'journey-detector-key';
const screen = 'we_chat_blocking_detection_configuration';

type Outside = { gateway: Gateway; apis: DetectionApis };
type Hosts = { own: string; hosts: string[]; blocked: [string, string, string] };

const test = base.extend<{ addresses: Hosts }, { outside: Outside }>({
  outside: [
    async ({ admin }, use) => {
      const [gateway, apis] = await Promise.all([startGateway({ slow_ms: 400 }), startDetectionApis({ key })]);
      // The messenger is the simulator, and what asks hosts that there are not is off.
      await admin.call('configuration/update', { values: { messenger_gateway: gateway.gateway } });
      const { content } = await admin.call<{ content: { id: number; kind: string }[] }>(`${screen}/inquire`);
      const others = content.filter(({ kind }) => kind !== 'gateway').map(({ id }) => id);
      await admin.call(`${screen}/update_enabled`, { ids: others, enabled: false });
      const reading = { by: 'json', path: 'data.status', normal: ['ok'], blocked: ['blocked'] };
      const url = `${apis.url}/data-status?key=${key}&url={url}`;
      const config = { kind: 'http_api', url, method: 'GET', headers: [], body: '', reading };
      await admin.call(`${screen}/add`, { name: '商业接口', config });
      await use({ gateway, apis });
      await Promise.all([gateway.stop(), apis.stop()]);
    },
    { scope: 'worker' },
  ],
  addresses: async ({ outside }, use) => {
    // Longer ones are shown with a gap.
    const own = unique().slice(0, 4);
    const hosts = Array.from({ length: 12 }, (_, at) => `${own}-${at + 1}.example.com`);
    const blocked = hosts.slice(0, 3) as Hosts['blocked'];
    for (const host of blocked) {
      outside.gateway.block(host);
      outside.apis.block(host);
    }
    await use({ own, hosts, blocked });
  },
});
test.use({ as: 'admin', productEnv: { LIVECODE_ALLOWED_NETWORKS: '127.0.0.0/8,::1' } });

const dialogOf = (page: Page) => page.getByRole('dialog').last();
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

test('a detector is set up from a common shape and tried out before it is saved', async ({ page, outside: { apis }, addresses }) => {
  const name = `接口 ${addresses.own}`;
  const dialog = dialogOf(page);
  await openScreen(page, '检测配置');
  await page.getByRole('button', { name: '添加检测器' }).first().click();
  await dialog.getByRole('textbox', { name: '名称' }).fill(name);
  await dialog.getByRole('combobox', { name: '从常见接口开始' }).click();
  await page.getByTitle('data.status 为 ok / blocked').click();
  await dialog.getByRole('textbox', { name: '接口地址' }).fill(`${apis.url}/data-status?key={key}&url={url}`);
  await dialog.getByLabel('密钥').first().fill(key);

  const trial = dialog.getByRole('region', { name: '测试' });
  await trial.getByRole('textbox').fill(`https://${addresses.blocked[0]}/`);
  await trial.getByRole('button', { name: '测试' }).click();
  await expect(trial.getByText('结论：拦截')).toBeVisible();
  // What was read, and nothing of the key.
  await expect(trial.getByRole('alert')).toContainText('data.status → blocked');
  await trial.getByRole('button', { name: '发出的请求' }).click();
  await expect(trial).toContainText(`${apis.url}/data-status?key=`);
  await expect(trial).not.toContainText(key);
  expect(await faultsOf(page, '[role="dialog"]')).toEqual([]);

  await trial.getByRole('textbox').fill(`https://${addresses.hosts[5]}/`);
  await trial.getByRole('button', { name: '测试' }).click();
  await expect(trial.getByText('结论：正常')).toBeVisible();
  await dialog.getByRole('button', { name: '添加检测器' }).click();
  await expect(rowOf(page, name)).toBeVisible();
});

test('twelve addresses are checked at once: three are blocked, with evidence, and are watched from now on', async ({ page, addresses }) => {
  const { hosts, blocked } = addresses;
  const dialog = dialogOf(page);
  await openScreen(page, '拦截检测');
  const lines = page.getByRole('textbox', { name: '链接（每行一个）' });
  await lines.fill([...hosts.map((host) => `https://${host}/`), `https://${hosts[0]}/`, '这不是 链接'].join('\n'));
  await expect(page.getByText('第 13 行重复，只检测一次')).toBeVisible();
  // The list is asked for once; how far it is only the socket tells.
  let asked = 0;
  await page.route('**/wx_shield_detection/checks', (route) => {
    const isNamed = route.request().postData()?.includes('"ids"');
    return isNamed && ++asked > 1 ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: '开始检测' }).click();
  // What is no address stays where it was typed.
  await expect(page.getByText('上面 1 行不是链接')).toBeVisible();
  await expect(lines).toHaveValue('这不是 链接');
  await expect(page.getByText('已检测 12 / 12')).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/wx_shield_detection/checks');
  await expect(page.getByText('已拦截 3', { exact: true })).toBeVisible();
  await expect(page.getByText('正常 9', { exact: true })).toBeVisible();

  await rowOf(page, blocked[1]).getByRole('button', { name: '证据' }).click();
  await expect(dialog.getByText('已停止访问该网页').first()).toBeVisible();
  await expect(dialog).toContainText('mmspamsupport-bin/newredirectconfirmcgi');
  await expect(dialog).toContainText('商业接口');
  expect(await faultsOf(page, '[role="dialog"]')).toEqual([]);
  await pressEscape(page);
  await expect(dialog).toHaveCount(0);

  await page.getByRole('combobox', { name: '拦截状态' }).click();
  await page.getByTitle('已拦截', { exact: true }).click();
  await expect(page.getByRole('button', { name: '证据' })).toHaveCount(3);
  await page.getByRole('checkbox', { name: '选择本页全部' }).check();
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '加入监控' }).click();
  await expect(page.getByText('已加入监控 3 个')).toBeVisible();
});

test('a watched address is found blocked in the list of monitors, paused there and goes on', async ({
  page,
  user,
  outside: { gateway, apis },
  addresses: { own, blocked },
}) => {
  await user.call('domain_monitor/add', { lines: blocked.map((host) => `https://${host}/`) });
  await openScreen(page, '域名监控');
  await page.getByRole('textbox', { name: '搜索域名或备注' }).fill(own);
  // What is found so far stands dimmed until the answer to this is there.
  await expect(page).toHaveURL(new RegExp(own));
  await expect(page.getByRole('row').filter({ hasText: '已拦截' })).toHaveCount(3, { timeout: 60_000 });
  expect(await faultsOf(page, '#main')).toEqual([]);

  // The course of the checks, by the keyboard.
  const row = rowOf(page, blocked[0]);
  const bars = row.getByRole('slider');
  await bars.focus();
  await page.keyboard.press('End');
  await expect(bars).toHaveAttribute('aria-valuetext', /拦截/);
  await expect(bars).toHaveAttribute('aria-label', /已拦截/);

  await row.getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '暂停');
  await dialogOf(page).getByRole('button', { name: '暂停' }).click();
  await expect(row.getByText('已暂停')).toBeVisible();
  await row.getByRole('button', { name: '更多操作' }).click();
  await chooseEntry(page, '恢复监控');
  await expect(row.getByText('已暂停')).toHaveCount(0);

  // It is let through again: a check at once finds it.
  for (const host of blocked) {
    gateway.unblock(host);
    apis.unblock(host);
  }
  await row.getByRole('button', { name: '立即检测' }).click();
  await expect(row.getByText('正常').first()).toBeVisible({ timeout: 60_000 });
});
