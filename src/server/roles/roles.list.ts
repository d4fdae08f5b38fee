import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { OutputOf, ParsedInputOf } from '../../contract/kit/call.ts';
import type { Page } from '../../contract/kit/page.ts';
import type { Role, roleGroup } from '../../contract/people/role.ts';
import type { Context } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { permission_node, role, role_node } from './roles.table.ts';

type Calls = (typeof roleGroup)['calls'];

// In plain names: a query of one table would leave the tables of its columns out.
const user_count = sql<number>`(SELECT count(*) FROM user_account WHERE user_account.role_id = role.id)`.mapWith(Number);
const fields = {
  id: role.id,
  name: role.name,
  remark: role.remark,
  kind: role.kind,
  built_in: role.built_in,
  version: role.version,
  user_count,
  created_at: role.created_at,
  updated_at: role.updated_at,
};

export const listRoles = ({ search, kind, ...input }: ParsedInputOf<Calls['inquire']>, { db }: Context): Promise<Page<Role>> =>
  list(db, input, {
    fields,
    from: role,
    where: and(contains([role.name, role.remark], search), equals(role.kind, kind)),
    sorts: { ...role, user_count },
    key: role.id,
  });

export async function readRole(db: Database, id: number): Promise<Role> {
  const [found] = await db.select(fields).from(role).where(eq(role.id, id));
  if (!found) throw notFound();
  return found;
}

/** A super administrator holds every node; other roles hold what stands in their rows. */
const holdsNode = (node_id: number): SQL => sql`(${role.kind} = 'super' OR EXISTS (
  SELECT FROM ${role_node} WHERE ${role_node.role_id} = ${role.id} AND ${role_node.node_id} = ${node_id}))`;

/** The roles that hold a node, and a page of their users that the caller may see. */
export async function listHolders(
  { node_id, ...input }: ParsedInputOf<Calls['holders']>,
  { db, scope }: Context,
): Promise<OutputOf<Calls['holders']>> {
  if ((await db.$count(permission_node, eq(permission_node.id, node_id))) === 0) throw notFound();
  const roles = await db
    .select({ id: role.id, name: role.name, kind: role.kind, user_count })
    .from(role)
    .where(holdsNode(node_id))
    .orderBy(asc(role.id));
  const page = await list(db, input, {
    fields: { id: user_account.id, account: user_account.account, name: user_account.name, role_id: user_account.role_id },
    from: user_account,
    where: and(
      scope.sees(user_account.id),
      isOneOf(
        user_account.role_id,
        roles.map(({ id }) => id),
      ),
    ),
    sorts: user_account,
    key: user_account.id,
  });
  const nameOf = new Map(roles.map(({ id, name }) => [id, name]));
  return { ...page, roles, content: page.content.map((row) => ({ ...row, role_name: nameOf.get(row.role_id) ?? '' })) };
}
