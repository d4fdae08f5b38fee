import { sql } from 'drizzle-orm';
import { type Database, openDatabase, openPool } from '../../kit/postgres/database.ts';
import { readMigrations } from '../../kit/postgres/migrate.ts';
import { StartError } from '../../kit/start-error.ts';
import { isMasterKey, openVault } from '../../kit/vault.ts';
import { opensSecrets } from '../../master-key/master-key.public.ts';
import type { Manifest } from '../manifest.ts';

type Restored = { manifest: Manifest; key: Buffer | undefined; dataDir: string; signal: AbortSignal };

/**
 * Looks whether a restored database is a whole site's.
 * @throws {StartError} where it is not
 */
export async function proveRestored(url: string, { manifest, key, dataDir, signal }: Restored): Promise<void> {
  const pool = openPool(url, { warn: () => {} }, 1, 'livecode drill');
  try {
    const db = openDatabase(pool);
    const isPresent = await proveMigrations(db, manifest);
    signal.throwIfAborted();
    await proveRows(db);
    signal.throwIfAborted();
    await proveKey(db, { key, dataDir, isPresent });
  } finally {
    await pool.end();
  }
}

/** @returns whether the database is of this version, whose tables the code knows */
async function proveMigrations(db: Database, { migrations }: Manifest): Promise<boolean> {
  const { rows } = await db.execute<{ name: string }>(sql`SELECT name FROM migration ORDER BY name`);
  const applied = rows.map(({ name }) => name).join();
  const present = readMigrations().map(({ name }) => name);
  if (applied !== (migrations ?? present.slice(0, rows.length)).join())
    throw new StartError('The restored database has other migrations than the backup says.');
  return applied === present.join();
}

async function proveRows(db: Database): Promise<void> {
  const { rows: unbalanced } = await db.execute<{ asset: string }>(
    sql`SELECT asset FROM ledger_account GROUP BY asset HAVING sum(balance) <> 0`,
  );
  if (unbalanced.length > 0)
    throw new StartError(`The restored ledger does not add up: ${unbalanced.map(({ asset }) => asset).join(', ')}.`);
  // Nothing is ever taken out of the ledger: it has at least what its own verification counted before. A site may have no code yet; they are
  // read all the same.
  const { rows } = await db.execute<{ users: number; codes: number; transfers: number; verified: number }>(sql`
    SELECT (SELECT count(*) FROM user_account) AS users, (SELECT count(*) FROM live_code) AS codes,
      (SELECT count(*) FROM ledger_transfer) AS transfers, (SELECT coalesce(max(transfers), 0) FROM ledger_verification) AS verified`);
  const { users = 0, transfers = 0, verified = 0 } = rows[0] ?? {};
  if (users === 0) throw new StartError('The restored database has no users.');
  if (transfers < verified)
    throw new StartError(`The restored ledger has ${transfers} transfers, and its last verification counted ${verified}.`);
}

async function proveKey(
  db: Database,
  { key, dataDir, isPresent }: Pick<Restored, 'key' | 'dataDir'> & { isPresent: boolean },
): Promise<void> {
  if (!key) throw new StartError('The master key of the backup is neither in it nor here: set LIVECODE_MASTER_KEY.');
  const fits = await isMasterKey(db, key);
  // Of a site that was never started nothing is sealed yet.
  if (fits === undefined) return;
  if (!fits) throw new StartError('The master key that is here does not open the secrets of the backup.');
  if (isPresent) await opensSecrets(db, await openVault(db, dataDir, key));
}
