import { and, desc, eq, or } from 'drizzle-orm';
import type { DomainDetails } from '../../contract/domains/domain-list.ts';
import type { Context } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { siteAddresses } from './checks/dns.ts';
import { neededRecords } from './checks/records.ts';
import { domainFieldsFor, domainJoins } from './domains.public.ts';
import { domain, domain_check, domain_registration } from './domains.table.ts';
import { concernsOnly, replacedByJoin, replacementFields } from './replacements.public.ts';
import { domain_replacement } from './replacements.table.ts';

const shownCodes = 10;
const shownReplacements = 10;

/** Everything about one domain that the caller may see. */
export async function readDetails(id: number, { db, scope, settings }: Context): Promise<DomainDetails> {
  const [holder, check, registration] = domainJoins;
  const [found] = await db
    .select({
      ...domainFieldsFor(scope),
      records: domain_check.records,
      certificate: domain_check.certificate,
      registration: {
        name: domain_registration.name,
        found_at: domain_registration.found_at,
        asked_at: domain_registration.asked_at,
        fault: domain_registration.fault,
      },
    })
    .from(domain)
    .leftJoin(...holder)
    .leftJoin(...check)
    .leftJoin(...registration)
    .where(and(eq(domain.id, id), scope.sees(domain.holder_id)));
  if (!found) throw notFound();
  const codes = await db
    .select({ id: live_code.id, name: live_code.name, file_name: live_code.file_name, owner_account: user_account.account })
    .from(live_code)
    .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
    .where(
      and(
        or(eq(live_code.entry_domain_id, id), eq(live_code.landing_domain_id, id)),
        eq(live_code.removed, false),
        scope.sees(live_code.owner_id),
      ),
    )
    .orderBy(desc(live_code.id))
    .limit(shownCodes);
  const replacements = await db
    .select(replacementFields)
    .from(domain_replacement)
    .leftJoin(...replacedByJoin)
    .where(and(or(eq(domain_replacement.from_domain_id, id), eq(domain_replacement.to_domain_id, id)), concernsOnly(scope.sees)))
    .orderBy(desc(domain_replacement.id))
    .limit(shownReplacements);
  const { addresses } = siteAddresses(await settings());
  return { ...found, needed: neededRecords(found.host, addresses, found), codes, replacements };
}
