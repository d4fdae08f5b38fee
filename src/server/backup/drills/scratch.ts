import { randomBytes } from 'node:crypto';
import pg from 'pg';

const prefix = 'livecode_drill_';

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'livecode drill', connectionTimeoutMillis: 10_000 });
  // The call under way fails too; without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Works on a database of its own beside an outside one, which is dropped afterwards, and with it those that killed drills left.
 * @returns undefined where the role may make none
 */
export async function withScratchDatabase<T>(databaseUrl: string, work: (url: string) => Promise<T>): Promise<T | undefined> {
  const admin = await connect(databaseUrl);
  try {
    const { rows } = await admin.query<{ may: boolean }>(
      'SELECT rolcreatedb OR rolsuper AS may FROM pg_roles WHERE rolname = current_user',
    );
    if (!rows[0]?.may) return undefined;
    await dropLeft(admin);
    const name = `${prefix}${randomBytes(4).toString('hex')}`;
    await admin.query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    // Held open: another drill cannot drop what is somebody's.
    const held = await connect(url.href);
    try {
      return await work(url.href);
    } finally {
      await held.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  } finally {
    await admin.end();
  }
}

async function dropLeft(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname ~ '^${prefix}[0-9a-f]{8}$' AND pg_get_userbyid(datdba) = current_user`,
  );
  // One that is in use refuses.
  for (const { name } of rows) await admin.query(`DROP DATABASE IF EXISTS ${name}`).catch(() => {});
}
