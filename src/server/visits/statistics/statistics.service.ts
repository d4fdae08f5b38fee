import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { qrCodeAccess, todayStatistics } from '../../../contract/visits/statistics.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { contains, isOneOf } from '../../kit/rows/list.ts';
import { live_code, live_code_total } from '../../live-codes/live-codes.table.ts';
import { publicEnquiryOf } from './access-log.service.ts';
import { activeCodes, breakdownsOf, outcomeCounts, topCodes } from './figures.ts';
import { clearAccess } from './recover.service.ts';
import { todayFigures } from './today.ts';
import { visitRows } from './visit-rows.ts';

const optionLimit = 50;

/** The codes that the caller may see, or those of them that he picked. */
const pickedCodes = ({ scope }: Context, ids: readonly number[] | undefined): SQL | undefined =>
  and(scope.sees(live_code.owner_id), ids && ids.length > 0 ? isOneOf(live_code.id, ids) : undefined);

export const todayStatisticsService: Service<typeof todayStatistics> = {
  async inquire({ live_code_ids }, context) {
    const { db, now } = context;
    const codes = pickedCodes(context, live_code_ids);
    const figures = await todayFigures(db, codes, { now, time_zone: (await context.settings()).time_zone });
    const { clock, day, start, end, sameTime, runningHour, startBefore, today, yesterday, sums, before } = figures;
    const span = { from: start, to: end };
    const activeBefore = await activeCodes(db, codes, { from: startBefore, to: runningHour }, clock, sameTime);
    return {
      day,
      now: now.toISOString(),
      visits: { today: sums.visits, yesterday: before.visits },
      ips: { today: sums.ips, yesterday: before.ips },
      new_ips: { today: sums.new_ips, yesterday: before.new_ips },
      refused: { today: sums.refused, yesterday: before.refused },
      active_codes: { today: await activeCodes(db, codes, span, clock), yesterday: activeBefore },
      today,
      yesterday,
      top_codes: await topCodes(db, codes, span, clock),
      breakdowns: await breakdownsOf(db, codes, span, clock),
      outcomes: await outcomeCounts(db, codes, span, clock),
    };
  },

  async code_options({ search }, { db, scope }) {
    const content = await db
      .select({ id: live_code.id, name: live_code.name, file_name: live_code.file_name })
      .from(live_code)
      .leftJoin(live_code_total, eq(live_code_total.live_code_id, live_code.id))
      .where(and(scope.sees(live_code.owner_id), eq(live_code.removed, false), contains([live_code.name, live_code.file_name], search)))
      .orderBy(sql`${live_code_total.visits} DESC NULLS LAST`, desc(live_code.id))
      .limit(optionLimit);
    return { content };
  },
};

export const qrCodeAccessService: Service<typeof qrCodeAccess> = {
  async inquire(input, { db, scope, settings }) {
    const [code] = await db
      .select({ id: live_code.id })
      .from(live_code)
      .where(and(eq(live_code.id, input.live_code_id), scope.sees(live_code.owner_id)));
    if (!code) throw notFound();
    return visitRows(db, input, (await settings()).time_zone);
  },

  clear: clearAccess,
  public_enquiry: publicEnquiryOf,
};
