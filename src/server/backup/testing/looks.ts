import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** A small database that need not survive. */
export const settings = { shared_buffers: '32MB', max_connections: '20', fsync: 'off', logging_collector: 'off' };
export const initdbFlags = ['--no-sync'];

/** The rows of one question, over a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(text).finally(() => client.end())).rows;
}

/** Whether these bytes are in any file below, as the database itself writes them, too. */
export const holdsBytes = (folder: string, bytes: Buffer): boolean =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(bytes),
  );
