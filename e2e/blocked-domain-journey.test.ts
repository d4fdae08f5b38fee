import { once } from 'node:events';
import { request } from 'node:http';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DetectionApis, startDetectionApis } from '../simulators/detection-apis/detection-apis.ts';
import { type Gateway, startGateway } from '../simulators/gateway/gateway.ts';
import { type MailSimulator, startMailSimulator } from '../simulators/smtp/smtp.ts';
import { startTelegram, type Telegram } from '../simulators/telegram/telegram.ts';
import { type DnsServer, startDnsServer } from '../src/server/domains/testing/dns-server.ts';
import { beforeJourneysAlone, openPageAs } from './kit/journey.ts';
import { openScreen } from './kit/menu.ts';
import type { Product } from './kit/product.ts';
import { scan } from './kit/scan.ts';
import { addCustomer, tokenOf } from './kit/seed.ts';

const codes = 200;
const hosts = ['scan-a.example.com', 'scan-b.example.com', 'scan-c.example.com'] as const;
const [former] = hosts;
const shortHost = 'go.example.com';
const mailbox = 'keeper@example.com';

let product: Product;
let page: Page;
let gateway: Gateway;
let apis: DetectionApis;
let telegram: Telegram;
let mail: MailSimulator;
let dns: DnsServer;
let admin: string;
let keeper: string;

async function call<T>(token: string, path: string, input: object): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

beforeAll(async () => {
  const zone = Object.fromEntries([...hosts, shortHost].map((host) => [host, { A: ['127.0.0.1'] }]));
  const started = Promise.all([startGateway(), startDetectionApis(), startTelegram(), startMailSimulator(), startDnsServer(zone)]);
  [gateway, apis, telegram, mail, dns] = await started;
});
afterAll(() => Promise.all([gateway, apis, telegram, mail, dns].map((simulator) => simulator.stop())));

/** Two detectors that know the messenger, a mail server and a bot: what an administrator sets up once. */
async function setUpSite(): Promise<number> {
  const outside = { messenger_gateway: gateway.gateway, telegram_api: telegram.url, control_addresses: [gateway.url] };
  await call(admin, 'configuration/update', { values: { ...outside, dns_servers: [dns.address], visit_addresses: ['127.0.0.1'] } });
  const screen = 'we_chat_blocking_detection_configuration';
  const { content } = await call<{ content: { id: number; kind: string }[] }>(admin, `${screen}/inquire`, {});
  const others = content.filter(({ kind }) => kind !== 'gateway').map(({ id }) => id);
  await call(admin, `${screen}/update_enabled`, { ids: others, enabled: false });
  const reading = { by: 'json', path: 'data.status', normal: ['ok'], blocked: ['blocked'] };
  const config = { kind: 'http_api', url: `${apis.url}/data-status?url={url}`, method: 'GET', headers: [], body: '', reading };
  await call(admin, `${screen}/add`, { name: '商业接口', config });
  const server = { host: mail.host, port: mail.port, security: 'none', username: '', from_address: 'site@example.com', from_name: '活码' };
  await call(admin, 'shield_push/update_mail_server', server);
  const bot = telegram.addBot({ first_name: '活码助手', username: 'livecode_demo_bot' });
  return (await call<{ id: number }>(admin, 'telegram_bot/add', { token: bot.token })).id;
}

