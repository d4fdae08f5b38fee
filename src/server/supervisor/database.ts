import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Config } from '../config.ts';
import { openPostgres } from '../kit/postgres/postgres.ts';
import { StartError } from '../kit/start-error.ts';

/** The database that all parts use: our own process, or an outside one that we neither start nor stop. */
export interface DatabaseServer {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function chooseDatabase(config: Config, log: (line: string) => void): DatabaseServer {
  if (config.databaseUrl) return outsideDatabase(config.databaseUrl);
  return openPostgres({ dataDir: config.dataDir, log, onExit: (reason) => log(`${reason}; starting it again.`) });
}

const oldestVersion = 15;
const answerMilliseconds = 5_000;

function outsideDatabase(url: string): DatabaseServer {
  return { url, start: () => refuseUnusable(url), stop: async () => {} };
}

/** @throws {StartError} */
async function refuseUnusable(url: string): Promise<void> {
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

function reasonOf(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  if (!(cause instanceof Error)) return String(cause);
  if (/timeout/i.test(cause.message)) return `there is no answer within ${answerMilliseconds / 1000} seconds`;
  if (/terminated unexpectedly/.test(cause.message)) return 'the connection was ended at once; PostgreSQL may not be what listens there';
  return reasons['code' in cause ? String(cause.code) : ''] ?? cause.message.replace(/\.$/, '');
}

/** Errors that pass by themselves when the server comes up, by their Node or PostgreSQL code. */
const passingCodes =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[1-3]|53300|08...)$/;

/** True for a server that cannot be reached now, and may be later. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof StartError) return isUnreachable(error.cause);
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return passingCodes.test(code) || /timeout|terminated unexpectedly/i.test(error.message);
}

/** Repeats the work while its failures are such that pass by themselves, with growing pauses up to 5 s. Other failures are thrown. */
export async function retryWhile<T>(
  passes: (error: unknown) => boolean,
  work: () => Promise<T>,
  isStopping: () => boolean,
  log: (line: string) => void,
): Promise<T | undefined> {
  for (let wait = 250; !isStopping(); wait = Math.min(wait * 2, 5_000)) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error)) throw error;
      log(`The database cannot be reached (${reasonOf(error instanceof StartError ? (error.cause ?? error) : error)}); trying again.`);
      await delay(wait);
    }
  }
  return undefined;
}
