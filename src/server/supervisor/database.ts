import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { reasonOf, refuseUnusable } from '../kit/postgres/outside-database.ts';
import { openPostgres } from '../kit/postgres/postgres.ts';
import { StartError } from '../kit/start-error.ts';

/** The database that all parts use: our own process, or an outside one that we neither start nor stop. */
export interface DatabaseServer {
  url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param isPrivate out of reach for what answers visits meanwhile: our own process only */
export function chooseDatabase(config: Config, log: (line: string) => void, isPrivate = false): DatabaseServer {
  if (config.databaseUrl) return outsideDatabase(config.databaseUrl);
  return openPostgres({ dataDir: config.dataDir, isPrivate, log, onExit: (reason) => log(`${reason}; starting it again.`) });
}

function outsideDatabase(url: string): DatabaseServer {
  return { url, start: () => refuseUnusable(url), stop: async () => {} };
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
  return passingCodes.test(code) || /timeout|terminated unexpectedly|is not queryable/i.test(error.message);
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
