import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import { StartError } from '../kit/start-error.ts';
import type { Vault } from '../kit/vault.ts';
import { sealedColumns } from './change.ts';

/**
 * Opens one of each kind of sealed secrets that a database has.
 * @throws {StartError} where one does not open
 */
export async function opensSecrets(db: Database, vault: Vault): Promise<void> {
  for (const { table, key, column, reseal } of sealedColumns) {
    const [own, id, sealed] = [sql.identifier(table), sql.identifier(key), sql.identifier(column)];
    const { rows } = await db.execute<{ key: string; sealed: Buffer }>(
      sql`SELECT ${id}::text AS key, ${sealed} AS sealed FROM ${own} WHERE ${sealed} IS NOT NULL ORDER BY ${id} DESC LIMIT 1`,
    );
    const [row] = rows;
    if (!row) continue;
    try {
      reseal(vault, vault, row.sealed, Number(row.key));
    } catch {
      throw new StartError(`A secret of ${table} does not open with the master key.`);
    }
  }
}
