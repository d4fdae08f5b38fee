import { and, eq, inArray, sql } from 'drizzle-orm';
import type { BuiltInLanguage } from '../../contract/enums.ts';
import {
  type ImportedTextState,
  type ImportedTexts,
  type languageList,
  type TextRow,
  textFaults,
} from '../../contract/system/language-list.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { invalidField, notFound } from '../kit/calls/errors.ts';
import { builtInTexts } from '../kit/messages/messages.ts';
import type { Database } from '../kit/postgres/database.ts';
import { defaultPageSize } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { controlsIn, readTexts, textFault } from './languages.rules.ts';
import { language, language_text } from './languages.table.ts';

/** Enough of a text to know it by. */
const excerptLength = 300;
const isFault = (state: ImportedTextState): boolean => textFaults.some((fault) => fault === state);

type Overwritten = Pick<TextRow, 'text' | 'updated_at' | 'updated_by' | 'updated_by_account'>;

async function baseOf(db: Database, code: string): Promise<BuiltInLanguage> {
  const [found] = await db.select({ base: language.base }).from(language).where(eq(language.code, code));
  if (!found) throw notFound();
  return found.base;
}

async function overwrittenIn(db: Database, code: string): Promise<Map<string, Overwritten>> {
  const rows = await db
    .select({
      key: language_text.key,
      text: language_text.text,
      updated_at: language_text.updated_at,
      updated_by: language_text.updated_by,
      updated_by_account: user_account.account,
    })
    .from(language_text)
    .leftJoin(user_account, eq(user_account.id, language_text.updated_by))
    .where(eq(language_text.code, code));
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

async function rowsOf(db: Database, code: string): Promise<TextRow[]> {
  const [base, overwritten] = await Promise.all([baseOf(db, code), overwrittenIn(db, code)]);
  const none: Overwritten = { text: null, updated_at: null, updated_by: null, updated_by_account: null };
  return [...builtInTexts(base)].map(([key, built_in]) => ({ key, built_in, ...(overwritten.get(key) ?? none) }));
}

/**
 * Changes texts of a language, one change after the other, and gives them a version of their own. A null goes back to the built-in text.
 * The log tells what they were before.
 */
async function store(code: string, texts: ReadonlyMap<string, string | null>, { db, actor, audit }: Context): Promise<number> {
  const keys = [...texts.keys()];
  const former = await db
    .select({ key: language_text.key, text: language_text.text })
    .from(language_text)
    .where(and(eq(language_text.code, code), inArray(language_text.key, keys)));
  const before = new Map(former.map(({ key, text }) => [key, text]));
  const changed = keys.filter((key) => (before.get(key) ?? null) !== texts.get(key));
  if (changed.length === 0) return 0;
  const gone = changed.filter((key) => texts.get(key) === null);
  if (gone.length > 0) await db.delete(language_text).where(and(eq(language_text.code, code), inArray(language_text.key, gone)));
  const rows = changed.flatMap((key) => {
    const text = texts.get(key);
    return typeof text === 'string' ? [{ key, text }] : [];
  });
  // One parameter however many texts there are: PostgreSQL takes 65,535 at most.
  await db.execute(sql`
    INSERT INTO language_text (code, key, text, updated_by)
    SELECT ${code}, key, text, ${actor.user_id} FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (key text, text text)
    ON CONFLICT (code, key) DO UPDATE SET text = excluded.text, updated_by = excluded.updated_by, updated_at = now()`);
  await db.execute(sql`UPDATE language SET version = nextval('language_version'), updated_at = now() WHERE code = ${code}`);
  const state = (of: ReadonlyMap<string, string | null>) => Object.fromEntries(changed.map((key) => [key, of.get(key) ?? null]));
  audit({ before: state(before), after: state(texts) });
  return changed.length;
}

/** Nobody else changes the texts of this language until the transaction ends. */
async function lockLanguage(db: Database, code: string): Promise<BuiltInLanguage> {
  const [found] = await db.select({ base: language.base }).from(language).where(eq(language.code, code)).for('update');
  if (!found) throw notFound();
  return found.base;
}

type Read = { texts: Map<string, string | null>; report: ImportedTexts };

/** What a file would do to the texts as they are now. */
async function readFile(db: Database, base: BuiltInLanguage, { code, json }: { code: string; json: string }): Promise<Read> {
  const given = readTexts(json);
  if (!given) throw invalidField('json', 'not_texts');
  const [builtIn, overwritten] = [builtInTexts(base), await overwrittenIn(db, code)];
  const texts = new Map<string, string | null>();
  const results: ImportedTexts['results'] = [];
  let unchanged = 0;
  for (const [key, value] of given) {
    const original = builtIn.get(key);
    const own = overwritten.get(key)?.text ?? null;
    const fault = textFault(original, value);
    // Objects and lists may be nested deeper than anything that calls itself for every level can follow.
    const text = typeof value === 'object' && value !== null ? '' : String(value);
    const state: ImportedTextState = fault ?? stateOf(text, original, own);
    if (state === 'unchanged') unchanged += 1;
    else results.push({ key: excerpt(key), state, text: excerpt(text), before: excerpt(own ?? original ?? '') });
    if (!fault && state !== 'unchanged') texts.set(key, state === 'reset' ? null : text);
  }
  results.sort((one, other) => Number(isFault(other.state)) - Number(isFault(one.state)));
  return { texts, report: { changes: texts.size, faults: results.length - texts.size, results, unchanged } };
}

function stateOf(text: string, builtIn: string | undefined, own: string | null): ImportedTextState {
  if (text === (own ?? builtIn)) return 'unchanged';
  if (text === builtIn) return 'reset';
  return own === null ? 'new' : 'changed';
}

const excerpt = (text: string): string => text.slice(0, excerptLength).toWellFormed().replaceAll(controlsIn, '\ufffd');

type TextCalls = Pick<
  Service<typeof languageList>,
  'inquire_texts' | 'update_text' | 'reset_texts' | 'export_texts' | 'check_texts' | 'import_texts'
>;

/** The calls about the texts of one language. `tellPages` makes open pages ask for them anew. */
export const textCalls = (tellPages: (db: Database) => Promise<void>): TextCalls => ({
  async inquire_texts({ code, search = '', overridden, page = 1, page_size = defaultPageSize, sort = 'key', order = 'asc' }, { db }) {
    const wanted = search.trim().toLowerCase();
    const found = (await rowsOf(db, code)).filter(
      ({ key, built_in, text }) =>
        (overridden === undefined || overridden === (text !== null)) &&
        [key, built_in, text ?? ''].some((words) => words.toLowerCase().includes(wanted)),
    );
    const direction = order === 'asc' ? 1 : -1;
    const sortedBy = (row: TextRow) => (sort === 'updated_at' ? (row.updated_at ?? '') : row.key);
    // Sorting is stable, and the built-in texts come in the order of their files.
    if (sort !== 'key' || order !== 'asc')
      found.sort((one, other) => direction * (sortedBy(one) < sortedBy(other) ? -1 : sortedBy(one) > sortedBy(other) ? 1 : 0));
    return { content: found.slice((page - 1) * page_size, page * page_size), total: found.length, page, page_size };
  },

  async update_text({ code, key, text }, context) {
    const builtIn = builtInTexts(await lockLanguage(context.db, code)).get(key);
    const fault = textFault(builtIn, text);
    if (fault) throw invalidField(fault === 'unknown_key' ? 'key' : 'text', `text_${fault}`);
    if ((await store(code, new Map([[key, text === builtIn ? null : text]]), context)) > 0) await tellPages(context.db);
    const row = (await rowsOf(context.db, code)).find((found) => found.key === key);
    if (!row) throw notFound();
    return row;
  },

  async reset_texts({ code, keys }, context) {
    await lockLanguage(context.db, code);
    const affected = await store(code, new Map(keys.map((key) => [key, null])), context);
    if (affected > 0) await tellPages(context.db);
    return { affected };
  },

  async export_texts({ code, overridden = false }, { db }) {
    const rows = (await rowsOf(db, code)).filter(({ text }) => !overridden || text !== null);
    return { code, texts: Object.fromEntries(rows.map(({ key, built_in, text }) => [key, text ?? built_in])) };
  },

  async check_texts(input, { db }) {
    return (await readFile(db, await baseOf(db, input.code), input)).report;
  },

  async import_texts(input, context) {
    const { texts, report } = await readFile(context.db, await lockLanguage(context.db, input.code), input);
    if (texts.size > 0 && (await store(input.code, texts, context)) > 0) await tellPages(context.db);
    return report;
  },
});
