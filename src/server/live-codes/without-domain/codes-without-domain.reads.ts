import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { DomainFault, DomainlessCode } from '../../../contract/codes/codes-without-domain.ts';
import { pick } from '../../../contract/kit/pick.ts';
import { suspectedSince } from '../../detection/block-state.public.ts';
import { unicodeOf } from '../../domains/domains.public.ts';
import { domain } from '../../domains/domains.table.ts';
import type { Context } from '../../kit/calls/context.ts';
import { defaultPageSize, equals } from '../../kit/rows/list.ts';
import { lockedAmong } from '../../orders/over-quota.public.ts';
import { user_account } from '../../users/users.table.ts';
import { codeTotals } from '../../visits/visits.public.ts';
import { countTo, maxCounted } from '../list/list.ts';
import { findByWords, hasText, isFound } from '../list/search.ts';
import { settingsOver } from '../live-codes.settings.ts';
import { live_code } from '../live-codes.table.ts';
import { type FaultyDomains, faultConditions, isFaulty, readFaultyDomains } from './faulty-domains.ts';

const faultOf = (faulty: FaultyDomains) => {
  const cases = Object.entries(faultConditions(faulty)).map(([fault, condition]) => sql`WHEN ${condition} THEN ${fault}`);
  return sql<DomainFault>`CASE ${sql.join(cases, sql` `)} END`;
};

const shownFields = pick(live_code, ['id', 'name', 'file_name', 'owner_id', 'entry_domain_id', 'landing_domain_id', 'open', 'created_at']);
const entry = alias(domain, 'entry');
const landing = alias(domain, 'landing');

type Input = {
  page?: number | undefined;
  page_size?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  search?: string | undefined;
  fault?: DomainFault | undefined;
  open?: boolean | undefined;
  owner_id?: number | undefined;
};

/** A page of the codes the caller may see whose domains are missing or faulty, the newest first. */
export async function listDomainless(
  { page = 1, page_size = defaultPageSize, order = 'desc', search, fault, open, owner_id }: Input,
  { db, scope, now }: Context,
): Promise<{ content: DomainlessCode[]; total: number; page: number; page_size: number; at_least: boolean }> {
  const faulty = await readFaultyDomains(db);
  // Among everybody's codes a text is looked up first: to compare it with each faulty one could take seconds.
  const worded = scope.all ? await findByWords(db, search, owner_id) : undefined;
  const where = and(
    eq(live_code.removed, false),
    scope.sees(live_code.owner_id),
    fault ? faultConditions(faulty)[fault] : isFaulty(faulty),
    equals(live_code.owner_id, owner_id),
    equals(live_code.open, open),
    worded && isFound(live_code.id, worded),
    hasText([live_code.name, live_code.file_name], search),
  );
  const rows = await db
    .select({
      ...shownFields,
      owner_account: user_account.account,
      fault: faultOf(faulty),
      entry_host: sql<string | null>`${entry.host}`,
      entry_host_unicode: unicodeOf(entry.host),
      entry_block_status: entry.block_status,
      entry_suspected_since: suspectedSince(entry.id),
      landing_host: sql<string | null>`${landing.host}`,
      landing_host_unicode: unicodeOf(landing.host),
      landing_block_status: landing.block_status,
      landing_suspected_since: suspectedSince(landing.id),
    })
    .from(live_code)
    .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
    .leftJoin(entry, eq(entry.id, live_code.entry_domain_id))
    .leftJoin(landing, eq(landing.id, live_code.landing_domain_id))
    .where(where)
    .orderBy(order === 'asc' ? asc(live_code.id) : desc(live_code.id))
    .limit(page_size)
    .offset((page - 1) * page_size);
  const { time_zone } = await settingsOver(db);
  const totals = await codeTotals(
    db,
    rows.map(({ id }) => id),
    { now, time_zone },
  );
  const locked = await lockedAmong(
    rows.map(({ id }) => id),
    { db, scope },
  );
  const content = rows.map((row) => ({ ...row, view_number: locked.has(row.id) ? null : (totals.get(row.id)?.visits ?? 0) }));
  return { content, ...(await countTo(maxCounted, where, db)), page, page_size };
}
