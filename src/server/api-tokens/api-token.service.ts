import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { type apiTokenGroup, defaultCallsPerMinute, maxTokens, type TokenState } from '../../contract/people/api-token.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import { newApiToken } from '../kit/calls/api-tokens.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseImpersonator, type Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { canonicalCidr } from '../kit/network/ip.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { betweenDays, contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { api_token } from './api-tokens.table.ts';

const isRevoked: SQL = sql`${api_token.revoked_at} IS NOT NULL`;
const isExpired: SQL = sql`coalesce(${api_token.expires_at} <= now(), false)`;
const isWaiting: SQL = sql`${api_token.role_id} <> ${user_account.role_id}`;
const state = sql<TokenState>`CASE WHEN ${isRevoked} THEN 'revoked' WHEN ${isExpired} THEN 'expired' WHEN ${isWaiting} THEN 'waiting' ELSE 'active' END`;

/** How many of a token's nodes its owner's role holds at this moment. */
const held = sql<number>`(SELECT count(*)::int FROM permission_node JOIN role ON role.id = ${user_account.role_id}
  WHERE permission_node.key = ANY(${api_token.nodes})
    AND (role.kind = 'super' OR EXISTS (SELECT FROM role_node WHERE role_node.role_id = role.id AND role_node.node_id = permission_node.id)))`;

const fields = {
  id: api_token.id,
  user_id: api_token.user_id,
  user_account: sql<string>`${user_account.account}`,
  name: api_token.name,
  prefix: api_token.prefix,
  state,
  nodes: api_token.nodes,
  held,
  networks: api_token.networks,
  calls_per_minute: api_token.calls_per_minute,
  expires_at: api_token.expires_at,
  last_used_at: api_token.last_used_at,
  last_used_ip: api_token.last_used_ip,
  created_at: api_token.created_at,
};

/** Nobody gives a machine what he may not do himself. */
function refuseBeyondOwn(nodes: readonly NodeKey[] | undefined, { actor }: Context): void {
  if (nodes?.some((node) => !actor.nodes.has(node))) throw invalidField('nodes', 'beyond_own');
}

function readNetworks(lines: readonly string[] | undefined): string[] | undefined {
  return (
    lines && [
      ...new Set(
        lines.map((line, index) => {
          const network = canonicalCidr(line);
          if (network === null) throw invalidField(`networks.${index}`, 'invalid_ip');
          return network;
        }),
      ),
    ]
  );
}

const isPast = (expires_at: string | null | undefined, { now }: Context): boolean =>
  typeof expires_at === 'string' && Date.parse(expires_at) <= now.getTime();

function refusePast(expires_at: string | null | undefined, context: Context): void {
  if (isPast(expires_at, context)) throw invalidField('expires_at', 'in_the_past');
}

/** Two that are made at once must not both find room for one. */
async function refuseTooMany(tx: Database, user_id: number): Promise<void> {
  await tx.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, user_id)).for('no key update');
  const usable = and(eq(api_token.user_id, user_id), isNull(api_token.revoked_at), sql`NOT ${isExpired}`);
  if ((await tx.$count(api_token, usable)) >= maxTokens) throw new AppError(409, 'api_token.too_many', { params: { maximum: maxTokens } });
}

export const apiTokenService: Service<typeof apiTokenGroup> = {
  inquire: async ({ search, state: wanted, user_id, expires_from, expires_to, ...input }, { db, scope, settings }) =>
    list(db, input, {
      fields,
      from: api_token,
      joins: [[user_account, eq(user_account.id, api_token.user_id)]],
      // An agent's customers' tokens are their own business.
      where: and(
        scope.changes(api_token.user_id),
        contains([api_token.name, api_token.prefix], search),
        equals(api_token.user_id, user_id),
        wanted && sql`${state} = ${wanted}`,
        betweenDays(api_token.expires_at, { from: expires_from, to: expires_to }, (await settings()).time_zone),
      ),
      sorts: api_token,
      key: api_token.id,
    }),

  async add({ name, nodes, networks, calls_per_minute = defaultCallsPerMinute, expires_at = null }, context) {
    const { db, actor } = context;
    refuseImpersonator(context);
    refuseBeyondOwn(nodes, context);
    refusePast(expires_at, context);
    const { token, prefix, hash } = newApiToken();
    const wanted = { name, nodes: [...new Set(nodes)], networks: readNetworks(networks) ?? [], calls_per_minute, expires_at };
    return transact(db, async (tx) => {
      await refuseTooMany(tx, actor.user_id);
      const [made] = await tx
        .insert(api_token)
        .values({ ...wanted, user_id: actor.user_id, role_id: actor.role.id, prefix, token_hash: hash })
        .returning({ id: api_token.id });
      if (!made) throw new Error('the token row was not returned');
      await recordAct(tx, context, { type: 'api_token/add', content: wanted, changes: { after: { id: made.id, prefix, ...wanted } } });
      return { id: made.id, token };
    });
  },

  async update({ id, ...input }, context) {
    const { db, actor, audit } = context;
    refuseImpersonator(context);
    refuseBeyondOwn(input.nodes, context);
    refusePast(input.expires_at, context);
    const own = and(eq(api_token.id, id), eq(api_token.user_id, actor.user_id), isNull(api_token.revoked_at));
    const [before] = await db.select().from(api_token).where(own).for('update');
    if (!before) throw notFound();
    // One that comes back to life needs room like a new one.
    if (input.expires_at !== undefined && isPast(before.expires_at, context)) await refuseTooMany(db, actor.user_id);
    const networks = readNetworks(input.networks);
    const changed = {
      ...input,
      ...(input.nodes ? { nodes: [...new Set(input.nodes)] } : {}),
      ...(networks ? { networks } : {}),
      role_id: actor.role.id,
    };
    audit(changesBetween(Object.fromEntries(Object.keys(changed).map((key) => [key, before[key as keyof typeof before]])), changed));
    await db
      .update(api_token)
      .set({ ...changed, updated_at: sql`now()` })
      .where(eq(api_token.id, id));
    return { affected: 1 };
  },

  async revoke({ ids }, { db, scope, audit }) {
    const revoked = await db
      .update(api_token)
      .set({ revoked_at: sql`now()`, updated_at: sql`now()` })
      .where(and(isOneOf(api_token.id, ids), scope.changes(api_token.user_id), isNull(api_token.revoked_at)))
      .returning({ id: api_token.id, name: api_token.name, user_id: api_token.user_id });
    audit({ before: revoked });
    return { affected: revoked.length };
  },

  async self(_input, { actor }) {
    if (!actor.api_token) throw notFound();
    return { name: actor.api_token.name, account: actor.account, role: actor.role.name, nodes: [...actor.nodes].sort() };
  },
};
