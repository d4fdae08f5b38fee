import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './kit/testing/database.ts';

/** Tables that no drizzle table names, and why: all others must be named, with all their columns. */
const tablesOfSql: Record<string, string> = {
  attempt: 'one conditional upsert counts and decides',
  code_exhausted: 'written by the loader, told by one statement',
  domain_replacement_forward: 'written and read back by statements that join it',
  failover_level: 'written and compared by one statement',
  failover_paused_code: 'written and read back by statements that join it',
  forward_total: 'written by the loader, read as an expression of a list',
  import_file: 'read in portions, changed by its own statements',
  import_row: 'read in portions',
  ip_data: 'read and written by single statements, and by processes that do without drizzle',
  ip_data_part: 'read part by part by processes that do without drizzle',
  ip_data_use: 'two rows, read by processes that do without drizzle',
  journal_segment: 'of the loader, which does without drizzle',
  live_code_search: 'kept by triggers',
  live_code_share: 'one row a code, written and read by single statements',
  live_code_version_part: 'written by hash in the statement of the version',
  migration: 'of the migrations themselves',
  qr_design: 'each statement decides who sees what, at once',
  recurring_job: 'one table of the work loop, whose statements are common to several',
  secret: 'read by all processes, with drizzle or without',
  short_code_total: 'written by the loader, read as an expression of a list',
  short_code_visitor: 'written by the loader, read by statements over a span of days',
  statement_sample: 'written and compared by single statements',
  used_ticket: 'of the visit path, which does without drizzle',
  visit: 'written by COPY, read by statements over a span of days',
  visit_agent: 'of the loader, which does without drizzle',
  visit_change: 'kept by triggers, read by the visit path, which does without drizzle',
  visit_copy: 'one row, read and written by single statements',
  visit_copy_day: 'of the command that moves visits',
  visit_copy_entry: 'written by the loader, sent by a worker',
  visit_day_device: 'written by COPY, read as sums',
  visit_day_place: 'written by COPY, read as sums',
  visit_day_version: 'written with rows that come late or are removed, read in one look',
  visit_device: 'of the loader, which does without drizzle',
  visit_hour: 'written by COPY, read as sums',
  visit_hour_key: 'written by COPY, read as sums',
  visit_hour_origin: 'written by COPY, read as sums',
  visit_hour_origin_packed: 'written by one statement of a job, read as sums',
  visit_hour_packed: 'written by one statement of a job, read as sums',
  visit_hour_target: 'written by COPY, read as sums',
  visit_hour_target_packed: 'written by one statement of a job, read as sums',
  visit_place: 'of the loader, which does without drizzle',
  visit_site_device: 'written by COPY, read as sums',
  visit_site_hour: 'written by COPY, read as sums',
  visit_site_place: 'written by COPY, read as sums',
  visit_site_slice: 'written by COPY, read in one look',
  visit_text: 'of the loader, which does without drizzle',
  visit_unlogged_code: 'written by the loader, read with the days of a question',
  visitor: 'written by the loader, read by statements over a span of days',
};

/** Columns that drizzle tables leave out, and why. */
const columnsOfSql: Record<string, string> = {
  'log_checkpoint.tx': 'asked for by the trigger that guards removals',
  'log_seal.version': 'the database gives every seal the one version there is',
  'visit_source.created_at': 'asked for by the loader, which does without drizzle',
};

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const columnsOf = async <T extends object>(sql: string): Promise<T[]> => (await client.query<T>(sql)).rows;

/** Ordinary tables; partitions are as their parents are. */
const ours = `SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`;

type Column = { type: string; is_nullable: boolean; has_default: boolean; is_generated: boolean; is_key: boolean };

/** `{table}.{column}` as the database has it. */
async function migratedColumns(): Promise<Map<string, Column>> {
  const rows = await columnsOf<Column & { name: string }>(`
    SELECT relname || '.' || attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS is_nullable,
      (atthasdef AND attgenerated = '') OR attidentity <> '' AS has_default, attgenerated <> '' AS is_generated,
      EXISTS (SELECT FROM pg_index WHERE indrelid = pg_class.oid AND indisprimary AND attnum = ANY (indkey)) AS is_key
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE pg_class.oid IN (${ours}) AND attnum > 0 AND NOT attisdropped`);
  return new Map(rows.map(({ name, ...column }) => [name, column]));
}

