import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxNotes } from '../../../contract/visits/visit-note.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

const now = new Date('2026-03-11T04:30:00Z');
const days = { from: '2026-03-10', to: '2026-03-11' };
const at = '2026-03-10T02:00:00.000Z';

let app: TestApp;
let agent: TestUser;
let owner: TestUser;
let stranger: TestUser;
let administrator: TestUser;
let code: number;
let other: number;
beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  agent = await app.makeUser('agent');
  owner = await app.makeUser('customer', { superior_id: agent.id });
  stranger = await app.makeUser('customer');
  administrator = await app.makeUser('administrator');
  const { rows } = await app.db.execute<{ id: number }>(sql`
    INSERT INTO live_code (file_name, owner_id, name) VALUES ('mine', ${owner.id}, '海报'), ('second', ${owner.id}, '传单'), ('foreign', ${stranger.id}, '别人')
    RETURNING id::float8 AS id`);
  [code = 0, other = 0] = rows.map(({ id }) => id);
});
afterAll(() => app.close());
beforeEach(() => app.db.execute(sql`TRUNCATE visit_note`));

const write = (as: TestUser, note: object = {}) => app.send(as, 'visit_note/add', { text: '换了海报', at, ...note });
async function read(as: TestUser, question: object = {}) {
  const { body } = await app.call(as, 'historical_statistics', 'annotations', { ...days, ...question });
  return body.content.filter(({ kind }) => kind === 'note').map(({ text, code_name, note_id }) => [text, code_name, note_id !== null]);
}

describe('remarks beside the figures', () => {
  test('stand at their moment on the charts of all codes, and on those of the code that they are about', async () => {
    await write(owner);
    await write(owner, { text: '活动开始', live_code_id: code, at: '2026-03-11T02:00:00.000Z' });
    await write(owner, { text: '更早', at: '2026-03-09T02:00:00.000Z' });
    const all = [
      ['活动开始', '海报', true],
      ['换了海报', '', true],
    ];
    expect(await read(owner)).toEqual(all);
    expect(await read(owner, { live_code_ids: [code] })).toEqual(all);
    expect(await read(owner, { live_code_ids: [other] })).toEqual(all.slice(1));
  });

  test('are changed and removed by whoever wrote them', async () => {
    const { id } = (await app.call(owner, 'visit_note', 'add', { text: '换了海报', at })).body;
    const changed = await app.call(owner, 'visit_note', 'update', { id, text: '重印了海报', live_code_id: code });
    expect(changed.body).toMatchObject({ id, text: '重印了海报', live_code_id: code, at });
    for (const nobody of [agent, stranger, administrator]) {
      expect((await app.call(nobody, 'visit_note', 'update', { id, text: 'stolen' })).status).toBe(404);
      expect((await app.call(nobody, 'visit_note', 'remove', { ids: [id] })).body.affected).toBe(0);
    }
    expect((await app.call(owner, 'visit_note', 'remove', { ids: [id] })).body.affected).toBe(1);
    expect(await read(owner)).toEqual([]);
  });

  test("are read by whoever looks at the owner's codes, who cannot change them, and by nobody else", async () => {
    await write(owner);
    await write(administrator, { text: '管理员的备注' });
    for (const question of [{ live_code_ids: [code] }, { owner_id: owner.id }]) {
      expect(await read(administrator, question)).toEqual([['换了海报', '', false]]);
      expect(await read(agent, question)).toEqual([['换了海报', '', false]]);
      expect(await read(stranger, question)).toEqual([]);
    }
    expect(await read(administrator)).toEqual([['管理员的备注', '', true]]);
    expect(await read(agent)).toEqual([]);
  });

  test('about a code that is handed over stay with their writer, without its name', async () => {
    const { rows } = await app.db.execute<{ id: number }>(
      sql`INSERT INTO live_code (file_name, owner_id, name) VALUES ('sold', ${owner.id}, '卖掉') RETURNING id::float8 AS id`,
    );
    const sold = rows[0]?.id;
    await write(owner, { live_code_id: sold });
    await app.db.execute(sql`UPDATE live_code SET owner_id = ${stranger.id} WHERE id = ${sold}`);
    expect(await read(stranger, { live_code_ids: [sold] })).toEqual([]);
    expect(await read(owner)).toEqual([['换了海报', '', true]]);
  });

  test("name no code of somebody else's, whoever writes, and are never empty or long", async () => {
    for (const one of [stranger, agent, administrator]) {
      expect((await write(one, { live_code_id: code })).body.fields).toEqual({ live_code_id: 'unknown_code' });
    }
    expect((await write(owner, { text: '  ' })).body.fields).toEqual({ text: 'required' });
    expect((await write(owner, { text: '长'.repeat(201) })).status).toBe(400);
    expect((await write(owner, { at: '0001-01-01T00:00:00Z' })).body.fields).toEqual({ at: 'invalid_format' });
  });

  test('are a thousand at most, also where two are written at once', async () => {
    await app.db.execute(sql`
      INSERT INTO visit_note (owner_id, at, text) SELECT ${owner.id}, ${at}, 'note ' || n FROM generate_series(2, ${maxNotes}) AS n`);
    const answers = await Promise.all([write(owner), write(owner)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
