import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { verifyExample } from '../../contract/people/webhook.ts';
import { emitEvents } from '../kit/messages/events.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { expectWithin } from '../kit/testing/within.ts';
import { startReceiver } from './testing/receiver.ts';
import { add, happen, here, makeDue, prepareWebhooks, sendDue, states, work } from './testing/setup.ts';
import { claimDelivery, fanOut } from './webhooks.outbox.ts';
import { pauseAfter } from './webhooks.sending.ts';

prepareWebhooks();

describe('an event', () => {
  test('reaches the webhook of its owner, signed so that the example of the screen accepts it', async () => {
    const { secret } = await add(here.owner);
    work();
    await happen(here.owner);
    await eventually(() => expect(here.receiver.received).toHaveLength(1));
    const [{ headers, body } = { headers: {}, body: '' }] = here.receiver.received;
    expect(JSON.parse(body)).toEqual({
      type: 'code.changed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { id: 1, name: '活码' },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': expect.stringMatching(/^evt_\d+$/) });
    const file = join(here.test_app.dataDir, `verify-${Date.now()}.mjs`);
    await writeFile(file, verifyExample);
    const { isOurs } = await import(/* @vite-ignore */ file);
    expect(isOurs(secret, headers, body)).toBe(true);
    expect(isOurs(secret, headers, `${body} `)).toBe(false);
    expect(isOurs((await add(here.owner)).secret, headers, body)).toBe(false);
  });

  test('is told within a second', async () => {
    await add(here.owner);
    work();
    await expectWithin(1000, async () => {
      here.receiver.received.length = 0;
      const startedAt = Date.now();
      await happen(here.owner);
      await eventually(() => expect(here.receiver.received).toHaveLength(1));
      return (here.receiver.received[0]?.at ?? 0) - startedAt;
    });
  });

  test('reaches only webhooks that asked for it, of its owner, that are switched on, and were there when it happened', async () => {
    const stranger = await here.test_app.makeUser('customer');
    await happen(here.owner);
    const [all, other, off, foreign] = [
      await add(here.owner),
      await add(here.owner, { events: ['domain.changed'] }),
      await add(here.owner, { enabled: false }),
      await add(stranger, { events: ['code.changed'] }),
    ];
    await happen(here.owner);
    await fanOut(here.test_app.db);
    const numbers = await Promise.all([all, other, off, foreign].map(async ({ id }) => (await states(id)).length));
    expect(numbers).toEqual([1, 0, 0, 0]);
  });

  test('of anybody reaches an administrator who asked for all users, as long as he is one', async () => {
    const administrator = await here.test_app.makeUser('administrator');
    const { id } = await add(administrator, { all_users: true });
    await happen(here.owner);
    await fanOut(here.test_app.db);
    expect(await states(id)).toHaveLength(1);
    await here.test_app.db.execute(
      sql`UPDATE user_account SET role_id = (SELECT id FROM role WHERE kind = 'customer' AND built_in) WHERE id = ${administrator.id}`,
    );
    await happen(here.owner);
    await fanOut(here.test_app.db);
    expect(await states(id)).toEqual([]);
    expect(await here.test_app.send(here.owner, 'webhook/add', { url: here.receiver.url, all_users: true })).toMatchObject({
      status: 400,
      body: { fields: { all_users: 'beyond_own' } },
    });
  });

  test('of others is neither sent nor shown to somebody who is no administrator any more', async () => {
    const administrator = await here.test_app.makeUser('administrator');
    const { id } = await add(administrator, { all_users: true });
    await happen(here.owner);
    await happen(administrator);
    await fanOut(here.test_app.db);
    const becomes = (kind: string) =>
      here.test_app.db.execute(
        sql`UPDATE user_account SET role_id = (SELECT id FROM role WHERE kind = ${kind} AND built_in) WHERE id = ${administrator.id}`,
      );
    const told = async () => (await here.test_app.call(administrator, 'webhook', 'deliveries', { webhook_id: id })).body.total;
    await becomes('super');
    expect(await told()).toBe(2);
    await becomes('customer');
    expect(await told()).toBe(1);
    await sendDue();
    await sendDue();
    expect(here.receiver.received).toHaveLength(1);
  });

  test('of a transaction that is rolled back is told to nobody', async () => {
    const { id } = await add(here.owner);
    await here.test_app.db
      .transaction(async (tx) => {
        await emitEvents(tx as never, [{ type: 'code.changed', owner_id: here.owner.id, data: {} }]);
        throw new Error('rolled back');
      })
      .catch(() => {});
    await fanOut(here.test_app.db);
    expect(await states(id)).toEqual([]);
  });

  test('is not sent while its owner is disabled', async () => {
    const { id } = await add(here.owner);
    await happen(here.owner);
    await fanOut(here.test_app.db);
    await here.test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${here.owner.id}`);
    expect(await claimDelivery(here.test_app.db, [])).toBeUndefined();
    await here.test_app.db.execute(sql`UPDATE user_account SET disabled = false WHERE id = ${here.owner.id}`);
    expect((await claimDelivery(here.test_app.db, []))?.webhook_id).toBe(id);
  });
});

describe('a receiver', () => {
  test('that fails is tried again, under the same id, until it takes the event', async () => {
    const { id } = await add(here.owner);
    here.receiver.answer((response) => response.writeHead(500).end('not now'));
    await happen(here.owner);
    await sendDue();
    expect(await states(id)).toEqual([{ state: 'waiting', attempts: 1, status: 500, error: null, answer: 'not now' }]);
    expect(await claimDelivery(here.test_app.db, [])).toBeUndefined();
    here.receiver.answer((response) => response.writeHead(204).end());
    await makeDue(id);
    await sendDue();
    expect(await states(id)).toEqual([{ state: 'delivered', attempts: 2, status: 204, error: null, answer: '' }]);
    expect(new Set(here.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('that fails ten times is given up, and after a long time the webhook is switched off and its owner told', async () => {
    const { id } = await add(here.owner);
    here.receiver.answer((response) => response.writeHead(503).end());
    await happen(here.owner, 2);
    await fanOut(here.test_app.db);
    for (let number = 1; number <= 10; number += 1) {
      await here.test_app.db.execute(sql`UPDATE webhook_delivery SET next_attempt_at = now() + interval '1 hour' WHERE webhook_id = ${id}`);
      await here.test_app.db.execute(
        sql`UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = (SELECT min(id) FROM webhook_delivery WHERE webhook_id = ${id})`,
      );
      if (number === 10)
        await here.test_app.db.execute(sql`UPDATE webhook SET failing_since = now() - interval '13 hours' WHERE id = ${id}`);
      await sendDue();
    }
    expect((await states(id)).map(({ state, attempts }) => [state, attempts])).toContainEqual(['failed', 10]);
    const { body } = await here.test_app.call(here.owner, 'webhook', 'inquire', {});
    expect(body.content[0]).toMatchObject({ enabled: false, stopped: 'failing' });
    const messages = await here.test_app.call(here.owner, 'message_list', 'inquire', {});
    expect(messages.body.content[0]?.content).toContain(here.receiver.url);
    await here.test_app.call(here.owner, 'webhook', 'update', { id, enabled: true });
    expect((await here.test_app.call(here.owner, 'webhook', 'inquire', {})).body.content[0]).toMatchObject({
      enabled: true,
      stopped: null,
      failing_since: null,
    });
  });

  test('that answers 410 gets nothing more', async () => {
    const { id } = await add(here.owner);
    here.receiver.answer((response) => response.writeHead(410).end());
    await happen(here.owner, 3);
    await sendDue();
    await sendDue();
    expect(here.receiver.received).toHaveLength(1);
    expect((await here.test_app.call(here.owner, 'webhook', 'inquire', {})).body.content[0]).toMatchObject({
      enabled: false,
      stopped: 'gone',
      waiting: 2,
    });
    expect((await states(id))[0]?.state).toBe('failed');
  });

  test('that redirects is not followed', async () => {
    const { id } = await add(here.owner);
    const other = await startReceiver();
    here.receiver.answer((response) => response.writeHead(302, { location: other.url }).end());
    await happen(here.owner);
    await sendDue();
    expect([(await states(id))[0]?.status, other.received]).toEqual([302, []]);
    await other.close();
  });

  test('that answers without end is cut after 1 KiB, and one with a NUL is kept readable', async () => {
    const { id } = await add(here.owner);
    here.receiver.answer((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('\u0000活'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    await happen(here.owner);
    await sendDue();
    const [state] = await states(id);
    expect(state).toMatchObject({ state: 'delivered', status: 200 });
    expect(Buffer.byteLength(state?.answer ?? '')).toBeLessThan(2000);
    expect(state?.answer?.startsWith('\ufffd活')).toBe(true);
  });

  test('that is not there, hangs up, or talks nonsense is an attempt that failed', async () => {
    const { id } = await add(here.owner);
    await happen(here.owner);
    here.receiver.answer((response) => response.destroy());
    await sendDue();
    expect((await states(id))[0]).toMatchObject({ state: 'waiting', status: null, error: 'outgoing.failed' });
    here.receiver.answer((response) => response.socket?.end('nonsense\r\n\r\n'));
    await makeDue(id);
    await sendDue();
    expect((await states(id))[0]).toMatchObject({ state: 'waiting', attempts: 2, error: 'outgoing.failed' });
    await here.test_app.db.execute(sql`UPDATE webhook SET url = 'http://127.0.0.1:1/', host = '127.0.0.1:1' WHERE id = ${id}`);
    await makeDue(id);
    await sendDue();
    const { body } = await here.test_app.call(here.owner, 'webhook', 'deliveries', { webhook_id: id });
    expect(body.content[0]?.error).toContain('ECONNREFUSED');
  });

  test('whose secret cannot be read is a fault of ours that ends like any other', async () => {
    const { id } = await add(here.owner);
    await here.test_app.db.execute(sql`UPDATE webhook SET secret = '' WHERE id = ${id}`);
    await happen(here.owner);
    await sendDue();
    expect([await states(id), here.receiver.received]).toEqual([
      [{ state: 'waiting', attempts: 1, status: null, error: 'internal', answer: null }],
      [],
    ]);
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
      expect(await here.test_app.send(here.owner, 'webhook/add', { url })).toMatchObject({ status: 400 });
    const { id } = await add(here.owner);
    await here.test_app.db.execute(sql`UPDATE webhook SET url = 'http://10.0.0.1/' WHERE id = ${id}`);
    await happen(here.owner);
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

  test('may say in seconds or as a date how long it wants to be left alone', async () => {
    const { id } = await add(here.owner);
    await happen(here.owner);
    const pauseAfterAnswer = async (retry_after: string) => {
      here.receiver.answer((response) => response.writeHead(503, { 'retry-after': retry_after }).end());
      await makeDue(id);
      await sendDue();
      const { rows } = await here.test_app.db.execute<{ seconds: number }>(
        sql`SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds FROM webhook_delivery WHERE webhook_id = ${id}`,
      );
      await here.test_app.db.execute(sql`UPDATE webhook_delivery SET attempts = 0 WHERE webhook_id = ${id}`);
      return Math.round((rows[0]?.seconds ?? 0) / 100) * 100;
    };
    await fanOut(here.test_app.db);
    expect(await pauseAfterAnswer('3600')).toBe(3600);
    expect(await pauseAfterAnswer(new Date(Date.now() + 7_200_000).toUTCString())).toBe(7200);
    for (const meaningless of ['soon', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', '']) expect(await pauseAfterAnswer(meaningless)).toBe(0);
  });
});
