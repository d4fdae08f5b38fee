import { z } from 'zod';
import { domainTypes } from '../enums.ts';
import { call, group, holders } from '../kit/call.ts';
import { hostUnicode, id, ids, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { exportFormats } from '../system/async-operations.ts';
import { dnsStates, neededRecord } from './domain-check.ts';
import { domainFilters } from './domain-list.ts';

/** A domain with the records it needs and those it has. */
export const domainResolution = z.object({
  id,
  host: z.string(),
  host_unicode: hostUnicode,
  type: oneOf(domainTypes),
  enabled: z.boolean(),
  holder_account: z.string().nullable(),
  /** The name that was registered: where the records are added. */
  zone: z.string(),
  needed: z.array(neededRecord),
  /** Written as type and value; null until the domain was checked. */
  found: z.array(z.string()).nullable(),
  dns_state: z.enum(dnsStates).nullable(),
  checked_at: time.nullable(),
});
export type DomainResolution = z.infer<typeof domainResolution>;

/** `zone` is a file for BIND and whatever else reads RFC 1035. */
export const resolutionFormats = [...exportFormats, 'zone'] as const;

const { type, enabled, dns_state, holder_id, host } = domainFilters;
export const resolutionFilters = { host, type, enabled, dns_state, holder_id };

export const exportDomainResolution = group('export_domain_resolution', {
  inquire: call({
    summary: 'The records that each domain needs, and those it has.',
    access: holders('export_domain_resolution'),
    input: listInput(['id', 'host', 'checked_at'], resolutionFilters),
    output: pageOf(domainResolution),
  }),
  export: call({
    summary: 'Write the needed records of these domains, or of all that fit the filters, to a file: an operation.',
    access: holders('export_domain_resolution.export'),
    input: z.object({ filters: z.strictObject({ ids: ids.optional(), ...resolutionFilters }), format: z.enum(resolutionFormats) }),
    output: z.object({ operation_id: id }),
    writes: true,
  }),
});
