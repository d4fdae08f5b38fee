import { z } from 'zod';
import { blockStatuses, domainTypes } from './enums.ts';
import { call, group, holders } from './kit/call.ts';
import { count, done, id, ids, line, oneOf, time } from './kit/fields.ts';
import { listInput, pageOf } from './kit/page.ts';

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
  holder_account: z.string().nullable(),
  wildcard: z.boolean(),
  block_status: oneOf(blockStatuses).nullable(),
  live_code_count: count,
  created_at: time,
  updated_at: time,
});
export type Domain = z.infer<typeof domain>;

/** A domain as forms offer it for choice. */
export const domainOption = domain.pick({ id: true, host: true, type: true, enabled: true, block_status: true, holder_id: true });

export const domainList = group('domain_list', {
  inquire: call({
    summary: 'Domains the caller holds; administrators see all.',
    access: holders('domain_list'),
    input: listInput(['id', 'host', 'type', 'live_code_count', 'created_at', 'updated_at'], {
      host: z.string().max(253).optional(),
      type: oneOf(domainTypes).optional(),
      enabled: z.boolean().optional(),
      block_status: oneOf(blockStatuses).optional(),
      holder_id: id.optional(),
      pool: z.boolean().optional(),
    }),
    output: pageOf(domain),
  }),
  options: call({
    summary: 'Enabled domains the caller may put on a code: the own ones and the platform pool.',
    access: holders('domain_list', 'qr_code_list', 'set_qr_code'),
    input: z.object({ type: oneOf(domainTypes).optional(), owner_id: id.optional() }),
    output: z.object({ content: z.array(domainOption) }),
  }),
  add: call({
    summary: 'Register a domain. A holder other than the caller, or the platform pool, needs the right to assign.',
    access: holders('domain_list.add'),
    input: z.object({
      ...domainFields,
      holder_id: domainFields.holder_id.optional(),
      enabled: domainFields.enabled.optional(),
      remark: domainFields.remark.optional(),
    }),
    output: domain,
    writes: true,
  }),
  update: call({
    summary: 'Change a domain.',
    access: holders('domain_list.update'),
    input: z.object({
      id,
      host: host.optional(),
      type: domainFields.type.optional(),
      holder_id: domainFields.holder_id.optional(),
      remark: domainFields.remark.optional(),
    }),
    output: domain,
    writes: true,
  }),
  update_enabled: call({
    summary: 'Switch domains on or off; a host that is off answers like an unknown one.',
    access: holders('domain_list.open'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  remove: call({
    summary: 'Remove domains that no code uses.',
    access: holders('domain_list.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
