import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { createPeople, type People } from './testing/people.ts';

let test_app: TestApp;
let people: People;
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
});
afterAll(() => test_app.close());

let chief: TestUser;
beforeEach(async () => {
  chief = await test_app.makeUser('super');
});

const roleId = async (kind: string) =>
  (await test_app.db.execute<{ id: number }>(sql`SELECT id FROM role WHERE kind = ${kind} AND built_in`)).rows[0]?.id ?? 0;

/** Every way in which one administrator reaches for another's row, by call. */
const reaches = (id: number, role_id: number): [string, object][] => [
  ['administrators/update', { id, name: 'x' }],
  ['administrators/update', { id, role_id }],
  ['administrators/update_password', { id, password: 'tea2027' }],
  ['administrators/remove_second_factor', { id }],
  ['administrators/update_disabled', { ids: [id], disabled: 2 }],
  ['administrators/force_refresh', { ids: [id] }],
];

describe('an administrator', () => {
  test('cannot touch a super administrator, in any way', async () => {
    const administrator = await people.makeUser('administrator');
    const before = await people.stored(chief.id);
    for (const [path, input] of reaches(chief.id, await roleId('customer'))) {
      const { status, body } = await test_app.send(administrator, path, input);
      expect([path, status, body.code]).toEqual([path, 403, 'user.beyond_own']);
    }
    expect(await people.stored(chief.id)).toEqual(before);
    expect(await people.isLoggedIn(chief)).toBe(true);
  });

  test('cannot touch another administrator who may do more, but one who may do as much', async () => {
    const nodes = [
      'administrators',
      'administrators.update',
      'administrators.password',
      'administrators.disable',
      'administrators.refresh',
    ];
    const weak = await people.makeUserWith('administrator', nodes);
    const strong = await people.makeUserWith('administrator', [...nodes, 'role.nodes']);
    const equal = await people.makeUserWith('administrator', nodes);
    for (const [path, input] of reaches(strong.id, equal.role_id)) {
      const { status, body } = await test_app.send(weak, path, input);
      expect([path, status, body.code]).toEqual([path, 403, 'user.beyond_own']);
    }
    for (const [path, input] of reaches(equal.id, weak.role_id)) expect((await test_app.send(weak, path, input)).status).toBe(200);
  });

  test('cannot give a role that may do more than he, to others or to a new one', async () => {
    const nodes = ['administrators', 'administrators.add', 'administrators.update'];
    const weak = await people.makeUserWith('administrator', nodes);
    const equal = await people.makeUserWith('administrator', nodes);
    for (const kind of ['super', 'administrator']) {
      const role_id = await roleId(kind);
      const given = await test_app.call(weak, 'administrators', 'update', { id: equal.id, role_id });
      expect([given.status, given.body.code]).toEqual([403, 'role.beyond_own']);
      const added = await test_app.call(weak, 'administrators', 'add', { account: 'newboss', password: 'tea2026', role_id });
      expect([added.status, added.body.code]).toEqual([403, 'role.beyond_own']);
    }
    const added = await test_app.call(weak, 'administrators', 'add', { account: 'newpeer', password: 'tea2026', role_id: weak.role_id });
    expect(added.body).toMatchObject({ account: 'newpeer', role_id: weak.role_id });
    const customer = await test_app.call(weak, 'administrators', 'add', {
      account: 'newcustomer',
      password: 'tea2026',
      role_id: await roleId('customer'),
    });
    expect(customer.body.fields).toEqual({ role_id: 'not_for_administrators' });
  });

  test('changes neither his own role nor his own access, password or second factor here', async () => {
    for (const [path, input] of reaches(chief.id, await roleId('customer')).filter(([path]) => !path.endsWith('force_refresh'))) {
      if ('name' in input) continue;
      const { status, body } = await test_app.send(chief, path, input);
      expect([path, status, body.code]).toEqual([path, 403, 'user.oneself']);
    }
    expect((await test_app.call(chief, 'administrators', 'update', { id: chief.id, name: '我' })).body.name).toBe('我');
    expect((await test_app.call(chief, 'administrators', 'force_refresh', { ids: [chief.id] })).status).toBe(200);
    expect(await people.isLoggedIn(chief)).toBe(true);
  });
});

describe('of super administrators one remains', () => {
  const onlyThese = (ids: number[]) =>
    test_app.db.execute(
      sql`UPDATE user_account SET disabled = NOT id = ANY(${sql.param(ids)}::bigint[]) WHERE role_id = (SELECT id FROM role WHERE kind = 'super')`,
    );

  test('whoever disables or demotes the others at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await test_app.makeUser('super'), await test_app.makeUser('super')];
      await onlyThese([one.id, other.id]);
      const role_id = await roleId('administrator');
      const answers = await Promise.all([
        test_app.call(one, 'administrators', 'update', { id: other.id, role_id }),
        test_app.call(other, 'administrators', 'update_disabled', { ids: [one.id], disabled: 2 }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const { rows } = await test_app.db.execute<{ count: number }>(
        sql`SELECT count(*) FROM user_account JOIN role ON role.id = role_id WHERE kind = 'super' AND NOT disabled`,
      );
      expect(rows[0]?.count).toBe(1);
    }
  });

  test('a disabled one can be demoted, and enabled again', async () => {
    const other = await test_app.makeUser('super');
    await onlyThese([chief.id]);
    const update = (input: object) => test_app.send(chief, 'administrators/update', { id: other.id, ...input });
    expect((await update({ role_id: await roleId('administrator') })).status).toBe(200);
    expect((await test_app.call(chief, 'administrators', 'update_disabled', { ids: [other.id], disabled: 1 })).body.affected).toBe(1);
    expect(await people.stored(other.id)).toMatchObject({ disabled: false });
  });
});

test('somebody made a customer again is in the other list, logged out', async () => {
  const administrator = await people.makeUser('administrator');
  const { body } = await test_app.call(chief, 'administrators', 'update', {
    id: administrator.id,
    role_id: await roleId('customer'),
    remark: '调岗',
  });
  expect(body).toMatchObject({ role_kind: 'customer', remark: '调岗' });
  expect(await people.isLoggedIn(administrator)).toBe(false);
  const { total } = (await test_app.call(chief, 'user_list', 'inquire', { search: administrator.account })).body;
  expect(total).toBe(1);
});
