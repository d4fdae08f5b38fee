import { and, eq, sql } from 'drizzle-orm';
import type { RoleKind } from '../../contract/enums.ts';
import type { ScreenNode } from '../../contract/permissions/node.ts';
import { type NodeKey, screens } from '../../contract/permissions.ts';
import type { Actor } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { role } from './roles.table.ts';

export type RoleOfUser = { id: number; name: string; kind: RoleKind };

export const isAdministrating = (kind: RoleKind): boolean => kind === 'super' || kind === 'administrator';

/** The role that registration gives. */
export async function defaultRoleId(db: Database): Promise<number> {
  const [found] = await db
    .select({ id: role.id })
    .from(role)
    .where(and(eq(role.kind, 'customer'), eq(role.built_in, true)));
  if (!found) throw new Error('the default role is missing: the database was never seeded');
  return found.id;
}

const isForCustomers = ({ audience, administratorButtons = [] }: ScreenNode, button?: string): boolean =>
  audience.some((letter) => letter !== 'A') && !(button !== undefined && administratorButtons.includes(button));

/** Screens and buttons of customers and agents: they act on their holder's own rows only. */
const customerNodes: ReadonlySet<string> = new Set(
  screens
    .filter((screen) => isForCustomers(screen))
    .flatMap((screen) => [
      screen.path,
      ...screen.buttons.filter((button) => isForCustomers(screen, button)).map((button) => `${screen.path}.${button}`),
    ]),
);

/** A user who holds everything by his role: a token of his holds only what was chosen for it. */
const holdsEverything = ({ role, api_token }: Actor): boolean => role.kind === 'super' && api_token === null;

/**
 * Nobody gives away what he may not do himself. A customer's own screens are no power of an administrator: he may give them to roles of
 * customers and agents without having them.
 */
export const mayGrant = (actor: Actor, kind: RoleKind, key: string): boolean =>
  holdsEverything(actor) || actor.nodes.has(key as NodeKey) || (!isAdministrating(kind) && customerNodes.has(key));

/** The nodes of a role that permit something; a group of the menu permits nothing. */
export async function nodeKeysOf(db: Database, role_id: number): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(
    sql`SELECT key FROM permission_node JOIN role_node ON node_id = id WHERE role_id = ${role_id} AND path <> '' ORDER BY key`,
  );
  return rows.map(({ key }) => key);
}

/** Whether a role may do nothing that the actor may not. */
export async function isWithin(db: Database, actor: Actor, { id, kind }: Pick<RoleOfUser, 'id' | 'kind'>): Promise<boolean> {
  if (holdsEverything(actor)) return true;
  if (kind === 'super') return false;
  return (await nodeKeysOf(db, id)).every((key) => mayGrant(actor, kind, key));
}

/** The role that an actor wants to give to a user; refused where it may do more than he. It is locked against being changed meanwhile. */
export async function grantableRole(tx: Database, actor: Actor, role_id: number): Promise<RoleOfUser> {
  const [found] = await tx.select({ id: role.id, name: role.name, kind: role.kind }).from(role).where(eq(role.id, role_id)).for('share');
  if (!found) throw invalidField('role_id', 'unknown_role');
  if (!(await isWithin(tx, actor, found))) throw new AppError(403, 'role.beyond_own');
  return found;
}
