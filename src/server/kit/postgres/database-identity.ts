import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { replaceFile } from '../files.ts';
import { StartError } from '../start-error.ts';

/** Lies in the data folder: which database its journals, pictures and keys belong to. */
const identityFile = 'database.id';
/** The same in the table of secrets, where a copy of the database has it too. */
const identityKey = 'database_identity';

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

/** What the database is called; undefined where it has no name yet, null where nothing was ever in it. */
async function readIdentity(client: Client): Promise<string | undefined | null> {
  const { rows: tables } = await client.query<{ found: boolean }>(`SELECT to_regclass('secret') IS NOT NULL AS found`);
  if (!tables[0]?.found) return null;
  const text = `SELECT encode(value, 'hex') AS id FROM secret WHERE key = $1`;
  const { rows } = await client.query<{ id: string }>(text, [identityKey]);
  return rows[0]?.id;
}

function knownIdentity(dataDir: string): string | undefined {
  const path = join(dataDir, identityFile);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

/**
 * Before anything is written: visits in the folder's journals would be loaded into codes that they are not of, and an empty database would
 * be filled as a new site. A folder that knows none yet belongs to this one from now on.
 * @throws {StartError} in one line where the data folder belongs to another database
 */
export async function recogniseDatabase(url: string, dataDir: string): Promise<void> {
  const known = knownIdentity(dataDir);
  const found = await withClient(url, readIdentity);
  if (known === undefined) {
    if (found) writeIdentity(dataDir, found);
    return;
  }
  if (found === undefined || found === known) return;
  const fault = found === null ? 'this one is empty' : 'this is another one';
  throw new StartError(
    `The data folder ${dataDir} belongs to a database, and ${fault}: give the address of its own in DATABASE_URL, or choose another folder by LIVECODE_DATA_DIR.`,
  );
}

/** Gives a database that was prepared its identity where it has none yet: that which the data folder knows, else a new one. */
export async function keepIdentity(url: string, dataDir: string): Promise<void> {
  const known = knownIdentity(dataDir);
  const id = await withClient(url, async (client) => {
    const text = 'INSERT INTO secret (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    await client.query(text, [identityKey, known === undefined ? randomBytes(16) : Buffer.from(known, 'hex')]);
    return readIdentity(client);
  });
  if (known === undefined && id) writeIdentity(dataDir, id);
}

const writeIdentity = (dataDir: string, id: string): void => replaceFile(join(dataDir, identityFile), `${id}\n`, 0o600);
