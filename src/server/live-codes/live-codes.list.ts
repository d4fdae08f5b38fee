import { and, eq, sql } from 'drizzle-orm';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { Page } from '../../contract/kit/page.ts';
import type { LiveCode } from '../../contract/live-code.ts';
import type { qrCodeList } from '../../contract/qr-code-list.ts';
import type { Context } from '../kit/context.ts';
import { betweenDays, contains, equals, list } from '../kit/list.ts';
import { figureSorts } from './live-codes.figures.ts';
import { isExhausted, readLiveCodes } from './live-codes.reads.ts';
import { settingsOver } from './live-codes.settings.ts';
import { live_code } from './live-codes.table.ts';

type Calls = (typeof qrCodeList)['calls'];
type ListInput = Omit<ParsedInputOf<Calls['user_inquire']>, 'sort'> & { sort?: SortKey };
type SortKey = NonNullable<ParsedInputOf<Calls['user_inquire' | 'qr_code_remove']>['sort']>;

/** A page of the codes the caller may see: those in use, or those in the recycle bin. */
export async function listLiveCodes(input: ListInput, removed: boolean, context: Context): Promise<Page<LiveCode>> {
  const { db, scope, now } = context;
  const seen = and(scope.sees(live_code.owner_id), eq(live_code.removed, removed), equals(live_code.owner_id, input.owner_id));
  const { time_zone } = await settingsOver(db);
  const figures = figureSorts(seen ?? sql`true`, { now, time_zone });
  const figure = input.sort && input.sort in figures ? figures[input.sort as keyof typeof figures] : undefined;
  const page = await list(db, input, {
    fields: { id: live_code.id },
    from: live_code,
    joins: figure ? [figure.join] : [],
    where: and(
      seen,
      contains([live_code.name, live_code.file_name, live_code.remark], input.search),
      equals(live_code.open, input.open),
      equals(live_code.open_log, input.open_log),
      equals(live_code.rotation_mode, input.rotation_mode),
      equals(live_code.access_mode, input.access_mode),
      equals(live_code.restriction_visit, input.restriction_visit),
      equals(live_code.entry_domain_id, input.entry_domain_id),
      equals(live_code.landing_domain_id, input.landing_domain_id),
      input.exhausted === undefined ? undefined : sql`${isExhausted(now)} = ${input.exhausted}`,
      betweenDays(live_code.created_at, { from: input.created_from, to: input.created_to }, time_zone),
    ),
    sorts: {
      ...live_code,
      view_number: figures.view_number.column,
      ip_view_number: figures.ip_view_number.column,
      today_view_number: figures.today_view_number.column,
      today_ip_view_number: figures.today_ip_view_number.column,
    },
    key: live_code.id,
  });
  const ids = page.content.map(({ id }) => id);
  return { ...page, content: await readLiveCodes(ids, context) };
}
