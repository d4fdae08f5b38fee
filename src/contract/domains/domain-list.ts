import { z } from 'zod';
import { blockStatuses, domainTypes } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, freezing, hostUnicode, id, ids, line, oneOf, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { blockState } from './block-state.ts';
import {
  certificateFound,
  certificateStates,
  dnsStates,
  domainRisks,
  neededRecord,
  recordsFound,
  registrationFaults,
  registrationSources,
} from './domain-check.ts';
import { domainReplacement } from './domain-replacement.ts';

/** A host name as registered: lower case, punycode, an optional `*.` in front, an optional port (`localhost:3001`). Checked in full by the server. */
export const host = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'required')
  .max(253)
  .regex(/^(\*\.)?[^\s/@?#:*]+(:\d{1,5})?$/u, 'invalid_host');

const domainFields = {
  host,
  type: oneOf(domainTypes),
  /** The user who may use the domain; null is the platform pool, open to all. */
  holder_id: id.nullable(),
  enabled: z.boolean(),
  remark: line(200),
};

export const domain = z.object({
  id,
  ...domainFields,
  host: z.string(),
  host_unicode: hostUnicode,
  holder_account: z.string().nullable(),
  wildcard: z.boolean(),
  ...blockState,
  ...freezing,
  /** Codes on it that aren't in the recycle bin. */
  live_code_count: count,
  short_code_count: count,
  /** Null until it was checked. */
  dns_state: z.enum(dnsStates).nullable(),
  certificate_state: z.enum(certificateStates).nullable(),
  certificate_expires_at: time.nullable(),
  /** When the registration of its name ends, as the registry says or else as was typed; null: nobody knows. */
  registration_expires_at: time.nullable(),
  registration_source: z.enum(registrationSources).nullable(),
  registration_typed: time.nullable(),
  checked_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type Domain = z.infer<typeof domain>;

/** A domain as forms offer it for choice. */
export const domainOption = domain
  .pick({
    id: true,
    host: true,
    host_unicode: true,
    type: true,
    enabled: true,
    block_status: true,
    suspected_since: true,
    dns_state: true,
    certificate_state: true,
    certificate_expires_at: true,
    holder_id: true,
  })
  .extend({ risk: z.enum(domainRisks).nullable() });
export type DomainOption = z.infer<typeof domainOption>;

export const domainDetails = domain.extend({
  records: recordsFound.nullable(),
  certificate: certificateFound.nullable(),
  /** The registered name that it stands below, and what its registry said; null where nothing was asked yet. */
  registration: z
    .object({
      name: z.string(),
      /** When the registry named the expiry last. */
      found_at: time.nullable(),
      asked_at: time.nullable(),
      /** Why it named none when it was asked last. */
      fault: z.enum(registrationFaults).nullable(),
    })
    .nullable(),
  needed: z.array(neededRecord),
  /** Some of the codes on it, the newest first. */
  codes: z.array(z.object({ id, name: z.string(), file_name: z.string(), owner_account: z.string() })),
  replacements: z.array(domainReplacement),
});
export type DomainDetails = z.infer<typeof domainDetails>;

export const maxLines = 2000;
/** What became of a line: added, or why not. */
export const addedLineStates = [
  'added',
  'repeated',
  'exists',
  'taken',
  'quota_exceeded',
  'invalid_host',
  'public_suffix',
  'development_host',
] as const;
export const addedLine = z.object({
  line: z.string(),
  /** The name as it is registered; null where the line holds none. */
  host: z.string().nullable(),
  host_unicode: hostUnicode,
  state: z.enum(addedLineStates),
});
export type AddedLine = z.infer<typeof addedLine>;

/** So many domains are checked at once without an operation of their own. */
export const checkedAtOnce = 20;

export const domainFilters = {
  /** A part of the name, in either script, or of the remark. */
  host: z.string().max(253).optional(),
  type: oneOf(domainTypes).optional(),
  enabled: z.boolean().optional(),
  frozen: z.boolean().optional(),
  block_status: oneOf(blockStatuses).optional(),
  /** Whether real visits make believe that it is blocked, which no check has confirmed. */
  suspected: z.boolean().optional(),
  dns_state: z.enum(dnsStates).optional(),
  certificate_state: z.enum(certificateStates).optional(),
  /** Days on which its certificate ends. */
  certificate_from: day.optional(),
  certificate_to: day.optional(),
  /** Days on which its registration ends. */
  registration_from: day.optional(),
  registration_to: day.optional(),
  wildcard: z.boolean().optional(),
  holder_id: id.optional(),
  pool: z.boolean().optional(),
};

export const domainList = group('domain_list', {
  inquire: call({
    summary: 'Domains the caller holds; administrators see all.',
    access: requireAny('domain_list'),
    input: listInput(
      [
        ...(['id', 'host', 'type', 'live_code_count', 'certificate_expires_at', 'registration_expires_at'] as const),
        ...(['checked_at', 'created_at', 'updated_at'] as const),
      ],
      domainFilters,
    ),
    output: pageOf(domain),
  }),
  details: call({
    summary: 'One domain with the records it needs and has, its certificate and registration, the codes on it and its replacements.',
    access: requireAny('domain_list'),
    input: z.object({ id }),
    output: domainDetails,
  }),
  options: call({
    summary: 'Enabled domains the caller may put on a code, those without a known risk first: the own ones and the platform pool.',
    access: requireAny('domain_list', 'qr_code_list', 'set_qr_code'),
    input: z.object({ type: oneOf(domainTypes).optional(), owner_id: id.optional() }),
    output: z.object({ content: z.array(domainOption) }),
  }),
  site_addresses: call({
    summary: 'Where domains must point: the addresses and names that the operator set, or else those of the machine itself.',
    access: requireAny('domain_list', 'export_domain_resolution'),
    input: z.object({}),
    output: z.object({ addresses: z.array(z.string()), configured: z.boolean() }),
  }),
  add: call({
    summary: 'Register a domain. A holder other than the caller, or the platform pool, needs the right to assign.',
    access: requireAny('domain_list.add'),
    input: z.object({
      ...domainFields,
      holder_id: domainFields.holder_id.optional(),
      enabled: domainFields.enabled.optional(),
      remark: domainFields.remark.optional(),
    }),
    output: domain,
    writes: true,
  }),
  add_many: call({
    summary:
      'Register a domain for each line. What follows a # is its remark; a line that cannot be registered keeps none of the others back.',
    access: requireAny('domain_list.add'),
    bodyLimit: 1_200_000,
    input: z.object({
      lines: z.array(text(500)).min(1, 'required').max(maxLines),
      type: domainFields.type,
      holder_id: domainFields.holder_id.optional(),
      enabled: domainFields.enabled.optional(),
      remark: domainFields.remark.optional(),
    }),
    output: z.object({ added: count, results: z.array(addedLine) }),
    writes: true,
  }),
  update: call({
    summary: 'Change a domain.',
    access: requireAny('domain_list.update'),
    input: z.object({
      id,
      host: host.optional(),
      type: domainFields.type.optional(),
      holder_id: domainFields.holder_id.optional(),
      remark: domainFields.remark.optional(),
      /** When its registration ends, where no registry tells; what a registry says goes before it. */
      registration_typed: time.nullable().optional(),
    }),
    output: domain,
    writes: true,
  }),
  update_enabled: call({
    summary: 'Switch domains on or off; a host that is off answers like an unknown one.',
    access: requireAny('domain_list.open'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  check: call({
    summary:
      'Look at DNS and certificate now, and ask for the registration of a few: of these domains, or of all that the caller may change. Many become an operation.',
    access: requireAny('domain_list.check'),
    input: z.object({ ids: ids.optional() }),
    output: z.object({ affected: count, operation_id: id.nullable() }),
    writes: true,
    limit: { max: 60, seconds: 60 },
  }),
  remove: call({
    summary: 'Remove domains that no code uses.',
    access: requireAny('domain_list.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
