import { count, sql } from 'drizzle-orm';
import type { logGroup } from '../../contract/system/log.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { differencesBetween } from './logs.differences.ts';
import { logWhere, readLogPage, readLogRow } from './logs.list.ts';
import { readRules } from './logs.rules.ts';
import { lastSeal } from './logs.seal.ts';
import { log_seal } from './logs.table.ts';
import { shownRow } from './logs.words.ts';

async function start(kind: string, input: object, { db, actor, language }: Context): Promise<{ operation_id: number }> {
  return { operation_id: await startOperation(db, { kind, input, actor, language }) };
}

export const logService: Service<typeof logGroup> = {
  async inquire({ sort: _sort, ...input }, { db, scope, settings, language }) {
    const { rows, sealed_to, ...page } = await readLogPage(db, input, { scope, time_zone: (await settings()).time_zone });
    const rules = await readRules(db);
    return { ...page, content: rows.map((row) => shownRow(row, { rules, language, sealed_to })) };
  },

  async details({ id }, { db, scope, language }) {
    const row = await readLogRow(db, id, { scope });
    if (!row) throw notFound();
    const [rules, { last_id }] = [await readRules(db), await lastSeal(db)];
    const [before, after] = [row.changes?.before ?? null, row.changes?.after ?? null];
    const differences = differencesBetween(row.changes?.before, row.changes?.after);
    // Content and states came out of JSON columns, where drizzle knows no narrower type.
    const states = { content: row.content, before, after } as { content: null; before: null; after: null };
    return { ...shownRow(row, { rules, language, sealed_to: last_id }), ...states, differences };
  },

  async export({ format, columns, ...filters }, context) {
    // What is wrong with the filters is told now, not by a failed operation.
    logWhere(filters, { scope: context.scope, time_zone: 'UTC' });
    return start('log_export', { filters, format, columns }, context);
  },

  clear: (input, context) => start('log_clear', input, context),

  async chain(_input, { db }) {
    const last = await lastSeal(db);
    const [sealed] = await db
      .select({ seals: count(), sealed_at: sql<string | null>`max(${log_seal.sealed_at})`.mapWith(log_seal.sealed_at) })
      .from(log_seal);
    const { rows } = await db.execute<{ number: number }>(sql`SELECT count(*) AS number FROM log WHERE id > ${last.last_id}`);
    const head = last.id === 0 ? null : `${last.id}:${last.hash.toString('hex')}`;
    return {
      seals: sealed?.seals ?? 0,
      sealed_to: last.last_id,
      unsealed: rows[0]?.number ?? 0,
      head,
      sealed_at: sealed?.sealed_at ?? null,
    };
  },
};
