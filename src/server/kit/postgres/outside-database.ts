import { Client } from 'pg';
import { StartError } from '../start-error.ts';

const oldestVersion = 15;
const answerMilliseconds = 5_000;

/** @throws {StartError} in one line where the database of DATABASE_URL does not answer, or is too old */
export async function refuseUnusable(url: string): Promise<void> {
  const client = openClient(url);
  // An error after the one that is told must not end the process.
  client.on('error', () => {});
  const version = await versionOf(client).catch((cause) => {
    throw unusable(client, reasonOf(cause), cause);
  });
  if (version < oldestVersion) throw unusable(client, `it is PostgreSQL ${version}; at least ${oldestVersion} is needed`);
}

function openClient(url: string): Client {
  try {
    return new Client({ connectionString: url, connectionTimeoutMillis: answerMilliseconds, query_timeout: answerMilliseconds });
  } catch {
    // The error of an address that cannot be read repeats all of it.
    throw new StartError('DATABASE_URL cannot be read: it must be like postgres://user:password@host:5432/name.');
  }
}

async function versionOf(client: Client): Promise<number> {
  await client.connect();
  const { rows } = await client
    .query<{ version: number }>(`SELECT current_setting('server_version_num')::int / 10000 AS version`)
    .finally(() => client.end());
  return rows[0]?.version ?? 0;
}

/** A database that cannot be used, said in one line that names it without the password. The cause is what happened. */
function unusable({ database, host, port }: Client, reason: string, cause?: unknown): StartError {
  const line = `The database "${database}" on ${host}, port ${port} (DATABASE_URL), cannot be used: ${reason}.`;
  return new StartError(line.replace(/[\s\p{Cc}]+/gu, ' '), { cause });
}

const reasons: Record<string, string> = {
  '28P01': 'it refuses the user or the password',
  '3D000': 'there is no database of this name',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host is unknown',
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'nothing listens there',
};

export function reasonOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  if (!(cause instanceof Error)) return String(cause);
  if (/timeout/i.test(cause.message)) return `there is no answer within ${answerMilliseconds / 1000} seconds`;
  if (/terminated unexpectedly/.test(cause.message)) return 'the connection was ended at once; PostgreSQL may not be what listens there';
  return reasons['code' in cause ? String(cause.code) : ''] ?? cause.message.replace(/\.$/, '');
}
