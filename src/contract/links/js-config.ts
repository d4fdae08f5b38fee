import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { crud } from '../kit/crud.ts';
import { count, id, line, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { snippetOriginPattern, snippetProviders } from './js-config.providers.ts';

export const maxSnippets = 50;
export const maxSnippetCharacters = 20_000;
export const maxOrigins = 20;

export const snippetApprovals = ['waiting', 'approved', 'refused'] as const;
export type SnippetApproval = (typeof snippetApprovals)[number];

export const snippet = z.object({
  id,
  owner_id: id,
  owner_account: z.string(),
  name: z.string(),
  provider: z.enum(snippetProviders),
  provider_id: z.string(),
  code: z.string(),
  origins: z.array(z.string()),
  all_codes: z.boolean(),
  enabled: z.boolean(),
  approval: z.enum(snippetApprovals),
  approval_reason: z.string(),
  approved_at: time.nullable(),
  /** Counts the changes of what it runs and from where. */
  version: count,
  submitted_at: time,
  /** Codes that chose it; those of `all_codes` are not counted. */
  codes: count,
  created_at: time,
  updated_at: time,
});
export type Snippet = z.infer<typeof snippet>;

const origin = z.string().trim().toLowerCase().max(200).regex(snippetOriginPattern, 'invalid_origin');
/** What runs and from where it may load: a preset with its id, or code with its origins. */
const content = {
  provider: z.enum(snippetProviders),
  provider_id: line(200).optional(),
  code: text(maxSnippetCharacters).optional(),
  origins: z.array(origin).max(maxOrigins).optional(),
};
const settings = {
  name: line(60).min(1, 'required'),
  /** On the landing pages of all codes; else of those codes that choose it. */
  all_codes: z.boolean().optional(),
  enabled: z.boolean().optional(),
};

const rows = crud('js_config', {
  row: snippet,
  fields: { ...content, ...settings },
  filters: {
    search: z.string().max(100).optional(),
    provider: z.enum(snippetProviders).optional(),
    approval: z.enum(snippetApprovals).optional(),
    enabled: z.boolean().optional(),
    owner_id: id.optional(),
  },
  sortable: ['id', 'name', 'submitted_at', 'created_at', 'updated_at'],
  nouns: [
    'a snippet; new code or origins of a customer wait for an administrator',
    "snippets for landing pages; an administrator's calls reach those of all users",
  ],
});

export const jsConfig = group('js_config', {
  ...rows,
  options: call({
    summary: 'The snippets that a code can choose: those of its owner.',
    access: requireAny('js_config', 'set_qr_code', 'qr_code_list', 'qr_code_list_admin'),
    input: z.object({ owner_id: id.optional() }),
    output: z.object({
      content: z.array(snippet.pick({ id: true, name: true, provider: true, approval: true, enabled: true, all_codes: true })),
    }),
  }),
  codes: call({
    summary: 'The codes that chose a snippet.',
    access: requireAny('js_config'),
    input: listInput(['id', 'name'], { js_config_id: id }),
    output: pageOf(z.object({ id, name: z.string(), file_name: z.string() })),
  }),
  check: call({
    summary: 'What a snippet would run and be allowed, and what looks wrong about it. It is read, never run.',
    access: requireAny('js_config.add', 'js_config.update', 'js_config.approve'),
    input: z.object(content),
    output: z.object({
      /** Why it will not run at all, as browsers say it, and where. */
      fault: z.object({ message: z.string(), line: count.nullable() }).nullable(),
      /** Places that the code names and that it may not load from. */
      missing_origins: z.array(z.string()),
      /** It writes into the document, which does nothing or harm on a finished page. */
      writes_document: z.boolean(),
      /** The directives that a landing page gets because of it. */
      policy: z.array(z.string()),
      needs_approval: z.boolean(),
    }),
  }),
  approve: call({
    summary: 'Approve or refuse a version of a snippet; its owner is told.',
    access: requireAny('js_config.approve'),
    input: z.object({ id, version: count, approved: z.boolean(), reason: line(500).optional() }),
    output: snippet,
    writes: true,
  }),
});
