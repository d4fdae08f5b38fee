import { z } from 'zod';
import { accept_risk } from '../domains/domain-replacement.ts';
import { blockStatuses } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, hostUnicode, id, ids, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** What is wrong with a code's domains; the first that applies, the entry domain before the landing one. */
export const domainFaults = ['no_entry', 'entry_disabled', 'entry_blocked', 'landing_disabled', 'landing_blocked'] as const;
export type DomainFault = (typeof domainFaults)[number];

/** A code that visitors cannot reach, or reach by a blocked domain. */
export const domainlessCode = z.object({
  id,
  name: z.string(),
  file_name: z.string(),
  owner_id: id,
  owner_account: z.string(),
  fault: z.enum(domainFaults),
  entry_domain_id: id.nullable(),
  entry_host: z.string().nullable(),
  entry_host_unicode: hostUnicode,
  entry_block_status: oneOf(blockStatuses).nullable(),
  entry_suspected_since: time.nullable(),
  landing_domain_id: id.nullable(),
  landing_host: z.string().nullable(),
  landing_host_unicode: hostUnicode,
  landing_block_status: oneOf(blockStatuses).nullable(),
  landing_suspected_since: time.nullable(),
  open: z.boolean(),
  /** Null while its figures are locked. */
  view_number: count.nullable(),
  created_at: time,
});
export type DomainlessCode = z.infer<typeof domainlessCode>;

const filters = {
  /** A part of name or file name. */
  search: z.string().max(100).optional(),
  fault: z.enum(domainFaults).optional(),
  open: z.boolean().optional(),
};
/** The list is counted to 10,000: beyond, `at_least` says that there are more. */
const page = pageOf(domainlessCode).extend({ at_least: z.boolean() });

const assigning = z.object({
  ids,
  entry_domain_id: id.optional(),
  landing_domain_id: id.nullable().optional(),
  accept_risk,
  /** Give each code its owner's first healthy domain, else the platform's, in the place of the faulty one. */
  automatic: z.literal(true).optional(),
});
/** `left` codes stay as they are: there is no healthy domain for them. */
const assigned = done.extend({ left: count });

export const noDomainName = group('no_domain_name', {
  inquire: call({
    summary: "The caller's codes that have no entry domain, or one that is switched off or blocked.",
    access: requireAny('no_domain_name'),
    input: listInput(['id'], filters),
    output: page,
  }),
  assign: call({
    summary: 'Put a domain on codes, or let each get a healthy one.',
    access: requireAny('no_domain_name.assign'),
    input: assigning,
    output: assigned,
    writes: true,
  }),
});

export const nodomain = group('nodomain', {
  inquire: call({
    summary: "All users' codes that have no entry domain, or one that is switched off or blocked.",
    access: requireAny('nodomain'),
    input: listInput(['id'], { ...filters, owner_id: id.optional() }),
    output: page,
  }),
  assign: call({
    summary: 'Put a domain on codes, or let each get a healthy one.',
    access: requireAny('nodomain.assign'),
    input: assigning,
    output: assigned,
    writes: true,
  }),
  notify: call({
    summary: 'Tell the owners of these codes, each by one site message.',
    access: requireAny('nodomain.notify'),
    input: z.object({ ids }),
    output: z.object({ affected: count, owners: count }),
    writes: true,
  }),
});
