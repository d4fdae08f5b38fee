import { z } from 'zod';
import { accessModes, jumpTypes, pageStyles, rotationModes, visitRestrictions } from '../enums.ts';
import { color, id, line, oneOf, targetUrl, text, time } from '../kit/fields.ts';
import { maxSnippetsOfCode } from '../links/js-config.providers.ts';

export const fileNamePattern = /^[a-z0-9_-]{4,32}$/;

const fileName = z.string().trim().toLowerCase().regex(fileNamePattern, 'invalid_file_name').max(32);

type Definition = {
  schema: z.ZodType;
  /** What a new code has where nothing is said. The server makes file names and chooses domains by itself. */
  initial: unknown;
  /** How a table's cell says it, where imports and exports have it. */
  cell?: 'key' | 'text' | 'choice' | 'flag' | 'time' | 'domain' | 'group';
  /** The values of a choice. */
  values?: readonly (string | number)[];
  /** The words for its values stand under `qr_code_list.{words}.{value}`. */
  words?: string;
  /** Many codes can be given one value at once. */
  batch?: true;
  /** Lists can be filtered by it. */
  filter?: true;
};

/**
 * What can be changed of a live code, but for its targets, design and password. The calls, lists, versions, copies, imports, exports and
 * the initial form are derived from here: a new field is a line here, a column (a migration and `live-codes.table.ts`), its text under
 * `code_import.field`, a control in the form, and `redirect/memory/load.ts` where visits depend on it.
 */
const definitions = {
  file_name: { schema: fileName, initial: '', cell: 'key' },
  name: { schema: line(64).min(1, 'required'), initial: '', cell: 'text' },
  remark: { schema: line(200), initial: '', cell: 'text', batch: true },
  /** A group of the code's owner; null is without a group. */
  group_id: { schema: id.nullable(), initial: null, cell: 'group' },
  entry_domain_id: { schema: id.nullable(), initial: null, cell: 'domain' },
  landing_domain_id: { schema: id.nullable(), initial: null, cell: 'domain' },
  open: { schema: z.boolean(), initial: true, cell: 'flag', words: 'open', batch: true, filter: true },
  rotation_mode: {
    schema: oneOf(rotationModes),
    initial: 1,
    cell: 'choice',
    values: rotationModes,
    words: 'rotation',
    batch: true,
    filter: true,
  },
  jump_type: { schema: oneOf(jumpTypes), initial: 1, cell: 'choice', values: jumpTypes, words: 'jump', batch: true },
  access_mode: { schema: oneOf(accessModes), initial: 1, cell: 'choice', values: accessModes, words: 'access', batch: true, filter: true },
  restriction_visit: {
    schema: oneOf(visitRestrictions),
    initial: 1,
    cell: 'choice',
    values: visitRestrictions,
    words: 'restriction',
    batch: true,
    filter: true,
  },
  open_log: { schema: z.boolean(), initial: true, cell: 'flag', words: 'log', batch: true, filter: true },
  /** A visitor who comes again is sent to the target he had, as long as it is usable. */
  same_target: { schema: z.boolean(), initial: false, cell: 'flag' },
  fallback_url: { schema: targetUrl.nullable(), initial: null, cell: 'text', batch: true },
  page_title: { schema: line(64), initial: '', cell: 'text' },
  page_text: { schema: text(2000), initial: '', cell: 'text' },
  page_style: { schema: z.enum(pageStyles), initial: 'card', cell: 'choice', values: pageStyles, words: 'page_style' },
  page_color: { schema: color.nullable(), initial: null, cell: 'text' },
  expires_at: { schema: time.nullable(), initial: null, cell: 'time', batch: true },
  /** Snippets that run on the code's pages, beside those for all codes. */
  js_config_ids: { schema: z.array(id).max(maxSnippetsOfCode), initial: [] },
} as const satisfies Record<string, Definition>;

type Definitions = typeof definitions;
export type CodeField = keyof Definitions;
/** The fields whose definition says this, such as `{ batch: true }`. */
type FieldWith<Part> = { [K in CodeField]: Definitions[K] extends Part ? K : never }[CodeField];

export const codeFields = Object.keys(definitions) as CodeField[];
export const codeField: Readonly<Record<CodeField, Definition>> = definitions;
const parts = (part: 'schema' | 'initial') => Object.fromEntries(codeFields.map((field) => [field, codeField[field][part]]));

export const liveCodeFields = parts('schema') as { [K in CodeField]: Definitions[K]['schema'] };
export type CodeFieldValues = { [K in CodeField]: z.infer<Definitions[K]['schema']> };
export const initialFields = parts('initial') as CodeFieldValues;

type Cell = NonNullable<Definition['cell']>;
/** The fields that cells of tables say in one of these ways. */
export const fieldsInCells = <C extends Cell>(...cells: readonly C[]) =>
  codeFields.filter((field) => cells.some((cell) => cell === codeField[field].cell)) as FieldWith<{ cell: C }>[];

export const batchFields = codeFields.filter((field) => codeField[field].batch) as FieldWith<{ batch: true }>[];
export const filterFields = codeFields.filter((field) => codeField[field].filter) as FieldWith<{ filter: true }>[];
