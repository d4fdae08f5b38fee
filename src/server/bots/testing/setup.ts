import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startTelegram, type Telegram } from '../../../../simulators/telegram/telegram.ts';
import type { Bot, Chat } from '../../../../simulators/telegram/world.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { openBus } from '../../kit/postgres/bus.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { createVault, readMasterKey, type Vault } from '../../kit/vault.ts';
import type { BotsOptions } from '../bots.options.ts';
import { startBots } from '../bots.runner.ts';

export const network = guardNetwork(['127.0.0.1/32']);

/** The app, Telegram, a registered bot, its administrator and a customer; workers that a test starts end with it. */
export const here = {} as {
  test_app: TestApp;
  telegram: Telegram;
  vault: Vault;
  bot: Bot;
  bot_id: number;
  administrator: TestUser;
  owner: TestUser;
  /** What workers logged. */
  logged: unknown[];
};
const running: { stop: () => Promise<void> }[] = [];

/**
 * To be called at the top of a suite.
 * @param works whether a worker runs all the time; without, each test starts its own
 */
export function prepareBots({ works = false } = {}): void {
  let constant: { stop: () => Promise<void> } | undefined;
  beforeAll(async () => {
    const test_app = await createTestApp({ allowedNetworks: ['127.0.0.1/32'], trustedProxies: ['127.0.0.1'] });
    const telegram = await startTelegram();
    await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('telegram_api', ${JSON.stringify(telegram.url)}::jsonb)`);
    const vault = createVault(readMasterKey(test_app.dataDir));
    Object.assign(here, { test_app, telegram, vault, logged: [], administrator: await test_app.makeUser('super') });
    if (works) constant = startWorker({});
  });
  afterAll(async () => {
    await constant?.stop();
    await here.telegram.stop();
    await here.test_app.close();
  });
  beforeEach(async () => {
    await here.test_app.db.execute(sql`DELETE FROM telegram_bot`);
    await here.test_app.db.execute(sql`DELETE FROM attempt`);
    here.logged.length = 0;
    here.telegram.asked.length = 0;
    here.owner = await here.test_app.makeUser('customer');
    here.bot = here.telegram.addBot();
    here.bot_id = await addBot();
  });
  afterEach(stopWork);
}

export async function stopWork(): Promise<void> {
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
}

/** Limits of calls are for each address. */
const fromAnywhere = () => ({ 'x-forwarded-for': `203.0.${randomInt(256)}.${randomInt(256)}` });

export async function addBot(input: object = {}): Promise<number> {
  const { status, body } = await here.test_app.send(
    here.administrator,
    'telegram_bot/add',
    { token: here.bot.token, ...input },
    fromAnywhere(),
  );
  expect([status, body]).toEqual([200, { id: expect.any(Number) }]);
  return Number(body.id);
}

/** A worker that does what bots do, and nothing else. */
export function work(options: Partial<BotsOptions> = {}): { stop: () => Promise<void> } {
  const worker = startWorker(options);
  running.push(worker);
  return worker;
}

function startWorker(options: Partial<BotsOptions>): { stop: () => Promise<void> } {
  const line = (details: object, message: string) => void here.logged.push({ ...details, message });
  const log = { info: line, warn: line, error: line };
  const bus = openBus(here.test_app.url, { warn: () => {} });
  const bots = startBots({ pool: here.test_app.pool, bus, network, vault: here.vault, log, ...options });
  return {
    async stop() {
      await bots.stop();
      await bus.stop();
    },
  };
}

type Code = { id: number; code: string; url: string; group_url: string };
export async function makeCode(as: TestUser = here.owner): Promise<Code> {
  const { status, body } = await here.test_app.send(as, 'telegram_bot_binding/bind', { bot_id: here.bot_id }, fromAnywhere());
  expect([status, body]).toEqual([200, expect.objectContaining({ code: expect.stringMatching(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/) })]);
  return body as Code;
}

/** Waits until the bot has said so many things in the chat, and answers the last one. */
export async function heard(chat: Chat, number: number): Promise<string> {
  await eventually(() => expect(here.telegram.said(here.bot, chat).length).toBeGreaterThanOrEqual(number), { interval: 20 });
  const said = here.telegram.said(here.bot, chat);
  expect(said).toHaveLength(number);
  return said.at(-1)?.text ?? '';
}

/** Says something and answers what the bot says to it. */
export async function ask(chat: Chat, text: string, further: Parameters<Telegram['say']>[3] = {}): Promise<string> {
  const before = here.telegram.said(here.bot, chat).length;
  here.telegram.say(here.bot, chat, text, further);
  return heard(chat, before + 1);
}

/** Says something that is answered by nothing; whatever was said before is dealt with then, too. */
export async function askInVain(chat: Chat, text: string, further: Parameters<Telegram['say']>[3] = {}): Promise<void> {
  const before = here.telegram.said(here.bot, chat).length;
  here.telegram.say(here.bot, chat, text, further);
  await settled();
  expect(here.telegram.said(here.bot, chat)).toHaveLength(before);
}

/** Until everything that bots were sent is dealt with. */
export async function settled(): Promise<void> {
  await eventually(
    async () => {
      const open = await here.test_app.db.execute(sql`SELECT FROM telegram_update WHERE state IN ('waiting', 'answering')`);
      const isFetched = [...here.telegram.world.bots.values()].every(
        ({ id, queue }) => id !== here.bot.id || queue.every(({ update_id }) => known.has(update_id)),
      );
      for (const { update_id } of (await here.test_app.db.execute<{ update_id: number }>(sql`SELECT update_id FROM telegram_update`)).rows)
        known.add(update_id);
      expect([open.rowCount, isFetched]).toEqual([0, true]);
    },
    { interval: 20 },
  );
}
const known = new Set<number>();

/** A private chat that is bound to the user. */
export async function bindChat(
  as: TestUser = here.owner,
  person: NonNullable<Parameters<Telegram['addChat']>[0]>['person'] = {},
): Promise<Chat> {
  const chat = here.telegram.addChat({ person });
  const { code } = await makeCode(as);
  await ask(chat, `/start ${code}`);
  return chat;
}

type ChatRow = {
  id: number;
  user_id: number;
  chat_id: number;
  nickname: string;
  username: string;
  kind: string;
  muted_until: string | null;
};
export const chats = async (): Promise<ChatRow[]> =>
  (await here.test_app.db.execute<ChatRow>(sql`SELECT * FROM telegram_chat WHERE bot_id = ${here.bot_id} ORDER BY id`)).rows;
