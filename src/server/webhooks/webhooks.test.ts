import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { maximumWebhooks, verifyExample } from '../../contract/webhook.ts';
import { emitEvents } from '../kit/events.ts';
import { guardNetwork } from '../kit/guarded-network.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { expectWithin } from '../kit/testing/within.ts';
import { createVault, readMasterKey, type Vault } from '../kit/vault.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';
import { claimDelivery, fanOut, purgeEvents } from './webhooks.outbox.ts';
import { startWebhooks, type WebhookOptions } from './webhooks.runner.ts';
import { attempt, pauseAfter } from './webhooks.sending.ts';

const patience = { timeout: 15_000 };
const network = guardNetwork(['127.0.0.1/32']);
const silent = { info: () => {}, warn: () => {}, error: () => {} };

let test_app: TestApp;
let vault: Vault;
beforeAll(async () => {
  test_app = await createTestApp({ allowedNetworks: ['127.0.0.1/32'] });
  vault = createVault(readMasterKey(test_app.dataDir));
});
afterAll(() => test_app.close());

let owner: TestUser;
let receiver: Receiver;
const running: { stop: () => Promise<void> }[] = [];
beforeEach(async () => {
  await test_app.db.execute(sql`DELETE FROM event`);
  await test_app.db.execute(sql`DELETE FROM webhook`);
  owner = await test_app.makeUser('customer');
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.stop()));
  await receiver.close();
});

function work(options: Partial<WebhookOptions> = {}): void {
  running.push(startWebhooks({ pool: test_app.pool, url: test_app.url, network, vault, log: silent, ...options }));
}

async function add(as: TestUser, input: object = {}): Promise<{ id: number; secret: string }> {
  const { status, body } = await test_app.send(as, 'webhook/add', { url: receiver.url, ...input });
  expect([status, body]).toEqual([200, { id: expect.any(Number), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) }]);
  return body as { id: number; secret: string };
}

const happen = (user: TestUser, number = 1, type: 'code.changed' | 'domain.changed' = 'code.changed') =>
  emitEvents(
    test_app.db,
    Array.from({ length: number }, (_, index) => ({ type, owner_id: user.id, data: { id: index + 1, name: '活码' } })),
  );

const states = async (id: number) =>
  (
    await test_app.db.execute<{ state: string; attempts: number; status: number | null; error: string | null; answer: string | null }>(sql`
    SELECT state, attempts, status, error, answer FROM webhook_delivery WHERE webhook_id = ${id} ORDER BY id`)
  ).rows;

/** One attempt of what is due, as a worker makes it. */
async function sendDue(): Promise<void> {
  await fanOut(test_app.db);
  const claimed = await claimDelivery(test_app.db, []);
  if (claimed) await attempt(claimed, { db: test_app.db, network, vault, now: () => new Date() });
}
const makeDue = (id: number) =>
  test_app.db.execute(sql`UPDATE webhook_delivery SET next_attempt_at = now() WHERE webhook_id = ${id} AND state = 'waiting'`);

