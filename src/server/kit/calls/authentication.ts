import { createHash, randomBytes } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { RoleKind } from '../../../contract/enums.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { type Database, prepareStatement } from '../postgres/database.ts';
import type { Actor } from './context.ts';

/** Days a session lives on after its last use. */
export const sessionDays = 30;

/** A new session token and what the database keeps of it: 256 random bits need no salt or slow hash. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A session's token, or an API token: the same behind `lc_`. HTTP says that the case of `Bearer` doesn't matter. */
export const bearerToken = (header: string | undefined): string | undefined => header?.match(/^bearer +((?:lc_)?[A-Za-z0-9_-]{43})$/i)?.[1];

type SessionRow = {
  session_id: number;
  user_id: number;
  account: string;
  role_id: number;
  role_name: string;
  role_kind: RoleKind;
  role_version: number;
  stale: boolean;
  impersonator_id: number | null;
  impersonator_account: string | null;
  is_enrolling: boolean;
};

const noNodes: ReadonlySet<NodeKey> = new Set();

/** Sessions that may be used at this moment, with their user, role and, where an administrator opened them as that user, the administrator. */
const fromLiveSessions: SQL = sql`
  FROM session JOIN user_account ON user_account.id = session.user_id JOIN role ON role.id = user_account.role_id
    LEFT JOIN second_factor ON second_factor.user_id = user_account.id
    LEFT JOIN session AS opener ON opener.id = session.impersonator_session_id AND opener.expires_at > now()
    LEFT JOIN user_account AS impersonator ON impersonator.id = opener.user_id AND NOT impersonator.disabled
  WHERE session.expires_at > now() AND NOT user_account.disabled
    AND (session.impersonator_session_id IS NULL OR impersonator.id IS NOT NULL)`;

/** Only in a query with `role` and `second_factor` of the user. */
export const isEnrolling: SQL = sql`role.kind IN ('super', 'administrator') AND second_factor.secret IS NULL
  AND EXISTS (SELECT FROM setting WHERE key = 'google_verification' AND value = 'true')`;

async function readNodes(db: Database, role: { id: number; kind: RoleKind }): Promise<ReadonlySet<NodeKey>> {
  const { rows } =
    role.kind === 'super'
      ? await db.execute<{ key: NodeKey }>(sql`SELECT key FROM permission_node`)
      : await db.execute<{ key: NodeKey }>(sql`SELECT key FROM permission_node JOIN role_node ON node_id = id WHERE role_id = ${role.id}`);
  return new Set(rows.map((row) => row.key));
}

/** Reads the nodes of roles and keeps them, by the version of the role. */
export function createNodeReader(db: Database) {
  const nodesByRole = new Map<string, ReadonlySet<NodeKey>>();
  return async function nodesOf(role: { id: number; version: number; kind: RoleKind }): Promise<ReadonlySet<NodeKey>> {
    const cacheKey = `${role.id}:${role.version}`;
    const known = nodesByRole.get(cacheKey);
    if (known) return known;
    const nodes = await readNodes(db, role);
    if (nodesByRole.size > 1000) nodesByRole.clear();
    nodesByRole.set(cacheKey, nodes);
    return nodes;
  };
}

/**
 * Finds the user behind a session's token. Asked anew for every call, so that a revoked session ends at once; only a role's nodes are kept.
 * An administrator without the second factor that the site demands is found as `is_enrolling`, whenever his session began.
 */
export function createAuthenticator(db: Database) {
  const nodesOf = createNodeReader(db);
  const findSession = prepareStatement<SessionRow>(
    db,
    'find_session',
    sql`
      SELECT session.id AS session_id, user_account.id AS user_id, user_account.account, role.id AS role_id, role.name AS role_name,
        role.kind AS role_kind, role.version AS role_version, session.used_at < now() - interval '1 minute' AS stale,
        impersonator.id AS impersonator_id, impersonator.account AS impersonator_account,
        ${isEnrolling} AS is_enrolling
      ${fromLiveSessions} AND session.token_hash = ${sql.placeholder('hash')}`,
  );

  return async function authenticate(token: string | undefined): Promise<Actor | undefined> {
    if (!token) return undefined;
    const [found] = await findSession({ hash: hashToken(token) });
    if (!found) return undefined;
    if (found.stale)
      await db.execute(
        sql`UPDATE session SET used_at = now(),
          expires_at = CASE WHEN impersonator_session_id IS NULL THEN now() + make_interval(days => ${sessionDays}) ELSE expires_at END
          WHERE id = ${found.session_id}`,
      );
    const role = { id: found.role_id, name: found.role_name, kind: found.role_kind };
    return {
      user_id: found.user_id,
      session_id: found.session_id,
      token,
      account: found.account,
      role,
      nodes: found.is_enrolling ? noNodes : await nodesOf({ ...role, version: found.role_version }),
      impersonator: found.impersonator_id === null ? null : { id: found.impersonator_id, account: found.impersonator_account ?? '' },
      is_enrolling: found.is_enrolling,
      api_token: null,
    };
  };
}

/** A user as who works for him while he is away: without a session, but with the rights he has now. */
export type Person = Pick<Actor, 'user_id' | 'account' | 'role' | 'nodes'>;

/** Undefined where there is no such user or he is disabled. */
export async function readPerson(db: Database, user_id: number): Promise<Person | undefined> {
  const { rows } = await db.execute<{ account: string; role_id: number; role_name: string; role_kind: RoleKind }>(sql`
    SELECT account, role.id AS role_id, role.name AS role_name, role.kind AS role_kind
    FROM user_account JOIN role ON role.id = role_id WHERE user_account.id = ${user_id} AND NOT disabled`);
  const found = rows[0];
  if (!found) return undefined;
  const role = { id: found.role_id, name: found.role_name, kind: found.role_kind };
  return { user_id, account: found.account, role, nodes: await readNodes(db, role) };
}

export type LiveSession = { session_id: number; user_id: number; role_id: number; is_enrolling: boolean };

/** Those of the sessions that may still be used: one query, however many are asked for. */
export async function liveSessions(db: Database, session_ids: readonly number[]): Promise<LiveSession[]> {
  if (session_ids.length === 0) return [];
  const { rows } = await db.execute<LiveSession>(sql`
    SELECT session.id AS session_id, user_account.id AS user_id, role.id AS role_id, ${isEnrolling} AS is_enrolling
    ${fromLiveSessions} AND session.id = ANY(${sql.param([...session_ids])}::bigint[])`);
  return rows;
}
