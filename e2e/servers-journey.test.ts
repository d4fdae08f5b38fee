import { newHostKey, startSshServer, type TestSshServer } from '../src/server/servers/testing/ssh-server.ts';
import { go } from './kit/menu.ts';
import { type Proven, withSecondFactor } from './kit/second-factor.ts';
import { test as base, expect, type Page } from './kit/test.ts';
import { addAdministrator, unique } from './kit/users.ts';

/** Of a machine that does other things besides. */
const patience = { timeout: 60_000 };

/** A server, and what the product knows of it by its name. */
type Host = { name: string; ssh: TestSshServer };
type StartHost = (number: number) => Promise<Host>;
const ssh = { password: 'ssh-secret' };

const test = base.extend<{ user: Proven; startHost: StartHost }>({
  user: async ({ product, admin }, use) => {
    const user = await withSecondFactor(product, await addAdministrator(product, admin));
    await use(user);
    await user.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from here what a fixture needs.
  startHost: async ({}, use) => {
    const hosts: Host[] = [];
    await use(async (number) => {
      const host = { name: `${number}号${unique()}`, ssh: await startSshServer({ ...ssh, env: { NUMBER: String(number) } }) };
      hosts.push(host);
      return host;
    });
    await Promise.all(hosts.map((host) => host.ssh.close()));
  },
});
test.use({ productEnv: { LIVECODE_SERVER_NETWORKS: '127.0.0.1/32' } });

const dialogOf = (page: Page) => page.getByRole('dialog');
const card = (page: Page, { name }: Host) => page.getByRole('article', { name, exact: true });
const fill = (page: Page, label: string, value: string) => dialogOf(page).getByLabel(label, { exact: true }).fill(value);

/** Proves who one is, and sends. */
async function confirm(page: Page, user: Proven, button: string): Promise<void> {
  const { password, totp } = await user.proof();
  await fill(page, '您的登录密码', password);
  await dialogOf(page)
    .getByLabel(/验证码/)
    .fill(totp);
  await dialogOf(page).getByRole('button', { name: button, exact: true }).click();
  await expect(dialogOf(page)).toHaveCount(0, patience);
}
/** Chooses as people do, one after the other, and closes the list. */
async function choose(page: Page, label: string, ...names: string[]): Promise<void> {
  const list = page.locator('.ant-select-dropdown:visible');
  for (const name of names) {
    await fill(page, label, name);
    await list.locator('.ant-select-item-option').filter({ hasText: name }).click();
  }
  await dialogOf(page).locator('.ant-modal-title').click();
  await expect(list).toHaveCount(0);
}
type Listed = { content: { id: number; name: string; host_key: string | null; offered_key: string | null }[] };
const serverOf = async ({ name }: Host, user: Proven) =>
  (await user.call<Listed>('server_list/inquire', { page_size: 200 })).content.find((row) => row.name === name);
async function add({ name, ssh: { port } }: Host, user: Proven): Promise<void> {
  const login = { auth: 'password', ssh_password: ssh.password, host: '127.0.0.1', port, ssh_user: 'deploy' };
  await user.call('server_list/add', { name, ...login, ...(await user.proof()) });
}

test('a server is added, and its host key is pinned by the first connection', async ({ page, user, startHost }) => {
  const host = await startHost(1);
  await go(page, 'system/server_list');
  await page.getByRole('button', { name: '添加服务器' }).first().click();
  await fill(page, '名称', host.name);
  await fill(page, '主机', '127.0.0.1');
  await fill(page, '端口', String(host.ssh.port));
  await fill(page, 'SSH 用户', 'deploy');
  await dialogOf(page).getByRole('radiogroup', { name: '登录方式' }).getByText('密码', { exact: true }).click();
  await fill(page, 'SSH 密码', ssh.password);
  await confirm(page, user, '添加服务器');
  await expect(card(page, host).getByText('在线', { exact: true })).toBeVisible(patience);
  expect((await serverOf(host, user))?.host_key).toMatch(/^SHA256:/);
  await expect(card(page, host).getByText(/SHA256:/)).toBeVisible();
  expect(host.ssh.logins.map((login) => login.user)).toContain('deploy');
});

test('another host key is refused with both fingerprints, until exactly that one is trusted', async ({ page, user, startHost }) => {
  const host = await startHost(1);
  await add(host, user);
  await expect.poll(async () => (await serverOf(host, user))?.host_key, patience).toBeTruthy();
  const pinned = (await serverOf(host, user))?.host_key ?? '-';
  await go(page, 'system/server_list');
  await expect(card(page, host)).toBeVisible();
  await host.ssh.close();
  host.ssh = await startSshServer({ ...ssh, port: host.ssh.port, hostKey: newHostKey() });
  await card(page, host).getByRole('button', { name: '测试连接' }).click();
  await expect(card(page, host).getByText('主机密钥已变', { exact: true })).toBeVisible(patience);
  expect(host.ssh.logins).toEqual([]);
  await card(page, host).getByRole('button', { name: '信任新密钥' }).click();
  const offered = (await serverOf(host, user))?.offered_key ?? '-';
  expect(offered).not.toBe(pinned);
  await expect(dialogOf(page).getByText(pinned, { exact: true })).toBeVisible();
  await expect(dialogOf(page).getByText(offered, { exact: true })).toBeVisible();
  await confirm(page, user, '信任新密钥');
  await expect.poll(async () => (await serverOf(host, user))?.host_key, patience).toBe(offered);
  await expect(card(page, host).getByText('在线', { exact: true })).toBeVisible(patience);
});

test('a script runs on three servers: what is printed comes as it is printed, one fails, and one that hangs is ended', async ({
  page,
  user,
  startHost,
}) => {
  const [first, second, third] = [await startHost(1), await startHost(2), await startHost(3)];
  for (const host of [first, second, third]) await add(host, user);
  const script = `巡检${unique()}`;
  await go(page, 'system/script');
  await page.getByRole('button', { name: '新建脚本' }).first().click();
  await fill(page, '名称', script);
  await fill(page, '脚本内容', 'echo "begun on $NUMBER"\nif [ "$NUMBER" = 2 ]; then exit 7; fi\nif [ "$NUMBER" = 3 ]; then sleep 1000; fi');
  await confirm(page, user, '新建脚本');
  await page.getByRole('row').filter({ hasText: script }).getByRole('button', { name: '运行脚本' }).click();
  await choose(page, '服务器', first.name, second.name, third.name);
  await dialogOf(page).getByRole('switch', { name: '有一台失败就停止' }).click();
  await confirm(page, user, '运行脚本');

  const server = ({ name }: Host) => page.getByRole('list', { name: '服务器' }).getByRole('button', { name: new RegExp(`^${name}`) });
  const output = ({ name }: Host) => page.getByRole('region', { name: `${name} 的输出` });
  await server(third).click();
  await expect(output(third)).toContainText('begun on 3', patience);
  await expect(server(first)).toContainText('成功', patience);
  await expect(server(second)).toContainText('失败', patience);
  await expect(server(second)).toContainText('退出码 7');
  await expect(server(third)).toContainText('运行中');
  expect(third.ssh.running()).toBe(1);
  await page.getByRole('button', { name: '终止运行' }).click();
  await dialogOf(page).getByRole('button', { name: '终止运行' }).click();
  await expect(server(third)).toContainText('已终止', patience);
  await expect.poll(() => third.ssh.running(), patience).toBe(0);
  await server(second).click();
  await expect(output(second)).toContainText('begun on 2');
});

test('a schedule says when it runs while it is written, is listed with its next moments, and is paused', async ({
  page,
  user,
  startHost,
}) => {
  const host = await startHost(1);
  await add(host, user);
  const [script, schedule] = [`巡检${unique()}`, `夜间${unique()}`];
  await user.call('script/add', { name: script, body: 'uptime', ...(await user.proof()) });
  await go(page, 'system/script?view=schedules');
  await page.getByRole('button', { name: '新建定时任务' }).first().click();
  await fill(page, '名称', schedule);
  await choose(page, '脚本', script);
  await choose(page, '服务器', host.name);
  const when = dialogOf(page).getByLabel('运行时间（cron）');
  await when.fill('0 25 * * *');
  await expect(dialogOf(page).getByText('第 2 段（小时）不正确').first()).toBeVisible();
  await when.fill('30 4 * * *');
  const next = dialogOf(page).getByRole('region', { name: '接下来' }).getByRole('listitem');
  await expect(next).toHaveText(Array(5).fill(/^\d{4}-\d\d-\d\d \S+ 04:30$/));
  await confirm(page, user, '新建定时任务');
  const row = page.getByRole('row').filter({ hasText: schedule });
  await expect(row).toContainText('30 4 * * *');
  await expect(row).toContainText(/\d\d-\d\d 04:30/);
  await expect(row.getByText('还没有运行过')).toBeVisible();
  await row.getByRole('button', { name: '暂停', exact: true }).click();
  await expect(row.getByText('已暂停')).toBeVisible();
});
