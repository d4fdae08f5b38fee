import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { socketProtocol, socketTypes } from '../../contract/socket.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { expectWithin } from '../kit/testing/within.ts';
import { connect, type TestClient } from '../socket/testing/client.ts';
import { createPeople, type People, password } from './testing/people.ts';

let test_app: TestApp;
let people: People;
let origin: string;
let publicKey: string;
let chief: TestUser;
let clients: TestClient[] = [];
beforeAll(async () => {
  test_app = await createTestApp();
  people = await createPeople(test_app);
  origin = await test_app.app.listen({ port: 0, host: '127.0.0.1' });
  publicKey = (await test_app.call(undefined, 'website', 'info', {})).body.socket_public_key;
});
beforeEach(async () => {
  await people.forget();
  chief = await test_app.makeUser('super');
});
afterEach(() => {
  for (const client of clients) client.close();
  clients = [];
});
afterAll(() => test_app.close());

async function open({ token }: TestUser): Promise<TestClient> {
  const client = await connect({ url: `${origin.replace('http', 'ws')}${socketProtocol.path}`, publicKey, token, origin });
  clients.push(client);
  return client;
}

/** A further session of the same user, on another device. */
const elsewhere = async (user: TestUser): Promise<TestUser> => ({ ...user, token: String((await people.logIn(user)).body.token) });
const roleId = async (kind: string) =>
  (await test_app.db.execute<{ id: number }>(sql`SELECT id FROM role WHERE kind = ${kind} AND built_in`)).rows[0]?.id ?? 0;
const newPassword = { old_password: password, new_password: 'tea2027', repeat_password: 'tea2027' };
/** Of a user with two sessions, the one that `as` doesn't work in. */
async function otherSession(as: TestUser): Promise<number> {
  const { content } = (await test_app.call(as, 'update_password', 'sessions', {})).body;
  return content.find(({ current }) => !current)?.id ?? 0;
}

type Who = {
  /** Whose session is to end, with an open page. */
  user: TestUser;
  /** The same user on another device. */
  other: TestUser;
};
type Act = {
  name: string;
  /** Does it, and answers the status where it is a call. */
  end: (who: Who) => PromiseLike<unknown>;
  kind?: 'customer' | 'agent' | 'administrator';
  /** The page loads anew and finds out by itself, or is told that its session is over. */
  told: 'reload' | 'close';
};

