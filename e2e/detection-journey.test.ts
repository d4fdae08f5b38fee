import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DetectionApis, startDetectionApis } from '../simulators/detection-apis/detection-apis.ts';
import { type Gateway, startGateway } from '../simulators/gateway/gateway.ts';
import { faultsOf } from './kit/accessibility.ts';
import { beforeJourneysAlone, logIn, openPage } from './kit/journey.ts';
import { chooseEntry, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { tokenOf } from './kit/seed.ts';

const key = 'journey-detector-key';
const hosts = Array.from({ length: 12 }, (_, at) => `shop-${at + 1}.example.com`);
const blocked = hosts.slice(0, 3);

let product: Product;
let page: Page;
let token: string;
let gateway: Gateway;
let apis: DetectionApis;

beforeAll(async () => {
  [gateway, apis] = await Promise.all([startGateway({ slow_ms: 400 }), startDetectionApis({ key })]);
  for (const host of blocked) {
    gateway.block(host);
    apis.block(host);
  }
});
afterAll(() => Promise.all([gateway.stop(), apis.stop()]));

async function call<T>(path: string, input: object): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

beforeJourneysAlone(
  async (journey) => {
    ({ product } = journey);
    token = await tokenOf(product.backOffice, 'admin', product.password);
    // The messenger is the simulator, and what asks hosts that there are not is off.
    await call('configuration/update', { values: { messenger_gateway: gateway.gateway } });
    const { content } = await call<{ content: { id: number; kind: string }[] }>('we_chat_blocking_detection_configuration/inquire', {});
    const others = content.filter(({ kind }) => kind !== 'gateway').map(({ id }) => id);
    await call('we_chat_blocking_detection_configuration/update_enabled', { ids: others, enabled: false });
    page = await openPage(journey.browser);
    await logIn(page, product.backOffice, 'admin', product.password);
  },
  { LIVECODE_ALLOWED_NETWORKS: '127.0.0.0/8,::1' },
);

const isShown = (locator: { isVisible: () => Promise<boolean> }) => expect.poll(() => locator.isVisible(), { timeout: 20_000 }).toBe(true);
const dialog = () => page.getByRole('dialog').last();
const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });

test('a detector is set up from a common shape and tried out before it is saved', async () => {
  await openScreen(page, '检测配置');
  await page.getByRole('button', { name: '添加检测器' }).first().click();
  await dialog().getByRole('textbox', { name: '名称' }).fill('商业接口');
  await dialog().getByRole('combobox', { name: '从常见接口开始' }).click();
  await page.getByTitle('data.status 为 ok / blocked').click();
  await dialog().getByRole('textbox', { name: '接口地址' }).fill(`${apis.url}/data-status?key={key}&url={url}`);
  await dialog().getByLabel('密钥').first().fill(key);

  const trial = dialog().getByRole('region', { name: '测试' });
  await trial.getByRole('textbox').fill(`https://${blocked[0]}/`);
  await trial.getByRole('button', { name: '测试' }).click();
  await isShown(trial.getByText('结论：拦截'));
  // What was read, and nothing of the key.
  expect(await trial.getByRole('alert').textContent()).toMatch(/data\.status → blocked/);
  await trial.getByRole('button', { name: '发出的请求' }).click();
  expect(await trial.textContent()).toContain(`${apis.url}/data-status?key=`);
  expect(await trial.textContent()).not.toContain(key);
  expect(await faultsOf(page, '[role="dialog"]')).toEqual([]);

  await trial.getByRole('textbox').fill(`https://${hosts[5]}/`);
  await trial.getByRole('button', { name: '测试' }).click();
  await isShown(trial.getByText('结论：正常'));
  await dialog().getByRole('button', { name: '添加检测器' }).click();
  await isShown(rowOf('商业接口').first());
});

test('twelve addresses are checked at once: three are blocked, with evidence, and are watched from now on', async () => {
  await openScreen(page, '拦截检测');
  const typed = [...hosts.map((host) => `https://${host}/`), `https://${hosts[0]}/`, '这不是 链接'];
  await page.getByRole('textbox', { name: '链接（每行一个）' }).fill(typed.join('\n'));
  await isShown(page.getByText('第 13 行重复，只检测一次'));
  // The list is asked for once; how far it is only the socket tells.
  let asked = 0;
  await page.route('**/wx_shield_detection/checks', (route) => {
    const isNamed = route.request().postData()?.includes('"ids"');
    return isNamed && ++asked > 1 ? route.abort() : route.continue();
  });
  await page.getByRole('button', { name: '开始检测' }).click();
  // What is no address stays where it was typed.
  await isShown(page.getByText('上面 1 行不是链接'));
  expect(await page.getByRole('textbox', { name: '链接（每行一个）' }).inputValue()).toBe('这不是 链接');
  await isShown(page.getByText('已检测 12 / 12'));
  await page.unroute('**/wx_shield_detection/checks');
  await isShown(page.getByText('已拦截 3', { exact: true }));
  expect(await page.getByText('正常 9', { exact: true }).isVisible()).toBe(true);

  await rowOf(`${blocked[1]}`).getByRole('button', { name: '证据' }).click();
  await isShown(dialog().getByText('已停止访问该网页').first());
  expect(await dialog().textContent()).toContain('mmspamsupport-bin/newredirectconfirmcgi');
  expect(await dialog().textContent()).toContain('商业接口');
  expect(await faultsOf(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  await page.getByRole('combobox', { name: '拦截状态' }).click();
  await page.getByTitle('已拦截', { exact: true }).click();
  await expect.poll(() => page.getByRole('button', { name: '证据' }).count()).toBe(3);
  await page.getByRole('checkbox', { name: '选择本页全部' }).check();
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '加入监控' }).click();
  await isShown(page.getByText('已加入监控 3 个'));
});

test('a watched address is found blocked in the list of monitors, paused there and goes on', async () => {
  await openScreen(page, '域名监控');
  await page.getByRole('textbox', { name: '搜索域名或备注' }).fill('shop-');
  await expect.poll(() => page.getByRole('row').filter({ hasText: '已拦截' }).count(), { timeout: 60_000 }).toBe(3);
  expect(await faultsOf(page, '#main')).toEqual([]);

  // The course of the checks, by the keyboard.
  const bars = rowOf(blocked[0] ?? '').getByRole('slider');
  await bars.focus();
  await page.keyboard.press('End');
  expect(await bars.getAttribute('aria-valuetext')).toContain('拦截');
  expect(await bars.getAttribute('aria-label')).toContain('已拦截');

  const more = (host: string) => rowOf(host).getByRole('button', { name: '更多操作' }).click();
  await more(blocked[0] ?? '');
  await chooseEntry(page, '暂停');
  await dialog().getByRole('button', { name: '暂停' }).click();
  await isShown(rowOf(blocked[0] ?? '').getByText('已暂停'));
  await more(blocked[0] ?? '');
  await chooseEntry(page, '恢复监控');
  await expect
    .poll(() =>
      rowOf(blocked[0] ?? '')
        .getByText('已暂停')
        .count(),
    )
    .toBe(0);

  // It is let through again: a check at once finds it.
  for (const host of blocked) {
    gateway.unblock(host);
    apis.unblock(host);
  }
  await rowOf(blocked[0] ?? '')
    .getByRole('button', { name: '立即检测' })
    .click();
  await expect
    .poll(
      () =>
        rowOf(blocked[0] ?? '')
          .getByText('正常')
          .count(),
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
});
