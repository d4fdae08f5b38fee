import { type AnyColumn, and, eq, exists, notLike, type SQL, sql } from 'drizzle-orm';
import type { home } from '../../contract/content/home.ts';
import { blockStatus } from '../../contract/enums.ts';
import { amountOf } from '../../contract/money/amounts.ts';
import { homeBlocks } from '../content/content.public.ts';
import { domain } from '../domains/domains.table.ts';
import { recentlyReplaced } from '../failover/failover.public.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { balanceOf } from '../ledger/ledger.public.ts';
import { live_code, live_code_total } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { moneyOf } from './home.money.ts';
import { siteOf } from './home.site.ts';
import { needsOf } from './needs.ts';

const countIf = (condition: SQL | undefined): SQL<number> => sql<number>`count(*) FILTER (WHERE ${condition ?? sql`true`})`.mapWith(Number);

/** The codes and domains that the caller's lists show. */
async function possessions({ db, scope }: Context) {
  const [codes] = await db
    .select({ total: countIf(undefined), open: countIf(sql`${live_code.open} AND ${user_account.all_codes_open}`) })
    .from(live_code)
    .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
    .where(and(scope.sees(live_code.owner_id), eq(live_code.removed, false)));
  const [domains] = await db
    .select({ total: countIf(undefined), blocked: countIf(eq(domain.block_status, blockStatus.blocked)) })
    .from(domain)
    .where(scope.sees(domain.holder_id));
  return { codes: codes ?? { total: 0, open: 0 }, domains: domains ?? { total: 0, blocked: 0 } };
}

/** What there is of what a new user does first: of the caller himself, or of anybody on the site of an administrator. */
async function steps({ db, scope }: Context) {
  const isOwn = (owner: AnyColumn) => and(eq(live_code.removed, false), scope.all ? undefined : eq(owner, scope.owner_id));
  const ownCodes = db.select({ id: live_code.id }).from(live_code).where(isOwn(live_code.owner_id));
  const scanned = db
    .select({ id: live_code.id })
    .from(live_code)
    .innerJoin(live_code_total, and(eq(live_code_total.live_code_id, live_code.id), sql`${live_code_total.visits} > 0`))
    .where(isOwn(live_code.owner_id));
  const [found] = await db
    .select({
      code: sql<boolean>`${exists(ownCodes)}`,
      scan: sql<boolean>`${exists(scanned)}`,
      domain: sql<boolean>`${exists(
        db
          .select({ id: domain.id })
          .from(domain)
          .where(scope.all ? notLike(domain.host, 'localhost:%') : eq(domain.holder_id, scope.owner_id)),
      )}`,
      member_expires_at: user_account.member_expires_at,
    })
    .from(user_account)
    .where(eq(user_account.id, scope.owner_id));
  return found ?? { code: false, scan: false, domain: false, member_expires_at: null };
}

export const homeService: Service<typeof home> = {
  async inquire(_input, context) {
    const { member_expires_at, ...done } = await steps(context);
    return {
      blocks: await homeBlocks(context.db, { shown: true }),
      now: context.now.toISOString(),
      member_expires_at,
      balance: amountOf(await balanceOf(context.db, { kind: 'user_available', owner_id: context.scope.owner_id })),
      ...(await possessions(context)),
      steps: done,
    };
  },
  money: (_input, context) => moneyOf(context),
  site: (_input, context) => siteOf(context),
  needs: async (_input, context) => ({
    content: await needsOf(context),
    replaced: context.actor.nodes.has('shield_configuration') ? await recentlyReplaced(context) : [],
  }),
};
