import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Server } from '../../../contract/system/server-list.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { openVault } from '../../kit/vault.ts';
import { hashPassword } from '../../users/login/passwords.ts';
import { totpLabel } from '../../users/login/second-factor.ts';
import { stepOf, totpCode } from '../../users/login/totp.ts';
import { type StoredServer, server } from '../server-list.table.ts';
import type { Means } from '../servers.means.ts';
import type { TestSshServer } from './ssh-server.ts';

const password = 'super-password-1';

export type ServersSite = TestApp & {
  means: Means;
  /** A super administrator with a second factor. */
  owner: TestUser;
  /** What proves him, good for one call. */
  proof: () => Promise<{ password: string; totp: string }>;
  addServer: (ssh: Pick<TestSshServer, 'port'>, values: { name: string } & Partial<Record<string, string>>) => Promise<Server>;
  stored: (id: number) => Promise<StoredServer>;
};

/** The app, with servers of this machine allowed, and who may manage them. */
export async function createServersSite(): Promise<ServersSite> {
  const test_app = await createTestApp({ serverNetworks: ['127.0.0.1/32'] });
  const { db, dataDir } = test_app;
  const vault = await openVault(db, dataDir, undefined);
  const owner = await test_app.makeUser('super');
  const secret = randomBytes(20);
  await db.execute(sql`UPDATE user_account SET password_hash = ${await hashPassword(password)} WHERE id = ${owner.id}`);
  await db.execute(
    sql`INSERT INTO second_factor (user_id, secret, confirmed_at) VALUES (${owner.id}, ${vault.seal(secret, totpLabel(owner.id))}, now())`,
  );
  const proof: ServersSite['proof'] = async () => {
    await db.execute(sql`UPDATE second_factor SET last_step = 0 WHERE user_id = ${owner.id}`);
    return { password, totp: totpCode(secret, stepOf(new Date())) };
  };
  return {
    ...test_app,
    means: { db, vault, network: guardNetwork(['127.0.0.1/32']) },
    owner,
    proof,
    async addServer({ port }, values) {
      const login = { auth: 'password' as const, ssh_password: 'secret', host: '127.0.0.1', port, ssh_user: 'deploy' };
      const { status, body } = await test_app.call(owner, 'server_list', 'add', { ...login, ...values, ...(await proof()) } as never);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body;
    },
    async stored(id) {
      const [found] = await db.select().from(server).where(eq(server.id, id));
      if (!found) throw new Error('no such server');
      return found;
    },
  };
}
