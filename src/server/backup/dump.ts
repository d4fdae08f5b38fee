import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { refuseUnusable } from '../kit/postgres/outside-database.ts';
import { StartError } from '../kit/start-error.ts';
import type { ArchiveWriter } from './archive/writer.ts';
import type { Tally } from './tree.ts';

/** A dump's length is known only at its end, which a header comes before: it is cut into files of this size. */
const pieceBytes = 16 * 2 ** 20;
const maxMessageLength = 2000;
export const dumpName = 'dump';

/** @throws {StartError} where the program is missing, or older than the server whose data it is to write or read */
export function requireClient(program: 'pg_dump' | 'pg_restore', serverMajor: number): void {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const major = Number(/\b(\d+)(?:\.|devel|beta|rc|\b)/.exec(stdout ?? '')?.[1] ?? 0);
  if (major >= serverMajor) return;
  const found = major > 0 ? `${program} is of PostgreSQL ${major}` : `There is no ${program}`;
  throw new StartError(`${found}, and DATABASE_URL's server is PostgreSQL ${serverMajor}: install postgresql-client-${serverMajor}.`);
}

/** The password goes by the environment: arguments can be read by every account of the machine. */
function run(program: string, args: string[], databaseUrl: string, signal: AbortSignal) {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const child = spawn(program, [...args, `--dbname=${url.href}`], {
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-maxMessageLength);
  });
  const ended = endOf(child).then((code) => {
    if (code !== 0) throw new StartError(`${program} failed: ${said.trim() || `code ${code}`}`);
  });
  ended.catch(() => {});
  return { child, ended };
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'close');
  return code;
}

/** Adds all of an outside database, as pg_dump sees it at one moment. */
export async function addDump(archive: ArchiveWriter, databaseUrl: string, signal: AbortSignal): Promise<Tally> {
  const { child, ended } = run('pg_dump', ['--format=custom', '--compress=0'], databaseUrl, signal);
  child.stdin.end();
  const tally = { files: 0, bytes: 0 };
  let chunks: Buffer[] = [];
  let length = 0;
  const addPiece = async () => {
    tally.files += 1;
    tally.bytes += length;
    await archive.addBytes(`${dumpName}/${String(tally.files).padStart(8, '0')}`, Buffer.concat(chunks));
    chunks = [];
    length = 0;
  };
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= pieceBytes) await addPiece();
  }
  await ended;
  await addPiece();
  return tally;
}

/** Restores the pieces of a dump, all or nothing. */
export async function restoreDump(folder: string, databaseUrl: string, signal: AbortSignal): Promise<void> {
  const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-comments'];
  const { child, ended } = run('pg_restore', args, databaseUrl, signal);
  child.stdout.resume();
  const names = (await readdir(folder)).sort();
  async function* pieces() {
    for (const name of names) yield* createReadStream(join(folder, name));
  }
  // A program that fails stops reading: what it says then is the reason.
  await pipeline(pieces, child.stdin).catch(() => {});
  await ended;
}

/** @throws {StartError} where the database holds anything already, or its server is older than the one that was dumped */
export async function checkEmptyDatabase(databaseUrl: string, dumpedMajor: number): Promise<void> {
  await refuseUnusable(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ major: number; relations: number }>(
      `SELECT current_setting('server_version_num')::int / 10000 AS major, (SELECT count(*)::int FROM pg_class
        WHERE relnamespace <> ALL (ARRAY['pg_catalog', 'information_schema', 'pg_toast']::regnamespace[]) AND relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')) AS relations`,
    );
    const { major = 0, relations = 0 } = rows[0] ?? {};
    if (relations > 0) throw new StartError('The database of DATABASE_URL is not empty: give the address of a new one.');
    if (major < dumpedMajor)
      throw new StartError(`The backup is of PostgreSQL ${dumpedMajor}, and DATABASE_URL's server is PostgreSQL ${major}.`);
    requireClient('pg_restore', dumpedMajor);
  } finally {
    await client.end();
  }
}
