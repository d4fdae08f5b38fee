import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { count, done, hostUnicode, id, ids, line, oneOf, rank, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

export const forwardStatuses = [301, 302, 307] as const;

/** `/exact`, `/below/*`, or `/*` for the whole host; `*` stands at the end only. */
const path = z
  .string()
  .trim()
  .min(1, 'required')
  .max(500)
  .regex(/^\/[^\s?#*\\]*\*?$/u, 'invalid_path')
  .regex(/^(?:[^*]*|.*\/\*)$/u, 'star_after_slash')
  .regex(/^\/(?!~)/u, 'reserved_path');

const fields = {
  path,
  /** May name what `*` stood for as `{rest}`. Checked in full by the server. */
  url: z.string().trim().min(1, 'required').max(4096),
  status: oneOf(forwardStatuses),
  /** Whether the visitor's query goes along. */
  keep_query: z.boolean(),
  enabled: z.boolean(),
  sort: rank,
  remark: line(200),
};

export const forward = z.object({
  id,
  ...fields,
  path: z.string(),
  url: z.string(),
  sort: z.number(),
  domain_id: id,
  host: z.string(),
  host_unicode: hostUnicode,
  owner_id: id,
  owner_account: z.string().nullable(),
  /** Whether its domain is in use and still its owner's or the platform's. */
  serves: z.boolean(),
  hits: count,
  last_hit_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type Forward = z.infer<typeof forward>;

/** What an address of one of our hosts leads to: a rule, a code of ours by its path, nothing, or no host of the caller. */
export const forwardOutcomes = ['forwarded', 'code', 'none', 'reserved', 'unknown_host'] as const;

export const forwards = group('forward', {
  inquire: call({
    summary: 'Rules that forward a host or path to another address; administrators see all.',
    access: holders('forward'),
    input: listInput(['id', 'host', 'path', 'sort', 'hits', 'last_hit_at', 'created_at'], {
      search: z.string().max(200).optional(),
      domain_id: id.optional(),
      enabled: z.boolean().optional(),
      owner_id: id.optional(),
    }),
    output: pageOf(forward),
  }),
  domains: call({
    summary: 'Domains that the caller may put rules on: his own; for administrators those of the platform and of everybody.',
    access: holders('forward'),
    input: z.object({ search: z.string().max(253).optional() }),
    output: z.object({ content: z.array(z.object({ id, host: z.string(), host_unicode: hostUnicode })) }),
  }),
  test: call({
    summary: 'Where an address of one of our hosts would lead.',
    access: holders('forward.test'),
    input: z.object({ url: z.string().trim().min(1, 'required').max(4096) }),
    output: z.object({
      outcome: z.enum(forwardOutcomes),
      /** The rule that answers. */
      forward: z.object({ id, path: z.string() }).nullable(),
      location: z.string().nullable(),
      status: oneOf(forwardStatuses).nullable(),
      /** The code that answers where no rule does, by its path. */
      code: z.string().nullable(),
    }),
  }),
  add: call({
    summary: 'Add a rule.',
    access: holders('forward.add'),
    input: z.object({
      domain_id: id,
      path,
      url: fields.url,
      ...z.object({ status: fields.status, keep_query: z.boolean(), enabled: z.boolean(), sort: rank, remark: fields.remark }).partial()
        .shape,
    }),
    output: forward,
    writes: true,
  }),
  update: call({
    summary: 'Change a rule.',
    access: holders('forward.update'),
    input: z.object({ id, ...z.object(fields).partial().shape }),
    output: forward,
    writes: true,
  }),
  update_enabled: call({
    summary: 'Switch rules on or off.',
    access: holders('forward.update'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  remove: call({
    summary: 'Remove rules.',
    access: holders('forward.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
