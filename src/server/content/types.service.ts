import { asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { ContentType, documentType, rotationType } from '../../contract/content-type.ts';
import { changesBetween } from '../kit/changes.ts';
import type { Context, Service } from '../kit/context.ts';
import type { Database } from '../kit/database.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '../kit/errors.ts';
import { contains, isOneOf, list } from '../kit/list.ts';
import { document_type, rotation_type, type TypeTable } from './content.table.ts';
import { rankFor } from './ranks.ts';

const offeredTypes = 200;

type Kind = {
  table: TypeTable;
  /** How many rows are filed under the type. */
  used: SQL<number>;
  nameConstraint: string;
};

// Written out, because drizzle leaves the tables' names away where a query has no join: `id` would then be the inner table's.
const pictures: Kind = {
  table: rotation_type,
  used: sql<number>`((SELECT count(*) FROM rotation WHERE rotation.type_id = rotation_type.id)
    + (SELECT count(*) FROM home_block WHERE home_block.rotation_type_id = rotation_type.id))`.mapWith(Number),
  nameConstraint: 'rotation_type_name',
};
const documents: Kind = {
  table: document_type,
  used: sql<number>`(SELECT count(*) FROM document WHERE document.type_id = document_type.id)`.mapWith(Number),
  nameConstraint: 'document_type_name',
};

const fieldsOf = ({ table: { id, name, sort, remark, created_at, updated_at }, used }: Kind) => ({
  id,
  name,
  sort,
  remark,
  used,
  created_at,
  updated_at,
});

/** The calls of a screen of types. Types belong to the site, not to a user: whoever may open the screen sees all of them. */
function typeService(kind: Kind): Service<typeof rotationType> & Service<typeof documentType> {
  const { table } = kind;
  const fields = fieldsOf(kind);

  async function read(db: Database, id: number): Promise<ContentType> {
    const [found] = await db.select(fields).from(table).where(eq(table.id, id));
    if (!found) throw notFound();
    return found;
  }

  /** The constraint decides whether the name is free, whatever its case. */
  const sayTaken = <T>(change: Promise<T>): Promise<T> =>
    change.catch((error: unknown) => {
      throw violatedConstraint(error) === kind.nameConstraint ? invalidField('name', 'taken') : error;
    });

  async function change(id: number, input: Partial<Pick<ContentType, 'name' | 'sort' | 'remark'>>, { db, audit }: Context) {
    const [before] = await db.select().from(table).where(eq(table.id, id)).for('update');
    if (!before) throw notFound();
    await sayTaken(
      db
        .update(table)
        .set({ ...input, updated_at: sql`now()` })
        .where(eq(table.id, id)),
    );
    audit(changesBetween(before, { ...before, ...input }));
    return read(db, id);
  }

  return {
    inquire: ({ name, ...input }, { db }) =>
      list(db, input, {
        fields,
        from: table,
        where: contains(table.name, name),
        sorts: { ...table, used: kind.used },
        key: table.id,
      }),

    async options({ search }, { db }) {
      const content = await db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(contains(table.name, search))
        .orderBy(desc(table.sort), desc(table.id))
        .limit(offeredTypes);
      return { content };
    },

    async add(input, { db }) {
      const [added] = await sayTaken(db.insert(table).values(input).returning({ id: table.id }));
      if (!added) throw new Error('the type was not returned');
      return read(db, added.id);
    },

    update: ({ id, ...input }, context) => change(id, input, context),

    update_sort: async ({ id, sort }, context) => change(id, { sort: await rankFor(context.db, table, sort) }, context),

    async remove({ ids }, { db, audit }) {
      const rows = await db.select().from(table).where(isOneOf(table.id, ids)).orderBy(asc(table.id)).for('update');
      const own = rows.map((row) => row.id);
      // The foreign keys decide in the end; this look only names what is in the way.
      const [used] = await db
        .select({ name: table.name, count: kind.used })
        .from(table)
        .where(isOneOf(table.id, own))
        .orderBy(desc(kind.used))
        .limit(1);
      if (used && used.count > 0) throw new AppError(409, 'content_type.in_use', { params: used });
      await db.delete(table).where(isOneOf(table.id, own));
      audit({ before: rows });
      return { affected: own.length };
    },
  };
}

export const rotationTypeService: Service<typeof rotationType> = typeService(pictures);
export const documentTypeService: Service<typeof documentType> = typeService(documents);
