import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type RobotSimulator, startRobotSimulator } from '../../../../simulators/robots/robots.ts';
import { type MailSimulator, startMailSimulator } from '../../../../simulators/smtp/smtp.ts';
import type { EventType } from '../../../contract/events.ts';
import { settingsOf } from '../../../contract/settings.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import type { Bus } from '../../kit/postgres/bus.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { startOnBus } from '../../kit/testing/on-bus.ts';
import { createVault, readMasterKey } from '../../kit/vault.ts';
import { closeDue, gather, repeatUnseen } from '../pushes.gathering.ts';
import { claimPush } from '../pushes.outbox.ts';
import { startPushes } from '../pushes.runner.ts';
import { attempt } from '../pushes.sending.ts';
import type { Means } from '../senders/sending.types.ts';

export const network = guardNetwork(['127.0.0.1/32']);
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The app with a mail server and robots, and for each test an owner without the rules that he is given. */
export const here = {} as { test_app: TestApp; means: Means; owner: TestUser; mail: MailSimulator; robots: RobotSimulator };
const running: { stop: () => Promise<void> }[] = [];

const readSite = async () =>
  settingsOf((await here.test_app.db.execute<{ key: string; value: unknown }>(sql`SELECT key, value FROM setting`)).rows);

/** To be called at the top of a suite. */
export function preparePushes(): void {
  beforeAll(async () => {
    const test_app = await createTestApp({ allowedNetworks: ['127.0.0.1/32'] });
    const vault = createVault(readMasterKey(test_app.dataDir));
    const [mail, robots] = await Promise.all([startMailSimulator({ kept: 5_000 }), startRobotSimulator()]);
    Object.assign(here, { test_app, mail, robots, means: { db: test_app.db, network, vault, now: () => new Date(), site: readSite } });
    const root = await test_app.makeUser('super');
    const { wecom, dingtalk, feishu } = robots.bases;
    const values = {
      wecom_robot_url: wecom,
      dingtalk_robot_url: dingtalk,
      feishu_robot_url: feishu,
      site_url: 'https://office.example.com/',
    };
    await test_app.call(root, 'configuration', 'update', { values });
    const server = {
      host: mail.host,
      port: mail.port,
      security: 'none',
      username: '',
      from_address: 'site@example.com',
      from_name: '活码',
    } as const;
    await test_app.call(root, 'shield_push', 'update_mail_server', server);
  });
  afterAll(() => Promise.all([here.test_app.close(), here.mail.stop(), here.robots.stop()]));
  beforeEach(async () => {
    await here.test_app.db.execute(sql`DELETE FROM event`);
    await here.test_app.db.execute(sql`DELETE FROM push`);
    here.owner = await here.test_app.makeUser('customer');
    await here.test_app.db.execute(sql`DELETE FROM push_rule WHERE owner_id = ${here.owner.id}`);
    here.robots.messages.length = 0;
    here.mail.mails.length = 0;
    here.mail.refuse(null);
    here.robots.failNext(0);
  });
  afterEach(() => Promise.all(running.splice(0).map((worker) => worker.stop())));
}

export function work(): void {
  const { test_app, means } = here;
  running.push(startOnBus(test_app.url, (bus: Bus) => startPushes({ pool: test_app.pool, bus, network, vault: means.vault, log: silent })));
}

export async function addRobot(kind: 'wecom' | 'dingtalk' | 'feishu' = 'wecom', secret = ''): Promise<number> {
  const { url } = here.robots.add(kind, secret);
  const { status, body } = await here.test_app.call(here.owner, 'shield_push', 'add_channel', { kind, url, ...(secret ? { secret } : {}) });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}

export const siteChannel = async (user: TestUser = here.owner): Promise<number> =>
  (await here.test_app.call(user, 'shield_push', 'channels', {})).body.content.find(({ kind }) => kind === 'site')?.id ?? 0;

export async function addRule(channel_ids: number[], more: object = {}): Promise<number> {
  const { status, body } = await here.test_app.send(here.owner, 'shield_push/add_rule', {
    events: ['domain.blocked', 'domain.unblocked'],
    channel_ids,
    ...more,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return Number(body.id);
}

export const happen = (hosts: readonly string[], type: EventType = 'domain.blocked', data: object = {}) =>
  emitEvents(
    here.test_app.db,
    hosts.map((host, index) => ({ type, owner_id: here.owner.id, data: { id: index + 1, host, since: '2026-01-01T00:00:00Z', ...data } })),
  );

const makeDue = async () => {
  await here.test_app.db.execute(sql`UPDATE push SET due_at = now() WHERE closed_at IS NULL AND NOT held`);
  await here.test_app.db.execute(sql`UPDATE push_delivery SET next_attempt_at = now() FROM push
    WHERE push.id = push_id AND push_delivery.state = 'waiting' AND push_delivery.attempts = 0 AND NOT push.held`);
  await here.test_app.db.execute(sql`UPDATE push_channel SET free_at = now()`);
};

/** What a worker does once the time that events are gathered in is over. */
export async function tell(now = new Date()): Promise<void> {
  const { db } = here.test_app;
  await gather(db);
  await makeDue();
  await closeDue(db, await readSite(), now);
  await repeatUnseen(db, await readSite(), now);
  await sendAll();
}

/** Attempts of all that is due, as workers make them without the pauses between. */
export async function sendAll(): Promise<void> {
  for (;;) {
    await here.test_app.db.execute(sql`UPDATE push_channel SET free_at = now() WHERE free_at < now() + interval '10 seconds'`);
    const claimed = await claimPush(here.test_app.db);
    if (!claimed) return;
    await attempt(claimed, here.means);
  }
}

export const outbox = async (user: TestUser = here.owner) =>
  (await here.test_app.call(user, 'shield_push', 'inquire', { sort: 'id', order: 'asc' })).body.content;
