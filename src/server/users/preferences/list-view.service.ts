import { and, asc, desc, eq, or, sql } from 'drizzle-orm';
import { type listViews, maxViews } from '../../../contract/people/list-view.ts';
import type { Service } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { list_view } from './list-view.table.ts';

export const listViewService: Service<typeof listViews> = {
  async inquire({ list }, { db, scope }) {
    const { id, name, query, arrangement, shared } = list_view;
    const own = sql<boolean>`${list_view.owner_id} = ${scope.owner_id}`;
    const content = await db
      .select({ id, name, query, arrangement, shared, own })
      .from(list_view)
      .where(and(eq(list_view.list, list), or(eq(list_view.owner_id, scope.owner_id), eq(list_view.shared, true))))
      .orderBy(desc(own), asc(list_view.name), asc(list_view.id));
    return { content };
  },

  async add({ shared = false, arrangement = null, ...view }, { db, scope }) {
    if (shared && !scope.all) throw new AppError(403, 'forbidden');
    const kept = { ...view, shared, arrangement };
    const [row] = await db
      .insert(list_view)
      .values({ ...kept, owner_id: scope.owner_id })
      .onConflictDoUpdate({ target: [list_view.owner_id, list_view.list, list_view.name], set: { ...kept, updated_at: sql`now()` } })
      .returning({ id: list_view.id });
    const ofList = and(eq(list_view.owner_id, scope.owner_id), eq(list_view.list, view.list));
    if ((await db.$count(list_view, ofList)) > maxViews) throw invalidField('name', 'too_many_views');
    return { id: row?.id ?? 0 };
  },

  async remove({ id }, { db, scope }) {
    const gone = await db
      .delete(list_view)
      .where(and(eq(list_view.id, id), eq(list_view.owner_id, scope.owner_id)))
      .returning({ id: list_view.id });
    return { affected: gone.length };
  },
};
