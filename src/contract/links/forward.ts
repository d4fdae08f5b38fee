import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { crud, updateEnabled } from '../kit/crud.ts';
import { count, hostUnicode, id, line, oneOf, rank, time, timestamps } from '../kit/fields.ts';

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
  domain_id: id,
  path,
  /** May name what `*` stood for as `{rest}`. Checked in full by the server. */
  url: z.string().trim().min(1, 'required').max(4096),
  status: oneOf(forwardStatuses).optional(),
  /** Whether the visitor's query goes along. */
  keep_query: z.boolean().optional(),
  enabled: z.boolean().optional(),
  sort: rank.optional(),
  remark: line(200).optional(),
};

export const forward = z.object({
  id,
  ...z.object(fields).required().shape,
  path: z.string(),
  url: z.string(),
  sort: z.number(),
  host: z.string(),
  host_unicode: hostUnicode,
  owner_id: id,
  owner_account: z.string().nullable(),
  /** Whether its domain is in use and still its owner's or the platform's. */
  serves: z.boolean(),
  hits: count,
  last_hit_at: time.nullable(),
  ...timestamps,
});
export type Forward = z.infer<typeof forward>;

/** What an address of one of our hosts leads to: a rule, a code of ours by its path, nothing, or no host of the caller. */
export const forwardOutcomes = ['forwarded', 'code', 'none', 'reserved', 'unknown_host'] as const;

const rows = crud('forward', {
  row: forward,
  fields,
  filters: { search: z.string().max(200).optional(), domain_id: id.optional(), enabled: z.boolean().optional(), owner_id: id.optional() },
  sortable: ['id', 'host', 'path', 'sort', 'hits', 'last_hit_at', 'created_at'],
  nouns: ['a rule that forwards a host or path', 'rules that forward hosts or paths'],
});

export const forwards = group('forward', {
  ...rows,
  // A rule stays on its domain.
  update: { ...rows.update, input: rows.update.input.omit({ domain_id: true }) },
  update_enabled: updateEnabled('forward', 'rules'),
  domains: call({
    summary: 'Domains that the caller may put rules on: his own; for administrators those of the platform and of everybody.',
    access: requireAny('forward'),
    input: z.object({ search: z.string().max(253).optional() }),
    output: z.object({ content: z.array(z.object({ id, host: z.string(), host_unicode: hostUnicode })) }),
  }),
  test: call({
    summary: 'Where an address of one of our hosts would lead.',
    access: requireAny('forward.test'),
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
});
