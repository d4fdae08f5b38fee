import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outcomes } from '../../../contract/enums.ts';
import { maxVisitRules } from '../../../contract/visits/visit-rule.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { lookAtVisits } from './looking.ts';

const hour = 3_600_000;
/** A Wednesday, 12:30 in Shanghai: the hour from 11:00 on is over. */
const now = new Date('2026-03-11T04:30:00Z');
const lastHour = Date.parse('2026-03-11T03:00:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * hour);

let app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let code: number;
let second: number;
let foreign: number;
let group: number;
let foreignGroup: number;
beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  [owner, stranger] = [await app.makeUser('customer'), await app.makeUser('customer')];
  const groups = await app.db.execute<{ id: number }>(sql`
    INSERT INTO code_group (owner_id, name) VALUES (${owner.id}, '门店'), (${stranger.id}, '别人') RETURNING id::float8 AS id`);
  [group = 0, foreignGroup = 0] = groups.rows.map(({ id }) => id);
  const codes = await app.db.execute<{ id: number }>(sql`
    INSERT INTO live_code (file_name, owner_id, name, group_id) VALUES ('mine', ${owner.id}, '海报', ${group}), ('second', ${owner.id}, '传单', NULL),
      ('foreign', ${stranger.id}, '别人', NULL) RETURNING id::float8 AS id`);
  [code = 0, second = 0, foreign = 0] = codes.rows.map(({ id }) => id);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.db.execute(sql`TRUNCATE visit_rule, visit_hour, event, host_sample CASCADE`);
  await app.db.execute(sql`UPDATE user_account SET disabled = false WHERE id = ${owner.id}`);
});

/** Visits of one hour, as the loader writes them into the rollups. */
async function visit(live_code_id: number, at: number, visits: number, outcome: (typeof outcomes)[number] = 'passed'): Promise<void> {
  await app.db.execute(sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips)
    VALUES (${live_code_id}, ${new Date(at).toISOString()}, ${outcomes.indexOf(outcome)}, ${visits}, 0, 0)`);
}
/** The same hour of the six weeks before, as usual. */
async function usual(live_code_id: number, visits: number, at = lastHour): Promise<void> {
  for (const [week, more] of [0, 3, -3, 5, -5, 0].entries()) await visit(live_code_id, at - (week + 1) * 7 * 24 * hour, visits + more);
}
const make = (rule: object = {}, as = owner) => app.send(as, 'visit_rule/add', { direction: 'falls', percent: 50, ...rule });
const look = (at = now) => lookAtVisits(app.db, { now: at, time_zone: 'Asia/Shanghai' });
const told = async () =>
  (
    await app.db.execute<{ type: string; owner_id: number; data: Record<string, unknown> }>(
      sql`SELECT type, owner_id::float8 AS owner_id, data FROM event WHERE type LIKE 'visits.%' ORDER BY id`,
    )
  ).rows;

describe('a rule on visits', () => {
  test('tells of a fall once, by however many workers, and through the pushes of its owner', async () => {
    await usual(code, 100);
    await visit(code, lastHour, 30);
    const { id } = (await make({ live_code_id: code })).body;
    const looked = await Promise.all(Array.from({ length: 6 }, () => look()));
    expect(looked.reduce((sum, number) => sum + number, 0)).toBe(1);
    await look();
    const data = { id: code, rule_id: id, group_id: null, name: '海报', visits: 30, usual: 100, percent: 70, hours: 1 };
    const since = '2026-03-11T03:00:00.000Z';
    expect(await told()).toEqual([
      { type: 'visits.fell', owner_id: owner.id, data: { ...data, since, until: '2026-03-11T04:00:00.000Z' } },
    ]);
    const { rows } = await app.db.execute(sql`SELECT count(*)::int AS noted FROM push_event`);
    expect(rows).toEqual([{ noted: 1 }]);
    const { body } = await app.call(owner, 'visit_rule', 'inquire', {});
    expect(body.content).toMatchObject([{ id, code_name: '海报', group_name: null, told_at: now.toISOString() }]);
  });

  test('is silent for twelve hours, and tells again after them', async () => {
    for (const hours of [0, 1, 12]) {
      await usual(code, 100, lastHour + hours * hour);
      await visit(code, lastHour + hours * hour, 20);
    }
    await make({ live_code_id: code });
    await look();
    expect(await look(later(1))).toBe(0);
    expect(await told()).toHaveLength(1);
    expect(await look(later(12))).toBe(1);
    expect((await told()).map(({ data }) => data.since)).toEqual(['2026-03-11T03:00:00.000Z', '2026-03-11T15:00:00.000Z']);
  });

  test('tells nothing of a fall within chance, on a tiny base, or that was not asked for', async () => {
    await usual(code, 100);
    await visit(code, lastHour, 75);
    await usual(second, 8);
    await make({ live_code_id: code, percent: 20 });
    await make({ live_code_id: code, percent: 50 });
    await make({ live_code_id: second });
    expect(await look()).toBe(3);
    expect(await told()).toEqual([]);
  });

  test('counts persons only', async () => {
    await usual(code, 100);
    await visit(code, lastHour, 30);
    for (const outcome of ['program', 'own', 'frozen'] as const) await visit(code, lastHour, 100, outcome);
    await make({ live_code_id: code });
    await look();
    expect(await told()).toMatchObject([{ data: { visits: 30, usual: 100 } }]);
  });

  test("is about a group, or all codes of its owner and nobody else's", async () => {
    for (const one of [code, second, foreign]) await usual(one, 100);
    await visit(second, lastHour, 100);
    await visit(foreign, lastHour, 1000);
    await make({ group_id: group });
    await make({ direction: 'both', percent: 40 });
    await look();
    expect((await told()).map(({ data: { name, id, visits, usual: normal } }) => [name, id, visits, normal])).toEqual([
      ['门店', null, 0, 100],
      ['', null, 100, 200],
    ]);
  });

  test('tells of rises, to who asks for them', async () => {
    await usual(code, 100);
    await visit(code, lastHour, 300);
    await make({ live_code_id: code });
    await make({ live_code_id: code, direction: 'rises', percent: 150 });
    await look();
    expect(await told()).toMatchObject([{ type: 'visits.rose', data: { percent: 200 } }]);
  });

  test('waits for visits that are not loaded yet', async () => {
    await usual(code, 100);
    await make({ live_code_id: code });
    await app.db.execute(sql`INSERT INTO host_sample (host, at, sample) VALUES ('one', ${now.toISOString()}, '{"unloaded": 500}')`);
    expect(await look()).toBe(1);
    expect(await told()).toEqual([]);
  });

  test('says nothing while it, or the account of its owner, is disabled', async () => {
    await usual(code, 100);
    const { id } = (await app.call(owner, 'visit_rule', 'add', { live_code_id: code, direction: 'falls', percent: 50 })).body;
    await app.call(owner, 'visit_rule', 'update_enabled', { ids: [id], enabled: false });
    expect(await look()).toBe(0);
    await app.call(owner, 'visit_rule', 'update_enabled', { ids: [id], enabled: true });
    await app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${owner.id}`);
    expect(await look()).toBe(0);
    expect(await told()).toEqual([]);
  });
});

