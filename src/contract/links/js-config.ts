import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { count, done, id, ids, line, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { snippetOriginPattern, snippetProviders } from './js-config.providers.ts';

export const maximumSnippets = 50;
export const maximumSnippetCharacters = 20_000;
export const maximumOrigins = 20;

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
  code: text(maximumSnippetCharacters).optional(),
  origins: z.array(origin).max(maximumOrigins).optional(),
};
const settings = {
  name: line(60).min(1, 'required'),
  /** On the landing pages of all codes; else of those codes that choose it. */
  all_codes: z.boolean().optional(),
  enabled: z.boolean().optional(),
};

export const jsConfig = group('js_config', {
  inquire: call({
    summary: 'Snippets for landing pages; for administrators those of all users.',
    access: holders('js_config'),
    input: listInput(['id', 'name', 'submitted_at', 'created_at', 'updated_at'], {
      search: z.string().max(100).optional(),
      provider: z.enum(snippetProviders).optional(),
      approval: z.enum(snippetApprovals).optional(),
      enabled: z.boolean().optional(),
      owner_id: id.optional(),
    }),
    output: pageOf(snippet),
  }),
  options: call({
    summary: 'The snippets that a code can choose: those of its owner.',
    access: holders('js_config', 'set_qr_code', 'qr_code_list', 'qr_code_list_admin'),
    input: z.object({ owner_id: id.optional() }),
    output: z.object({
      content: z.array(snippet.pick({ id: true, name: true, provider: true, approval: true, enabled: true, all_codes: true })),
    }),
  }),
  codes: call({
    summary: 'The codes that chose a snippet.',
    access: holders('js_config'),
    input: listInput(['id', 'name'], { js_config_id: id }),
    output: pageOf(z.object({ id, name: z.string(), file_name: z.string() })),
  }),
  check: call({
    summary: 'What a snippet would run and be allowed, and what looks wrong about it. It is read, never run.',
    access: holders('js_config.add', 'js_config.update', 'js_config.approve'),
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
  add: call({
    summary: 'Make a snippet. Code of a customer waits for an administrator.',
    access: holders('js_config.add'),
    input: z.object({ ...content, ...settings }),
    output: snippet,
    writes: true,
  }),
  update: call({
    summary: 'Change a snippet. Where code or origins change, a customer waits for an administrator again.',
    access: holders('js_config.update'),
    input: z.object({ id, ...content, provider: content.provider.optional(), ...settings, name: settings.name.optional() }),
    output: snippet,
    writes: true,
  }),
  approve: call({
    summary: 'Approve or refuse a version of a snippet; its owner is told.',
    access: holders('js_config.approve'),
    input: z.object({ id, version: count, approved: z.boolean(), reason: line(500).optional() }),
    output: snippet,
    writes: true,
  }),
  remove: call({
    summary: 'Remove snippets; codes that chose them run without.',
    access: holders('js_config.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
