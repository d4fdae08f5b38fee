import { and } from 'drizzle-orm';
import type { exportDomainResolution } from '../../../contract/domains/export-domain-resolution.ts';
import type { Service } from '../../kit/calls/context.ts';
import { startOperation } from '../../kit/jobs/operations.ts';
import { list } from '../../kit/rows/list.ts';
import { siteAddresses } from '../checks/dns.ts';
import { foundRecords, neededRecords } from '../checks/records.ts';
import { domainConditions } from '../domains.filters.ts';
import { zoneOf } from '../domains.names.ts';
import { domainFields, domainJoins } from '../domains.public.ts';
import { domain, domain_check } from '../domains.table.ts';

const { id, host, host_unicode, type, enabled, holder_account, dns_state, checked_at } = domainFields;

export const exportDomainResolutionService: Service<typeof exportDomainResolution> = {
  async inquire(input, { db, scope, settings }) {
    const { addresses } = siteAddresses(await settings());
    const { content, ...page } = await list(db, input, {
      fields: { id, host, host_unicode, type, enabled, holder_account, dns_state, checked_at, records: domain_check.records },
      from: domain,
      joins: domainJoins,
      where: and(scope.sees(domain.holder_id), await domainConditions(db, input)),
      sorts: { id: domain.id, host: domain.host, checked_at: domain_check.checked_at },
      key: domain.id,
    });
    return {
      ...page,
      content: content.map(({ records, ...row }) => ({
        ...row,
        zone: zoneOf(row.host),
        needed: neededRecords(row.host, addresses, { records, dns_state: row.dns_state }),
        found: records && foundRecords(records),
      })),
    };
  },

  async export({ filters, format }, { db, actor, language }) {
    const wanted =
      format === 'zone'
        ? { kind: 'domain_zone_export', input: { filters } }
        : { kind: 'domain_resolution_export', input: { filters, format } };
    return { operation_id: await startOperation(db, { ...wanted, actor, language }) };
  },
};
