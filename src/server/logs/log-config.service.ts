import { and, eq, type SQL, sql } from 'drizzle-orm';
import {
  type LogConfig,
  type LogType,
  type logConfigGroup,
  type logTypeGroup,
  minRetentionDays,
} from '../../contract/system/log-config.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { invalidField, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, defaultPageSize, equals, isOneOf, list } from '../kit/rows/list.ts';
import { log } from '../kit/rows/tables.ts';
import { user_account } from '../users/users.table.ts';
import { newestLogRow, readLogRow } from './logs.list.ts';
import { retentionDays } from './logs.remove.ts';
import { isAlwaysKept, type LogRules, readRules } from './logs.rules.ts';
import { lastSeal } from './logs.seal.ts';
import { parseTemplate, sentenceOf, titleOf } from './logs.sentence.ts';
import { log_config } from './logs.table.ts';
import { payloadOf } from './logs.words.ts';

type Rule = { kept?: boolean; retention_days?: number | null; template?: string | null };

/** Refuses what would let a user act unseen, and a template that makes no sentence. */
function checkRule(type: string, { kept, retention_days, template }: Rule): void {
  if (isAlwaysKept(type) && kept === false) throw invalidField('kept', 'always_kept');
  if (isAlwaysKept(type) && typeof retention_days === 'number' && retention_days < minRetentionDays)
    throw invalidField('retention_days', 'kept_longer');
  if (typeof template === 'string' && parseTemplate(template) === undefined) throw invalidField('template', 'conversion_failed');
}

const configFields = {
  id: log_config.id,
  type: log_config.type,
  kept: log_config.kept,
  retention_days: log_config.retention_days,
  template: log_config.template,
  remark: log_config.remark,
  updated_by: log_config.updated_by,
  updated_by_account: sql<string | null>`${user_account.account}`,
  created_at: log_config.created_at,
  updated_at: log_config.updated_at,
};
const editorJoin = [user_account, eq(user_account.id, log_config.updated_by)] as const;

async function readConfig(db: Database, where: SQL): Promise<LogConfig> {
  const query = db.select(configFields).from(log_config).$dynamic();
  query.leftJoin(...editorJoin);
  const [found] = await query.where(where);
  if (!found) throw notFound();
  return found;
}

async function changeConfig(id: number, rule: Rule & { remark?: string }, { db, actor, audit }: Context): Promise<void> {
  const [before] = await db.select().from(log_config).where(eq(log_config.id, id)).for('update');
  if (!before) throw notFound();
  checkRule(before.type, rule);
  const after = { ...before, ...rule };
  await db
    .update(log_config)
    .set({ ...rule, updated_by: actor.user_id, updated_at: sql`now()` })
    .where(eq(log_config.id, id));
  audit(changesBetween(before, after));
}

export const logConfigService: Service<typeof logConfigGroup> = {
  inquire: ({ type, kept, ...input }, { db }) =>
    list(db, input, {
      fields: configFields,
      from: log_config,
      joins: [editorJoin],
      where: and(contains(log_config.type, type), equals(log_config.kept, kept)),
      sorts: log_config,
      key: log_config.id,
    }),

  async add(input, { db, actor }) {
    checkRule(input.type, input);
    await db
      .insert(log_config)
      .values({ ...input, updated_by: actor.user_id })
      .catch(mapUniqueViolation({ log_config_type_key: 'type' }));
    return readConfig(db, eq(log_config.type, input.type));
  },

  async update({ id, ...rule }, context) {
    await changeConfig(id, rule, context);
    return readConfig(context.db, eq(log_config.id, id));
  },

  async remove({ ids }, { db, audit }) {
    const removed = await db.delete(log_config).where(isOneOf(log_config.id, ids)).returning();
    audit({ before: removed });
    return { affected: removed.length };
  },

  async convert({ template, type, log_id }, { db, scope, language }) {
    if (parseTemplate(template) === undefined) throw invalidField('template', 'conversion_failed');
    const row =
      log_id === undefined
        ? await newestLogRow(db, and(scope.sees(log.user_id), equals(log.type, type)))
        : await readLogRow(db, log_id, { scope });
    if (!row) throw notFound();
    return { sentence: sentenceOf(template, payloadOf(row, language), language), log_id: row.id };
  },
};

type Counted = { type: string; number: number; last_at: string };

/** Every type with its number of entries: the sealer's counts and the few entries that are not sealed yet. */
async function countedTypes(db: Database): Promise<Counted[]> {
  const { last_id } = await lastSeal(db);
  const { rows } = await db.execute<Counted>(sql`
    SELECT type, sum(number)::bigint AS number, max(last_at) AS last_at FROM (
      SELECT type, number, last_at FROM log_type
      UNION ALL SELECT type, count(*), max(at) FROM log WHERE id > ${last_id} GROUP BY type
    ) AS counted GROUP BY type`);
  return rows.map((row) => ({ ...row, last_at: new Date(row.last_at).toISOString() }));
}

async function typeRow(counted: Counted, rules: LogRules, { language, settings }: Context): Promise<LogType> {
  const rule = rules.ruleOf(counted.type);
  return {
    ...counted,
    title: titleOf(counted.type, language),
    kept: isAlwaysKept(counted.type) || rule?.kept !== false,
    always_kept: isAlwaysKept(counted.type),
    retention_days: retentionDays(counted.type, rules, (await settings()).log_retention_days),
    template: rule?.template ?? null,
    rule: rule?.type ?? null,
  };
}

export const logTypeService: Service<typeof logTypeGroup> = {
  // There are as many types as the product has calls: few enough to be sorted and leafed through here.
  async inquire({ search = '', page = 1, page_size = defaultPageSize, sort = 'type', order = sort === 'type' ? 'asc' : 'desc' }, context) {
    const rules = await readRules(context.db);
    const rows = await Promise.all((await countedTypes(context.db)).map((counted) => typeRow(counted, rules, context)));
    const wanted = search.trim().toLowerCase();
    const found = rows.filter(({ type, title }) => `${type} ${title}`.toLowerCase().includes(wanted));
    const sign = order === 'asc' ? 1 : -1;
    found.sort((one, other) => (one[sort] === other[sort] ? (one.type < other.type ? -1 : 1) : one[sort] < other[sort] ? -sign : sign));
    return { content: found.slice((page - 1) * page_size, page * page_size), total: found.length, page, page_size };
  },

  async update({ type, ...rule }, context) {
    const { db } = context;
    checkRule(type, rule);
    await db.insert(log_config).values({ type }).onConflictDoNothing();
    const config = await readConfig(db, eq(log_config.type, type));
    await changeConfig(config.id, rule, context);
    const counted = (await countedTypes(db)).find((found) => found.type === type);
    return typeRow(counted ?? { type, number: 0, last_at: context.now.toISOString() }, await readRules(db), context);
  },
};
