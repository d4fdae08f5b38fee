import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { claimPush } from './pushes.outbox.ts';
import { signedMessage } from './senders/robots.ts';
import { addRobot, addRule, happen, here, outbox, preparePushes, siteChannel, tell } from './testing/setup.ts';

preparePushes();

const texts = () => here.robots.messages.map(({ text }) => text);

describe('robots', () => {
  test.each([
    ['wecom', ''],
    ['dingtalk', 'SEC-of-the-group'],
    ['feishu', 'secret of the group'],
    ['dingtalk', ''],
    ['feishu', ''],
  ] as const)('of %s take what is signed for them', async (kind, secret) => {
    await addRule([await addRobot(kind, secret)]);
    await happen(['a.example.com']);
    await tell();
    expect(await outbox()).toMatchObject([
      { state: 'delivered', attempts: 1, error: null, answer: expect.stringMatching(/"(errcode|code)":0/) },
    ]);
    expect(texts()).toHaveLength(1);
  });

  test('are signed as their makers say', () => {
    const now = new Date(1_700_000_000_123);
    const dingtalk = new URL(
      signedMessage('dingtalk', { url: 'https://oapi.dingtalk.com/robot/send?access_token=x', secret: 's' }, 'text', now).url,
    );
    const sign = createHmac('sha256', 's').update('1700000000123\ns').digest('base64');
    expect(Object.fromEntries(dingtalk.searchParams)).toEqual({ access_token: 'x', timestamp: '1700000000123', sign });
    const feishu = signedMessage('feishu', { url: 'https://open.feishu.cn/x', secret: 's' }, 'text', now);
    expect(feishu.body).toEqual({
      timestamp: '1700000000',
      sign: createHmac('sha256', '1700000000\ns').digest('base64'),
      msg_type: 'text',
      content: { text: 'text' },
    });
  });

  test('that refuse in their answer fail at once, with their words', async () => {
    const id = await addRobot('dingtalk', 'the right one');
    await here.test_app.call(here.owner, 'shield_push', 'update_channel', { id, secret: 'a wrong one' });
    await addRule([id]);
    await happen(['a.example.com']);
    await tell();
    expect(await outbox()).toMatchObject([{ state: 'failed', attempts: 1, error: '对方拒绝：310000 sign not match' }]);
  });

  test('that want to be left alone are, with everything that waits for them', async () => {
    const id = await addRobot();
    await addRule([id]);
    here.robots.failNext(1, 429, 120);
    await happen(['a.example.com']);
    await tell();
    const [{ next_attempt_at, ...waiting } = {}] = await outbox();
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, error: '对方限制了频率，120 秒后再试' });
    expect(Date.parse(next_attempt_at ?? '') - Date.now()).toBeGreaterThan(110_000);
    const { rows } = await here.test_app.db.execute<{ seconds: number }>(
      sql`SELECT extract(epoch FROM free_at - now())::float8 AS seconds FROM push_channel WHERE id = ${id}`,
    );
    expect(rows[0]?.seconds).toBeGreaterThan(110);
  });

  test('get one message in three seconds, whoever sends to them', async () => {
    const [id, other] = [await addRobot(), await siteChannel()];
    const { url } = here.robots.robots.at(-1) ?? { url: '' };
    const { owner } = here;
    here.owner = await here.test_app.makeUser('customer');
    const { body } = await here.test_app.call(here.owner, 'shield_push', 'add_channel', { kind: 'wecom', url });
    await addRule([body.id]);
    await happen(['b.example.com']);
    here.owner = owner;
    await addRule([id, other], { events: ['domain.blocked'] });
    await addRule([id], { events: ['domain.suspected'] });
    await happen(['a.example.com']);
    await happen(['a.example.com'], 'domain.suspected');
    const { db } = here.test_app;
    const { gather, closeDue } = await import('./pushes.gathering.ts');
    await gather(db);
    await db.execute(sql`UPDATE push SET due_at = now()`);
    await db.execute(sql`UPDATE push_delivery SET next_attempt_at = now()`);
    await closeDue(db, await here.means.site(), new Date());
    const claimed = [];
    for (;;) {
      const next = await claimPush(db);
      if (!next) break;
      claimed.push(next);
    }
    expect(claimed.filter(({ kind }) => kind === 'wecom')).toHaveLength(1);
    expect(claimed.filter(({ owner_id, kind }) => owner_id === owner.id && kind === 'site')).toHaveLength(1);
  });
});
