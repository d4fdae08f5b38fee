import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, DatabaseError } from 'pg';

export interface Migration {
  /** File name without its ending, `NNNN-name`. */
  name: string;
  sql: string;
  checksum: string;
}

/** Any constant will do, as long as nothing else in the product locks it. */
const advisoryLock = 7_301_190_246;

const standardFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The migrations of a folder in their order. Each number exists once. */
export function readMigrations(folder = standardFolder): Migration[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  const wrong = files.find((file) => !/^\d{4}-[a-z0-9-]+\.sql$/.test(file));
  if (wrong) throw new Error(`Migration ${wrong} must be named NNNN-name.sql.`);
  const migrations = files.sort().map((file) => {
    // Git may check text out with other line ends; that is no edit.
    const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    return { name: file.slice(0, -'.sql'.length), sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
  for (const [index, { name }] of migrations.entries()) {
    const before = migrations[index - 1]?.name;
    if (before?.slice(0, 4) === name.slice(0, 4)) throw new Error(`Migrations ${before} and ${name} have the same number.`);
  }
  return migrations;
}

/**
 * Applies what is missing, each migration in its own transaction, under a lock that lets one process work and others wait.
 * @returns names of the migrations applied now
 * @throws when an applied migration was edited or is unknown here, or a new one comes before an applied one
 */
export async function migrate(url: string, folder = standardFolder): Promise<string[]> {
  const migrations = readMigrations(folder);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLock]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM migration ORDER BY name');
    const missing = missingAfter(rows, migrations);
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    // Ending the session releases the lock.
    await client.end();
  }
}

function missingAfter(applied: { name: string; checksum: string }[], migrations: Migration[]): Migration[] {
  for (const [index, row] of applied.entries()) {
    const here = migrations.find(({ name }) => name === row.name);
    if (!here) throw new Error(`The database has migration ${row.name}, which this version does not know: it belongs to a newer version.`);
    if (here.checksum !== row.checksum) throw new Error(`Migration ${row.name} was edited after it was applied. Write a new one instead.`);
    if (migrations[index] !== here)
      throw new Error(`Migration ${migrations[index]?.name} comes before ${row.name}, which is applied already.`);
  }
  return migrations.slice(applied.length);
}

async function apply(client: Client, { name, sql, checksum }: Migration) {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${name} failed${lineOf(error, sql)}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

/** PostgreSQL counts characters up to the mistake; people count lines. */
function lineOf(error: unknown, sql: string) {
  const position = error instanceof DatabaseError ? Number(error.position) : Number.NaN;
  return position > 0 ? ` in line ${sql.slice(0, position).split('\n').length}` : '';
}
