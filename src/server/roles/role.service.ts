import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { roleGroup } from '../../contract/people/role.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, databaseCode, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { menuOf } from '../users/menu.public.ts';
import { user_account } from '../users/users.table.ts';
import { listHolders, listRoles, readRole } from './roles.list.ts';
import { addNode, missingPaths, nodeTree, readNodes, replaceNodes, updateNode, withScreens } from './roles.nodes.ts';
import { isWithin, nodeKeysOf } from './roles.public.ts';
import { role } from './roles.table.ts';

/** Who may do what is for administrators to say, whatever nodes an administrator gave to a role of customers. */
function refuseCustomers({ scope }: Context): void {
  if (!scope.all) throw new AppError(403, 'forbidden');
}

/** A role to be changed, locked. The super administrator's never changes, and nobody changes a role that may do more than he. */
async function lockRole(id: number, context: Context) {
  refuseCustomers(context);
  const { db, actor } = context;
  const [locked] = await db.select().from(role).where(eq(role.id, id)).for('no key update');
  if (!locked) throw notFound();
  if (locked.kind === 'super') throw new AppError(409, 'role.super');
  if (!(await isWithin(db, actor, locked))) throw new AppError(403, 'role.beyond_own');
  return locked;
}

const sayTaken = <T>(change: Promise<T>): Promise<T> => change.catch(mapUniqueViolation({ role_name_key: 'name' }));

async function insertRole(values: typeof role.$inferInsert, { db }: Context): Promise<number> {
  const insertion = db.insert(role).values(values).returning({ id: role.id });
  const [added] = await sayTaken(insertion.then((rows) => rows));
  if (!added) throw new Error('the role row was not returned');
  return added.id;
}

const nextVersion = { version: sql`${role.version} + 1`, updated_at: sql`now()` };

export const roleService: Service<typeof roleGroup> = {
  inquire: (input, context) => listRoles(input, context),

  async options({ kinds }, { db, actor }) {
    const rows = await db
      .select({ id: role.id, name: role.name, kind: role.kind, remark: role.remark })
      .from(role)
      .where(kinds && inArray(role.kind, kinds))
      .orderBy(asc(role.id));
    const content = [];
    for (const row of rows) if (await isWithin(db, actor, row)) content.push(row);
    return { content };
  },

  async add(input, context) {
    refuseCustomers(context);
    return readRole(context.db, await insertRole(input, context));
  },

  async update({ id, ...changes }, context) {
    const before = await lockRole(id, context);
    await sayTaken(
      context.db
        .update(role)
        .set({ ...changes, ...nextVersion })
        .where(eq(role.id, id))
        .then(() => {}),
    );
    context.audit(changesBetween(before, { ...before, ...changes }));
    return readRole(context.db, id);
  },

  async copy({ id, name }, context) {
    const { kind, remark } = await lockRole(id, context);
    const copy = await insertRole({ name, kind, remark }, context);
    await context.db.execute(sql`INSERT INTO role_node (role_id, node_id) SELECT ${copy}, node_id FROM role_node WHERE role_id = ${id}`);
    context.audit({ after: { id: copy, name, copy_of: id } });
    return readRole(context.db, copy);
  },

  async remove({ id }, context) {
    const { db, audit } = context;
    const locked = await lockRole(id, context);
    if (locked.built_in) throw new AppError(409, 'role.built_in');
    const count = await db.$count(user_account, eq(user_account.role_id, id));
    if (count > 0) throw new AppError(409, 'role.in_use', { params: { count } });
    const nodes = await nodeKeysOf(db, id);
    const deletion = db.delete(role).where(and(eq(role.id, id), eq(role.built_in, false)));
    await deletion.catch((error: unknown) => {
      // A user got the role between the count and now; the reference keeps it.
      throw databaseCode(error) === '23503' ? new AppError(409, 'role.in_use', { params: { count: 1 } }) : error;
    });
    audit({ before: { ...locked, nodes } });
    return { affected: 1 };
  },

  async nodes({ id }, { db, actor }) {
    const found = await readRole(db, id);
    return { role: found, tree: await nodeTree(db, actor, found) };
  },

  async update_nodes({ id, version, node_ids }, context) {
    const locked = await lockRole(id, context);
    if (locked.version !== version) throw new AppError(409, 'conflict.changed');
    const { added, removed } = await replaceNodes(locked, node_ids, context);
    if (added.length + removed.length === 0) return { version, added, removed };
    await context.db.update(role).set(nextVersion).where(eq(role.id, id));
    context.audit({ before: { nodes: removed }, after: { nodes: added } });
    return { version: version + 1, added, removed };
  },

  async preview({ id, node_ids }, { db }) {
    const { kind } = await readRole(db, id);
    const nodes = await readNodes(db);
    const chosen = node_ids ? withScreens(nodes, node_ids).map(({ key }) => key) : await nodeKeysOf(db, id);
    const keys = kind === 'super' ? nodes.map(({ key }) => key) : chosen;
    return { tree_menu_arr: await menuOf(db, new Set(keys as NodeKey[])) };
  },

  holders: (input, context) => listHolders(input, context),

  async node_list(_input, { db }) {
    const content = await readNodes(db);
    return { content, missing_paths: missingPaths(content) };
  },

  async node_update(input, context) {
    refuseCustomers(context);
    return updateNode(input, context);
  },

  async node_add(input, context) {
    refuseCustomers(context);
    return addNode(input, context);
  },
};
