import { and, eq, exists, type SQL, sql } from 'drizzle-orm';
import type { home } from '../../contract/content/home.ts';
import { blockStatus } from '../../contract/enums.ts';
import { homeBlocks } from '../content/content.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { hasExpiring } from '../live-codes/live-codes.public.ts';
import { live_code, live_code_total } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { todayFigures } from '../visits/visits.public.ts';

const countIf = (condition: SQL | undefined): SQL<number> => sql<number>`count(*) FILTER (WHERE ${condition ?? sql`true`})`.mapWith(Number);

/** The codes and domains that the caller's lists show. */
async function possessions({ db, scope, now, settings }: Context) {
  const [codes] = await db
    .select({ total: countIf(undefined), open: countIf(sql`${live_code.open} AND ${user_account.all_codes_open}`) })
    .from(live_code)
    .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
    .where(and(scope.sees(live_code.owner_id), eq(live_code.removed, false)));
  const { target_reminder_hours } = await settings();
  const isOpen = and(eq(live_code.open, true), eq(live_code.removed, false));
  const expiring = await db.$count(live_code, and(hasExpiring(now, target_reminder_hours), isOpen, scope.sees(live_code.owner_id)));
  const [domains] = await db
    .select({ total: countIf(undefined), blocked: countIf(eq(domain.block_status, blockStatus.blocked)) })
    .from(domain)
    .where(scope.sees(domain.holder_id));
  return { codes: { ...(codes ?? { total: 0, open: 0 }), expiring }, domains: domains ?? { total: 0, blocked: 0 } };
}

/** What the caller did himself of what a new user does first; what his customers did counts for them. */
async function steps({ db, scope }: Context) {
  const ownCodes = db.select({ id: live_code.id }).from(live_code).where(eq(live_code.owner_id, scope.owner_id));
  const scanned = db
    .select({ id: live_code.id })
    .from(live_code)
    .innerJoin(live_code_total, and(eq(live_code_total.live_code_id, live_code.id), sql`${live_code_total.visits} > 0`))
    .where(eq(live_code.owner_id, scope.owner_id));
  const [found] = await db
    .select({
      domain: sql<boolean>`${exists(db.select({ id: domain.id }).from(domain).where(eq(domain.holder_id, scope.owner_id)))}`,
      code: sql<boolean>`${exists(ownCodes)}`,
      scan: sql<boolean>`${exists(scanned)}`,
      member_expires_at: user_account.member_expires_at,
    })
    .from(user_account)
    .where(eq(user_account.id, scope.owner_id));
  return found ?? { domain: false, code: false, scan: false, member_expires_at: null };
}

export const homeService: Service<typeof home> = {
  async inquire(_input, context) {
    const { db, scope, now } = context;
    const codes = scope.sees(live_code.owner_id);
    const { time_zone } = await context.settings();
    const { sums, before, today } = await todayFigures(db, codes, { now, time_zone });
    const { member_expires_at, ...done } = await steps(context);
    const compared = (figure: keyof typeof sums) => ({ today: sums[figure], yesterday: before[figure] });
    return {
      blocks: await homeBlocks(db, { shown: true }),
      now: now.toISOString(),
      member_expires_at,
      today: { visits: compared('visits'), ips: compared('ips'), new_ips: compared('new_ips'), refused: compared('refused') },
      trend: today.map((point) => point.visits),
      ...(await possessions(context)),
      steps: done,
    };
  },
};