const spelled = (type: string): string => type.replace('timestamptz', 'timestamp with time zone');

/** `{table}.{column}` as the product's drizzle tables have it. */
async function namedColumns(): Promise<Map<string, Column>> {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const files = globSync('**/*.ts', { cwd: folder }).filter(
    (file) => !file.endsWith('.test.ts') && readFileSync(join(folder, file), 'utf8').includes('pgTable('),
  );
  const modules: object[] = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  const tables = modules.flatMap((module) => Object.values(module).filter((value): value is PgTable => is(value, PgTable)));
  return new Map(
    tables.flatMap((table) => {
      const { name, columns, primaryKeys } = getTableConfig(table);
      const keys = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
      return columns.map((column): [string, Column] => [
        `${name}.${column.name}`,
        {
          type: spelled(column.getSQLType()),
          is_nullable: !column.notNull,
          has_default: column.hasDefault && column.generated === undefined,
          is_generated: column.generated !== undefined,
          is_key: column.primary || keys.has(column.name),
        },
      ]);
    }),
  );
}

const tableOf = (column: string): string => column.split('.')[0] ?? '';

test('drizzle tables say of every column what the migrated database says', async () => {
  const [migrated, named] = [await migratedColumns(), await namedColumns()];
  const different = [...named].filter(([name, column]) => JSON.stringify(migrated.get(name)) !== JSON.stringify(column));
  expect(Object.fromEntries(different)).toEqual(Object.fromEntries(different.map(([name]) => [name, migrated.get(name)])));
});

test('what drizzle tables leave out is left out for a reason', async () => {
  const [migrated, named] = [await migratedColumns(), await namedColumns()];
  const namedTables = new Set([...named.keys()].map(tableOf));
  const unnamed = [...migrated.keys()].filter((column) => !named.has(column));
  const tables = [...new Set(unnamed.map(tableOf))].filter((table) => !namedTables.has(table));
  expect(tables.sort()).toEqual(Object.keys(tablesOfSql).sort());
  expect(unnamed.filter((column) => namedTables.has(tableOf(column))).sort()).toEqual(Object.keys(columnsOfSql).sort());
});

/** PostgreSQL's own bound of names, in which it cuts those that it gives, too. */
const maxNameLength = 63;

test('indexes are named after their table and columns; a partial one may add a word for its condition', async () => {
  const indexes = await columnsOf<{ name: string; table: string; columns: string[]; suffix: string; is_partial: boolean }>(`
    SELECT indexrelid::regclass::text AS name, indrelid::regclass::text AS table, indpred IS NOT NULL AS is_partial,
      CASE WHEN indisprimary THEN 'pkey' WHEN indisunique THEN 'key' ELSE 'idx' END AS suffix,
      ARRAY(SELECT pg_get_indexdef(indexrelid, place, true) FROM generate_series(1, indnkeyatts) AS place) AS columns
    FROM pg_index WHERE indrelid IN (${ours})`);
  const isNamed = ({ name, table, columns, suffix, is_partial }: (typeof indexes)[number]): boolean => {
    // Of an expression the columns that it is made of.
    const words = columns.flatMap((column) => (/\((.*)\)/.exec(column)?.[1] ?? column).replaceAll('"', '').split(', '));
    const beginning = [table, ...(suffix === 'pkey' ? [] : words)].join('_').slice(0, maxNameLength - suffix.length - 1);
    return name === `${beginning}_${suffix}` || (is_partial && name.startsWith(`${beginning}_`) && name.endsWith(`_${suffix}`));
  };
  expect(indexes.filter((index) => !isNamed(index))).toEqual([]);
});

test('constraints are named after their table and columns', async () => {
  const constraints = await columnsOf<{ name: string; table: string; columns: string[]; suffix: string }>(`
    SELECT conname AS name, conrelid::regclass::text AS table, CASE contype WHEN 'f' THEN 'fkey' ELSE 'check' END AS suffix,
      ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint WHERE contype IN ('f', 'c') AND conrelid IN (${ours})`);
  const isNamed = ({ name, table, columns, suffix }: (typeof constraints)[number]): boolean =>
    new RegExp(`^${table}(_(${columns.join('|')}))+_${suffix}$`).test(name);
  expect(constraints.filter((constraint) => !isNamed(constraint))).toEqual([]);
});
