import { and, eq, sql } from 'drizzle-orm';
import type { reportList } from '../../contract/visits/report-list.ts';
import { unicodeOf } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Service } from '../kit/calls/context.ts';
import { contains, isOneOf, list, matches } from '../kit/rows/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { freeze, refuseOthers, unfreeze } from './freezing.ts';
import { report } from './report-list.table.ts';

const fields = {
  id: report.id,
  live_code_id: report.live_code_id,
  file_name: report.file_name,
  code_name: sql<string>`coalesce(${live_code.name}, '')`,
  owner_id: report.owner_id,
  owner_account: sql<string>`${user_account.account}`,
  host: report.host,
  host_unicode: unicodeOf(report.host),
  domain_id: sql<number | null>`${domain.id}`.mapWith(domain.id),
  reason: report.reason,
  text: report.text,
  ip: sql<string>`host(${report.ip})`,
  language: report.language,
  at: report.at,
  state: report.state,
  decided_by_account: sql<string | null>`(SELECT account FROM user_account AS decider WHERE decider.id = ${report.decided_by})`,
  decided_at: report.decided_at,
  code_frozen: sql<boolean>`${live_code.frozen_at} IS NOT NULL`,
  domain_frozen: sql<boolean>`${domain.frozen_at} IS NOT NULL`,
  owner_frozen: sql<boolean>`${user_account.frozen_at} IS NOT NULL`,
};

export const reportListService: Service<typeof reportList> = {
  async inquire({ search, state, reason, live_code_id, owner_id, ...input }, context) {
    refuseOthers(context);
    return list(context.db, input, {
      fields,
      from: report,
      joins: [
        [live_code, eq(live_code.id, report.live_code_id)],
        [domain, eq(domain.host, report.host)],
        [user_account, eq(user_account.id, report.owner_id)],
      ],
      where: and(
        contains([report.file_name, report.host, report.text], search),
        matches(report, { state, reason, live_code_id, owner_id }),
      ),
      sorts: report,
      key: report.id,
    });
  },

  async dismiss({ ids }, context) {
    refuseOthers(context);
    const { db, actor, audit } = context;
    const dismissed = await db
      .update(report)
      .set({ state: 'dismissed', decided_by: actor.user_id, decided_at: sql`now()` })
      .where(and(isOneOf(report.id, ids), eq(report.state, 'new')))
      .returning({ id: report.id, file_name: report.file_name });
    audit({ after: { dismissed } });
    return { affected: dismissed.length };
  },

  freeze,
  unfreeze,
};
