import { writeFile } from 'node:fs/promises';
import { and, asc, gt, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { NeededRecord } from '../../../contract/domains/domain-check.ts';
import { exportDomainResolution, resolutionFilters } from '../../../contract/domains/export-domain-resolution.ts';
import { ids } from '../../../contract/kit/fields.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type OperationJob, type OperationKind, operationKind } from '../../kit/jobs/operations.ts';
import { translate } from '../../kit/messages/messages.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { type ExportSource, exportSource } from '../../kit/rows/exports.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { siteAddresses } from '../checks/dns.ts';
import { foundRecords, neededRecords } from '../checks/records.ts';
import { domainConditions } from '../domains.filters.ts';
import { domainFields, domainJoins } from '../domains.public.ts';
import { domain, domain_check } from '../domains.table.ts';
import { zoneFile } from './domain-resolution.zone.ts';

const filters = z.object({ ids: ids.optional(), ...resolutionFilters });
type Filters = z.output<typeof filters>;

const { access } = exportDomainResolution.calls.export;
const { id, host, host_unicode, type, enabled, holder_account, dns_state, checked_at } = domainFields;

const conditionOf = async ({ ids: chosen, ...others }: Filters, { db, scope }: OperationJob) =>
  and(scope.sees(domain.holder_id), await domainConditions(db, others), chosen && isOneOf(domain.id, chosen));

async function readDomains(db: Database, where: SQL | undefined, { after, limit }: { after: number; limit: number }) {
  const [holder, check] = domainJoins;
  return db
    .select({ id, host, host_unicode, type, enabled, holder_account, dns_state, checked_at, records: domain_check.records })
    .from(domain)
    .leftJoin(...holder)
    .leftJoin(...check)
    .where(and(where, gt(domain.id, after)))
    .orderBy(asc(domain.id))
    .limit(limit);
}

type Row = Awaited<ReturnType<typeof readDomains>>[number] & { record: NeededRecord | null };

const title = (key: string) => `domain_list.${key}`;
const own = (key: string) => `export_domain_resolution.${key}`;

/** A line for each record that a domain needs; a domain that needs none has one, too. */
export const domainResolutionExport: ExportSource = exportSource<typeof filters, Row>({
  name: 'domain_resolution',
  access,
  filters,
  columns: [
    { key: 'host', title: title('host'), cell: (row) => row.host },
    { key: 'host_unicode', title: own('host_unicode'), cell: (row) => row.host_unicode ?? '' },
    { key: 'type', title: title('type'), cell: (row, { language }) => translate(language, title(`type_${row.type}`)) },
    { key: 'zone', title: own('zone'), cell: (row) => row.record?.zone ?? '' },
    { key: 'record_name', title: title('record_name'), cell: (row) => row.record?.name ?? '' },
    { key: 'record_type', title: title('record_type'), cell: (row) => row.record?.type ?? '' },
    { key: 'record_value', title: title('record_value'), cell: (row) => row.record?.value ?? '' },
    {
      key: 'present',
      title: title('record_state'),
      cell: (row, { language }) => (row.record ? translate(language, title(row.record.present ? 'record_present' : 'record_missing')) : ''),
    },
    { key: 'found', title: title('records_found'), cell: (row) => (row.records ? foundRecords(row.records).join('; ') : '') },
    {
      key: 'dns_state',
      title: title('dns_state'),
      cell: (row, { language }) => translate(language, title(`dns.${row.dns_state ?? 'none'}`)),
    },
    { key: 'checked_at', title: title('checked_at'), cell: (row) => row.checked_at },
    { key: 'holder', title: title('holder'), cell: (row, { language }) => row.holder_account ?? translate(language, title('pool')) },
  ],
  select: async (given, job) => ({ from: domain, joins: domainJoins, where: await conditionOf(given, job) }),
  async rows(where, { db }, { after, limit }) {
    const rows = await readDomains(db, where, { after: after?.id ?? 0, limit });
    return rows.map((row) => ({ ...row, record: null }));
  },
  lines(row, { settings }) {
    const needed = neededRecords(row.host, siteAddresses(settings).addresses, row);
    return needed.length > 0 ? needed.map((record) => ({ ...row, record })) : [row];
  },
});

const portion = 2000;

/** The needed records of all zones in one file for name servers. */
export const domainZoneKind: OperationKind = operationKind('domain_zone_export', z.object({ filters }), async (input, job) => {
  if (!access.nodes.some((node) => job.person.nodes.has(node))) throw new AppError(403, 'forbidden');
  const { addresses } = siteAddresses(job.settings);
  const where = await conditionOf(input.filters, job);
  const records: NeededRecord[] = [];
  let domains = 0;
  for (let after = 0; ; ) {
    job.signal.throwIfAborted();
    const rows = await readDomains(job.db, where, { after, limit: portion });
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    domains += rows.length;
    for (const row of rows) records.push(...neededRecords(row.host, addresses, row));
    job.progress(domains);
  }
  const path = job.file('zone');
  await writeFile(path, zoneFile(records, job.now), { mode: 0o600, flag: 'wx' });
  return {
    file: { path, name: `domains-${job.now.toISOString().slice(0, 10)}.zone` },
    message: { key: 'async_operations.message.exported', params: { rows: records.length } },
  };
});
