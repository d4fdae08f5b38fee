import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { emitEvents } from '../../kit/messages/events.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import type { Bus } from '../../kit/postgres/bus.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { startOnBus } from '../../kit/testing/on-bus.ts';
import { createVault, readMasterKey } from '../../kit/vault.ts';
import { claimDelivery, fanOut } from '../webhooks.outbox.ts';
import { startWebhooks, type WebhookOptions } from '../webhooks.runner.ts';
import { attempt, type Sender } from '../webhooks.sending.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const network = guardNetwork(['127.0.0.1/32']);
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** The app, and for each test an owner of webhooks and a receiver; workers that a test starts end with it. */
export const here = {} as { test_app: TestApp; sender: Sender; owner: TestUser; receiver: Receiver };
const running: { stop: () => Promise<void> }[] = [];

/** To be called at the top of a suite. */
export function prepareWebhooks(): void {
  beforeAll(async () => {
    const test_app = await createTestApp({ allowedNetworks: ['127.0.0.1/32'] });
    const vault = createVault(readMasterKey(test_app.dataDir));
    Object.assign(here, { test_app, sender: { db: test_app.db, network, vault, now: () => new Date() } });
  });
  afterAll(() => here.test_app.close());
  beforeEach(async () => {
    await here.test_app.db.execute(sql`DELETE FROM event`);
    await here.test_app.db.execute(sql`DELETE FROM webhook`);
    here.owner = await here.test_app.makeUser('customer');
    here.receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((worker) => worker.stop()));
    await here.receiver.close();
  });
}

export function work(options: Partial<WebhookOptions> = {}): void {
  const { test_app, sender } = here;
  const start = (bus: Bus) => startWebhooks({ pool: test_app.pool, bus, network, vault: sender.vault, log: silent, ...options });
  running.push(startOnBus(test_app.url, start));
}

export async function add(as: TestUser, input: object = {}): Promise<{ id: number; secret: string }> {
  const { status, body } = await here.test_app.send(as, 'webhook/add', { url: here.receiver.url, ...input });
  expect([status, body]).toEqual([200, { id: expect.any(Number), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) }]);
  return body as { id: number; secret: string };
}

export const happen = (user: TestUser, number = 1, type: 'code.changed' | 'domain.changed' = 'code.changed') =>
  emitEvents(
    here.test_app.db,
    Array.from({ length: number }, (_, index) => ({ type, owner_id: user.id, data: { id: index + 1, name: '活码' } })),
  );

type State = { state: string; attempts: number; status: number | null; error: string | null; answer: string | null };
export const states = async (id: number): Promise<State[]> =>
  (
    await here.test_app.db.execute<State>(sql`
    SELECT state, attempts, status, error, answer FROM webhook_delivery WHERE webhook_id = ${id} ORDER BY id`)
  ).rows;

/** One attempt of what is due, as a worker makes it. */
export async function sendDue(): Promise<void> {
  await fanOut(here.test_app.db);
  const claimed = await claimDelivery(here.test_app.db, []);
  if (claimed) await attempt(claimed, here.sender);
}

export const makeDue = (id: number) =>
  here.test_app.db.execute(sql`UPDATE webhook_delivery SET next_attempt_at = now() WHERE webhook_id = ${id} AND state = 'waiting'`);
