import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { handlerOf } from '../bots/bots.callbacks.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { startReceiver } from '../webhooks/testing/receiver.ts';
import { claimPush } from './pushes.outbox.ts';
import { seePush } from './pushes.public.ts';
import { attempt, pauseAfter } from './pushes.sending.ts';
import { linkOf } from './pushes.text.ts';
import { cutBytes } from './senders/robots.ts';
import { addRobot, addRule, happen, here, outbox, preparePushes, sendAll, siteChannel, tell, work } from './testing/setup.ts';

preparePushes();

const texts = () => here.robots.messages.map(({ text }) => text);
const setTime = (column: 'repeat_at' | 'due_at') =>
  here.test_app.db.execute(sql`UPDATE push SET ${sql.identifier(column)} = now() WHERE ${sql.identifier(column)} IS NOT NULL`);
const dueNow = () => here.test_app.db.execute(sql`UPDATE push_delivery SET next_attempt_at = now() WHERE state = 'waiting'`);

describe('an event', () => {
  test('is told by a worker at the channels of the rule that asked for it, once', async () => {
    await addRule([await addRobot(), await siteChannel()]);
    work();
    await happen(['a.example.com']);
    await eventually(async () => expect((await outbox()).map(({ state }) => state)).toEqual(['delivered', 'delivered']));
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).toContain('a.example.com');
    expect(texts()[0]).toContain('https://office.example.com/#/customer/domain_list');
    const { body } = await here.test_app.call(here.owner, 'message_list', 'inquire', {});
    expect(body.content).toMatchObject([{ title: 'a.example.com 被拦截', kind: 'alert', place: 'domains' }]);
  });

  test('of what is watched leads to its checks, of several to those of all, and administrators to their own screen', async () => {
    await addRule([await addRobot(), await siteChannel()], { events: ['domain.blocked', 'domain.replaced'] });
    const fall = (host: string, monitor_id: number) => happen([host], 'domain.blocked', { monitor_id });
    await fall('w.example.com', 7);
    await tell();
    expect(texts()[0]).toMatch(/office\.example\.com\/#\/customer\/domain_monitor\?act=details&id=7$/);
    const { body } = await here.test_app.call(here.owner, 'message_list', 'inquire', {});
    expect(body.content).toMatchObject([{ place: 'monitor', place_id: 7 }]);
    expect(linkOf({ place: 'monitor', place_id: 7, is_administrator: true }, 'https://a.com/')).toBe(
      'https://a.com/#/customer/admin_domain_monitor?act=details&id=7',
    );
    await fall('x.example.com', 8);
    await fall('y.example.com', 9);
    await tell();
    expect(texts()[1]).toMatch(/\/#\/customer\/domain_monitor$/);
    // What was done about it stands with the domain.
    await fall('z.example.com', 10);
    await happen(['z.example.com'], 'domain.replaced', { from_host: 'z.example.com', to_host: 'n.example.com' });
    await tell();
    expect(texts()[2]).toMatch(/\/#\/customer\/domain_list$/);
  });

  test('together with others soon after it is one message that counts them', async () => {
    await addRule([await addRobot()]);
    await happen(Array.from({ length: 12 }, (_, index) => `d${index}.example.com`));
    await tell();
    expect(texts()).toEqual([expect.stringMatching(/^12 个域名被拦截\n/)]);
    expect(
      texts()[0]
        ?.split('\n')
        .filter((line) => line.includes('example.com：')),
    ).toHaveLength(12);
    await happen(['later.example.com']);
    await tell();
    expect(texts()[1]).toMatch(/^later\.example\.com 被拦截/);
  });

  test('of another kind stands in the same message, the fall first', async () => {
    await addRule([await addRobot()]);
    await happen(['up.example.com'], 'domain.unblocked');
    await happen(['down.example.com']);
    await tell();
    expect(texts()[0]).toMatch(/^down\.example\.com 被拦截、up\.example\.com 已恢复\n/);
  });

  test('of hundreds of domains fits what a robot takes', async () => {
    await addRule([await addRobot('wecom')]);
    await happen(Array.from({ length: 300 }, (_, index) => `${'long'.repeat(15)}${index}.example.com`));
    await tell();
    expect(texts()[0]).toMatch(/^300 个域名被拦截/);
    expect(Buffer.byteLength(texts()[0] ?? '')).toBeLessThanOrEqual(2048);
  });

  test('says what was done about a blocked domain', async () => {
    await addRule([await addRobot()]);
    const { body } = await here.test_app.call(here.owner, 'domain_list', 'add', { host: 'done.example.com', type: 1 });
    await here.test_app.db.execute(sql`INSERT INTO domain_incident (domain_id, kind, handling) VALUES (${body.id}, 'blocked', 'replaced')`);
    await happen(['done.example.com'], 'domain.blocked', { id: body.id });
    await tell();
    expect(texts()[0]).toContain('活码已自动换到备用域名');
  });

  test('that no rule asked for, of another user, or of a domain that was not chosen is told to nobody', async () => {
    const own = async (host: string) => (await here.test_app.call(here.owner, 'domain_list', 'add', { host, type: 1 })).body.id;
    const [chosen, other] = [await own('chosen.example.com'), await own('other.example.com')];
    await here.test_app.db.execute(sql`DELETE FROM event`);
    await addRule([await addRobot()], { domain_ids: [chosen] });
    await happen(['other.example.com'], 'domain.blocked', { id: other });
    await happen(['x.example.com'], 'domain.suspected', { id: chosen });
    const stranger = await here.test_app.makeUser('customer');
    const { owner } = here;
    here.owner = stranger;
    await happen(['foreign.example.com'], 'domain.blocked', { id: chosen });
    here.owner = owner;
    await tell();
    expect(texts()).toEqual([]);
    await happen(['chosen.example.com'], 'domain.blocked', { id: chosen });
    await happen(['chosen.example.com'], 'domain.replaced', { id: 7, from_domain_id: chosen, from_host: 'chosen.example.com' });
    await tell();
    expect(texts()).toHaveLength(1);
  });

  test('of a rule that is switched off, and of an owner who is disabled, is not told', async () => {
    const rule = await addRule([await addRobot()]);
    await here.test_app.call(here.owner, 'shield_push', 'update_rule', { id: rule, enabled: false });
    await happen(['off.example.com']);
    await tell();
    await here.test_app.call(here.owner, 'shield_push', 'update_rule', { id: rule, enabled: true });
    await happen(['disabled.example.com']);
    await here.test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${here.owner.id}`);
    await tell();
    expect(texts()).toEqual([]);
  });

  test('is told in the language of its receiver', async () => {
    await addRule([await addRobot()]);
    await here.test_app.db.execute(sql`UPDATE user_account SET language = 'en-US' WHERE id = ${here.owner.id}`);
    await happen(['a.example.com', 'b.example.com']);
    await tell();
    expect(texts()[0]).toMatch(/^2 domains are blocked\n/);
  });
});

test('every new user is told of falls and recoveries by site messages, and may say otherwise', async () => {
  here.owner = await here.test_app.makeUser('customer');
  const rules = await here.test_app.call(here.owner, 'shield_push', 'rules', {});
  expect(rules.body.content).toMatchObject([{ events: expect.arrayContaining(['domain.blocked', 'domain.unblocked']), enabled: true }]);
  await happen(['first.example.com']);
  await tell();
  const titles = async () => (await here.test_app.call(here.owner, 'message_list', 'inquire', {})).body.content.map(({ title }) => title);
  expect(await titles()).toEqual(['first.example.com 被拦截']);
  await here.test_app.call(here.owner, 'shield_push', 'remove_rule', { ids: rules.body.content.map(({ id }) => id) });
  await happen(['second.example.com']);
  await tell();
  expect(await titles()).toHaveLength(1);
});

describe('quiet hours', () => {
  // The whole day but the minute that ended a while ago.
  const clock = (minutes: number) => {
    const at = new Date(Date.now() + minutes * 60_000);
    return new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit' }).format(at);
  };

  test('hold back what happens in them, and tell it together when they are over', async () => {
    await addRule([await addRobot()], { quiet_from: clock(-60), quiet_to: clock(60) });
    await happen(['a.example.com']);
    await tell();
    await happen(['b.example.com']);
    await tell();
    expect(texts()).toEqual([]);
    const [waiting] = await outbox();
    expect(waiting).toMatchObject({ state: 'waiting', held: true, attempts: 0, title: '' });
    expect(Date.parse(waiting?.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(50 * 60_000);
    await setTime('due_at');
    await dueNow();
    await tell(new Date(Date.now() + 2 * 3_600_000));
    expect(texts()).toEqual([expect.stringMatching(/^2 个域名被拦截/)]);
    expect(await outbox()).toMatchObject([{ state: 'delivered', held: false, events: 2 }]);
  });
});

describe('a push that nobody has seen', () => {
  test('is told again until it was marked as seen', async () => {
    await addRule([await addRobot()], { repeat_minutes: 5 });
    await happen(['a.example.com']);
    await tell();
    await tell();
    expect(texts()).toHaveLength(1);
    await setTime('repeat_at');
    await tell();
    expect(texts()[1]).toMatch(/^第 2 次提醒：a\.example\.com 被拦截/);
    const [{ push_id = 0, repeat_at } = {}] = await outbox();
    expect(Date.parse(repeat_at ?? '') - Date.now()).toBeGreaterThan(4 * 60_000);
    const stranger = await here.test_app.makeUser('administrator');
    expect((await here.test_app.call(stranger, 'shield_push', 'seen', { push_ids: [push_id] })).body.affected).toBe(0);
    expect(await seePush(here.test_app.db, stranger.id, push_id)).toBe(false);
    expect((await here.test_app.call(here.owner, 'shield_push', 'seen', { push_ids: [push_id] })).body.affected).toBe(1);
    await setTime('repeat_at');
    await tell();
    expect(texts()).toHaveLength(2);
    expect((await outbox()).map(({ state, repeat_at: again }) => [state, again])).toEqual([
      ['seen', null],
      ['seen', null],
    ]);
  });

  test('is seen by whoever closes its site message or presses the button below it, not by a page that shows it to nobody', async () => {
    await addRule([await addRobot(), await siteChannel()], { repeat_minutes: 5 });
    await happen(['a.example.com']);
    await tell();
    const { body } = await here.test_app.call(here.owner, 'message_list', 'inquire', {});
    const message_ids = [body.content[0]?.id ?? 0];
    await here.test_app.call(here.owner, 'message_list', 'update_status', { id: message_ids[0] ?? 0 });
    const stranger = await here.test_app.makeUser('super');
    expect((await here.test_app.call(stranger, 'shield_push', 'seen', { message_ids })).body.affected).toBe(0);
    expect((await outbox()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect((await here.test_app.call(here.owner, 'shield_push', 'seen', { message_ids })).body.affected).toBe(1);
    expect((await outbox()).map(({ state }) => state)).toEqual(['seen', 'seen']);
    await happen(['b.example.com']);
    await tell();
    const push_id = (await outbox()).at(-1)?.push_id ?? 0;
    work();
    const press = (user_id: number) =>
      handlerOf('push_seen')?.(here.test_app.db, { chat: { user_id } as never, message_id: 1, data: String(push_id), language: 'zh-CN' });
    expect(await press((await here.test_app.makeUser('super')).id)).toMatchObject({ text: '内容不存在或已被删除' });
    expect((await outbox()).at(-1)?.state).toBe('delivered');
    expect(await press(here.owner.id)).toEqual({ text: '已标为已读，不再重复提醒', buttons: [] });
    await setTime('repeat_at');
    await tell();
    expect(texts()).toHaveLength(2);
  });

  test('is told once where it only says that something works again, or its rule says nothing of repetition', async () => {
    const robot = await addRobot();
    await addRule([robot], { events: ['domain.unblocked'], repeat_minutes: 5 });
    await addRule([robot], { events: ['domain.blocked'] });
    await happen(['a.example.com'], 'domain.unblocked');
    await happen(['a.example.com']);
    await tell();
    await setTime('repeat_at');
    await tell();
    expect(texts()).toHaveLength(2);
  });

  test('is not piled up where its receiver does not answer', async () => {
    await addRule([await addRobot()], { repeat_minutes: 5 });
    here.robots.failNext(100);
    await happen(['a.example.com']);
    await tell();
    await setTime('repeat_at');
    await tell();
    expect(await outbox()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
  });
});

describe('a receiver', () => {
  test('that fails is tried again with growing pauses, then given up, and can be sent to again', async () => {
    await addRule([await addRobot()]);
    here.robots.failNext(1000);
    await happen(['a.example.com']);
    for (let number = 1; number <= 9; number += 1) {
      await tell();
      await dueNow();
    }
    const [failed] = await outbox();
    expect(failed).toMatchObject({ state: 'failed', attempts: 9, next_attempt_at: null });
    here.robots.failNext(0);
    expect((await here.test_app.call(here.owner, 'shield_push', 'resend', { ids: [failed?.id ?? 0] })).body.affected).toBe(1);
    await sendAll();
    expect(await outbox()).toMatchObject([{ state: 'delivered', attempts: 1, error: null }]);
    const pauses = Array.from({ length: 8 }, (_, index) => pauseAfter(index + 1, 0, () => 0.5) ?? 0);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect([pauseAfter(9, 0), pauseAfter(1, 600)]).toEqual([undefined, 600]);
  });

  test('at which nothing arrived for a day is switched off, and its owner told', async () => {
    const id = await addRobot();
    await addRule([id]);
    here.robots.failNext(1000);
    await happen(['a.example.com']);
    await tell();
    await here.test_app.db.execute(sql`UPDATE push_channel SET failing_since = now() - interval '25 hours' WHERE id = ${id}`);
    await dueNow();
    await tell();
    const channels = await here.test_app.call(here.owner, 'shield_push', 'channels', {});
    expect(channels.body.content.find((channel) => channel.id === id)).toMatchObject({ enabled: false, stopped: 'failing' });
    const messages = await here.test_app.call(here.owner, 'message_list', 'inquire', {});
    expect(messages.body.content).toMatchObject([{ title: '推送渠道已自动停用', place: 'pushes' }]);
    here.robots.failNext(0);
    await here.test_app.call(here.owner, 'shield_push', 'update_channel', { id, enabled: true });
    await dueNow();
    await sendAll();
    expect(await outbox()).toMatchObject([{ state: 'delivered' }]);
  });

  test('inside the own network is neither accepted nor called', async () => {
    const inside = await startReceiver();
    for (const url of [
      inside.url,
      'http://10.0.0.1/cgi-bin/webhook/send?key=x',
      `${here.robots.bases.wecom}evil?key=x`,
      here.robots.bases.wecom,
    ])
      expect(await here.test_app.send(here.owner, 'shield_push/add_channel', { kind: 'wecom', url })).toMatchObject({
        status: 400,
        body: { fields: { url: 'not_a_robot' } },
      });
    expect(
      await here.test_app.send(here.owner, 'shield_push/add_channel', {
        kind: 'wecom',
        url: `${here.robots.bases.wecom.replace('http://127.0.0.1', 'http://user:pass@127.0.0.1')}?key=x`,
      }),
    ).toMatchObject({ status: 400 });
    expect(inside.received).toEqual([]);
    await inside.close();
    const root = await here.test_app.makeUser('super');
    const metadata = 'http://169.254.169.254/robot';
    await here.test_app.call(root, 'configuration', 'update', { values: { wecom_robot_url: metadata } });
    const added = await here.test_app.call(here.owner, 'shield_push', 'add_channel', { kind: 'wecom', url: `${metadata}?key=x` });
    await here.test_app.call(root, 'configuration', 'update', { values: { wecom_robot_url: here.robots.bases.wecom } });
    const { body } = await here.test_app.call(here.owner, 'shield_push', 'test', { id: added.body.id });
    expect(body).toMatchObject({ state: 'failed', error: expect.stringContaining('169.254.169.254') });
  });
});

test('a message is cut between characters, never within one', () => {
  expect(cutBytes('活码', 6)).toBe('活码');
  expect(cutBytes('活码活码', 9)).toBe('活码…');
  expect(cutBytes('😀😀', 7)).toBe('😀…');
});

test('what a worker that is gone had claimed is sent by another, and what it says too late is not written', async () => {
  await addRule([await addRobot()]);
  await happen(['a.example.com']);
  const { db } = here.test_app;
  const { gather, closeDue } = await import('./pushes.gathering.ts');
  await gather(db);
  await db.execute(sql`UPDATE push SET due_at = now()`);
  await db.execute(sql`UPDATE push_delivery SET next_attempt_at = now()`);
  await closeDue(db, await here.means.site(), new Date());
  const lost = await claimPush(db);
  expect(await claimPush(db)).toBeUndefined();
  await db.execute(sql`UPDATE push_delivery SET claimed_until = now() - interval '1 second'`);
  await sendAll();
  if (lost) await attempt(lost, here.means);
  expect(await outbox()).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});
