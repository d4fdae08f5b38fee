import { spawnSync } from 'node:child_process';
import { Client } from 'pg';

/** The major of a program on the PATH, or 0. */
const majorOf = (name: string) => Number(/\b(\d+)[.\w]/.exec(spawnSync(name, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0);

/** Whether this machine has programs that back up the database at an address, and the major that they need. */
export async function dumpPrograms(url: string): Promise<{ suffice: boolean; wanted: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const text = `SELECT current_setting('server_version_num')::int / 10000 AS major`;
  const { rows } = await client.query<{ major: number }>(text).finally(() => client.end());
  const wanted = rows[0]?.major ?? Number.POSITIVE_INFINITY;
  return { suffice: Math.min(majorOf('pg_dump'), majorOf('pg_restore')) >= wanted, wanted };
}
