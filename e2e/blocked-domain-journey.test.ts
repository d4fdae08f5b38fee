import { once } from 'node:events';
import { request } from 'node:http';
import { type DetectionApis, startDetectionApis } from '../simulators/detection-apis/detection-apis.ts';
import { type Gateway, startGateway } from '../simulators/gateway/gateway.ts';
import { type MailSimulator, startMailSimulator } from '../simulators/smtp/smtp.ts';
import { startTelegram, type Telegram } from '../simulators/telegram/telegram.ts';
import type { Bot } from '../simulators/telegram/world.ts';
import { startDnsServer } from '../src/server/domains/testing/dns-server.ts';
import { go, openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { scan } from './kit/scan.ts';
import { test as base, expect } from './kit/test.ts';
import { type User, unique } from './kit/users.ts';

// More than a page of the list holds.
const codes = 40;

type Outside = { gateway: Gateway; apis: DetectionApis; telegram: Telegram; mail: MailSimulator; bot: Bot; bot_id: number };
type Site = Omit<Outside, 'bot' | 'bot_id'> & { dns: string };

/** Two detectors that know the messenger, a mail server and a bot: what an administrator sets up once. */
async function setUpSite({ gateway, apis, telegram, mail, dns }: Site, admin: User): Promise<Pick<Outside, 'bot' | 'bot_id'>> {
  const outside = { messenger_gateway: gateway.gateway, telegram_api: telegram.url, control_addresses: [gateway.url] };
  await admin.call('configuration/update', { values: { ...outside, dns_servers: [dns], visit_addresses: ['127.0.0.1'] } });
  const screen = 'we_chat_blocking_detection_configuration';
  const { content } = await admin.call<{ content: { id: number; kind: string }[] }>(`${screen}/inquire`);
  const others = content.filter(({ kind }) => kind !== 'gateway').map(({ id }) => id);
  await admin.call(`${screen}/update_enabled`, { ids: others, enabled: false });
  const reading = { by: 'json', path: 'data.status', normal: ['ok'], blocked: ['blocked'] };
  const config = { kind: 'http_api', url: `${apis.url}/data-status?url={url}`, method: 'GET', headers: [], body: '', reading };
  await admin.call(`${screen}/add`, { name: '商业接口', config });
  const server = { host: mail.host, port: mail.port, security: 'none', username: '', from_address: 'site@example.com', from_name: '活码' };
  await admin.call('shield_push/update_mail_server', server);
  const bot = telegram.addBot({ first_name: '活码助手', username: 'livecode_demo_bot' });
  return { bot, bot_id: (await admin.call<{ id: number }>('telegram_bot/add', { token: bot.token })).id };
}

const test = base.extend<object, { outside: Outside }>({
  outside: [
    async ({ admin }, use) => {
      const [gateway, apis, telegram, mail, dns] = await Promise.all([
        startGateway(),
        startDetectionApis(),
        startTelegram(),
        startMailSimulator(),
        startDnsServer({ '*.example.com': { A: ['127.0.0.1'] } }),
      ]);
      const site = { gateway, apis, telegram, mail };
      await use({ ...site, ...(await setUpSite({ ...site, dns: dns.address }, admin)) });
      await Promise.all([gateway, apis, telegram, mail, dns].map((simulator) => simulator.stop()));
    },
    { scope: 'worker' },
  ],
});
test.use({ productEnv: { LIVECODE_ALLOWED_NETWORKS: '127.0.0.0/8,::1' } });

/** A chat and a mailbox of the customer, beside the site messages that every user gets, told of falls. */
async function setUpPushes({ telegram, mail, bot, bot_id }: Outside, keeper: User, mailbox: string): Promise<void> {
  const chat = telegram.addChat({ person: { first_name: '张伟', username: 'zhangwei' } });
  telegram.say(bot, chat, `/start ${(await keeper.call<{ code: string }>('telegram_bot_binding/bind', { bot_id })).code}`);
  const bound = () => keeper.call<{ content: { id: number }[] }>('telegram_bot_binding/inquire').then(({ content }) => content);
  await expect.poll(bound).toHaveLength(1);
  await keeper.call('shield_push/add_channel', { kind: 'telegram', telegram_chat_id: (await bound())[0]?.id });
  const box = await keeper.call<{ id: number }>('shield_push/add_channel', { kind: 'email', address: mailbox });
  await keeper.call('shield_push/send_code', { id: box.id });
  const sent = () => mail.mails.filter(({ to }) => to.includes(mailbox));
  await expect.poll(sent).toHaveLength(1);
  await keeper.call('shield_push/confirm', { id: box.id, code: /\b(\d{6})\b/.exec(sent()[0]?.text ?? '')?.[1] });
  const { content: channels } = await keeper.call<{ content: { id: number }[] }>('shield_push/channels');
  const { content: rules } = await keeper.call<{ content: { id: number }[] }>('shield_push/rules');
  await keeper.call('shield_push/remove_rule', { ids: rules.map(({ id }) => id) });
  await keeper.call('shield_push/add_rule', { name: '夜里', events: ['domain.blocked'], channel_ids: channels.map(({ id }) => id) });
}

/** One visit with this Host, as a proxy in front of the visit path would pass it on. */
async function visit({ visits }: Product, host: string, path: string): Promise<{ status: number; location: string }> {
  const sent = request(`${visits}/${path}`, { headers: { host, 'x-forwarded-for': '120.196.165.24' } }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  return { status: answer.statusCode, location: answer.headers.location ?? '' };
}

async function makeCodes(keeper: User, prefix: string, entry_domain_id: number | undefined): Promise<void> {
  const add = (number: number) =>
    keeper.call('qr_code_list/add', {
      name: `夜间 ${number}`,
      file_name: `${prefix}${number}`,
      entry_domain_id,
      landing_domain_id: null,
      targets: [{ kind: 'url', content: `https://example.com/${number}` }],
    });
  for (let from = 0; from < codes; from += 8) await Promise.all(Array.from({ length: 8 }, (_, at) => add(from + at)));
}

test('a domain is blocked at night: within seconds its codes stand on the next one, everyone is told once, and undo brings all back', {
  tag: '@gate',
}, async ({ page, product, user: keeper, outside }) => {
  const own = unique();
  const [former, ...others] = ['a', 'b', 'c'].map((name) => `scan-${name}-${own}.example.com`) as [string, string, string];
  const [shortHost, mailbox] = [`go-${own}.example.com`, `keeper-${own}@example.com`];
  type Row = { id: number; file_name: string; entry_host: string };
  const listed = async () => (await keeper.call<{ content: Row[] }>('qr_code_list/inquire', { page_size: 200 })).content;
  const entryHosts = async () => [...new Set((await listed()).map(({ entry_host }) => entry_host))];

  await test.step('a customer has a chat and a mailbox told of blocked domains', async () => {
    await setUpPushes(outside, keeper, mailbox);
    const { content } = await keeper.call<{ content: { kind: string; confirmed_at: string | null }[] }>('shield_push/channels');
    expect(content.map(({ kind, confirmed_at }) => [kind, confirmed_at !== null]).sort()).toEqual([
      ['email', true],
      ['site', true],
      ['telegram', true],
    ]);
  });

  const ids = new Map<string, number>();
  for (const host of [former, ...others]) ids.set(host, (await keeper.call<{ id: number }>('domain_list/add', { host, type: 1 })).id);
  const short = await keeper.call<{ id: number }>('domain_list/add', { host: shortHost, type: 3 });
  type Monitor = { id: number; domain_id: number; block_status: number | null };
  const monitors = async () => (await keeper.call<{ content: Monitor[] }>('domain_monitor/inquire', { page_size: 200 })).content;
  await makeCodes(keeper, `night-${own}-`, ids.get(former));
  const [first] = await listed();
  const live_code_ids = [first?.id];
  await keeper.call('short_code/add', { request_key: crypto.randomUUID(), live_code_ids, domain_id: short.id, short: 'night' });
  await expect.poll(async () => (await monitors()).map(({ block_status }) => block_status), { timeout: 60_000 }).toEqual([1, 1, 1, 1]);
  await expect.poll(async () => (await visit(product, shortHost, 'night')).location).toContain(`//${former}/`);
  expect((await visit(product, former, `${first?.file_name}`)).status).toBe(200);

  // It is blocked, and looked at now.
  outside.gateway.block(former);
  outside.apis.block(former);
  const watched = (await monitors()).find(({ domain_id }) => domain_id === ids.get(former));
  await keeper.call('domain_monitor/check', { ids: [watched?.id] });
  await expect.poll(entryHosts, { timeout: 30_000 }).not.toContain(former);
  const [next = '', ...further] = await entryHosts();
  expect(others).toContain(next);
  expect(further).toEqual([]);
  expect(await listed()).toHaveLength(codes);

  // Visits, short codes and pictures follow.
  await expect.poll(async () => (await visit(product, shortHost, 'night')).location).toContain(`//${next}/`);
  expect((await visit(product, next, `${first?.file_name}`)).status).toBe(200);
  await go(page, `customer/qr_code/${first?.id}`);
  await expect(page.getByText(next).first()).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /下载二维码$/ })
      .first()
      .click(),
  ]);
  expect(await scan(await download.path())).toBe(`http://${next}/${first?.file_name}`);

  // Everybody is told once.
  const told = async () => {
    const { telegram, bot, mail } = outside;
    const chats = [...telegram.world.chats.values()].flatMap((chat) => telegram.said(bot, chat));
    const { content } = await keeper.call<{ content: { title: string; content: string }[] }>('message_list/inquire', { page_size: 50 });
    return [
      chats.filter(({ text }) => text.includes(former)).length,
      mail.mails.filter(({ to, text }) => to.includes(mailbox) && text.includes(former)).length,
      content.filter((message) => `${message.title}${message.content}`.includes(former) && message.title.includes('拦截')).length,
    ];
  };
  await expect.poll(told, { timeout: 30_000 }).toEqual([1, 1, 1]);

  // The log has the evidence, and undo restores all.
  await openScreen(page, '拦截处理');
  const incident = page.getByRole('row').filter({ hasText: former });
  await expect(incident.getByText('已替换')).toBeVisible();
  await incident.getByText('详情', { exact: true }).click();
  const drawer = page.getByRole('dialog').last();
  await expect(drawer.getByText('微信网关').first()).toBeVisible();
  await expect(drawer.getByText('商业接口').first()).toBeVisible();
  await drawer
    .getByRole('button', { name: /^撤\s*销/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .filter({ hasText: '改回后访客可能打不开' })
    .getByRole('button', { name: /^撤\s*销/ })
    .click();
  await expect(page.getByText(`已改回 ${codes} 个码`)).toBeVisible();
  expect(await entryHosts()).toEqual([former]);
  expect(await told()).toEqual([1, 1, 1]);

  await test.step('what was undone waits on the start page, from where two clicks put a healthy domain in its place', async () => {
    await go(page, 'customer/home');
    await expect(page.getByRole('heading', { name: '工作台' })).toBeVisible();
    await page.locator('#main').getByText('替换', { exact: true }).first().click();
    const dialog = page.getByRole('dialog').last();
    // A healthy one is proposed.
    await expect(dialog.getByText(`${codes} 个活码`)).toBeVisible();
    await dialog.getByRole('button', { name: `替换 ${codes} 个码` }).click();
    await expect(page.getByText(`已替换 ${codes} 个码的域名`)).toBeVisible();
    const [host, ...rest] = await entryHosts();
    expect(others).toContain(host);
    expect(rest).toEqual([]);
  });
});
