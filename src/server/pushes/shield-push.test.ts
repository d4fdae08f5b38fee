import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { emitEvents } from '../kit/messages/events.ts';
import { startProxy } from '../kit/testing/proxy.ts';
import { tellOfExpiries } from './pushes.expiries.ts';
import { purgePushes } from './pushes.outbox.ts';
import { addRobot, addRule, happen, here, outbox, preparePushes, tell } from './testing/setup.ts';

preparePushes();

const address = 'owner@example.com';
async function addEmail(to = address): Promise<number> {
  const { body } = await here.test_app.call(here.owner, 'shield_push', 'add_channel', { kind: 'email', address: to });
  return body.id;
}
const codeIn = (text = ''): string => /\d{6}/.exec(text)?.[0] ?? '';

describe('an e-mail address', () => {
  test('gets nothing but a code before it is confirmed by it, and then what rules tell', async () => {
    const id = await addEmail();
    await addRule([id]);
    await happen(['a.example.com']);
    await tell();
    expect(here.mail.mails).toEqual([]);
    expect(await here.test_app.call(here.owner, 'shield_push', 'test', { id })).toMatchObject({ status: 409 });
    expect((await here.test_app.call(here.owner, 'shield_push', 'send_code', { id })).body).toEqual({ error: null });
    expect(here.mail.mails).toMatchObject([{ to: [address], from: 'site@example.com' }]);
    const code = codeIn(here.mail.mails[0]?.text);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(await here.test_app.send(here.owner, 'shield_push/confirm', { id, code: wrong })).toMatchObject({
      body: { fields: { code: 'wrong_code' } },
    });
    expect((await here.test_app.call(here.owner, 'shield_push', 'confirm', { id, code })).body.affected).toBe(1);
    await happen(['b.example.com']);
    await tell();
    expect(here.mail.mails[1]).toMatchObject({ subject: 'b.example.com 被拦截', to: [address] });
    expect(here.mail.mails[1]?.text).toContain('https://office.example.com/#/customer/domain_list');
    expect(here.mail.mails[1]?.raw).toMatch(/^From: =\?UTF-8\?.*<site@example\.com>/m);
  });

  test('is not guessed: a code holds for five guesses and half an hour', async () => {
    const id = await addEmail();
    await here.test_app.call(here.owner, 'shield_push', 'send_code', { id });
    const code = codeIn(here.mail.mails[0]?.text);
    for (let guess = 0; guess < 5; guess += 1) await here.test_app.call(here.owner, 'shield_push', 'confirm', { id, code: 'nope' });
    expect(await here.test_app.send(here.owner, 'shield_push/confirm', { id, code })).toMatchObject({
      body: { fields: { code: 'code_expired' } },
    });
    await here.test_app.call(here.owner, 'shield_push', 'send_code', { id });
    await here.test_app.db.execute(sql`UPDATE push_channel SET code_sent_at = now() - interval '31 minutes' WHERE id = ${id}`);
    const late = { id, code: codeIn(here.mail.mails[1]?.text) };
    expect(await here.test_app.send(here.owner, 'shield_push/confirm', late)).toMatchObject({ body: { fields: { code: 'code_expired' } } });
  });

  test('is mailed no more than five codes an hour, whoever asks', async () => {
    const statuses = [];
    for (let number = 0; number < 6; number += 1) {
      here.owner = await here.test_app.makeUser('customer');
      const id = await addEmail('victim@example.com');
      statuses.push((await here.test_app.send(here.owner, 'shield_push/send_code', { id })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('that the server refuses is told in words', async () => {
    here.mail.refuse('550 no such mailbox');
    const { body } = await here.test_app.call(here.owner, 'shield_push', 'send_code', { id: await addEmail('nobody@example.com') });
    expect(body.error).toContain('no such mailbox');
  });

  test('of the kind that would write headers is refused', async () => {
    for (const to of ['a@b', 'a@example.com\r\nBcc: x@example.com', '<a@example.com>, b@example.com'])
      expect(await here.test_app.send(here.owner, 'shield_push/add_channel', { kind: 'email', address: to })).toMatchObject({
        status: 400,
      });
  });
});

describe('the mail server', () => {
  const server = () => ({
    host: here.mail.host,
    port: here.mail.port,
    security: 'none' as const,
    username: 'u',
    from_address: 's@example.com',
    from_name: '',
  });

  test('is set and seen by super administrators only, its password by nobody', async () => {
    const [root, administrator] = [await here.test_app.makeUser('super'), await here.test_app.makeUser('administrator')];
    for (const call of ['mail_server', 'remove_mail_server', 'update_mail_server', 'test_mail_server']) {
      const input = call === 'update_mail_server' ? server() : call === 'test_mail_server' ? { ...server(), to: address } : {};
      for (const user of [administrator, here.owner])
        expect([call, (await here.test_app.send(user, `shield_push/${call}`, input)).status]).toEqual([call, 403]);
    }
    const former = (await here.test_app.call(root, 'shield_push', 'mail_server', {})).body.server;
    await here.test_app.call(root, 'shield_push', 'update_mail_server', { ...server(), password: 'very secret' });
    const { body } = await here.test_app.call(root, 'shield_push', 'mail_server', {});
    expect(body.server).toMatchObject({ ...server(), has_password: true });
    const { rows } = await here.test_app.db.execute(
      sql`SELECT content, changes FROM log UNION ALL SELECT to_jsonb(mail_server), NULL FROM mail_server`,
    );
    expect(JSON.stringify([rows, body])).not.toContain('very secret');
    // Elsewhere it would be given away.
    await here.test_app.call(root, 'shield_push', 'update_mail_server', { ...server(), host: 'mail.example.org' });
    expect((await here.test_app.call(root, 'shield_push', 'mail_server', {})).body.server).toMatchObject({ has_password: false });
    await here.test_app.call(root, 'shield_push', 'update_mail_server', { ...server(), ...former, username: '' });
  });

  test('is tried out before it is saved, and says what is wrong', async () => {
    const root = await here.test_app.makeUser('super');
    const good = { ...server(), username: '', to: address };
    expect((await here.test_app.call(root, 'shield_push', 'test_mail_server', good)).body).toMatchObject({
      error: null,
      answer: expect.stringContaining('250'),
    });
    expect(here.mail.mails).toHaveLength(1);
    const proxy = await startProxy(good.port);
    onTestFinished(() => proxy.stop());
    await here.test_app.call(root, 'configuration', 'update', { values: { mail_proxy: proxy.url } });
    const behind = await here.test_app.call(root, 'shield_push', 'test_mail_server', { ...good, host: 'mail.invalid' });
    expect([behind.body.error, proxy.asked]).toEqual([null, [`mail.invalid:${good.port}`]]);
    await here.test_app.call(root, 'configuration', 'update', { values: { mail_proxy: '' } });
    const closed = await here.test_app.call(root, 'shield_push', 'test_mail_server', { ...good, port: 1 });
    expect(closed.body.error).toContain('ECONNREFUSED');
    const inside = await here.test_app.call(root, 'shield_push', 'test_mail_server', { ...good, host: '169.254.169.254' });
    expect(inside.body.error).toContain('169.254.169.254');
    const demanding = await here.test_app.call(root, 'shield_push', 'test_mail_server', { ...good, security: 'starttls' });
    expect(demanding.body.error).toMatch(/^没有送达：/);
  });
});

describe('channels and rules', () => {
  test('are their owner’s: an administrator has none of them, and sees what was sent', async () => {
    const id = await addRobot();
    const rule = await addRule([id]);
    await happen(['a.example.com']);
    await tell();
    const [administrator, stranger] = [await here.test_app.makeUser('super'), await here.test_app.makeUser('agent')];
    for (const other of [administrator, stranger]) {
      expect((await here.test_app.call(other, 'shield_push', 'channels', {})).body.content.map((channel) => channel.id)).not.toContain(id);
      for (const [path, input] of [
        ['update_channel', { id, name: 'mine' }],
        ['test', { id }],
        ['send_code', { id }],
        ['confirm', { id, code: '1' }],
        ['update_rule', { id: rule, enabled: false }],
      ] as const)
        expect([path, (await here.test_app.send(other, `shield_push/${path}`, input)).status]).toEqual([path, 404]);
      expect((await here.test_app.call(other, 'shield_push', 'remove_channel', { ids: [id] })).body.affected).toBe(0);
      expect((await here.test_app.call(other, 'shield_push', 'remove_rule', { ids: [rule] })).body.affected).toBe(0);
      expect(await here.test_app.send(other, 'shield_push/add_rule', { events: ['domain.blocked'], channel_ids: [id] })).toMatchObject({
        body: { fields: { channel_ids: 'unknown_channel' } },
      });
    }
    expect((await outbox(administrator)).filter(({ owner_id }) => owner_id === here.owner.id)).toHaveLength(1);
    expect(await outbox(stranger)).toEqual([]);
  });

  test('never show the address and the secret of a robot, in answers nor in the log', async () => {
    const { url, key } = here.robots.add('dingtalk', 'SEC-never-shown');
    const added = await here.test_app.send(here.owner, 'shield_push/add_channel', { kind: 'dingtalk', url, secret: 'SEC-never-shown' });
    const id = Number(added.body.id);
    const updated = await here.test_app.send(here.owner, 'shield_push/update_channel', { id, secret: 'SEC-never-shown-either' });
    const tested = await here.test_app.send(here.owner, 'shield_push/test', { id });
    const listed = await here.test_app.send(here.owner, 'shield_push/channels', {});
    await here.test_app.call(here.owner, 'shield_push', 'remove_channel', { ids: [id] });
    const { rows } = await here.test_app.db.execute(sql`SELECT * FROM log`);
    const { rows: answers } = await here.test_app.db.execute(sql`SELECT * FROM request_answer`);
    const said = JSON.stringify([added.body, updated.body, tested.body, listed.body, rows, answers]);
    expect(added.status).toBe(200);
    expect(said).not.toContain(key);
    expect(said).not.toContain('SEC-never');
  });

  test('name what is the caller’s own: a foreign domain, code or chat is refused', async () => {
    const stranger = await here.test_app.makeUser('customer');
    const { body } = await here.test_app.call(stranger, 'domain_list', 'add', { host: 'foreign.example.com', type: 1 });
    const rule = { events: ['domain.blocked'], channel_ids: [] };
    expect(await here.test_app.send(here.owner, 'shield_push/add_rule', { ...rule, domain_ids: [body.id] })).toMatchObject({
      body: { fields: { domain_ids: 'unknown_domain' } },
    });
    expect(await here.test_app.send(here.owner, 'shield_push/add_rule', { ...rule, live_code_ids: [999_999] })).toMatchObject({
      body: { fields: { live_code_ids: 'unknown_code' } },
    });
    const { rows } = await here.test_app.db.execute<{ id: number }>(sql`
      WITH bot AS (INSERT INTO telegram_bot (telegram_id, username, name, token, webhook_path) VALUES (1, 'bot', 'bot', '', 'x') RETURNING id)
      INSERT INTO telegram_chat (bot_id, user_id, chat_id, kind, nickname) SELECT id, ${stranger.id}, 77, 'private', 'theirs' FROM bot RETURNING id`);
    const chat = { kind: 'telegram', telegram_chat_id: rows[0]?.id };
    expect(await here.test_app.send(here.owner, 'shield_push/add_channel', chat)).toMatchObject({
      body: { fields: { telegram_chat_id: 'unknown_chat' } },
    });
    expect((await here.test_app.call(here.owner, 'shield_push', 'choices', {})).body.chats).toEqual([]);
    expect(await here.test_app.send(stranger, 'shield_push/add_channel', chat)).toMatchObject({ status: 200, body: { target: 'theirs' } });
    expect(await here.test_app.send(stranger, 'shield_push/add_channel', chat)).toMatchObject({
      body: { fields: { telegram_chat_id: 'channel_exists' } },
    });
  });

  test('have quiet hours with both ends, or none', async () => {
    const rule = { events: ['domain.blocked'], channel_ids: [] };
    const fault = async (quiet: object) =>
      (await here.test_app.send(here.owner, 'shield_push/add_rule', { ...rule, ...quiet })).body.fields;
    expect(await fault({ quiet_from: '22:00' })).toEqual({ quiet_to: 'required' });
    expect(await fault({ quiet_to: '22:00' })).toEqual({ quiet_from: 'required' });
    expect(await fault({ quiet_from: '22:00', quiet_to: '22:00' })).toEqual({ quiet_to: 'same_time' });
    expect(await fault({ quiet_from: '24:00', quiet_to: '07:00' })).toEqual({ quiet_from: 'invalid_format' });
  });
});

test('what was sent to others cannot be sent again by a customer, a test by nobody', async () => {
  const id = await addRobot();
  await addRule([id]);
  await happen(['a.example.com']);
  await tell();
  const [sent] = await outbox();
  const { body: tested } = await here.test_app.call(here.owner, 'shield_push', 'test', { id });
  const stranger = await here.test_app.makeUser('customer');
  expect((await here.test_app.call(stranger, 'shield_push', 'resend', { ids: [sent?.id ?? 0] })).body.affected).toBe(0);
  expect((await here.test_app.call(here.owner, 'shield_push', 'resend', { ids: [tested.id] })).body.affected).toBe(0);
  expect(tested).toMatchObject({ is_test: true, state: 'delivered', title: '活码系统：测试推送' });
});

test('pushes are forgotten after thirty days', async () => {
  await addRule([await addRobot()]);
  await happen(['a.example.com']);
  await tell();
  await here.test_app.db.execute(sql`UPDATE push SET created_at = now() - interval '31 days' WHERE owner_id = ${here.owner.id}`);
  expect(await purgePushes(here.test_app.db)).toBe(1);
  expect(await outbox()).toEqual([]);
});

test('a rule that is removed while its events are gathered tells nothing and leaves nothing', async () => {
  const rule = await addRule([await addRobot()]);
  await happen(['a.example.com']);
  const { gather } = await import('./pushes.gathering.ts');
  await gather(here.test_app.db);
  await here.test_app.call(here.owner, 'shield_push', 'remove_rule', { ids: [rule] });
  await tell();
  expect([here.robots.messages, await outbox()]).toEqual([[], []]);
});

describe('a certificate', () => {
  const expires = (id: number, days: number) =>
    here.test_app.db.execute(
      sql`UPDATE domain_check SET certificate_expires_at = date_trunc('day', now()) + ${days} * interval '1 day' + interval '12 hours' WHERE domain_id = ${id}`,
    );
  const told = async () =>
    (
      await here.test_app.db.execute<{ days: number }>(
        sql`SELECT (data ->> 'days')::int AS days FROM event WHERE type = 'domain.certificate_expiring' AND owner_id = ${here.owner.id} ORDER BY id`,
      )
    ).rows.map(({ days }) => days);

  test('is told of at 14, 7, 3 and 1 days, once each, and anew when it was renewed', async () => {
    const { body } = await here.test_app.call(here.owner, 'domain_list', 'add', { host: 'certified.example.com', type: 1 });
    const step = async (days: number) => {
      // The same certificate, so many days later.
      await here.test_app.db.execute(sql`UPDATE domain_check SET certificate_expires_at = now() + ${days} * interval '1 day' - interval '1 minute',
        certificate_told_expiry = CASE WHEN certificate_told_days IS NULL THEN NULL ELSE now() + ${days} * interval '1 day' - interval '1 minute' END WHERE domain_id = ${body.id}`);
      await tellOfExpiries(here.test_app.db);
      await tellOfExpiries(here.test_app.db);
    };
    for (const days of [20, 15, 14, 13, 8, 7, 5, 3, 2, 1]) await step(days);
    expect(await told()).toEqual([14, 7, 3, 1]);
    await expires(body.id, 10);
    await tellOfExpiries(here.test_app.db);
    expect((await told()).length).toBe(5);
  });

  test('of the platform’s pool is told to super administrators, of a disabled domain to nobody', async () => {
    const root = await here.test_app.makeUser('super');
    const { body: pooled } = await here.test_app.call(root, 'domain_list', 'add', { host: 'pooled.example.com', type: 1, holder_id: null });
    const { body: off } = await here.test_app.call(here.owner, 'domain_list', 'add', { host: 'off.example.com', type: 1 });
    await here.test_app.call(here.owner, 'domain_list', 'update_enabled', { ids: [off.id], enabled: false });
    await expires(pooled.id, 2);
    await expires(off.id, 2);
    await tellOfExpiries(here.test_app.db);
    const { rows } = await here.test_app.db.execute<{ owner_id: number }>(
      sql`SELECT owner_id FROM event WHERE type = 'domain.certificate_expiring' AND data ->> 'host' = 'pooled.example.com'`,
    );
    expect(rows.map(({ owner_id }) => owner_id)).toContain(root.id);
    expect(await told()).toEqual([]);
  });
});

test('a registration is told of at 60, 30, 14, 7, 3 and 1 days, once each, and anew when it was renewed', async () => {
  const { body } = await here.test_app.call(here.owner, 'domain_list', 'add', { host: 'registered.example.com', type: 1 });
  const { db } = here.test_app;
  await db.execute(sql`INSERT INTO domain_registration (name) VALUES ('example.com')`);
  await db.execute(sql`UPDATE domain_check SET registered_name = 'example.com' WHERE domain_id = ${body.id}`);
  const tellAt = async (days: number, renewed = false) => {
    await db.execute(sql`UPDATE domain_registration SET expires_at = now() + ${days} * interval '1 day' - interval '1 minute'`);
    // The same registration, so many days later.
    if (!renewed)
      await db.execute(sql`UPDATE domain_check SET registration_told_expiry = expires_at FROM domain_registration
        WHERE name = registered_name AND registration_told_days IS NOT NULL`);
    await tellOfExpiries(db);
    await tellOfExpiries(db);
  };
  for (const days of [70, 61, 60, 45, 30, 20, 14, 7, 3, 2, 1, 0]) await tellAt(days);
  await tellAt(365, true);
  await tellAt(59, true);
  const { rows } = await db.execute<{ days: number }>(
    sql`SELECT (data ->> 'days')::int AS days FROM event WHERE type = 'domain.registration_expiring' AND owner_id = ${here.owner.id} ORDER BY id`,
  );
  expect(rows.map(({ days }) => days)).toEqual([60, 30, 14, 7, 3, 1, 59]);
});

test('thousands of events of somebody without rules cost their transaction little', async () => {
  const events = Array.from({ length: 5000 }, (_, id) => ({ type: 'code.changed' as const, owner_id: here.owner.id, data: { id } }));
  await emitEvents(here.test_app.db, events);
  const { rows } = await here.test_app.db.execute(sql`SELECT FROM push_event`);
  expect(rows).toEqual([]);
});
