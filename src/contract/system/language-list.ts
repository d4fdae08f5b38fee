import { z } from 'zod';
import { defaultFlag, languages, showStatus, showStatuses, yesNo } from '../enums.ts';
import { anybody, call, group, holders } from '../kit/call.ts';
import { count, done, id, line, oneOf, rank, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { languageCode } from './language.ts';

export const maximumText = 2000;
/** Characters of a file of texts; the longest language of ours has a tenth of it. */
export const maximumImport = 1_000_000;
export const maximumImportTexts = 20_000;

const fields = {
  title: line(40).min(1, 'required'),
  /** A character or two beside the title, such as a flag. */
  icon: line(8),
  /** ISO 3166, two letters; empty where the language belongs to none. */
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/, 'invalid_country')
    .max(2),
  abbreviation: line(8),
  phone_area_code: z
    .string()
    .regex(/^(\+\d{1,4})?$/, 'invalid_phone_area_code')
    .max(5),
  sort: rank,
  show_status: oneOf(showStatuses),
};

/** A language as anybody may know it. */
export const offeredLanguage = z.object({
  code: z.string(),
  /** The built-in language whose texts and formats it uses. */
  base: z.enum(languages),
  title: z.string(),
  icon: z.string(),
  country: z.string(),
  abbreviation: z.string(),
  phone_area_code: z.string(),
  default_language: oneOf(yesNo),
  /** Changes with every change of its own texts; 0: it never had any. */
  version: count,
});
export type OfferedLanguage = z.infer<typeof offeredLanguage>;

export const languageRow = offeredLanguage.extend({
  sort: count,
  show_status: oneOf(showStatuses),
  /** Comes with the product, and cannot be removed. */
  built_in: z.boolean(),
  /** How many of its texts were overwritten. */
  overridden: count,
  created_at: time,
  updated_at: time,
});
export type LanguageRow = z.infer<typeof languageRow>;

export const textRow = z.object({
  key: z.string(),
  built_in: z.string(),
  /** The text in its place; null where it was not overwritten. */
  text: z.string().nullable(),
  updated_at: time.nullable(),
  updated_by: id.nullable(),
  updated_by_account: z.string().nullable(),
});
export type TextRow = z.infer<typeof textRow>;

/** What is wrong with a text for a key. Gaps are the `{{name}}` of the built-in text: each must be there, and no other. */
export const textFaults = [
  'unknown_key',
  'not_text',
  'empty',
  'too_long',
  'invalid_characters',
  'malformed_gap',
  'unknown_gap',
  'missing_gap',
] as const;
export type TextFault = (typeof textFaults)[number];

/** What an import does with one text: `reset` goes back to the built-in one, because it is the same. */
export const importedTextStates = ['new', 'changed', 'reset', 'unchanged', ...textFaults] as const;
export type ImportedTextState = (typeof importedTextStates)[number];

const imported = z.object({
  /** Of which so many change something, or would. */
  changes: count,
  faults: count,
  /** What changes and what is wrong, faults first; what stays as it is is only counted. */
  results: z.array(z.object({ key: z.string(), state: z.enum(importedTextStates), text: z.string(), before: z.string() })),
  unchanged: count,
});
export type ImportedTexts = z.infer<typeof imported>;

const file = z.object({
  code: languageCode,
  /** JSON: an object of texts by key, `{"common.save": "…"}` or nested as `{"common": {"save": "…"}}`. */
  json: z.string().min(1, 'required').max(maximumImport, 'texts_too_large'),
});

const { title, ...optional } = fields;
/** A file of Chinese texts takes three bytes a character. */
const importBody = 3 * maximumImport + 100_000;

const key = z.string().min(1, 'required').max(200);

export const languageList = group('language_list', {
  inquire: call({
    summary: 'The languages that are offered, in their order.',
    access: anybody,
    input: z.object({ show_status: z.literal(showStatus.shown).optional() }),
    output: z.object({ content: z.array(offeredLanguage) }),
    limit: { max: 240, seconds: 60 },
    in_maintenance: true,
  }),
  texts: call({
    summary: 'The texts that were overwritten in a language, as they are now; `version` keeps answers to different states apart.',
    access: anybody,
    input: z.object({ code: languageCode, version: count.optional() }),
    output: z.object({ code: z.string(), version: count, texts: z.record(z.string(), z.string()) }),
    limit: { max: 240, seconds: 60 },
    in_maintenance: true,
  }),
  inquire_all: call({
    summary: 'All languages, the hidden ones too.',
    access: holders('language_list'),
    input: listInput(['sort', 'code', 'title', 'overridden', 'updated_at'], {
      /** Found in code and title. */
      search: z.string().max(64).optional(),
      show_status: oneOf(showStatuses).optional(),
    }),
    output: pageOf(languageRow),
  }),
  add: call({
    summary: 'Add a language. Until they are overwritten, it shows the texts of its base.',
    access: holders('language_list.add'),
    input: z.object({ code: languageCode, base: z.enum(languages), title, ...z.object(optional).partial().shape }),
    output: languageRow,
    writes: true,
  }),
  update: call({
    summary: 'Change a language; `default_language` 2 makes it the one of the site. The default one cannot be hidden.',
    access: holders('language_list.update'),
    input: z.object({
      code: languageCode,
      ...z.object(fields).partial().shape,
      default_language: z.literal(defaultFlag.yes).optional(),
    }),
    output: languageRow,
    writes: true,
  }),
  update_sort: call({
    summary: 'Rank a language: larger comes first, null before all others.',
    access: holders('language_list.update'),
    input: z.object({ code: languageCode, sort: rank.nullable() }),
    output: languageRow,
    writes: true,
  }),
  remove: call({
    summary: 'Remove a language that was added, with its texts.',
    access: holders('language_list.remove'),
    input: z.object({ code: languageCode }),
    output: done,
    writes: true,
  }),
  inquire_texts: call({
    summary: 'The texts of a language by key, with what was put in their place.',
    access: holders('language_list', 'language_list.texts'),
    input: listInput(['key', 'updated_at'], {
      code: languageCode,
      /** Found in key, built-in text and the one in its place. */
      search: z.string().max(100).optional(),
      overridden: z.boolean().optional(),
    }),
    output: pageOf(textRow),
  }),
  update_text: call({
    summary: 'Overwrite one text. The built-in text itself takes the other one away.',
    access: holders('language_list.texts'),
    input: z.object({ code: languageCode, key, text: text(maximumText).min(1, 'required') }),
    output: textRow,
    writes: true,
  }),
  reset_texts: call({
    summary: 'Go back to the built-in texts at these keys.',
    access: holders('language_list.texts'),
    bodyLimit: 1_200_000,
    input: z.object({ code: languageCode, keys: z.array(key).min(1).max(5000) }),
    output: done,
    writes: true,
  }),
  export_texts: call({
    summary: 'All texts of a language by key, or only those that were overwritten.',
    access: holders('language_list', 'language_list.texts'),
    input: z.object({ code: languageCode, overridden: z.boolean().optional() }),
    output: z.object({ code: z.string(), texts: z.record(z.string(), z.string()) }),
  }),
  check_texts: call({
    summary: 'What an import of this file would do, text by text. Nothing is changed.',
    access: holders('language_list.texts'),
    bodyLimit: importBody,
    input: file,
    output: imported,
  }),
  import_texts: call({
    summary: 'Overwrite texts from a file. Texts that are wrong are left out, and named.',
    access: holders('language_list.texts'),
    bodyLimit: importBody,
    input: file,
    output: imported,
    writes: true,
    secrets: ['json'],
  }),
});
