import { type SQL, sql } from 'drizzle-orm';
import type { RoleKind } from '../../../contract/enums.ts';
import { tokenPrefix } from '../../../contract/people/api-token.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { createCidrSet } from '../network/ip.ts';
import type { Database } from '../postgres/database.ts';
import { createNodeReader, hashToken, isEnrolling, newToken } from './authentication.ts';
import type { Actor } from './context.ts';
import { AppError } from './errors.ts';

const pattern = new RegExp(`^${tokenPrefix}[A-Za-z0-9_-]{43}$`);
export const isApiToken = (token: string | undefined): token is string => token !== undefined && pattern.test(token);

/** A new API token and what the database keeps of it. */
export function newApiToken(): { token: string; prefix: string; hash: Buffer } {
  const token = `${tokenPrefix}${newToken().token}`;
  return { token, prefix: token.slice(0, tokenPrefix.length + 6), hash: hashToken(token) };
}

/** Tokens that may be used at this moment, with their owner and his role. */
export const fromLiveTokens: SQL = sql`
  FROM api_token JOIN user_account ON user_account.id = api_token.user_id JOIN role ON role.id = user_account.role_id
    LEFT JOIN second_factor ON second_factor.user_id = user_account.id
  WHERE api_token.revoked_at IS NULL AND (api_token.expires_at IS NULL OR api_token.expires_at > now())
    AND NOT user_account.disabled AND api_token.role_id = user_account.role_id`;

/** Tokens that were neither revoked nor are over, of the users that a condition on `user_id` names. */
const isUsable = sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

/** How many usable tokens a user has. A column is named with its table: inside the query `id` alone would be the token's. */
export const usableTokensOf = (user_id: SQL | number): SQL<number> =>
  sql<number>`(SELECT count(*)::int FROM api_token WHERE api_token.user_id = ${user_id} AND ${isUsable})`;

export type RevokedToken = { id: number; user_id: number; name: string };

/** Revokes the usable tokens of users, given as ids or as a query of ids. Answers which. */
export async function revokeTokensOf(tx: Database, user_ids: readonly number[] | SQL): Promise<RevokedToken[]> {
  const owners = Array.isArray(user_ids) ? sql`${sql.param([...user_ids])}::bigint[]` : sql`ARRAY(${user_ids as SQL})`;
  const { rows } = await tx.execute<RevokedToken>(sql`
    UPDATE api_token SET revoked_at = now(), updated_at = now() WHERE user_id = ANY(${owners}) AND ${isUsable} RETURNING id, user_id, name`);
  return rows;
}

type TokenRow = {
  id: number;
  name: string;
  nodes: NodeKey[];
  networks: string[];
  calls_per_minute: number;
  stale: boolean;
  user_id: number;
  account: string;
  role_id: number;
  role_name: string;
  role_kind: RoleKind;
  role_version: number;
  is_enrolling: boolean;
};

const minute = 60_000;
const maxCounters = 10_000;

/** Counts calls in minutes of their own per token, in this process: a limit against runaway loops needs no row for every call. */
function createCallCounter(now: () => Date) {
  const counters = new Map<number, { count: number; ends_at: number }>();
  return function count({ id, calls_per_minute }: Pick<TokenRow, 'id' | 'calls_per_minute'>): void {
    const at = now().getTime();
    const known = counters.get(id);
    const counter = known && known.ends_at > at && known.ends_at <= at + minute ? known : { count: 0, ends_at: at + minute };
    if (counters.size > maxCounters) counters.clear();
    counters.set(id, counter);
    counter.count += 1;
    if (counter.count > calls_per_minute)
      throw new AppError(429, 'too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil((counter.ends_at - at) / 1000)) });
  };
}

/**
 * Finds the user behind an API token, with those of the token's nodes that he holds now. Asked anew for every call, so that a revoked
 * token, a disabled user or another role ends it at once. 401 where it is worth nothing, 403 from a wrong address, 429 beyond its rate.
 */
export function createTokenAuthenticator(db: Database, now: () => Date) {
  const nodesOf = createNodeReader(db);
  const count = createCallCounter(now);

  return async function authenticate(token: string, ip: string): Promise<Actor & { api_token: { id: number; name: string } }> {
    const { rows } = await db.execute<TokenRow>(sql`
      SELECT api_token.id, api_token.name, api_token.nodes, api_token.networks::text[] AS networks, api_token.calls_per_minute,
        api_token.last_used_at IS NULL OR api_token.last_used_at < now() - interval '1 minute'
          OR api_token.last_used_ip IS DISTINCT FROM ${ip}::inet AS stale,
        user_account.id AS user_id, user_account.account, role.id AS role_id, role.name AS role_name, role.kind AS role_kind,
        role.version AS role_version, ${isEnrolling} AS is_enrolling
      ${fromLiveTokens} AND api_token.token_hash = ${hashToken(token)}`);
    const found = rows[0];
    if (!found) throw new AppError(401, 'token_invalid');
    if (found.networks.length > 0 && !createCidrSet(found.networks).has(ip))
      throw new AppError(403, 'token_wrong_address', { params: { ip } });
    count(found);
    if (found.stale) await db.execute(sql`UPDATE api_token SET last_used_at = now(), last_used_ip = ${ip}::inet WHERE id = ${found.id}`);
    const role = { id: found.role_id, name: found.role_name, kind: found.role_kind };
    const held = await nodesOf({ ...role, version: found.role_version });
    return {
      user_id: found.user_id,
      session_id: 0,
      token,
      account: found.account,
      role,
      nodes: new Set(found.is_enrolling ? [] : found.nodes.filter((node) => held.has(node))),
      impersonator: null,
      is_enrolling: found.is_enrolling,
      api_token: { id: found.id, name: found.name },
    };
  };
}
