import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { type Groups, groups } from '../../../contract/api.ts';
import type { RoleKind } from '../../../contract/enums.ts';
import type { Call, Failure, InputOf, OutputOf } from '../../../contract/kit/call.ts';
import { createApp } from '../../app.ts';
import { compareForTest, copyForTest } from '../../visits/testing/clickhouse.ts';
import { newToken } from '../calls/authentication.ts';
import type { ConnectionBounds } from '../network/connections.ts';
import { type Database, openDatabase, openPool } from '../postgres/database.ts';
import { createTestDatabase } from './database.ts';

type Calls<G extends keyof Groups> = Groups[G]['calls'];
type CallOf<G extends keyof Groups, A extends keyof Calls<G>> = Calls<G>[A] extends Call ? Calls<G>[A] : never;
export type Answer<T> = { status: number; headers: Record<string, unknown>; body: T & Partial<Failure> };
export type TestUser = { id: number; account: string; token: string };

export type TestApp = {
  app: FastifyInstance;
  db: Database;
  pool: pg.Pool;
  url: string;
  dataDir: string;
  /** Sends one call as a user and answers status and body, whatever they are. */
  call: <G extends keyof Groups, A extends keyof Calls<G> & string>(
    as: TestUser | undefined,
    group: G,
    action: A,
    input: InputOf<CallOf<G, A>> & { request_id?: string },
  ) => Promise<Answer<OutputOf<CallOf<G, A>>>>;
  /** The same without types, for input that the compiler would refuse. */
  send: (
    as: TestUser | undefined,
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer<Record<string, unknown>>>;
  /** A user of this kind with a session. */
  makeUser: (kind: RoleKind, options?: { account?: string; superior_id?: number; member_expires_at?: string }) => Promise<TestUser>;
  close: () => Promise<void>;
};

/** The real app on a database of its own. */
export async function createTestApp(
  options: {
    now?: () => Date;
    heldMilliseconds?: number;
    allowedNetworks?: readonly string[];
    serverNetworks?: readonly string[];
    trustedProxies?: readonly string[];
    logger?: FastifyBaseLogger;
    connections?: Partial<ConnectionBounds>;
    /** A way of its own to the database. */
    reach?: (databaseUrl: string) => Promise<string>;
  } = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const pool = openPool((await options.reach?.(database.url)) ?? database.url, { warn: () => {} });
  const dataDir = await mkdtemp(join(tmpdir(), 'livecode-app-'));
  const app = await createApp({ pool, dataDir, trustedProxies: [], heldMilliseconds: 0, ...options });
  const db = openDatabase(pool);
  await copyForTest(database.url);

  const send: TestApp['send'] = async (as, path, body, headers = {}) => {
    const authorization = as ? { authorization: `Bearer ${as.token}` } : {};
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await app.inject({
      method: 'POST',
      url: `/api/${path}`,
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      payload,
    });
    return { status: response.statusCode, headers: response.headers, body: parse(response.body) };
  };

  const makeUser: TestApp['makeUser'] = async (
    kind,
    { account = `u${randomBytes(5).toString('hex')}`, superior_id, member_expires_at } = {},
  ) => {
    const { rows } = await db.execute<{ id: number }>(sql`
      INSERT INTO user_account (account, password_hash, role_id, invitation_code, superior_id, member_expires_at)
      SELECT ${account}, '', role.id, ${randomBytes(5).toString('hex')}, ${superior_id ?? null}, ${member_expires_at ?? null} FROM role WHERE kind = ${kind} AND built_in
      RETURNING id`);
    const id = rows[0]?.id ?? 0;
    const { token, hash } = newToken();
    await db.execute(sql`INSERT INTO session (token_hash, user_id, expires_at) VALUES (${hash}, ${id}, now() + interval '1 hour')`);
    return { id, account, token };
  };

  return {
    app,
    db,
    pool,
    url: database.url,
    dataDir,
    send,
    makeUser,
    call: (as, group, action, input) => send(as, `${groups[group].name}/${action}`, input) as never,
    close: async () => {
      await compareForTest(database.url);
      await app.close();
      await pool.end();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function parse(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return { raw: body };
  }
}
