import { and, asc, eq, sql } from 'drizzle-orm';
import { type jsConfig, maxSnippets } from '../../contract/links/js-config.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { notify, type Speech } from '../kit/messages/notify.ts';
import type { Database } from '../kit/postgres/database.ts';
import { contains, equals, list } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import {
  checkedContent,
  missingOrigins,
  needsApproval,
  policyOf,
  type SnippetContent,
  sameContent,
  syntaxFault,
} from './js-config.rules.ts';
import { js_config } from './js-config.table.ts';

const fields = {
  id: js_config.id,
  owner_id: js_config.owner_id,
  owner_account: sql<string>`${user_account.account}`,
  name: js_config.name,
  provider: js_config.provider,
  provider_id: js_config.provider_id,
  code: js_config.code,
  origins: js_config.origins,
  all_codes: js_config.all_codes,
  enabled: js_config.enabled,
  approval: js_config.approval,
  approval_reason: js_config.approval_reason,
  approved_at: js_config.approved_at,
  version: js_config.version,
  submitted_at: js_config.submitted_at,
  codes: sql<number>`(SELECT count(*)::int FROM live_code_js_config AS chosen JOIN live_code ON live_code.id = chosen.live_code_id
    WHERE chosen.js_config_id = ${js_config.id} AND NOT live_code.removed)`,
  created_at: js_config.created_at,
  updated_at: js_config.updated_at,
};

/** What new content has to wait for. Who approves others' has approved his own. */
function approvalOf(content: SnippetContent, { actor, now }: Context) {
  const mayApprove = actor.nodes.has('js_config.approve');
  if (needsApproval(content) && !mayApprove)
    return { approval: 'waiting', approval_reason: '', approved_by: null, approved_at: null } as const;
  return { approval: 'approved', approval_reason: '', approved_by: actor.user_id, approved_at: now.toISOString() } as const;
}

/** Two that are made at once must not both find room for one. */
async function refuseTooMany(db: Database, owner_id: number): Promise<void> {
  await db.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, owner_id)).for('no key update');
  if ((await db.$count(js_config, eq(js_config.owner_id, owner_id))) >= maxSnippets)
    throw new AppError(409, 'js_config.too_many', { params: { maximum: maxSnippets } });
}

const rows = rowsOf(js_config, {
  fields,
  joins: [[user_account, eq(user_account.id, js_config.owner_id)]],
  scope: js_config.owner_id,

  async check(input, context, before) {
    const provider = input.provider ?? before?.provider;
    if (!provider) throw invalidField('provider', 'required');
    // A preset's id says nothing to another one.
    const kept = provider === before?.provider ? before : undefined;
    const { provider_id = kept?.provider_id, code = kept?.code, origins = kept?.origins } = input;
    const content = checkedContent({ provider, provider_id, code, origins });
    if (!before) await refuseTooMany(context.db, context.scope.owner_id);
    if (before && sameContent(content, before)) return content;
    const { version = 0 } = before ?? {};
    return { ...content, ...approvalOf(content, context), version: version + 1, submitted_at: context.now.toISOString() };
  },
});

export const jsConfigService: Service<typeof jsConfig> = {
  inquire: ({ search, provider, approval, enabled, owner_id, ...input }, context) =>
    rows.page(
      input,
      context,
      and(
        contains([js_config.name, js_config.provider_id], search),
        equals(js_config.provider, provider),
        equals(js_config.approval, approval),
        equals(js_config.enabled, enabled),
        equals(js_config.owner_id, owner_id),
      ),
    ),
  add: (input, context) => rows.add({ ...input, owner_id: context.scope.owner_id }, context),
  update: rows.change,
  remove: rows.remove,

  async options({ owner_id }, { db, scope }) {
    const { id, name, provider, approval, enabled, all_codes } = js_config;
    const content = await db
      .select({ id, name, provider, approval, enabled, all_codes })
      .from(js_config)
      .where(and(scope.sees(js_config.owner_id), eq(js_config.owner_id, owner_id ?? scope.owner_id)))
      .orderBy(asc(js_config.name), asc(js_config.id));
    return { content };
  },

  async codes({ js_config_id, ...input }, context) {
    await rows.read(js_config_id, context);
    return list(context.db, input, {
      fields: { id: live_code.id, name: live_code.name, file_name: live_code.file_name },
      from: live_code,
      where: and(
        sql`${live_code.id} IN (SELECT live_code_id FROM live_code_js_config WHERE js_config_id = ${js_config_id})`,
        eq(live_code.removed, false),
        context.scope.sees(live_code.owner_id),
      ),
      sorts: { id: live_code.id, name: live_code.name },
      key: live_code.id,
    });
  },

  async check(input) {
    const content = checkedContent(input);
    const { provider, code, origins } = content;
    const isCode = provider === 'code';
    return {
      fault: isCode ? syntaxFault(code) : null,
      missing_origins: isCode ? missingOrigins(code, origins) : [],
      writes_document: isCode && /\bdocument\s*\.\s*write(ln)?\s*\(/.test(code),
      policy: policyOf(content),
      needs_approval: needsApproval(content),
    };
  },

  async approve({ id, version, approved, reason = '' }, context) {
    const { db, actor, now } = context;
    if (!approved && reason === '') throw invalidField('reason', 'required');
    const [before] = await rows.lock([id], context);
    if (!before) throw notFound();
    if (before.version !== version) throw new AppError(409, 'js_config.changed');
    const approval = approved ? 'approved' : 'refused';
    const decision = { approval, approval_reason: reason, approved_by: actor.user_id, approved_at: now.toISOString() } as const;
    const after = await rows.change({ id, ...decision }, context);
    if (before.owner_id !== actor.user_id) await tellOwner(db, before, decision);
    return after;
  },
};

type Decision = { approval: 'approved' | 'refused'; approval_reason: string };

async function tellOwner(
  db: Database,
  { owner_id, name }: typeof js_config.$inferSelect,
  { approval, approval_reason: reason }: Decision,
): Promise<void> {
  const words = ({ say }: Speech) => {
    const of = (key: string) => say(`js_config.notice.${key}`, { name, reason });
    return { title: of(approval), content: [of(`${approval}_content`), ...(reason === '' ? [] : [of('reason')])] };
  };
  await notify(db, owner_id, { kind: approval === 'refused' ? 'alert' : 'info', place: 'snippets', words });
}