/** A chat and a mailbox of the customer, beside the site messages that every user gets, told of falls. */
async function setUpPushes(bot_id: number): Promise<void> {
  const [bot] = telegram.world.bots.values();
  if (!bot) throw new Error('the bot is missing');
  const chat = telegram.addChat({ person: { first_name: '张伟', username: 'zhangwei' } });
  const binding = await call<{ code: string }>(keeper, 'telegram_bot_binding/bind', { bot_id });
  telegram.say(bot, chat, `/start ${binding.code}`);
  const bound = () => call<{ content: { id: number }[] }>(keeper, 'telegram_bot_binding/inquire', {}).then(({ content }) => content);
  await expect.poll(async () => (await bound()).length).toBe(1);
  const [found] = await bound();
  await call(keeper, 'shield_push/add_channel', { kind: 'telegram', telegram_chat_id: found?.id });
  const box = await call<{ id: number }>(keeper, 'shield_push/add_channel', { kind: 'email', address: mailbox });
  await call(keeper, 'shield_push/send_code', { id: box.id });
  await expect.poll(() => mail.mails.length).toBeGreaterThan(0);
  const code = /\b(\d{6})\b/.exec(mail.mails.at(-1)?.text ?? '')?.[1];
  await call(keeper, 'shield_push/confirm', { id: box.id, code });
  const { content: channels } = await call<{ content: { id: number }[] }>(keeper, 'shield_push/channels', {});
  const { content: rules } = await call<{ content: { id: number }[] }>(keeper, 'shield_push/rules', {});
  await call(keeper, 'shield_push/remove_rule', { ids: rules.map(({ id }) => id) });
  await call(keeper, 'shield_push/add_rule', { name: '夜里', events: ['domain.blocked'], channel_ids: channels.map(({ id }) => id) });
}

beforeJourneysAlone(
  async (journey) => {
    ({ product } = journey);
    const customer = await addCustomer(product, 'block-keeper');
    admin = await tokenOf(product.backOffice, 'admin', product.password);
    keeper = await tokenOf(product.backOffice, customer.account, customer.password);
    page = await openPageAs(customer, journey);
  },
  { LIVECODE_ALLOWED_NETWORKS: '127.0.0.0/8,::1' },
);

type Row = { id: number; file_name: string; entry_host: string };
const listed = async (): Promise<Row[]> =>
  (await call<{ content: Row[] }>(keeper, 'qr_code_list/inquire', { search: 'night-', page_size: 200 })).content;
const entryHosts = async () => [...new Set((await listed()).map(({ entry_host }) => entry_host))];

/** One visit with this Host, as a proxy in front of the visit path would pass it on. */
async function visit(host: string, path: string): Promise<{ status: number; location: string; body: string }> {
  const sent = request(`${product.visits}${path}`, { headers: { host, 'x-forwarded-for': '120.196.165.24' } }).end();
  const [answer] = await once(sent, 'response');
  let body = '';
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode, location: answer.headers.location ?? '', body };
}

async function makeCodes(entry_domain_id: number): Promise<void> {
  const add = (number: number) =>
    call(keeper, 'qr_code_list/add', {
      name: `夜间 ${number}`,
      file_name: `night-${number}`,
      entry_domain_id,
      landing_domain_id: null,
      targets: [{ kind: 'url', content: `https://example.com/${number}` }],
    });
  for (let from = 0; from < codes; from += 8) await Promise.all(Array.from({ length: 8 }, (_, at) => add(from + at)));
}

const isShown = (locator: { isVisible: () => Promise<boolean> }) => expect.poll(() => locator.isVisible(), { timeout: 20_000 }).toBe(true);

test('a customer has a chat and a mailbox told of blocked domains', async () => {
  await setUpPushes(await setUpSite());
  const { content } = await call<{ content: { kind: string; confirmed_at: string | null }[] }>(keeper, 'shield_push/channels', {});
  expect(content.map(({ kind, confirmed_at }) => [kind, confirmed_at !== null]).sort()).toEqual([
    ['email', true],
    ['site', true],
    ['telegram', true],
  ]);
});