describe('an event', () => {
  test('reaches the webhook of its owner, signed so that the example of the screen accepts it', async () => {
    const { secret } = await add(owner);
    work();
    await happen(owner);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), patience);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(JSON.parse(body)).toEqual({
      type: 'code.changed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { id: 1, name: '活码' },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': expect.stringMatching(/^evt_\d+$/) });
    const file = join(test_app.dataDir, `verify-${Date.now()}.mjs`);
    await writeFile(file, verifyExample);
    const { isOurs } = await import(/* @vite-ignore */ file);
    expect(isOurs(secret, headers, body)).toBe(true);
    expect(isOurs(secret, headers, `${body} `)).toBe(false);
    expect(isOurs((await add(owner)).secret, headers, body)).toBe(false);
  });

  test('is told within a second', async () => {
    await add(owner);
    work();
    await expectWithin(1000, async () => {
      receiver.received.length = 0;
      const startedAt = Date.now();
      await happen(owner);
      await vi.waitFor(() => expect(receiver.received).toHaveLength(1), patience);
      return (receiver.received[0]?.at ?? 0) - startedAt;
    });
  });

  test('reaches only webhooks that asked for it, of its owner, that are switched on, and were there when it happened', async () => {
    const stranger = await test_app.makeUser('customer');
    await happen(owner);
    const [all, other, off, foreign] = [
      await add(owner),
      await add(owner, { events: ['domain.changed'] }),
      await add(owner, { enabled: false }),
      await add(stranger, { events: ['code.changed'] }),
    ];
    await happen(owner);
    await fanOut(test_app.db);
    const numbers = await Promise.all([all, other, off, foreign].map(async ({ id }) => (await states(id)).length));
    expect(numbers).toEqual([1, 0, 0, 0]);
  });

  test('of anybody reaches an administrator who asked for all users, as long as he is one', async () => {
    const administrator = await test_app.makeUser('administrator');
    const { id } = await add(administrator, { all_users: true });
    await happen(owner);
    await fanOut(test_app.db);
    expect(await states(id)).toHaveLength(1);
    await test_app.db.execute(
      sql`UPDATE user_account SET role_id = (SELECT id FROM role WHERE kind = 'customer' AND built_in) WHERE id = ${administrator.id}`,
    );
    await happen(owner);
    await fanOut(test_app.db);
    expect(await states(id)).toHaveLength(1);
    expect(await test_app.send(owner, 'webhook/add', { url: receiver.url, all_users: true })).toMatchObject({
      status: 400,
      body: { fields: { all_users: 'beyond_own' } },
    });
  });

  test('of a transaction that is rolled back is told to nobody', async () => {
    const { id } = await add(owner);
    await test_app.db
      .transaction(async (tx) => {
        await emitEvents(tx as never, [{ type: 'code.changed', owner_id: owner.id, data: {} }]);
        throw new Error('rolled back');
      })
      .catch(() => {});
    await fanOut(test_app.db);
    expect(await states(id)).toEqual([]);
  });

  test('is not sent while its owner is disabled', async () => {
    const { id } = await add(owner);
    await happen(owner);
    await fanOut(test_app.db);
    await test_app.db.execute(sql`UPDATE user_account SET disabled = 2 WHERE id = ${owner.id}`);
    expect(await claimDelivery(test_app.db, [])).toBeUndefined();
    await test_app.db.execute(sql`UPDATE user_account SET disabled = 1 WHERE id = ${owner.id}`);
    expect((await claimDelivery(test_app.db, []))?.webhook_id).toBe(id);
  });
});

