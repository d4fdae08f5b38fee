import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import { domainType } from '../contract/enums.ts';
import { seedDemo } from './demo/demo.ts';
import { seedDetectors } from './detection/detection.seed.ts';
import { domain } from './domains/domains.table.ts';
import { type Database, openDatabase } from './kit/postgres/database.ts';
import { seedRoles } from './roles/roles.seed.ts';
import { role } from './roles/roles.table.ts';
import { newInvitationCode, randomLetters } from './users/invitation.ts';
import { hashPassword } from './users/login/passwords.ts';
import { user_account } from './users/users.table.ts';

export type SeedOptions = {
  adminPassword?: string | undefined;
  masterKey?: Buffer | undefined;
  visitPort: number;
  dataDir: string;
  demo: boolean;
  /** 0: demo data without simulators. */
  simulatorPort?: number;
};

async function seedSecrets(db: Database): Promise<void> {
  for (const key of ['visit_signing', 'share_password']) {
    await db.execute(sql`INSERT INTO secret (key, value) VALUES (${key}, ${randomBytes(32)}) ON CONFLICT DO NOTHING`);
  }
}

/** Makes the first administrator. */
async function seedAdministrator(db: Database, password_hash: string): Promise<void> {
  const [superRole] = await db.select({ id: role.id }).from(role).where(eq(role.kind, 'super'));
  if (!superRole) throw new Error('the roles are seeded before the first administrator');
  await db
    .insert(user_account)
    .values({ account: 'admin', name: 'Administrator', password_hash, role_id: superRole.id, invitation_code: newInvitationCode() });
}

async function seedLocalDomain(db: Database, visitPort: number): Promise<void> {
  await db
    .insert(domain)
    .values({ host: `localhost:${visitPort}`, type: domainType.entry, holder_id: null })
    .onConflictDoNothing();
}

/**
 * Brings a migrated database to where the product can run: permission tree, roles, keys, the first administrator and a local entry
 * domain. Safe to repeat at every start. Answers the administrator's password when it was generated just now: it is shown once.
 */
export async function seed(
  pool: pg.Pool,
  { adminPassword, masterKey, visitPort, dataDir, demo, simulatorPort = 0 }: SeedOptions,
): Promise<{ adminPassword?: string }> {
  return openDatabase(pool).transaction(async (tx) => {
    const db = tx as unknown as Database;
    await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode seed'))`);
    await seedRoles(db);
    await seedSecrets(db);
    if ((await db.$count(user_account)) > 0) return {};
    // 54 letters and digits to the 16th power: 92 bits.
    const password = adminPassword ?? randomLetters(16);
    const password_hash = await hashPassword(password);
    await seedAdministrator(db, password_hash);
    await seedLocalDomain(db, visitPort);
    await seedDetectors(db);
    if (demo) await seedDemo(db, { password_hash, dataDir, masterKey, visitPort, simulatorPort, now: new Date() });
    return adminPassword ? {} : { adminPassword: password };
  });
}