describe('rules', () => {
  test("name no code and no group of somebody else's, one of both at most, and no fall by more than all", async () => {
    const administrator = await app.makeUser('administrator');
    for (const [as, input, fields] of [
      [owner, { live_code_id: foreign }, { live_code_id: 'unknown_code' }],
      [owner, { group_id: foreignGroup }, { group_id: 'unknown_group' }],
      [administrator, { live_code_id: code }, { live_code_id: 'unknown_code' }],
      [owner, { live_code_id: code, group_id: group }, { group_id: 'code_or_group' }],
      [owner, { percent: 120 }, { percent: 'falls_by_all' }],
    ] as const) {
      expect((await make(input, as)).body.fields).toEqual(fields);
    }
    const { id } = (await app.call(owner, 'visit_rule', 'add', { live_code_id: code, direction: 'rises', percent: 120 })).body;
    expect((await app.send(owner, 'visit_rule/update', { id, group_id: group })).body.fields).toEqual({ group_id: 'code_or_group' });
    expect((await app.send(owner, 'visit_rule/update', { id, direction: 'both' })).body.fields).toEqual({ percent: 'falls_by_all' });
    expect((await app.call(owner, 'visit_rule', 'update', { id, live_code_id: null, group_id: group })).body.group_name).toBe('门店');
  });

  test("are their owner's alone, and so many", async () => {
    const { id } = (await app.call(owner, 'visit_rule', 'add', { direction: 'falls', percent: 50 })).body;
    expect((await app.call(stranger, 'visit_rule', 'inquire', {})).body.content).toEqual([]);
    expect((await app.call(stranger, 'visit_rule', 'update', { id, percent: 20 })).status).toBe(404);
    expect((await app.call(stranger, 'visit_rule', 'remove', { ids: [id] })).body.affected).toBe(0);
    await app.db.execute(sql`
      INSERT INTO visit_rule (owner_id, direction, percent) SELECT ${owner.id}, 'falls', 50 FROM generate_series(3, ${maxVisitRules})`);
    const answers = await Promise.all([make(), make()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('are told by site messages unless a push rule names their events already', async () => {
    const newcomer = await app.makeUser('customer');
    const naming = async () =>
      (
        await app.db.execute(sql`
          SELECT kind FROM push_rule JOIN push_rule_channel ON rule_id = push_rule.id JOIN push_channel ON push_channel.id = channel_id
          WHERE push_rule.owner_id = ${newcomer.id} AND 'visits.fell' = ANY (events)`)
      ).rows;
    for (let number = 0; number < 2; number += 1) await make({}, newcomer);
    expect(await naming()).toEqual([{ kind: 'site' }]);
  });
});