describe('a receiver', () => {
  test('that fails is tried again, under the same id, until it takes the event', async () => {
    const { id } = await add(owner);
    receiver.answer((response) => response.writeHead(500).end('not now'));
    await happen(owner);
    await sendDue();
    expect(await states(id)).toEqual([{ state: 'waiting', attempts: 1, status: 500, error: null, answer: 'not now' }]);
    expect(await claimDelivery(test_app.db, [])).toBeUndefined();
    receiver.answer((response) => response.writeHead(204).end());
    await makeDue(id);
    await sendDue();
    expect(await states(id)).toEqual([{ state: 'delivered', attempts: 2, status: 204, error: null, answer: '' }]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('that fails ten times is given up, and after a long time the webhook is switched off and its owner told', async () => {
    const { id } = await add(owner);
    receiver.answer((response) => response.writeHead(503).end());
    await happen(owner, 2);
    await fanOut(test_app.db);
    for (let number = 1; number <= 10; number += 1) {
      await test_app.db.execute(sql`UPDATE webhook_delivery SET next_attempt_at = now() + interval '1 hour' WHERE webhook_id = ${id}`);
      await test_app.db.execute(
        sql`UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = (SELECT min(id) FROM webhook_delivery WHERE webhook_id = ${id})`,
      );
      if (number === 10) await test_app.db.execute(sql`UPDATE webhook SET failing_since = now() - interval '13 hours' WHERE id = ${id}`);
      await sendDue();
    }
    expect((await states(id)).map(({ state, attempts }) => [state, attempts])).toContainEqual(['failed', 10]);
    const { body } = await test_app.call(owner, 'webhook', 'inquire', {});
    expect(body.content[0]).toMatchObject({ enabled: false, stopped: 'failing' });
    const messages = await test_app.call(owner, 'message_list', 'inquire', {});
    expect(messages.body.content[0]?.content).toContain(receiver.url);
    await test_app.call(owner, 'webhook', 'update', { id, enabled: true });
    expect((await test_app.call(owner, 'webhook', 'inquire', {})).body.content[0]).toMatchObject({
      enabled: true,
      stopped: null,
      failing_since: null,
    });
  });

  test('that answers 410 gets nothing more', async () => {
    const { id } = await add(owner);
    receiver.answer((response) => response.writeHead(410).end());
    await happen(owner, 3);
    await sendDue();
    await sendDue();
    expect(receiver.received).toHaveLength(1);
    expect((await test_app.call(owner, 'webhook', 'inquire', {})).body.content[0]).toMatchObject({
      enabled: false,
      stopped: 'gone',
      waiting: 2,
    });
    expect((await states(id))[0]?.state).toBe('failed');
  });

  test('that redirects is not followed', async () => {
    const { id } = await add(owner);
    const other = await startReceiver();
    receiver.answer((response) => response.writeHead(302, { location: other.url }).end());
    await happen(owner);
    await sendDue();
    expect([(await states(id))[0]?.status, other.received]).toEqual([302, []]);
    await other.close();
  });

  test('that answers without end is cut after 1 KiB, and one with a NUL is kept readable', async () => {
    const { id } = await add(owner);
    receiver.answer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('\u0000活'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    await happen(owner);
    await sendDue();
    const [state] = await states(id);
    expect(state).toMatchObject({ state: 'delivered', status: 200 });
    expect(Buffer.byteLength(state?.answer ?? '')).toBeLessThan(2000);
    expect(state?.answer?.startsWith('\ufffd活')).toBe(true);
  });

  test('that is not there, hangs up, or talks nonsense is an attempt that failed', async () => {
    const { id } = await add(owner);
    await happen(owner);
    receiver.answer((response) => response.destroy());
    await sendDue();
    expect((await states(id))[0]).toMatchObject({ state: 'waiting', status: null, error: 'outgoing.failed' });
    receiver.answer((response) => response.socket?.end('nonsense\r\n\r\n'));
    await makeDue(id);
    await sendDue();
    expect((await states(id))[0]).toMatchObject({ state: 'waiting', attempts: 2, error: 'outgoing.failed' });
    await test_app.db.execute(sql`UPDATE webhook SET url = 'http://127.0.0.1:1/', host = '127.0.0.1:1' WHERE id = ${id}`);
    await makeDue(id);
    await sendDue();
    const { body } = await test_app.call(owner, 'webhook', 'deliveries', { webhook_id: id });
    expect(body.content[0]?.error).toContain('ECONNREFUSED');
  });

  test('inside the own network is neither accepted nor called', async () => {
    for (const url of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'ftp://example.com/',
      'http://user:pass@example.com/',
      'x',
    ])
      expect(await test_app.send(owner, 'webhook/add', { url })).toMatchObject({ status: 400 });
    const { id } = await add(owner);
    await test_app.db.execute(sql`UPDATE webhook SET url = 'http://10.0.0.1/' WHERE id = ${id}`);
    await happen(owner);
    await sendDue();
    expect((await states(id))[0]).toMatchObject({ state: 'waiting', error: 'outgoing.refused_address' });
  });

  test('is asked again after growing pauses, ten times over about a day, and never earlier than it asks for', () => {
    const all = (random: number) => Array.from({ length: 9 }, (_, index) => pauseAfter(index + 1, 0, () => random) ?? 0);
    for (const random of [0, 0.5, 1]) {
      const hours = all(random).reduce((sum, pause) => sum + pause, 0) / 3600;
      expect([hours > 16, hours < 30]).toEqual([true, true]);
      expect(all(random)).toEqual(all(random).toSorted((a, b) => a - b));
    }
    expect(pauseAfter(10, 0)).toBeUndefined();
    expect(pauseAfter(1, 600)).toBe(600);
    expect(pauseAfter(1, 10 ** 9)).toBe(86_400);
  });
});

describe('the outbox', () => {
  test('sends 1,000 events once each with several workers, never more at once to a host than it may', async () => {
    const { id } = await add(owner);
    for (let worker = 0; worker < 3; worker += 1) work({ perHost: 2 });
    await happen(owner, 1000);
    await vi.waitFor(async () => expect((await states(id)).filter(({ state }) => state === 'delivered')).toHaveLength(1000), {
      timeout: 50_000,
      interval: 200,
    });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([1000, 1000]);
    expect(receiver.busiest()).toBeLessThanOrEqual(6);
  }, 60_000);

  test('keeps the order of one webhook where one delivery goes at a time', async () => {
    await add(owner);
    await happen(owner, 30);
    work({ perHost: 1 });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(30), patience);
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test('tells others while one host hangs', async () => {
    await add(owner);
    const slow = await startReceiver();
    slow.answer(() => {});
    const other = await test_app.makeUser('customer');
    await add(other, { url: slow.url });
    await happen(other, 50);
    await happen(owner, 5);
    work({ perHost: 2, concurrency: 4 });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(5), { timeout: 5000 });
    await slow.close();
  });

  test('sends again what a worker had claimed that is gone', async () => {
    const { id } = await add(owner);
    await happen(owner);
    await fanOut(test_app.db);
    const lost = await claimDelivery(test_app.db, []);
    expect(lost?.webhook_id).toBe(id);
    expect(await claimDelivery(test_app.db, [])).toBeUndefined();
    await test_app.db.execute(sql`UPDATE webhook_delivery SET claimed_until = now() - interval '1 second'`);
    await sendDue();
    expect(await states(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    // The first worker was only slow: what it found out counts no more.
    if (lost) await attempt({ ...lost, url: 'http://127.0.0.1:1/' }, { db: test_app.db, network, vault, now: () => new Date() });
    expect(await states(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  test('loses nothing when a worker is killed in the middle, again and again', async () => {
    const { id } = await add(owner);
    const number = 300;
    receiver.answer((response) => void setTimeout(() => response.end(), 20));
    await happen(owner, number);
    for (const enough of [40, 120]) {
      const worker = fork(fileURLToPath(new URL('testing/worker.ts', import.meta.url)), [test_app.url, test_app.dataDir]);
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(enough), { ...patience, interval: 5 });
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    await test_app.db.execute(sql`UPDATE webhook_delivery SET claimed_until = now() WHERE claimed_until IS NOT NULL`);
    work();
    await vi.waitFor(async () => expect((await states(id)).filter(({ state }) => state === 'delivered')).toHaveLength(number), patience);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(number);
    // What was under way when a worker was killed came again; nothing else did.
    expect(ids.length - number).toBeLessThanOrEqual(2 * 4);
  }, 60_000);

  test('forgets after 30 days', async () => {
    const { id } = await add(owner);
    await happen(owner, 3);
    await fanOut(test_app.db);
    await test_app.db.execute(sql`UPDATE event SET at = now() - interval '31 days' WHERE id <> (SELECT max(id) FROM event)`);
    expect(await purgeEvents(test_app.db)).toBe(2);
    expect(await states(id)).toHaveLength(1);
  });
});

describe('the screen', () => {
  test('shows an agent nothing of his customers, and an administrator all', async () => {
    const agent = await test_app.makeUser('agent');
    const customer = await test_app.makeUser('customer', { superior_id: agent.id });
    await add(customer);
    const administrator = await test_app.makeUser('administrator');
    const totals = [agent, customer, administrator].map(async (as) => (await test_app.call(as, 'webhook', 'inquire', {})).body.total);
    expect(await Promise.all(totals)).toEqual([0, 1, 1]);
  });

  test('tests at once and shows the answer; a test is never tried again', async () => {
    const { id } = await add(owner);
    const good = await test_app.call(owner, 'webhook', 'test', { id });
    expect(good.body).toMatchObject({ state: 'delivered', status: 200, answer: 'thank you', type: 'webhook.test' });
    receiver.answer((response) => response.writeHead(404).end('nobody here'));
    const bad = await test_app.call(owner, 'webhook', 'test', { id });
    expect(bad.body).toMatchObject({ state: 'failed', status: 404, answer: 'nobody here', attempts: 1, next_attempt_at: null });
    await fanOut(test_app.db);
    expect(await claimDelivery(test_app.db, [])).toBeUndefined();
    expect((await test_app.call(owner, 'webhook', 'inquire', {})).body.content[0]?.failing_since).toBeNull();
  });

  test('sends again what failed, but no test', async () => {
    const { id } = await add(owner);
    await happen(owner);
    receiver.answer((response) => response.writeHead(400).end());
    await sendDue();
    await test_app.call(owner, 'webhook', 'test', { id });
    const { body } = await test_app.call(owner, 'webhook', 'deliveries', { webhook_id: id });
    receiver.answer((response) => response.end());
    expect((await test_app.call(owner, 'webhook', 'resend', { ids: body.content.map((row) => row.id) })).body.affected).toBe(1);
    await sendDue();
    expect((await states(id)).map(({ state }) => state)).toEqual(['delivered', 'failed']);
  });

  test('never shows the secret again, and a new one ends the former', async () => {
    const { id, secret } = await add(owner);
    const { body } = await test_app.call(owner, 'webhook', 'regenerate', { id });
    expect(body.secret).not.toBe(secret);
    const answers = JSON.stringify([
      (await test_app.call(owner, 'webhook', 'inquire', {})).body,
      (await test_app.db.execute(sql`SELECT content, changes FROM log WHERE type LIKE 'webhook/%'`)).rows,
      (await test_app.db.execute(sql`SELECT * FROM webhook`)).rows,
    ]);
    for (const one of [secret, body.secret]) expect(answers).not.toContain(one.slice(6, 30));
  });

  test('takes so many webhooks and no more, however many are made at once', async () => {
    await test_app.db.execute(
      sql`INSERT INTO webhook (owner_id, url, host, secret) SELECT ${owner.id}, 'http://x.example', 'x.example', '' FROM generate_series(1, ${maximumWebhooks - 1})`,
    );
    const made = await Promise.all(Array.from({ length: 4 }, () => test_app.send(owner, 'webhook/add', { url: receiver.url })));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