const acts: Act[] = [
  { name: 'it logs out', told: 'reload', end: ({ user }) => test_app.call(user, 'admin', 'logout', {}) },
  {
    name: 'its user changes the password elsewhere',
    told: 'reload',
    end: ({ other }) => test_app.call(other, 'update_password', 'update', newPassword),
  },
  {
    name: 'its user revokes it from elsewhere',
    told: 'reload',
    end: async ({ other }) => test_app.call(other, 'update_password', 'revoke_session', { id: await otherSession(other) }),
  },
  {
    name: 'its user ends all other sessions',
    told: 'reload',
    end: ({ other }) => test_app.call(other, 'update_password', 'revoke_other_sessions', {}),
  },
  {
    name: 'an administrator gives its user a new password',
    told: 'reload',
    end: ({ user: { id } }) => test_app.call(chief, 'user_list', 'update_password', { id, password: 'tea2027' }),
  },
  {
    name: 'an administrator takes the second factor of its user away',
    told: 'reload',
    end: ({ user: { id } }) => test_app.call(chief, 'user_list', 'remove_second_factor', { id }),
  },
  {
    name: 'its user is disabled',
    told: 'reload',
    end: ({ user: { id } }) => test_app.call(chief, 'user_list', 'update_disabled', { ids: [id], disabled: 2 }),
  },
  {
    name: 'its user gets another role',
    told: 'reload',
    end: async ({ user: { id } }) => test_app.call(chief, 'user_list', 'update_role', { ids: [id], role_id: await roleId('agent') }),
  },
  {
    name: 'its user, an agent, becomes a customer',
    kind: 'agent',
    told: 'reload',
    end: async ({ user: { id } }) => test_app.call(chief, 'user_list', 'update_role', { ids: [id], role_id: await roleId('customer') }),
  },
  {
    name: 'its user is refreshed by force',
    told: 'reload',
    end: ({ user: { id } }) => test_app.call(chief, 'user_list', 'force_refresh', { ids: [id] }),
  },
  { name: 'everybody is refreshed by force', told: 'reload', end: () => test_app.call(chief, 'user_list', 'force_refresh_all', {}) },
  {
    name: 'its user, an administrator, is disabled',
    kind: 'administrator',
    told: 'reload',
    end: ({ user: { id } }) => test_app.call(chief, 'administrators', 'update_disabled', { ids: [id], disabled: 2 }),
  },
  {
    name: 'its user, an administrator, gets another role',
    kind: 'administrator',
    told: 'reload',
    end: async ({ user: { id } }) => test_app.call(chief, 'administrators', 'update', { id, role_id: await roleId('super') }),
  },
  {
    name: 'its user, an administrator, is refreshed by force',
    kind: 'administrator',
    told: 'reload',
    end: ({ user: { id } }) => test_app.call(chief, 'administrators', 'force_refresh', { ids: [id] }),
  },
  {
    name: 'its time is over',
    told: 'close',
    end: ({ user: { id } }) => test_app.db.execute(sql`UPDATE session SET expires_at = now() WHERE user_id = ${id}`),
  },
  {
    name: 'its row is removed by hand',
    told: 'close',
    end: ({ user: { id } }) => test_app.db.execute(sql`DELETE FROM session WHERE user_id = ${id}`),
  },
  {
    name: 'its user is disabled by hand',
    told: 'close',
    end: ({ user: { id } }) => test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id = ${id}`),
  },
];

test.each(acts)(
  'within a second after $name, a session is over for calls and for open pages, and nobody else’s is',
  async ({ end, told, kind = 'customer' }) => {
    const bystander = await people.makeUser('administrator');
    await expectWithin(1000, async () => {
      await people.forget();
      const user = await people.makeUser(kind);
      const who = { user, other: await elsewhere(user) };
      const [page, another] = [await open(user), await open(bystander)];
      expect(await people.isLoggedIn(user)).toBe(true);
      const ended = (await end(who)) as { status?: number };
      expect(ended.status ?? 200).toBe(200);
      const startedAt = performance.now();
      const refused = await test_app.call(user, 'admin', 'get_info', {});
      expect([refused.status, refused.body.code]).toEqual([401, 'not_logged_in']);
      expect((await page.untilClosed(15_000)).code).toBe(socketProtocol.deliberateClose);
      const took = performance.now() - startedAt;
      // What comes in place of the reload where nobody said it: the end of the session, in words.
      if (told === 'reload') await page.received(socketTypes.reload, 15_000);
      expect(await page.received(socketTypes.close, 15_000)).toMatchObject({ status: false, message: '您还没有登录，请先登录' });
      expect([await people.isLoggedIn(bystander), await people.isLoggedIn(chief)]).toEqual([true, true]);
      expect([another.closed(), another.messages]).toEqual([undefined, []]);
      return took;
    });
  },
);

test('within a second after an administrator logs out, a session that he opened as somebody else is over too', async () => {
  await expectWithin(1000, async () => {
    const [administrator, user] = [await test_app.makeUser('super'), await people.makeUser()];
    const { token } = (await test_app.call(administrator, 'user_list', 'log_in_as', { id: user.id })).body;
    const acting = { ...user, token };
    const [page, own] = [await open(acting), await open(user)];
    expect(await people.isLoggedIn(acting)).toBe(true);
    await test_app.call(administrator, 'admin', 'logout', {});
    const startedAt = performance.now();
    expect((await test_app.call(acting, 'admin', 'get_info', {})).status).toBe(401);
    expect((await page.untilClosed(15_000)).code).toBe(socketProtocol.deliberateClose);
    const took = performance.now() - startedAt;
    expect(await people.isLoggedIn(user)).toBe(true);
    expect(own.closed()).toBeUndefined();
    return took;
  });
});

test('at the next call a right that was taken from the role is gone, and the session goes on', async () => {
  const user = await people.makeUserWith('customer', ['qr_code_list', 'qr_code_list.add']);
  const page = await open(user);
  const { role, tree } = (await test_app.call(chief, 'role', 'nodes', { id: user.role_id })).body;
  expect((await test_app.call(user, 'qr_code_list', 'inquire', {})).status).toBe(200);
  expect(tree.length).toBeGreaterThan(0);
  const taken = await test_app.call(chief, 'role', 'update_nodes', { id: user.role_id, version: role.version, node_ids: [] });
  expect(taken.status).toBe(200);
  const refused = await test_app.call(user, 'qr_code_list', 'inquire', {});
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
  expect(await people.isLoggedIn(user)).toBe(true);
  page.send({ type: socketTypes.nothing });
  await page.received(socketTypes.nothing, 15_000);
});

test('the end of a membership ends no session: its codes stop, and their owner can still renew it', async () => {
  const user = await people.makeUser();
  const page = await open(user);
  await test_app.db.execute(sql`UPDATE user_account SET member_expires_at = now() - interval '1 day' WHERE id = ${user.id}`);
  expect(await people.isLoggedIn(user)).toBe(true);
  page.send({ type: socketTypes.nothing });
  await eventually(() => page.received(socketTypes.nothing, 5000));
  expect(page.closed()).toBeUndefined();
});
