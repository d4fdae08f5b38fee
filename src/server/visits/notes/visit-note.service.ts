import { and, eq, getTableColumns } from 'drizzle-orm';
import { maxNotes, type visitNote } from '../../../contract/visits/visit-note.ts';
import type { Service } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { rowsOf } from '../../kit/rows/rows.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { lockOwner } from '../own/lock-owner.ts';
import { personal } from '../own/personal.ts';
import { visit_note } from './visit-note.table.ts';

/** Whoever looks at somebody's figures reads his notes (`notesOf`); only he himself writes them. */
const rows = rowsOf(visit_note, {
  fields: getTableColumns(visit_note),
  scope: visit_note.owner_id,
  async check({ live_code_id }, { db, actor }) {
    if (live_code_id == null) return undefined;
    const isOwn = await db.$count(live_code, and(eq(live_code.id, live_code_id), eq(live_code.owner_id, actor.user_id)));
    if (isOwn === 0) throw invalidField('live_code_id', 'unknown_code');
    return undefined;
  },
});

export const visitNoteService: Service<typeof visitNote> = {
  async add(input, context) {
    const { db, actor } = context;
    await lockOwner(context);
    if ((await db.$count(visit_note, eq(visit_note.owner_id, actor.user_id))) >= maxNotes)
      throw new AppError(409, 'visit_note.too_many', { params: { maximum: maxNotes } });
    return rows.add({ ...input, owner_id: actor.user_id }, personal(context));
  },
  update: (input, context) => rows.change(input, personal(context)),
  remove: (input, context) => rows.remove(input, personal(context)),
};
