import { argon2Sync, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { RoleKind } from '../../../contract/enums.ts';
import type { TestApp, TestUser } from '../../kit/testing/app.ts';

/** The password of everybody whom `createPeople` makes. */
export const password = 'tea2026';

export type Reply = { status: number; body: Record<string, unknown> & { token?: string; code?: string; fields?: Record<string, string> } };

/** A password's hash at the least cost there is: tests log in many hundred times. */
function cheapHash(message: string): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 });
  return `argon2id$m=8,t=1,p=1$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
}

/** Users who can log in with a password, and calls from addresses of their own, so that only tests about limits meet the limits. */
export async function createPeople(test_app: TestApp) {
  const password_hash = cheapHash(password);
  let calls = 0;

  /** Sends a public call from an address that nobody used before, unless one is given. */
  async function post(path: string, payload: object, remoteAddress?: string): Promise<Reply> {
    calls += 1;
    const own = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`;
    const response = await test_app.app.inject({
      method: 'POST',
      url: `/api/${path}`,
      headers: { 'accept-language': 'zh-CN' },
      payload,
      remoteAddress: remoteAddress ?? own,
    });
    return { status: response.statusCode, body: response.json() };
  }

  return {
    post,
    logIn: (user: { account: string }, options: { code?: string; password?: string } = {}) =>
      post('admin/login', { account: user.account, password, ...options }),

    async makeUser(kind: RoleKind = 'customer', options: { account?: string; superior_id?: number } = {}): Promise<TestUser> {
      const user = await test_app.makeUser(kind, options);
      await test_app.db.execute(sql`UPDATE user_account SET password_hash = ${password_hash} WHERE id = ${user.id}`);
      return user;
    },

    /** A role of this kind with exactly these nodes, and a user who has it. */
    async makeUserWith(kind: RoleKind, nodes: readonly string[]): Promise<TestUser & { role_id: number }> {
      const user = await test_app.makeUser(kind);
      const { rows } = await test_app.db.execute<{ id: number }>(
        sql`INSERT INTO role (name, kind) VALUES (${`role of ${user.account}`}, ${kind}) RETURNING id`,
      );
      const role_id = rows[0]?.id ?? 0;
      for (const key of nodes)
        await test_app.db.execute(sql`INSERT INTO role_node SELECT ${role_id}, id FROM permission_node WHERE key = ${key}`);
      await test_app.db.execute(sql`UPDATE user_account SET role_id = ${role_id}, password_hash = ${password_hash} WHERE id = ${user.id}`);
      return { ...user, role_id };
    },

    isLoggedIn: async (user: TestUser) => (await test_app.call(user, 'admin', 'get_info', {})).status === 200,

    set: (key: string, value: unknown) =>
      test_app.db.execute(
        sql`INSERT INTO setting (key, value) VALUES (${key}, ${JSON.stringify(value)}::jsonb) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      ),

    async stored(id: number): Promise<Record<string, unknown>> {
      const { rows } = await test_app.db.execute<Record<string, unknown>>(sql`SELECT * FROM user_account WHERE id = ${id}`);
      return rows[0] ?? {};
    },

    /** Forgets failures and settings of the test before. */
    async forget(): Promise<void> {
      await test_app.db.execute(sql`DELETE FROM attempt`);
      await test_app.db.execute(sql`DELETE FROM setting`);
    },
  };
}
export type People = Awaited<ReturnType<typeof createPeople>>;
