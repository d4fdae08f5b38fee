import { and, type SQL, sql } from 'drizzle-orm';
import type { VisitSummary, visitSummary } from '../../../contract/visits/visit-summary.ts';
import type { Service } from '../../kit/calls/context.ts';
import { defaultPageSize } from '../../kit/rows/list.ts';
import { siteClock } from '../../kit/visits/site-clock.ts';
import { hasOpenFigures } from '../../orders/over-quota.public.ts';
import { sumsOfCodes } from './visible.ts';
import { askOf, pickedCodes, spanOf } from './workbench/question.ts';

type Row = VisitSummary & { total: number };

export const visitSummaryService: Service<typeof visitSummary> = {
  async inquire({ by = 'user', from, to, user_id, sort = 'visits', order = 'desc', page = 1, page_size = defaultPageSize }, context) {
    const { time_zone } = await context.settings();
    const clock = siteClock(time_zone);
    const today = clock.dayOf(context.now.getTime());
    const span = spanOf({ from: from ?? to ?? today, to: to ?? (from !== undefined && from > today ? from : today) }, clock);
    const isTold = by === 'code' ? hasOpenFigures(context.scope) : undefined;
    const codes = and(pickedCodes(context, { owner_id: user_id }), isTold) ?? sql`true`;
    const question = await askOf(context.db, { codes, span, time_zone });
    const sums = (await question.store.sumsOfCodes?.(context.db, question)) ?? sumsOfCodes(codes, span, clock, question.hidden);
    const key: SQL = by === 'user' ? sql`live_code.owner_id` : sql`live_code.id`;
    const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
    const { rows } = await context.db.execute<Row>(sql`
      WITH counted AS (
        SELECT live_code_id, sum(visits) AS visits, sum(ips) AS ips, sum(new_ips) AS new_ips, sum(refused) AS refused FROM ${sums} AS sums GROUP BY live_code_id
      ), summed AS (
        SELECT ${key} AS id, min(live_code.owner_id) AS user_id, min(live_code.name) AS name, min(live_code.file_name) AS file_name,
          count(*) FILTER (WHERE counted.visits > 0) AS codes, sum(counted.visits) AS visits, sum(ips) AS ips, sum(new_ips) AS new_ips,
          sum(refused) AS refused
        FROM counted JOIN live_code ON live_code.id = counted.live_code_id GROUP BY ${key}
      )
      SELECT summed.id::float8 AS id, user_id::float8 AS user_id, account, ${by === 'code' ? sql`summed.name, file_name` : sql`'' AS name, '' AS file_name`},
        codes::float8 AS codes, visits::float8 AS visits, ips::float8 AS ips, new_ips::float8 AS new_ips, refused::float8 AS refused,
        coalesce(visits / nullif(sum(visits) OVER (), 0), 0)::float8 AS share, (count(*) OVER ())::float8 AS total
      FROM summed JOIN user_account ON user_account.id = summed.user_id
      ORDER BY summed.${sql.identifier(sort)} ${direction}, summed.id LIMIT ${page_size} OFFSET ${(page - 1) * page_size}`);
    return { content: rows, total: rows[0]?.total ?? 0, page, page_size };
  },
};
