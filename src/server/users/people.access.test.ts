import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Group } from '../../contract/kit/call.ts';
import { administrators } from '../../contract/people/administrators.ts';
import { roleGroup } from '../../contract/people/role.ts';
import { userList } from '../../contract/people/user-list.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { createPeople, type People } from './testing/people.ts';

let test_app: TestApp;
let people: People;
let customer: TestUser;
let administrator: TestUser;
let chief: TestUser;
let role: { id: number; version: number };
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  chief = await test_app.makeUser('super');
  role = (await test_app.call(chief, 'role', 'add', { name: 'untouched', kind: 'customer' })).body;
});
afterAll(() => test_app.close());
beforeEach(async () => {
  customer = await people.makeUser();
  administrator = await people.makeUser('administrator');
});

/** A right input for every call that changes something, about rows of others; a call that is missing here fails the first test. */
const inputs = (): Record<string, object> => ({
  'user_list/add': { account: `new.${customer.account}`, password: 'tea2026' },
  'user_list/update': { id: customer.id, name: 'changed' },
  'user_list/update_role': { ids: [customer.id], role_id: role.id },
  'user_list/update_ratio': { ids: [customer.id], share_ratio: 99 },
  'user_list/update_invitation_code': { id: customer.id, invitation_code: 'changed1' },
  'user_list/update_expiry': { ids: [customer.id], member_expires_at: '2040-01-01T00:00:00Z' },
  'user_list/update_balance': { id: customer.id, amount: '5' },
  'user_list/update_superior': { id: customer.id, superior_id: chief.id },
  'user_list/update_password': { id: customer.id, password: 'tea2099' },
  'user_list/remove_second_factor': { id: customer.id },
  'user_list/update_disabled': { ids: [customer.id], disabled: 2 },
  'user_list/remove': { id: customer.id, codes: 'remove' },
  'user_list/restore': { ids: [customer.id] },
  'user_list/force_refresh': { ids: [customer.id] },
  'user_list/force_refresh_all': {},
  'user_list/log_in_as': { id: customer.id },
  'administrators/add': { account: `new.${administrator.account}`, password: 'tea2026', role_id: 2 },
  'administrators/update': { id: administrator.id, name: 'changed' },
  'administrators/update_password': { id: administrator.id, password: 'tea2099' },
  'administrators/remove_second_factor': { id: administrator.id },
  'administrators/update_disabled': { ids: [administrator.id], disabled: 2 },
  'administrators/remove': { id: administrator.id, codes: 'remove' },
  'administrators/restore': { ids: [administrator.id] },
  'administrators/force_refresh': { ids: [administrator.id] },
  'administrators/force_refresh_all': {},
  'role/add': { name: 'changed', kind: 'administrator' },
  'role/update': { id: role.id, name: 'changed' },
  'role/copy': { id: role.id, name: 'changed' },
  'role/remove': { id: role.id },
  'role/update_nodes': { id: role.id, version: role.version, node_ids: [] },
  'role/node_update': { id: 1, name: 'changed' },
  'role/node_add': { path: 'tron', name: 'changed' },
});

const changing = [userList, administrators, roleGroup].flatMap((group: Group) =>
  Object.entries(group.calls)
    .filter(([action, call]) => call.writes || action === 'log_in_as')
    .map(([action]) => `${group.name}/${action}`),
);

const everything = async () => {
  const tables = ['user_account', 'session', 'role', 'role_node', 'permission_node', 'second_factor'];
  const states = [];
  for (const table of tables) {
    // When a session was used last is told by every call.
    const { rows } = await test_app.db.execute(
      sql`SELECT md5(coalesce(jsonb_agg(to_jsonb(t) - 'used_at' - 'expires_at' ORDER BY to_jsonb(t)::text), '[]')::text) AS state FROM ${sql.identifier(table)} t`,
    );
    states.push([table, rows[0]?.state]);
  }
  return states;
};

test('every call that changes people or roles is looked at here', () => {
  expect(Object.keys(inputs()).sort()).toEqual([...changing].sort());
});

describe.each(['customer', 'agent'] as const)('a role of the kind %s that was given every node', (kind) => {
  test.each(changing)('changes nothing by %s', async (path) => {
    const intruder = await people.makeUserWith(kind, []);
    await test_app.db.execute(sql`INSERT INTO role_node SELECT ${intruder.role_id}, id FROM permission_node`);
    const before = await everything();
    const { status, body } = await test_app.send(intruder, path, inputs()[path] ?? {});
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(await everything()).toEqual(before);
  });
});

describe('an administrator', () => {
  test.each(changing)('may do %s with its node, so that the refusals above are about the kind', async (path) => {
    const { status } = await test_app.send(chief, path, inputs()[path] ?? {});
    if (path === 'administrators/force_refresh_all' || path === 'role/remove') return;
    expect([200, 400, 409]).toContain(status);
    expect(status).not.toBe(403);
  });
});
