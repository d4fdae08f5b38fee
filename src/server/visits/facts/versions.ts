import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Database } from '../../kit/postgres/database.ts';
import type { ModelName } from './models.ts';

/** What loaders look up and administrators change: names of phones, and places of addresses. */
export type FactKind = 'device' | 'place';
export type FactVersions = Readonly<Record<FactKind, number>>;

/** Any constant, as long as nothing else in the product locks it. */
const factsLock = 7_301_190_251;

/** Shared by the batches under way, so that a change waits for them: whatever was looked up before it is in the database then. */
export const shareFacts = `SELECT pg_advisory_xact_lock_shared(${factsLock})`;

/** Waits for the batches under way, and lets none begin until the transaction ends. */
export const lockFacts = `SELECT pg_advisory_xact_lock(${factsLock})`;

/**
 * Tells loaders that facts are about to change, within the transaction that changes them. It waits for the batches under way; every later
 * batch that was looked up before is looked up again.
 */
export async function changeFacts(db: Database, kind: FactKind): Promise<void> {
  await db.execute(sql.raw(lockFacts));
  await db.execute(sql`UPDATE visit_facts SET version = version + 1 WHERE kind = ${kind}`);
}

export async function readFactVersions(client: pg.ClientBase): Promise<FactVersions> {
  const { rows } = await client.query<{ kind: FactKind; version: string }>({
    name: 'fact versions',
    text: 'SELECT kind, version FROM visit_facts',
  });
  const versions = { device: 0, place: 0 };
  for (const { kind, version } of rows) versions[kind] = Number(version);
  return versions;
}

/** Fills a map of the names that administrators gave, by the code in upper case. */
export async function readModelNames(client: pg.ClientBase, names: Map<string, ModelName>): Promise<void> {
  const { rows } = await client.query<{ code: string; brand: string; name: string }>(
    'SELECT code, brand, name FROM device_model WHERE named_at IS NOT NULL',
  );
  names.clear();
  for (const { code, brand, name } of rows) names.set(code, { brand, name });
}
