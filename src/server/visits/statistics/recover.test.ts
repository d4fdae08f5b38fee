import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
let stranger: TestUser;
let clock = Date.parse('2026-03-02T08:00:00Z');
beforeAll(async () => {
  test_app = await createTestApp({ now: () => new Date(clock) });
  administrator = await test_app.makeUser('administrator');
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

/** A code with this many visits in the hour that began at the moment. */
async function visited(visits: number, hour = '2026-03-01T10:00:00Z'): Promise<number> {
  const { id } = (
    await test_app.call(owner, 'qr_code_list', 'add', { name: `visited ${visits}`, targets: [{ kind: 'text', content: 'x' }] })
  ).body;
  await visit(id, visits, hour);
  return id;
}
async function visit(id: number, visits: number, hour: string): Promise<void> {
  await test_app.db.execute(
    sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES (${id}, ${hour}, 0, ${visits}, 1, 1)`,
  );
  await test_app.db.execute(sql`INSERT INTO live_code_total AS total (live_code_id, visits, ips) VALUES (${id}, ${visits}, 1)
    ON CONFLICT (live_code_id) DO UPDATE SET visits = total.visits + excluded.visits, ips = total.ips + 1`);
}
const shown = async (id: number) => (await test_app.call(owner, 'qr_code_list', 'details', { id })).body.view_number;
const clear = (as: TestUser, ids: number[]) => test_app.call(as, 'qr_code_access', 'clear', { ids });
const inquire = async (as: TestUser, input: object = {}) => (await test_app.call(as, 'recover', 'inquire', input)).body;
const restore = (as: TestUser, ids: number[]) => test_app.call(as, 'recover', 'restore', { ids });

test('a cleared history is hidden, told with its visits and who hid it, and shown again', async () => {
  const id = await visited(40);
  const unvisited = (await test_app.call(owner, 'qr_code_list', 'add', { name: 'none', targets: [{ kind: 'text', content: 'x' }] })).body
    .id;
  const { body: cleared } = await clear(owner, [id, unvisited]);
  expect(cleared).toEqual({ affected: 1, clearing_ids: [expect.any(Number)] });
  expect(await shown(id)).toBe(0);
  const [row] = (await inquire(owner, { live_code_id: id })).content;
  expect(row).toMatchObject({ visits: 40, user_account: owner.account, restored_at: null, restorable: true, code_name: 'visited 40' });
  expect((await restore(owner, cleared.clearing_ids)).body).toEqual({ affected: 1 });
  expect(await shown(id)).toBe(40);
  expect((await inquire(owner, { live_code_id: id, restored: true })).content[0]).toMatchObject({
    restored_by_account: owner.account,
    restorable: false,
  });
  expect((await restore(owner, [row?.id ?? 0])).body).toEqual({ affected: 0 });
});

test('of several clearings the newest is restored first, or all that lie above at once', async () => {
  const id = await visited(10);
  await clear(owner, [id]);
  clock += 4 * 3_600_000;
  await visit(id, 5, new Date(clock - 7_200_000).toISOString());
  expect(await shown(id)).toBe(5);
  await clear(owner, [id]);
  expect(await shown(id)).toBe(0);
  const [newer, older] = (await inquire(owner, { live_code_id: id, sort: 'id', order: 'desc' })).content;
  expect([newer, older]).toMatchObject([
    { visits: 5, restorable: true },
    { visits: 10, restorable: false },
  ]);
  expect((await restore(owner, [older?.id ?? 0])).body).toEqual({ affected: 0 });
  expect((await restore(owner, [newer?.id ?? 0])).body).toEqual({ affected: 1 });
  expect(await shown(id)).toBe(5);
  await clear(owner, [id]);
  const ids = (await inquire(owner, { live_code_id: id, restored: false })).content.map((row) => row.id);
  expect((await restore(owner, ids)).body).toEqual({ affected: 2 });
  expect(await shown(id)).toBe(15);
});

test('two who clear and restore at once leave one consistent history', async () => {
  const id = await visited(7);
  const cleared = await Promise.all([clear(owner, [id]), clear(administrator, [id]), clear(owner, [id])]);
  expect(cleared.map(({ body }) => body.affected).sort()).toEqual([0, 0, 1]);
  const ids = (await inquire(owner, { live_code_id: id })).content.map((row) => row.id);
  const restored = await Promise.all([restore(owner, ids), restore(administrator, ids)]);
  expect(restored.map(({ body }) => body.affected).sort()).toEqual([0, 1]);
  expect(await shown(id)).toBe(7);
});

test('neither strangers nor a later owner are told of a clearing or undo it', async () => {
  const id = await visited(3);
  expect((await clear(stranger, [id])).body).toEqual({ affected: 0, clearing_ids: [] });
  await clear(owner, [id]);
  const [row] = (await inquire(owner, { live_code_id: id })).content;
  expect((await inquire(stranger, { live_code_id: id })).total).toBe(0);
  expect((await restore(stranger, [row?.id ?? 0])).body).toEqual({ affected: 0 });
  await test_app.call(administrator, 'qr_code_list', 'transfer', { ids: [id], owner_id: stranger.id, domains: 'take_off' });
  expect((await inquire(stranger, { live_code_id: id })).total).toBe(0);
  expect((await inquire(owner, { live_code_id: id })).total).toBe(0);
  expect((await restore(stranger, [row?.id ?? 0])).body).toEqual({ affected: 0 });
  expect((await restore(administrator, [row?.id ?? 0])).body).toEqual({ affected: 1 });
});
