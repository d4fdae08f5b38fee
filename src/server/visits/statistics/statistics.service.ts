import { and, desc, eq, sql } from 'drizzle-orm';
import type { qrCodeAccess, todayStatistics } from '../../../contract/visits/statistics.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { startOperation } from '../../kit/jobs/operations.ts';
import { hasText } from '../../live-codes/live-codes.public.ts';
import { live_code, live_code_total } from '../../live-codes/live-codes.table.ts';
import { hasOpenFigures, refuseLockedFigures } from '../../orders/over-quota.public.ts';
import { publicEnquiryOf } from './access-log.service.ts';
import { activeCodes, breakdownsOf, outcomeCounts, topCodes } from './figures.ts';
import { newestVisits } from './newest-visits.ts';
import { clearAccess, giveUpAccess, restoreAccess } from './recover.service.ts';
import { todayFigures } from './today.ts';
import { visitRows } from './visit-rows.ts';
import { askOf, pickedCodes } from './workbench/question.ts';

const optionLimit = 50;

export const todayStatisticsService: Service<typeof todayStatistics> = {
  async inquire({ live_code_ids }, context) {
    const { db, now } = context;
    await refuseLockedFigures(live_code_ids ?? [], context);
    const codes = pickedCodes(context, { live_code_ids });
    const { time_zone } = await context.settings();
    const figures = await todayFigures(db, codes, { now, time_zone });
    const { clock, day, start, end, sameTime, runningHour, startBefore, today, yesterday, dayBefore, sums, before, lastDay } = figures;
    const span = { from: start, to: end };
    const activeBefore = await activeCodes(db, codes, { from: startBefore, to: runningHour }, clock, sameTime);
    return {
      day,
      now: now.toISOString(),
      visits: { today: sums.visits, yesterday: before.visits },
      ips: { today: sums.ips, yesterday: before.ips },
      new_ips: { today: sums.new_ips, yesterday: before.new_ips },
      refused: { today: sums.refused, yesterday: before.refused },
      programs: { today: sums.programs, yesterday: before.programs },
      own: { today: sums.own, yesterday: before.own },
      active_codes: { today: await activeCodes(db, codes, span, clock), yesterday: activeBefore },
      last_day: lastDay,
      today,
      yesterday,
      day_before: dayBefore,
      top_codes: await topCodes(db, and(codes, hasOpenFigures(context.scope)), span, clock),
      breakdowns: await breakdownsOf(db, await askOf(db, { codes, span, time_zone })),
      outcomes: await outcomeCounts(db, codes, span, clock),
    };
  },

  newest_visits: async (_input, { db, scope, now }) => ({
    content: await newestVisits(db, and(scope.sees(live_code.owner_id), hasOpenFigures(scope)), now),
  }),

  async code_options({ search }, { db, scope }) {
    const isTold = hasOpenFigures(scope) ?? sql`true`;
    const content = await db
      .select({ id: live_code.id, name: live_code.name, file_name: live_code.file_name })
      .from(live_code)
      .leftJoin(live_code_total, eq(live_code_total.live_code_id, live_code.id))
      .where(and(scope.sees(live_code.owner_id), eq(live_code.removed, false), hasText([live_code.name, live_code.file_name], search)))
      .orderBy(sql`CASE WHEN ${isTold} THEN ${live_code_total.visits} END DESC NULLS LAST`, desc(live_code.id))
      .limit(optionLimit);
    return { content };
  },
};

async function visibleCode(id: number, { db, scope }: Pick<Context, 'db' | 'scope'>): Promise<void> {
  const [code] = await db
    .select({ id: live_code.id })
    .from(live_code)
    .where(and(eq(live_code.id, id), scope.sees(live_code.owner_id)));
  if (!code) throw notFound();
  await refuseLockedFigures([id], { db, scope });
}

export const qrCodeAccessService: Service<typeof qrCodeAccess> = {
  async inquire(input, { db, scope, settings }) {
    await visibleCode(input.live_code_id, { db, scope });
    return visitRows(db, input, (await settings()).time_zone);
  },

  clear: clearAccess,
  clear_access_history: clearAccess,
  restore_access_records: restoreAccess,
  user_restore_access_records: (input, context) =>
    restoreAccess(input, { ...context, scope: { ...context.scope, changes: (owner) => sql`${owner} = ${context.actor.user_id}` } }),
  clear_record: giveUpAccess,

  async export_access_records({ format, ...filters }, { db, scope, actor, language }) {
    await visibleCode(filters.live_code_id, { db, scope });
    return { operation_id: await startOperation(db, { kind: 'access_records_export', input: { filters, format }, actor, language }) };
  },

  public_enquiry: publicEnquiryOf,
};
