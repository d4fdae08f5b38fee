import { holders } from '../../contract/kit/call.ts';
import { logFilterSchema } from '../../contract/system/log.ts';
import { type Cell, exportSource } from '../kit/rows/exports.ts';
import { log } from '../kit/rows/tables.ts';
import { logRowsAfter, logWhere, type ReadRow } from './logs.list.ts';
import { type LogRules, readRules } from './logs.rules.ts';
import { inWords } from './logs.words.ts';

const json = (value: unknown): Cell => (value === null || value === undefined ? null : JSON.stringify(value));

const clocks = new Map<string, Intl.DateTimeFormat>();

/** `2026-01-31 23:59:00` in the time zone of the site. */
function localTime(at: string, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, clock);
  return clock.format(new Date(at));
}

type ExportedRow = ReadRow & { rules: LogRules };

/** All entries that fit the filters, the content and what changed as JSON. */
export const logExport = exportSource({
  name: 'log',
  access: holders('log.export'),
  filters: logFilterSchema,
  columns: [
    { key: 'id', title: 'log.column.id', cell: (row: ExportedRow) => row.id },
    { key: 'at', title: 'log.column.at', cell: (row, { settings }) => localTime(row.at, settings.time_zone) },
    { key: 'user', title: 'log.column.user', cell: (row) => row.user_account },
    { key: 'impersonator', title: 'log.column.impersonator', cell: (row) => row.impersonator_account },
    { key: 'type', title: 'log.column.type', cell: (row) => row.type },
    { key: 'sentence', title: 'log.column.sentence', cell: (row, { language }) => inWords(row, row.rules, language) },
    { key: 'ip', title: 'log.column.ip', cell: (row) => row.ip },
    { key: 'source', title: 'log.column.source', cell: (row) => row.source },
    { key: 'user_agent', title: 'log.column.user_agent', cell: (row) => row.user_agent },
    { key: 'content', title: 'log.column.content', cell: (row) => json(row.content) },
    { key: 'before', title: 'log.column.before', cell: (row) => json(row.changes?.before) },
    { key: 'after', title: 'log.column.after', cell: (row) => json(row.changes?.after) },
  ],
  select: async (filters, { scope, settings }) => ({ from: log, where: logWhere(filters, { scope, time_zone: settings.time_zone }) }),
  async rows(where, { db }, page) {
    const rules = await readRules(db);
    const rows = await logRowsAfter(db, where, page);
    return rows.map((row) => ({ ...row, rules }));
  },
});
