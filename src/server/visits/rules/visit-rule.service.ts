import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { maxVisitRules, type visitRule } from '../../../contract/visits/visit-rule.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { rowsOf } from '../../kit/rows/rows.ts';
import { code_group, live_code } from '../../live-codes/live-codes.table.ts';
import { listenBySite } from '../../pushes/pushes.public.ts';
import { lockOwner } from '../own/lock-owner.ts';
import { personal } from '../own/personal.ts';
import { visit_rule } from './visit-rule.table.ts';

type Written = Partial<typeof visit_rule.$inferInsert>;

/** What a rule names has to be its owner's, whatever his role. */
async function check(values: Written, { db, actor }: Context, before: Written | undefined): Promise<undefined> {
  const { live_code_id, group_id, direction, percent } = { ...before, ...values };
  if (live_code_id != null && group_id != null) throw invalidField('group_id', 'code_or_group');
  if (direction !== 'rises' && percent !== undefined && percent > 100) throw invalidField('percent', 'falls_by_all');
  const { user_id } = actor;
  if (values.live_code_id != null) {
    const known = await db.$count(live_code, and(eq(live_code.id, values.live_code_id), eq(live_code.owner_id, user_id)));
    if (known === 0) throw invalidField('live_code_id', 'unknown_code');
  }
  if (values.group_id != null) {
    const known = await db.$count(code_group, and(eq(code_group.id, values.group_id), eq(code_group.owner_id, user_id)));
    if (known === 0) throw invalidField('group_id', 'unknown_group');
  }
}

const { owner_id, checked_until: _checked, ...shown } = getTableColumns(visit_rule);
const rows = rowsOf(visit_rule, {
  fields: {
    ...shown,
    code_name: sql<string | null>`coalesce(nullif(${live_code.name}, ''), ${live_code.file_name})`,
    group_name: sql<string | null>`${code_group.name}`,
  },
  joins: [
    [live_code, sql`${live_code.id} = ${visit_rule.live_code_id} AND ${live_code.owner_id} = ${owner_id}`],
    [code_group, sql`${code_group.id} = ${visit_rule.group_id} AND ${code_group.owner_id} = ${owner_id}`],
  ],
  scope: owner_id,
  check,
});

export const visitRuleService: Service<typeof visitRule> = {
  inquire: (input, context) => rows.page(input, personal(context)),
  async add(input, context) {
    const { db, actor } = context;
    await lockOwner(context);
    if ((await db.$count(visit_rule, eq(owner_id, actor.user_id))) >= maxVisitRules)
      throw new AppError(409, 'visit_rule.too_many', { params: { maximum: maxVisitRules } });
    const added = await rows.add({ ...input, owner_id: actor.user_id }, personal(context));
    await listenBySite(db, actor.user_id, ['visits.fell', 'visits.rose']);
    return added;
  },
  update: (input, context) => rows.change(input, personal(context)),
  update_enabled: (input, context) => rows.setEnabled(input, personal(context)),
  remove: (input, context) => rows.remove(input, personal(context)),
};
