import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, expect, test } from 'vitest';
import { newHostKey, startSshServer, type TestSshServer } from '../src/server/servers/testing/ssh-server.ts';
import { beforeJourneysAlone } from './kit/journey.ts';
import type { Product } from './kit/product.ts';
import { type Proven, withSecondFactor } from './kit/second-factor.ts';

/** Of a machine that does other things besides. */
const patience = { timeout: 60_000 };
const home = mkdtempSync(join(tmpdir(), 'livecode-servers-'));
const dataDir = join(home, 'data');

let product: Product;
let admin: Proven;
let page: Page;
let hosts: TestSshServer[] = [];

beforeJourneysAlone(
  async (journey) => {
    ({ product } = journey);
    admin = await withSecondFactor(product, dataDir);
    hosts = await Promise.all([1, 2, 3].map((number) => startSshServer({ password: 'ssh-secret', env: { NUMBER: String(number) } })));
    page = await admin.open(journey.browser, { viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(patience.timeout);
  },
  { LIVECODE_DATA_DIR: dataDir, LIVECODE_SERVER_NETWORKS: '127.0.0.1/32' },
);
afterAll(async () => {
  await admin?.close();
  await Promise.all(hosts.map((host) => host.close()));
  rmSync(home, { recursive: true, force: true });
});

const dialog = () => page.getByRole('dialog');
const card = (name: string) => page.getByRole('article', { name, exact: true });
const show = (path: string) => page.goto(`${product.backOffice}/#/system/${path}`);
const fill = (label: string, value: string) => dialog().getByLabel(label, { exact: true }).fill(value);

/** Proves who one is, and sends. */
async function confirm(button: string): Promise<void> {
  const { password, totp } = await admin.proof();
  await fill('您的登录密码', password);
  await dialog()
    .getByLabel(/验证码/)
    .fill(totp);
  await dialog().getByRole('button', { name: button, exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
}
/** Chooses as people do, one after the other, and closes the list. */
async function choose(label: string, ...titles: RegExp[]): Promise<void> {
  await dialog().getByLabel(label, { exact: true }).click();
  const list = page.locator('.ant-select-dropdown:visible');
  for (const title of titles) await list.locator('.ant-select-item-option').filter({ hasText: title }).click();
  await dialog().locator('.ant-modal-title').click();
  await list.waitFor({ state: 'hidden' });
}
type Listed = { content: { id: number; name: string; host_key: string | null; offered_key: string | null; state: string }[] };
const serverOf = async (name: string) => (await admin.call<Listed>('server_list/inquire')).content.find((row) => row.name === name);

test('a server is added, and its host key is pinned by the first connection', async () => {
  await show('server_list');
  await page.getByRole('button', { name: '添加服务器' }).first().click();
  await fill('名称', '甲');
  await fill('主机', '127.0.0.1');
  await fill('端口', String(hosts[0]?.port));
  await fill('SSH 用户', 'deploy');
  await dialog().getByRole('radiogroup', { name: '登录方式' }).getByText('密码', { exact: true }).click();
  await fill('SSH 密码', 'ssh-secret');
  await confirm('添加服务器');
  await card('甲').getByText('在线', { exact: true }).waitFor();
  expect((await serverOf('甲'))?.host_key).toMatch(/^SHA256:/);
  await card('甲')
    .getByText(/SHA256:/)
    .waitFor();
  expect(hosts[0]?.logins.map(({ user }) => user)).toContain('deploy');
});

test('another host key is refused with both fingerprints, until exactly that one is trusted', async () => {
  const pinned = (await serverOf('甲'))?.host_key ?? '-';
  const port = hosts[0]?.port ?? 0;
  await hosts[0]?.close();
  hosts[0] = await startSshServer({ password: 'ssh-secret', port, hostKey: newHostKey(), env: { NUMBER: '1' } });
  await card('甲').getByRole('button', { name: '测试连接' }).click();
  await card('甲').getByText('主机密钥已变', { exact: true }).waitFor();
  expect(hosts[0].logins).toEqual([]);
  await card('甲').getByRole('button', { name: '信任新密钥' }).click();
  const offered = (await serverOf('甲'))?.offered_key ?? '-';
  expect(offered).not.toBe(pinned);
  await dialog().getByText(pinned, { exact: true }).waitFor();
  await dialog().getByText(offered, { exact: true }).waitFor();
  await confirm('信任新密钥');
  await expect.poll(async () => (await serverOf('甲'))?.host_key, patience).toBe(offered);
  await card('甲').getByText('在线', { exact: true }).waitFor();
});

test('a script runs on three servers: what is printed comes as it is printed, one fails, and one that hangs is ended', async () => {
  for (const [index, name] of [
    [1, '乙'],
    [2, '丙'],
  ] as const) {
    const login = { auth: 'password', ssh_password: 'ssh-secret', host: '127.0.0.1', port: hosts[index]?.port, ssh_user: 'deploy' };
    await admin.call('server_list/add', { name, ...login, ...(await admin.proof()) });
  }
  // What was added by the API the open page has not heard of.
  await page.reload();
  await card('丙').waitFor();
  await show('script');
  await page.getByRole('button', { name: '新建脚本' }).first().click();
  await fill('名称', '巡检');
  await fill('脚本内容', 'echo "begun on $NUMBER"\nif [ "$NUMBER" = 2 ]; then exit 7; fi\nif [ "$NUMBER" = 3 ]; then sleep 1000; fi');
  await confirm('新建脚本');
  await page.getByRole('row', { name: /巡检/ }).getByRole('button', { name: '运行脚本' }).click();
  await choose('服务器', /^甲 /, /^乙 /, /^丙 /);
  await dialog().getByRole('switch', { name: '有一台失败就停止' }).click();
  await confirm('运行脚本');

  const server = (name: string) => page.getByRole('list', { name: '服务器' }).getByRole('button', { name: new RegExp(`^${name}`) });
  await server('丙').click();
  await page.getByRole('region', { name: '丙 的输出' }).getByText('begun on 3').waitFor();
  await server('甲').getByText('成功').waitFor();
  await server('乙').getByText('失败').waitFor();
  await server('乙').getByText('退出码 7').waitFor();
  await server('丙').getByText('运行中').waitFor();
  expect(hosts[2]?.running()).toBe(1);
  await page.getByRole('button', { name: '终止运行' }).click();
  await dialog().getByRole('button', { name: '终止运行' }).click();
  await server('丙').getByText('已终止').waitFor();
  await expect.poll(() => hosts[2]?.running(), patience).toBe(0);
  await server('乙').click();
  await page.getByRole('region', { name: '乙 的输出' }).getByText('begun on 2').waitFor();
});

test('a schedule says when it runs while it is written, is listed with its next moments, and is paused', async () => {
  await show('script?view=schedules');
  await page.getByRole('button', { name: '新建定时任务' }).first().click();
  await fill('名称', '夜间巡检');
  await choose('脚本', /^巡检$/);
  await choose('服务器', /^甲 /);
  const when = dialog().getByLabel('运行时间（cron）');
  await when.fill('0 25 * * *');
  await dialog().getByText('第 2 段（小时）不正确').first().waitFor();
  await when.fill('30 4 * * *');
  const next = dialog().getByRole('region', { name: '接下来' });
  await expect
    .poll(() => next.getByRole('listitem').allInnerTexts(), patience)
    .toEqual(Array(5).fill(expect.stringMatching(/^\d{4}-\d\d-\d\d \S+ 04:30$/)));
  await confirm('新建定时任务');
  const row = page.getByRole('row', { name: /夜间巡检/ });
  await row.getByText('30 4 * * *').waitFor();
  expect(await row.textContent()).toMatch(/\d\d-\d\d 04:30/);
  await row.getByText('还没有运行过').waitFor();
  await row.getByRole('button', { name: '暂停', exact: true }).click();
  await row.getByText('已暂停').waitFor();
});
