import { z } from 'zod';
import { domainTypes } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, hostUnicode, id, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** So many codes are changed while the caller waits; more become an operation. */
export const replacedAtOnce = 5000;

/** A domain that was put in the place of another on all codes of one owner, or of everybody. */
export const domainReplacement = z.object({
  id,
  from_domain_id: id.nullable(),
  from_host: z.string(),
  from_host_unicode: hostUnicode,
  to_domain_id: id.nullable(),
  to_host: z.string(),
  to_host_unicode: hostUnicode,
  type: oneOf(domainTypes),
  live_codes: count,
  short_codes: count,
  /** Rules that moved along. */
  forwards: count,
  /** Null where the product itself replaced it. */
  created_by_account: z.string().nullable(),
  created_at: time,
  undone_at: time.nullable(),
  /** Codes that went back; those that were changed otherwise meanwhile stayed as they are. */
  undone_codes: count,
  undoable: z.boolean(),
});
export type DomainReplacement = z.infer<typeof domainReplacement>;

/** A domain with a known risk (`riskOf`) is put on codes only by those who say so. */
export const accept_risk = z.boolean().optional();

const replacing = { from_domain_id: id, to_domain_id: id };

export const domainReplacements = group('domain_replacement', {
  inquire: call({
    summary: 'What was replaced on codes that the caller may see.',
    access: requireAny('domain_list'),
    input: listInput(['id', 'created_at'], { domain_id: id.optional() }),
    output: pageOf(domainReplacement),
  }),
  preview: call({
    summary: 'What a replacement would change: codes, those in the recycle bin too, and short links.',
    access: requireAny('domain_list.replace'),
    input: z.object(replacing),
    output: z.object({
      live_codes: count,
      removed_live_codes: count,
      short_codes: count,
      /** Short links whose path is taken on the new domain: they stay. */
      conflicts: count,
      /** Codes of owners who may not use the new domain: they stay. */
      foreign: count,
      owners: count,
      /** Forwards of the former domain that can move along. */
      forwards: count,
      /** Forwards that stay: their path is taken on the new domain, or their owner may not have them there. */
      staying_forwards: count,
    }),
  }),
  add: call({
    summary:
      'Put one domain in the place of another on all codes that the caller may change, and on its forwards where that is asked for. Many become an operation.',
    access: requireAny('domain_list.replace'),
    input: z.object({ ...replacing, with_forwards: z.boolean().optional(), accept_risk }),
    output: z.object({ affected: count, forwards: count, replacement_id: id.nullable(), operation_id: id.nullable() }),
    writes: true,
  }),
  undo: call({
    summary: 'Put the former domain back on the codes and forwards that still have the new one.',
    access: requireAny('domain_list.replace'),
    input: z.object({ id }),
    output: z.object({ affected: count, forwards: count, operation_id: id.nullable() }),
    writes: true,
  }),
});
