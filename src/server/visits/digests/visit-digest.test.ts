import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { siteClock } from '../../kit/visits/site-clock.ts';
import { loadVisits } from '../testing/loading.ts';
import { nextTime, periodAt } from './periods.ts';
import { sendDigests } from './sending.ts';

/** A Wednesday, 12:30 in Shanghai. */
const now = new Date('2026-03-11T04:30:00Z');
const shanghai = (text: string): Date => new Date(`${text}+08:00`);
const moment = (at: Date) => ({ now: at, time_zone: 'Asia/Shanghai' });

let app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let code: number;
let channel: number;

beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  [owner, stranger] = [await app.makeUser('customer'), await app.makeUser('customer')];
  const { rows } = await app.db.execute<{ id: number }>(
    sql`INSERT INTO live_code (file_name, owner_id, name) VALUES ('mine', ${owner.id}, '海报'), ('other', ${stranger.id}, '别人') RETURNING id`,
  );
  const [mine = 0, other = 0] = rows.map(({ id }) => Number(id));
  code = mine;
  channel = await siteChannel(owner);
  await loadVisits(app.url, [
    visitOf({ live_code_id: code, at: shanghai('2026-03-09T09:00:00').getTime(), ip: '8.8.8.8' }),
    visitOf({ live_code_id: code, at: shanghai('2026-03-09T10:00:00').getTime(), ip: '120.196.165.24' }),
    visitOf({ live_code_id: code, at: shanghai('2026-03-10T09:00:00').getTime(), ip: '8.8.8.8' }),
    visitOf({ live_code_id: code, at: shanghai('2026-03-10T10:00:00').getTime(), ip: '120.196.165.24' }),
    visitOf({ live_code_id: code, at: shanghai('2026-03-10T11:00:00').getTime(), ip: '120.196.165.24' }),
    visitOf({ live_code_id: code, at: shanghai('2026-03-11T09:00:00').getTime(), ip: '8.8.4.4' }),
    visitOf({ live_code_id: other, at: shanghai('2026-03-10T12:00:00').getTime(), ip: '8.8.4.4' }),
  ]);
});
afterAll(() => app.close());
beforeEach(() => app.db.execute(sql`TRUNCATE visit_digest, push CASCADE`));

async function siteChannel({ id }: TestUser): Promise<number> {
  const { rows } = await app.db.execute<{ id: number }>(
    sql`SELECT id::float8 AS id FROM push_channel WHERE owner_id = ${id} AND kind = 'site'`,
  );
  return rows[0]?.id ?? 0;
}

const daily = () => ({
  name: '日报',
  every: 'day' as const,
  weekday: 1,
  hour: 9,
  language: 'zh-CN' as const,
  channel_ids: [channel],
  question: {},
});
async function subscribe(change: object = {}): Promise<number> {
  const { status, body } = await app.call(owner, 'visit_digest', 'add', { ...daily(), ...change });
  expect(status).toBe(200);
  return body.id;
}
const pushes = async () =>
  (
    await app.db.execute<{ title: string; content: string; place: string; place_id: number; deliveries: number }>(sql`
      SELECT title, content, place, place_id::float8 AS place_id, (SELECT count(*)::int FROM push_delivery WHERE push_id = push.id) AS deliveries
      FROM push ORDER BY id`)
  ).rows;

