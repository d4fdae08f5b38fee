import { desc, type SQL, sql } from 'drizzle-orm';
import type { documentType, rotationType } from '../../contract/content/content-type.ts';
import type { Service } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { contains, isOneOf } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { document_type, rotation_type, type TypeTable } from './content.table.ts';

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
  nameConstraint: 'rotation_type_name_key',
};
const documents: Kind = {
  table: document_type,
  used: sql<number>`(SELECT count(*) FROM document WHERE document.type_id = document_type.id)`.mapWith(Number),
  nameConstraint: 'document_type_name_key',
};

/** The calls of a screen of types. Types belong to the site, not to a user: all that may open the screen see all of them. */
function typeService({ table, used, nameConstraint }: Kind): Service<typeof rotationType> & Service<typeof documentType> {
  const { id, name, sort, remark, created_at, updated_at } = table;
  const rows = rowsOf(table, { fields: { id, name, sort, remark, used, created_at, updated_at }, unique: { [nameConstraint]: 'name' } });

  return {
    inquire: ({ name: search, ...input }, context) => rows.page(input, context, contains(name, search)),
    add: rows.add,
    update: rows.change,
    update_sort: rows.setSort,

    async options({ search }, { db }) {
      const content = await db
        .select({ id, name })
        .from(table)
        .where(contains(name, search))
        .orderBy(desc(sort), desc(id))
        .limit(offeredTypes);
      return { content };
    },

    async remove({ ids }, context) {
      await rows.lock(ids, context);
      // The foreign keys decide in the end; this look only names what is in the way.
      const [inUse] = await context.db.select({ name, count: used }).from(table).where(isOneOf(id, ids)).orderBy(desc(used)).limit(1);
      if (inUse && inUse.count > 0) throw new AppError(409, 'content_type.in_use', { params: inUse });
      return rows.remove({ ids }, context);
    },
  };
}

export const rotationTypeService: Service<typeof rotationType> = typeService(pictures);
export const documentTypeService: Service<typeof documentType> = typeService(documents);
