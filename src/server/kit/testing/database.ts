import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { inject } from 'vitest';

const insufficientPrivilege = '42501';
const dropAttempts = 50;
const dropPauseMilliseconds = 200;

declare module 'vitest' {
  interface ProvidedContext {
    /** A database from which others can be made, the name of the migrated template on the same server, and why it could not be filled. */
    postgres: { url: string; template: string; problem: string | undefined };
  }
}

export interface TestDatabase {
  url: string;
  /** Ends the sessions that are still open and removes the database. */
  drop(): Promise<void>;
}

/** A database of the suite's own: a copy of the migrated template, made in about 50 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, template, problem } = inject('postgres');
  if (problem) throw new Error(problem);
  return createDatabase(url, template);
}

/** A database of the suite's own with nothing in it. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres').url, 'template0');
}

/** Makes a database beside the one that `url` names, as a copy of `template`. */
export async function createDatabase(url: string, template: string): Promise<TestDatabase> {
  const name = `livecode_test_${randomBytes(6).toString('hex')}`;
  // Copying files is faster than writing everything to the log while fsync is off, and no slower otherwise.
  await administer(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => dropDatabase(url, name) };
}

/** The server's own vacuum may be at work in it: only a superuser may end it, and it ends by itself soon. */
async function dropDatabase(url: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } catch (error) {
      const isRefused = error instanceof DatabaseError && error.code === insufficientPrivilege;
      if (!isRefused || attempt === dropAttempts) throw error;
      await delay(dropPauseMilliseconds);
    }
  }
}

async function administer(url: string, statement: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
