import { z } from 'zod';
import { domainOption } from '../domains/domain-list.ts';
import { accept_risk } from '../domains/domain-replacement.ts';
import { targetKinds } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, id } from '../kit/fields.ts';
import { exportFormats, startedOperation } from '../system/async-operations.ts';
import { fieldsInCells } from './live-code-fields.ts';

export const maxImportRows = 10_000;
export const maxImportColumns = 200;
export const maxImportBytes = 10_000_000;

const cellFields = fieldsInCells('key', 'text', 'choice', 'flag', 'time', 'domain', 'group');
type ColumnOf<F extends string> = F extends `${infer Column}_id` ? Column : F;
/** The column of a field that names something by its words instead of its id: `group` for `group_id`. */
export const columnOf = <F extends string>(field: F) => field.replace(/_id$/, '') as ColumnOf<F>;
/** Columns that go into the remark: what other systems know of a code and we have no field for. */
export const remarkColumns = ['created', 'visits', 'tags'] as const;
/** What a column can hold, beside the targets in columns of their own. */
export const importFields = [...cellFields.map(columnOf), 'targets', ...remarkColumns] as const;
export type ImportField = (typeof importFields)[number];
export const maxTargetColumns = 20;
export const targetColumnParts = ['name', 'weight', 'threshold'] as const;
const targetColumn = /^target_([1-9]|1\d|20)(_(name|weight|threshold))?$/;
/** A field of a code, `target_1` … `target_20` with its `_name`, `_weight` and `_threshold`, or null for a column that is left out. */
const columnField = z.union([z.enum(importFields), z.string().regex(targetColumn, 'invalid_choice').max(40)]).nullable();

/** Systems whose exports are known by their columns. */
export const importSources = ['livecode', 'kutt', 'yourls', 'shlink', 'bitly', 'yinliubao', 'other'] as const;
export type ImportSource = (typeof importSources)[number];

/** What `POST /api/code_import/file` (multipart, field `file`) answers. */
export const importFile = z.object({
  id: z.uuid(),
  name: z.string(),
  format: z.enum(exportFormats),
  encoding: z.string(),
  source: z.enum(importSources),
  header: z.array(z.string()),
  /** What each column seems to hold. */
  columns: z.array(columnField),
  row_number: count,
  /** The first rows as they stand in the file. */
  sample: z.array(z.array(z.string())),
});
export type ImportFile = z.infer<typeof importFile>;

export const keyPolicies = ['skip', 'update', 'new_key'] as const;
export const oddKeyPolicies = ['refuse', 'new_key'] as const;

const plan = {
  id: z.uuid(),
  columns: z.array(columnField).max(maxImportColumns),
  /** What becomes of a row whose key is a code's already. Only own codes are updated. */
  existing: z.enum(keyPolicies),
  /** What becomes of a key that isn't possible here. */
  odd_keys: z.enum(oddKeyPolicies),
  /** Takes domains with a known risk, too; else their rows come as if they named none. */
  accept_risk,
};
export const importPlan = z.object(plan);
export type ImportPlan = z.infer<typeof importPlan>;

const rowFault = z.object({
  /** As a spreadsheet counts: the header is row 1. */
  row: count,
  /** The column's heading; empty where the fault is the whole row's. */
  column: z.string(),
  /** Its words stand under `errors.field.{code}`. */
  code: z.string(),
  /** The figures that the words need, such as `maximum`. */
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  value: z.string(),
});
export type RowFault = z.infer<typeof rowFault>;

export const codeImport = group('code_import', {
  check: call({
    summary: 'What importing a file would do, row by row, without doing it.',
    access: requireAny('qr_code_list.import'),
    input: importPlan,
    output: z.object({
      added: count,
      updated: count,
      skipped: count,
      refused: count,
      /** The first 2,000. */
      faults: z.array(rowFault),
      /** Keys that will be others, and the like: the first 200. */
      notes: z.array(rowFault),
      new_groups: z.array(z.string()),
      /** What is known of the domains that its rows name: the first 50. */
      domains: z.array(domainOption),
      /** Where new codes stand whose row names no entry domain, or one that is not taken. */
      usual_entry: domainOption.nullable(),
      preview: z.array(
        z.object({
          row: count,
          file_name: z.string(),
          name: z.string(),
          targets: z.array(z.object({ kind: z.enum(targetKinds), content: z.string() })),
          group: z.string(),
        }),
      ),
    }),
    limit: { max: 60, seconds: 60 },
  }),
  start: call({
    summary: 'Import a file as an operation; rows with faults are left out and told.',
    access: requireAny('qr_code_list.import'),
    input: importPlan,
    output: startedOperation,
    writes: true,
  }),
  template: call({
    summary: 'An empty table with headings and two examples, as base64.',
    access: requireAny('qr_code_list.import'),
    input: z.object({ format: z.enum(exportFormats) }),
    output: z.object({ name: z.string(), content: z.string() }),
  }),
});

export const importOperation = z.object({ file_id: z.uuid(), user_id: id });