test('a domain is blocked at night: within seconds its codes stand on the next one, everyone is told once, and undo brings all back', async () => {
  const ids = new Map<string, number>();
  for (const host of hosts) ids.set(host, (await call<{ id: number }>(keeper, 'domain_list/add', { host, type: 1 })).id);
  const short = await call<{ id: number }>(keeper, 'domain_list/add', { host: shortHost, type: 3 });
  type Monitor = { id: number; domain_id: number; block_status: number | null };
  const monitors = async () => (await call<{ content: Monitor[] }>(keeper, 'domain_monitor/inquire', { page_size: 200 })).content;
  await expect.poll(async () => (await monitors()).filter(({ block_status }) => block_status === 1).length, { timeout: 60_000 }).toBe(4);
  await makeCodes(ids.get(former) ?? 0);
  const [first] = await listed();
  await call(keeper, 'short_code/add', {
    request_key: crypto.randomUUID(),
    live_code_ids: [first?.id],
    domain_id: short.id,
    short: 'night',
  });
  await expect.poll(async () => (await visit(shortHost, '/night')).location).toContain(`//${former}/`);
  expect((await visit(former, `/${first?.file_name}`)).status).toBe(200);

  // It is blocked, and looked at now.
  gateway.block(former);
  apis.block(former);
  const blockedAt = performance.now();
  const watched = (await monitors()).find(({ domain_id }) => domain_id === ids.get(former));
  await call(keeper, 'domain_monitor/check', { ids: [watched?.id] });
  await expect.poll(entryHosts, { timeout: 15_000, interval: 250 }).not.toContain(former);
  const seconds = (performance.now() - blockedAt) / 1000;
  const [next = ''] = await entryHosts();
  expect(hosts.slice(1)).toContain(next);
  expect(await entryHosts()).toHaveLength(1);
  expect(await listed()).toHaveLength(codes);
  expect(seconds).toBeLessThan(15);

  // Visits, short codes and pictures follow.
  await expect.poll(async () => (await visit(shortHost, '/night')).location, { timeout: 2_000, interval: 50 }).toContain(`//${next}/`);
  expect((await visit(next, `/${first?.file_name}`)).status).toBe(200);
  await page.goto(`${product.backOffice}/#/customer/qr_code/${first?.id}`);
  await isShown(page.getByText(next).first());
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: /下载二维码$/ })
      .first()
      .click(),
  ]);
  expect(await scan(await download.path())).toBe(`http://${next}/${first?.file_name}`);

  // Everybody is told once.
  const [bot] = telegram.world.bots.values();
  const told = () =>
    [...telegram.world.chats.values()].flatMap((chat) => (bot ? telegram.said(bot, chat) : [])).filter(({ text }) => text.includes(former));
  const mails = () => mail.mails.filter(({ to, text }) => to.includes(mailbox) && text.includes(former));
  const messages = async () =>
    (await call<{ content: { title: string; content: string }[] }>(keeper, 'message_list/inquire', { page_size: 50 })).content.filter(
      ({ title, content }) => `${title}${content}`.includes(former) && title.includes('拦截'),
    );
  await expect.poll(async () => [told().length, mails().length, (await messages()).length], { timeout: 30_000 }).toEqual([1, 1, 1]);

  // The log has the evidence, and undo restores all.
  await openScreen(page, '拦截处理');
  const incident = page.getByRole('row').filter({ hasText: former });
  await isShown(incident.getByText('已替换'));
  await incident.getByText('详情', { exact: true }).click();
  const drawer = page.getByRole('dialog').last();
  await isShown(drawer.getByText('微信网关').first());
  await isShown(drawer.getByText('商业接口').first());
  await drawer
    .getByRole('button', { name: /^撤\s*销/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .filter({ hasText: '改回后访客可能打不开' })
    .getByRole('button', { name: /^撤\s*销/ })
    .click();
  await isShown(page.getByText(`已改回 ${codes} 个码`));
  expect(await entryHosts()).toEqual([former]);
  expect([told().length, mails().length, (await messages()).length]).toEqual([1, 1, 1]);
}, 240_000);

test('what was undone waits on the start page, from where two clicks put a healthy domain in its place', async () => {
  await page.goto(`${product.backOffice}/#/customer/home`);
  await page.getByRole('heading', { name: '工作台' }).waitFor();
  await page.locator('#main').getByText('替换', { exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  // A healthy one is proposed.
  await isShown(dialog.getByText(`${codes} 个活码`));
  await dialog.getByRole('button', { name: `替换 ${codes} 个码` }).click();
  await isShown(page.getByText(`已替换 ${codes} 个码的域名`));
  expect(hosts.slice(1)).toContain((await entryHosts())[0]);
});
