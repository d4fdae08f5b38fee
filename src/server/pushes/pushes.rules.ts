import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { maxRules, type Rule, type shieldPush } from '../../contract/detection/shield-push.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import { readableHost } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { personal } from './pushes.personal.ts';
import { push_channel, push_rule, push_rule_channel } from './pushes.table.ts';

type Calls = (typeof shieldPush)['calls'];
type Named = { id: number; name: string };
type Input = Partial<ParsedInputOf<Calls['add_rule']>>;

const rows = rowsOf(push_rule, {
  fields: {
    ...getTableColumns(push_rule),
    channel_ids: sql<
      number[]
    >`ARRAY(SELECT own.channel_id FROM push_rule_channel AS own WHERE own.rule_id = ${push_rule.id} ORDER BY own.channel_id)`.mapWith(
      (ids: (string | number)[]) => ids.map(Number),
    ),
    domains: sql<Named[]>`(SELECT coalesce(json_agg(json_build_object('id', domain.id, 'name', domain.host) ORDER BY domain.host), '[]')
      FROM domain WHERE domain.id = ANY (${push_rule.domain_ids}))`.mapWith((found: Named[]) =>
      found.map(({ id, name }) => ({ id, name: readableHost(name) })),
    ),
    live_codes: sql<
      Named[]
    >`(SELECT coalesce(json_agg(json_build_object('id', live_code.id, 'name', live_code.name) ORDER BY live_code.id), '[]')
      FROM live_code WHERE live_code.id = ANY (${push_rule.live_code_ids}))`,
  },
  scope: push_rule.owner_id,
});

/** What a rule names has to be the caller's. */
async function check(
  { channel_ids, domain_ids, live_code_ids, quiet_from, quiet_to }: Input,
  { db, actor, scope }: Context,
): Promise<void> {
  if (((quiet_from ?? null) === null) !== ((quiet_to ?? null) === null))
    throw invalidField(quiet_from ? 'quiet_to' : 'quiet_from', 'required');
  if (quiet_from && quiet_from === quiet_to) throw invalidField('quiet_to', 'same_time');
  if (channel_ids && channel_ids.length > 0) {
    const known = await db.$count(push_channel, and(isOneOf(push_channel.id, channel_ids), eq(push_channel.owner_id, actor.user_id)));
    if (known !== new Set(channel_ids).size) throw invalidField('channel_ids', 'unknown_channel');
  }
  if (domain_ids) {
    const known = await db.$count(domain, and(isOneOf(domain.id, domain_ids), scope.sees(domain.holder_id)));
    if (known !== new Set(domain_ids).size) throw invalidField('domain_ids', 'unknown_domain');
  }
  if (live_code_ids) {
    const known = await db.$count(live_code, and(isOneOf(live_code.id, live_code_ids), scope.sees(live_code.owner_id)));
    if (known !== new Set(live_code_ids).size) throw invalidField('live_code_ids', 'unknown_code');
  }
}

async function setChannels(db: Database, rule_id: number, channel_ids: readonly number[] | undefined): Promise<void> {
  if (!channel_ids) return;
  await db.delete(push_rule_channel).where(eq(push_rule_channel.rule_id, rule_id));
  const wanted = [...new Set(channel_ids)].map((channel_id) => ({ rule_id, channel_id }));
  if (wanted.length > 0) await db.insert(push_rule_channel).values(wanted);
}

/** Two that are made at once must not both find room for one. */
async function refuseTooMany(db: Database, owner_id: number): Promise<void> {
  await db.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, owner_id)).for('no key update');
  if ((await db.$count(push_rule, eq(push_rule.owner_id, owner_id))) >= maxRules)
    throw new AppError(409, 'push.too_many_rules', { params: { maximum: maxRules } });
}

export const listRules = (input: ParsedInputOf<Calls['rules']>, context: Context) =>
  rows.page({ order: 'asc', ...input }, personal(context));

export async function addRule({ channel_ids, ...input }: ParsedInputOf<Calls['add_rule']>, context: Context): Promise<Rule> {
  const { db, actor } = context;
  await check({ channel_ids, ...input }, context);
  await refuseTooMany(db, actor.user_id);
  const own = personal(context);
  const { id } = await rows.add({ ...input, events: [...new Set(input.events)], owner_id: actor.user_id }, own);
  await setChannels(db, id, channel_ids);
  return rows.read(id, own);
}

export async function updateRule({ channel_ids, ...input }: ParsedInputOf<Calls['update_rule']>, context: Context): Promise<Rule> {
  const { db } = context;
  const own = personal(context);
  const [before] = await rows.lock([input.id], own);
  if (!before) throw notFound();
  const { quiet_from = before.quiet_from, quiet_to = before.quiet_to } = input;
  await check({ ...input, channel_ids, quiet_from, quiet_to }, context);
  await rows.change({ ...input, ...(input.events ? { events: [...new Set(input.events)] } : {}) }, own);
  await setChannels(db, input.id, channel_ids);
  return rows.read(input.id, own);
}

export const removeRules = (input: { ids: number[] }, context: Context) => rows.remove(input, personal(context));