describe('a digest of visits', () => {
  test('comes when its time comes: the figures of yesterday, their change, the top values, and where to look', async () => {
    const id = await subscribe({ hour: 13 });
    expect(await sendDigests(app.db, moment(shanghai('2026-03-11T12:59:59')))).toBe(0);
    expect(await sendDigests(app.db, moment(shanghai('2026-03-11T13:00:01')))).toBe(1);
    const [push] = await pushes();
    expect(push).toMatchObject({ title: '日报：2026-03-10 访问 3 次（+50%）', place: 'visit_digest', place_id: id, deliveries: 1 });
    expect(push?.content).toContain('访客 IP：2（0%）');
    expect(push?.content).toContain('访问最多的活码：海报 3');
    expect(push?.content).not.toContain('别人');
    const { body } = await app.call(owner, 'visit_digest', 'inquire', {});
    expect(body.content).toMatchObject([
      { id, told: { from: '2026-03-10', to: '2026-03-10' }, next_at: '2026-03-12T05:00:00.000Z', channels: [{ kind: 'site' }] },
    ]);
  });

  test('counts what fits its filters', async () => {
    await subscribe({ hour: 13, question: { live_code_ids: [code], filters: { country: ['美国'] } } });
    await sendDigests(app.db, moment(shanghai('2026-03-11T13:00:01')));
    expect((await pushes())[0]?.title).toBe('日报：2026-03-10 访问 1 次（0%）');
  });

  test('of a week has the seven days before its day, in its own language', async () => {
    await subscribe({ every: 'week', weekday: 4, language: 'en-US', name: 'Weekly' });
    await sendDigests(app.db, moment(shanghai('2026-03-12T09:00:01')));
    expect((await pushes())[0]?.title).toBe('Weekly: 6 visits on 2026-03-05 – 2026-03-11 (nothing in the period before)');
  });

  test('comes once a period, however many workers send and whatever was missed', async () => {
    await subscribe();
    await subscribe({ name: '第二份' });
    const late = moment(shanghai('2026-03-15T18:00:00'));
    const sent = await Promise.all(Array.from({ length: 6 }, () => sendDigests(app.db, late)));
    expect(sent.reduce((sum, number) => sum + number, 0)).toBe(2);
    expect(await pushes()).toHaveLength(2);
    const { body } = await app.call(owner, 'visit_digest', 'inquire', {});
    expect(body.content.map(({ next_at }) => next_at)).toEqual(['2026-03-16T01:00:00.000Z', '2026-03-16T01:00:00.000Z']);
  });

  test('is not sent where its transaction ends without it, and comes then', async () => {
    await subscribe();
    const at = moment(shanghai('2026-03-12T09:00:01'));
    await app.db.execute(sql`ALTER TABLE push_delivery ADD CONSTRAINT broken CHECK (false) NOT VALID`);
    await expect(sendDigests(app.db, at)).rejects.toThrow();
    await app.db.execute(sql`ALTER TABLE push_delivery DROP CONSTRAINT broken`);
    expect(await pushes()).toEqual([]);
    expect(await sendDigests(app.db, at)).toBe(1);
    expect(await pushes()).toHaveLength(1);
  });

  test('is paused, goes on without what it was paused over, is sent at once, and removed', async () => {
    const id = await subscribe();
    expect((await app.call(owner, 'visit_digest', 'update_enabled', { ids: [id], enabled: false })).body.affected).toBe(1);
    expect(await sendDigests(app.db, moment(shanghai('2026-03-20T09:00:01')))).toBe(0);
    expect((await app.call(owner, 'visit_digest', 'send', { id })).body.affected).toBe(1);
    expect((await pushes())[0]?.title).toContain('2026-03-10');
    await app.call(owner, 'visit_digest', 'update_enabled', { ids: [id], enabled: true });
    const { body } = await app.call(owner, 'visit_digest', 'inquire', {});
    expect(body.content[0]?.next_at).toBe('2026-03-12T01:00:00.000Z');
    expect((await app.call(owner, 'visit_digest', 'remove', { ids: [id] })).body.affected).toBe(1);
    expect((await app.call(owner, 'visit_digest', 'inquire', {})).body.content).toEqual([]);
  });

  test("is its owner's alone, and goes to his own channels", async () => {
    const id = await subscribe();
    expect((await app.call(stranger, 'visit_digest', 'inquire', {})).body.content).toEqual([]);
    expect((await app.call(stranger, 'visit_digest', 'send', { id })).status).toBe(404);
    expect((await app.call(stranger, 'visit_digest', 'remove', { ids: [id] })).body.affected).toBe(0);
    const stolen = await app.call(stranger, 'visit_digest', 'add', daily());
    expect(stolen.status).toBe(400);
    // Naming somebody else's code shows nothing of it.
    await app.call(stranger, 'visit_digest', 'add', {
      ...daily(),
      channel_ids: [await siteChannel(stranger)],
      question: { live_code_ids: [code] },
    });
    await app.db.execute(sql`DELETE FROM visit_digest WHERE id = ${id}`);
    await sendDigests(app.db, moment(shanghai('2026-03-12T09:00:01')));
    expect((await pushes())[0]?.title).toContain('访问 0 次');
  });

  test('goes to a mailbox as to the messages of the site', async () => {
    const { rows } = await app.db.execute<{ id: number }>(sql`
      INSERT INTO push_channel (owner_id, kind, target, receiver, confirmed_at)
      VALUES (${owner.id}, 'email', 'owner@example.com', convert_to('owner', 'UTF8'), now()) RETURNING id::float8 AS id`);
    await subscribe({ channel_ids: [channel, rows[0]?.id ?? 0] });
    expect(await sendDigests(app.db, moment(shanghai('2026-03-12T09:00:01')))).toBe(1);
    const { rows: sent } = await app.db.execute<{ kind: string }>(sql`
      SELECT kind FROM push_delivery JOIN push_channel ON push_channel.id = channel_id ORDER BY kind`);
    expect(sent.map(({ kind }) => kind)).toEqual(['email', 'site']);
  });

  test('no user has more than twenty', { tags: 'full' }, async () => {
    const results = await Promise.all(Array.from({ length: 22 }, () => app.call(owner, 'visit_digest', 'add', daily())));
    expect(results.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(results.filter(({ status }) => status === 409)).toHaveLength(2);
  });
});

test('times follow the clocks of the site, also where these change', () => {
  const clock = siteClock('America/New_York');
  // On 8 March 2026 there is no 02:00.
  const next = nextTime({ every: 'day', weekday: 1, hour: 2 }, new Date('2026-03-07T12:00:00Z'), clock);
  expect(next.toISOString()).toBe('2026-03-08T07:00:00.000Z');
  expect(nextTime({ every: 'day', weekday: 1, hour: 2 }, next, clock).toISOString()).toBe('2026-03-09T06:00:00.000Z');
  expect(nextTime({ every: 'week', weekday: 7, hour: 2 }, next, clock).toISOString()).toBe('2026-03-15T06:00:00.000Z');
  expect(periodAt('week', next, clock)).toEqual({ from: '2026-03-01', to: '2026-03-07' });
});
