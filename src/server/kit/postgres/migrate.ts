import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, DatabaseError } from 'pg';
import { StartError } from '../start-error.ts';

export interface Migration {
  /** File name without its ending, `NNNN-name`. */
  name: string;
  sql: string;
  checksum: string;
}

/** Any constant will do, as long as nothing else in the product locks it. */
const advisoryLock = 7_301_190_246;

const standardFolder = fileURLToPath(new URL('../../../../migrations', import.meta.url));

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
 * @throws {StartError} when what is applied is not how today's list begins, or a migration fails
 */
export async function migrate(url: string, folder = standardFolder): Promise<string[]> {
  const migrations = readMigrations(folder);
  const client = new Client({ connectionString: url });
  // The query under way fails too, and tells why; without a listener the event would end the process.
  client.on('error', () => {});
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
  const different = applied.findIndex(({ name, checksum }, index) => {
    const here = migrations[index];
    return here?.name !== name || here.checksum !== checksum;
  });
  if (different < 0) return migrations.slice(applied.length);
  const row = applied[different];
  if (different === migrations.length)
    throw new StartError(`The database has migration ${row?.name}, which this version does not know: it belongs to a newer version.`);
  throw new StartError(`${unreleased} (${differenceOf(row, migrations[different])}). ${startAnew}`);
}

const unreleased = 'This database was made by an unreleased state of Livecode, from which no upgrade leads to this version';
const startAnew = `To start anew, move the data folder away (its path is in LIVECODE_DATA_DIR, ./data by default), for example with "mv data data.old", and start again. With DATABASE_URL, also create an empty database and put its name there.`;

function differenceOf(applied: { name: string } | undefined, here: Migration | undefined): string {
  if (applied?.name === here?.name) return `migration ${here?.name} was edited after it was applied`;
  if (here && applied && here.name < applied.name) return `migration ${here.name} comes before ${applied.name}, which is applied already`;
  return `migration ${applied?.name} is applied, and does not exist any more`;
}

async function apply(client: Client, { name, sql, checksum }: Migration) {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (error) {
    // Without its session there is nothing to roll back.
    await client.query('ROLLBACK').catch(() => {});
    if (!isOfStatement(error)) throw error;
    throw new StartError(`Migration ${name} failed${lineOf(error, sql)}: ${error.message}`, { cause: error });
  }
}

/** Not one of a lost connection, of a server that stops, or of one that lacks room: those pass, and the caller tries again. */
const isOfStatement = (error: unknown): error is DatabaseError => error instanceof DatabaseError && !/^(08|53|57P)/.test(error.code ?? '');

/** PostgreSQL counts characters up to the mistake; people count lines. */
function lineOf({ position: character }: DatabaseError, sql: string) {
  const position = Number(character);
  return position > 0 ? ` in line ${sql.slice(0, position).split('\n').length}` : '';
}
