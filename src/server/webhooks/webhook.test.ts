import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { maxWebhooks } from '../../contract/people/webhook.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { workerRuntime } from '../worker.runtime.ts';
import { startReceiver } from './testing/receiver.ts';
import { add, happen, here, prepareWebhooks, sendDue, states, work } from './testing/setup.ts';
import { claimDelivery, fanOut, purgeEvents } from './webhooks.outbox.ts';
import { deliveriesAtOnce } from './webhooks.runner.ts';
import { attempt } from './webhooks.sending.ts';

prepareWebhooks();

describe('the outbox', () => {
  test('sends 1,000 events once each with several workers, never more at once to a host than it may', { tags: 'full' }, async () => {
    const { id } = await add(here.owner);
    for (let worker = 0; worker < 3; worker += 1) work({ perHost: 2 });
    await happen(here.owner, 1000);
    await eventually(async () => expect((await states(id)).filter(({ state }) => state === 'delivered')).toHaveLength(1000), {
      timeout: 50_000,
      interval: 200,
    });
    const ids = here.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([1000, 1000]);
    expect(here.receiver.busiest()).toBeLessThanOrEqual(6);
  });

  test('keeps the order of one webhook where one delivery goes at a time', async () => {
    await add(here.owner);
    await happen(here.owner, 30);
    work({ perHost: 1 });
    await eventually(() => expect(here.receiver.received).toHaveLength(30));
    expect(here.receiver.received.map(({ body }) => JSON.parse(body).data.id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test('tells others while one host hangs', async () => {
    await add(here.owner);
    const slow = await startReceiver();
    slow.answer(() => {});
    const other = await here.test_app.makeUser('customer');
    await add(other, { url: slow.url });
    await happen(other, 50);
    await happen(here.owner, 5);
    work({ perHost: 2, concurrency: 4 });
    await eventually(() => expect(here.receiver.received).toHaveLength(5));
    await slow.close();
  });

  test('tells others while all hosts of one user hang, however many they are', async () => {
    const hanging = await Promise.all(Array.from({ length: 6 }, startReceiver));
    const other = await here.test_app.makeUser('customer');
    for (const slow of hanging) {
      slow.answer(() => {});
      await add(other, { url: slow.url });
    }
    await happen(other, 20);
    await fanOut(here.test_app.db);
    work();
    await eventually(() => expect(hanging.every((slow) => slow.received.length > 0)).toBe(true));
    await add(here.owner);
    await happen(here.owner, 5);
    await eventually(() => expect(here.receiver.received).toHaveLength(5));
    await Promise.all(hanging.map((slow) => slow.close()));
  });

  test('has a thread for the name of each receiver, because names whose servers never answer keep theirs', () => {
    const threads = Number(workerRuntime.env.UV_THREADPOOL_SIZE);
    // Of its threads, libuv gives look-ups half.
    expect(threads / 2).toBeGreaterThanOrEqual(deliveriesAtOnce);
  });

  test('tells of what happens now while one user has thousands waiting', async () => {
    const busy = await Promise.all(Array.from({ length: 6 }, startReceiver));
    const other = await here.test_app.makeUser('customer');
    for (const { url } of busy) await add(other, { url });
    await happen(other, 500);
    await fanOut(here.test_app.db);
    work();
    const number = () => busy.reduce((sum, { received }) => sum + received.length, 0);
    await eventually(() => expect(number()).toBeGreaterThan(50), { interval: 5 });
    await add(here.owner);
    await happen(here.owner);
    const before = number();
    await eventually(() => expect(here.receiver.received).toHaveLength(1), { interval: 5 });
    expect(number() - before).toBeLessThan(500);
    await Promise.all(busy.map((receiver) => receiver.close()));
  });

  test('sends again what a worker had claimed that is gone', async () => {
    const { id } = await add(here.owner);
    await happen(here.owner);
    await fanOut(here.test_app.db);
    const lost = await claimDelivery(here.test_app.db, []);
    expect(lost?.webhook_id).toBe(id);
    expect(await claimDelivery(here.test_app.db, [])).toBeUndefined();
    await here.test_app.db.execute(sql`UPDATE webhook_delivery SET claimed_until = now() - interval '1 second'`);
    await sendDue();
    expect(await states(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
    // The first worker was only slow: what it found out counts no more.
    if (lost) await attempt({ ...lost, url: 'http://127.0.0.1:1/' }, here.sender);
    expect(await states(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  const sessionsOf = async (name: string) =>
    (
      await here.test_app.db.execute(sql`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${name}`)
    ).rowCount;

  test('loses nothing when a worker is killed in the middle, again and again', async () => {
    const { id } = await add(here.owner);
    const number = 300;
    here.receiver.answer((response) => void setTimeout(() => response.end(), 20));
    await happen(here.owner, number);
    for (const enough of [40, 120]) {
      const worker = fork(fileURLToPath(new URL('testing/worker.ts', import.meta.url)), [here.test_app.url, here.test_app.dataDir]);
      await eventually(() => expect(here.receiver.received.length).toBeGreaterThan(enough), { interval: 5 });
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    // A claim that the server is still working on for a dead worker is one of a minute, from then on.
    await eventually(async () => expect(await sessionsOf('killed worker')).toBe(0));
    await here.test_app.db.execute(sql`UPDATE webhook_delivery SET claimed_until = now() WHERE claimed_until IS NOT NULL`);
    work();
    await eventually(async () => expect((await states(id)).filter(({ state }) => state === 'delivered')).toHaveLength(number));
    const ids = here.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(number);
    // What was under way when a worker was killed came again; nothing else did.
    expect(ids.length - number).toBeLessThanOrEqual(2 * 4);
  });

  test('forgets after 30 days', async () => {
    const { id } = await add(here.owner);
    await happen(here.owner, 3);
    await fanOut(here.test_app.db);
    await here.test_app.db.execute(sql`UPDATE event SET at = now() - interval '31 days' WHERE id <> (SELECT max(id) FROM event)`);
    expect(await purgeEvents(here.test_app.db)).toBe(2);
    expect(await states(id)).toHaveLength(1);
  });
});

describe('the screen', () => {
  test('shows an agent nothing of his customers, and an administrator all', async () => {
    const agent = await here.test_app.makeUser('agent');
    const customer = await here.test_app.makeUser('customer', { superior_id: agent.id });
    await add(customer);
    const administrator = await here.test_app.makeUser('administrator');
    const totals = [agent, customer, administrator].map(async (as) => (await here.test_app.call(as, 'webhook', 'inquire', {})).body.total);
    expect(await Promise.all(totals)).toEqual([0, 1, 1]);
  });

  test('tests at once and shows the answer; a test is never tried again', async () => {
    const { id } = await add(here.owner);
    const good = await here.test_app.call(here.owner, 'webhook', 'test', { id });
    expect(good.body).toMatchObject({ state: 'delivered', status: 200, answer: 'thank you', type: 'webhook.test' });
    here.receiver.answer((response) => response.writeHead(404).end('nobody here'));
    const bad = await here.test_app.call(here.owner, 'webhook', 'test', { id });
    expect(bad.body).toMatchObject({ state: 'failed', status: 404, answer: 'nobody here', attempts: 1, next_attempt_at: null });
    await fanOut(here.test_app.db);
    expect(await claimDelivery(here.test_app.db, [])).toBeUndefined();
    expect((await here.test_app.call(here.owner, 'webhook', 'inquire', {})).body.content[0]?.failing_since).toBeNull();
  });

  test('sends again what failed, but no test', async () => {
    const { id } = await add(here.owner);
    await happen(here.owner);
    here.receiver.answer((response) => response.writeHead(400).end());
    await sendDue();
    await here.test_app.call(here.owner, 'webhook', 'test', { id });
    const { body } = await here.test_app.call(here.owner, 'webhook', 'deliveries', { webhook_id: id });
    here.receiver.answer((response) => response.end());
    expect((await here.test_app.call(here.owner, 'webhook', 'resend', { ids: body.content.map((row) => row.id) })).body.affected).toBe(1);
    await sendDue();
    expect((await states(id)).map(({ state }) => state)).toEqual(['delivered', 'failed']);
  });

  test('never shows the secret again, and a new one ends the former', async () => {
    const { id, secret } = await add(here.owner);
    const { body } = await here.test_app.call(here.owner, 'webhook', 'regenerate', { id });
    expect(body.secret).not.toBe(secret);
    const answers = JSON.stringify([
      (await here.test_app.call(here.owner, 'webhook', 'inquire', {})).body,
      (await here.test_app.db.execute(sql`SELECT content, changes FROM log WHERE type LIKE 'webhook/%'`)).rows,
      (await here.test_app.db.execute(sql`SELECT * FROM webhook`)).rows,
    ]);
    for (const one of [secret, body.secret]) expect(answers).not.toContain(one.slice(6, 30));
  });

  test('gives an administrator who works as somebody else neither a secret nor the events of that one', async () => {
    const { id } = await add(here.owner);
    const administrator = await here.test_app.makeUser('super');
    const { body } = await here.test_app.call(administrator, 'user_list', 'log_in_as', { id: here.owner.id });
    const acting = { ...here.owner, token: body.token };
    for (const [action, input] of Object.entries({
      add: { url: here.receiver.url },
      update: { id, url: 'https://elsewhere.example/' },
      regenerate: { id },
    }))
      expect(await here.test_app.send(acting, `webhook/${action}`, input)).toMatchObject({ status: 403, body: { code: 'user.acting' } });
    expect((await here.test_app.call(acting, 'webhook', 'inquire', {})).body.content).toMatchObject([{ url: here.receiver.url }]);
  });

  test('takes so many webhooks and no more, however many are made at once', async () => {
    await here.test_app.db.execute(
      sql`INSERT INTO webhook (owner_id, url, host, secret) SELECT ${here.owner.id}, 'http://x.example', 'x.example', '' FROM generate_series(1, ${maxWebhooks - 1})`,
    );
    const made = await Promise.all(
      Array.from({ length: 4 }, () => here.test_app.send(here.owner, 'webhook/add', { url: here.receiver.url })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
