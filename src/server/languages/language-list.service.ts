import { eq, type SQL, sql } from 'drizzle-orm';
import { isBuiltInLanguage, showStatus } from '../../contract/enums.ts';
import { socketTypes } from '../../contract/socket.ts';
import type { LanguageRow, languageList } from '../../contract/system/language-list.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import { pushToPages } from '../kit/messages/push.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, equals, list } from '../kit/rows/list.ts';
import { setting } from '../settings/settings.table.ts';
import { type KnownLanguages, offeredLanguages } from './languages.public.ts';
import { language } from './languages.table.ts';
import { textCalls } from './languages.texts.ts';

/** A call that changes which language is the default one, or hides one, waits for others who do: the settings' own lock. */
const lockSettings = (db: Database) => db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode settings'))`);

const defaultLanguage = sql`coalesce((SELECT value #>> '{}' FROM setting WHERE setting.key = 'default_language'), 'zh-CN')`;
const default_language = sql<1 | 2>`(CASE WHEN language.code = ${defaultLanguage} THEN 2 ELSE 1 END)`.mapWith(Number) as SQL<1 | 2>;
const overridden = sql<number>`(SELECT count(*) FROM language_text WHERE language_text.code = language.code)`.mapWith(Number);
const fields = {
  code: language.code,
  base: language.base,
  title: language.title,
  icon: language.icon,
  country: language.country,
  abbreviation: language.abbreviation,
  phone_area_code: language.phone_area_code,
  sort: language.sort,
  show_status: language.show_status,
  version: language.version,
  created_at: language.created_at,
  updated_at: language.updated_at,
  default_language,
  overridden,
};

type Stored = Omit<LanguageRow, 'built_in'>;
const shown = (row: Stored): LanguageRow => ({ ...row, built_in: isBuiltInLanguage(row.code) });

async function read(db: Database, code: string): Promise<LanguageRow> {
  const [found] = await db.select(fields).from(language).where(eq(language.code, code));
  if (!found) throw notFound();
  return shown(found);
}

/** Open pages ask anew which languages there are, and for their texts. */
const tellPages = (db: Database) => pushToPages(db, { to: { all: true }, type: socketTypes.languages });

type Change = Partial<Pick<LanguageRow, 'title' | 'icon' | 'country' | 'abbreviation' | 'phone_area_code' | 'sort' | 'show_status'>>;

async function change(code: string, input: Change, { isDefault = false }, { db, actor, audit }: Context): Promise<LanguageRow> {
  await lockSettings(db);
  const before = await read(db, code);
  const isHidden = (input.show_status ?? before.show_status) === showStatus.hidden;
  if (isHidden && (isDefault || before.default_language === 2)) throw invalidField('show_status', 'default_stays_shown');
  if (isDefault && !isBuiltInLanguage(code)) throw invalidField('default_language', 'only_built_in');
  await db
    .update(language)
    .set({ ...input, updated_at: sql`now()` })
    .where(eq(language.code, code));
  if (isDefault) {
    const value = sql`${JSON.stringify(code)}::jsonb`;
    await db
      .insert(setting)
      .values({ key: 'default_language', value, updated_by: actor.user_id })
      .onConflictDoUpdate({ target: setting.key, set: { value, updated_by: actor.user_id, updated_at: sql`now()` } });
  }
  await tellPages(db);
  const after = await read(db, code);
  const { updated_at: _before, ...was } = before;
  const { updated_at: _after, ...is } = after;
  audit(changesBetween(was, is));
  return after;
}

/** The languages of the site: the list, and the texts that operators put in the place of built-in ones. */
export const languageListService = (languages: () => Promise<KnownLanguages>): Service<typeof languageList> => ({
  inquire: async () => ({ content: offeredLanguages(await languages()) }),

  async texts({ code }) {
    const found = (await languages()).spoken.get(code);
    if (!found) throw notFound();
    return { code, version: found.version, texts: Object.fromEntries(found.texts) };
  },

  async inquire_all({ search, show_status, ...input }, { db }) {
    const page = await list(db, input.sort ? input : { ...input, sort: 'sort' as const }, {
      fields,
      from: language,
      where: sql.join(
        [contains([language.code, language.title], search) ?? sql`true`, equals(language.show_status, show_status) ?? sql`true`],
        sql` AND `,
      ),
      sorts: { sort: language.sort, code: language.code, title: language.title, overridden, updated_at: language.updated_at },
      key: language.code,
    });
    return { ...page, content: page.content.map(shown) };
  },

  async add(input, { db }) {
    if (isBuiltInLanguage(input.code)) throw invalidField('code', 'taken');
    await db
      .insert(language)
      .values(input)
      .catch(mapUniqueViolation({ language_code_key: 'code', language_pkey: 'code' }));
    await tellPages(db);
    return read(db, input.code);
  },

  update: ({ code, default_language: flag, ...input }, context) => change(code, input, { isDefault: flag === 2 }, context),

  async update_sort({ code, sort }, context) {
    if (sort !== null) return change(code, { sort }, {}, context);
    // Two that are moved to the top at once get a place each.
    await lockSettings(context.db);
    const [top] = await context.db
      .select({ sort: sql<number>`least(max(${language.sort})::int8 + 10, 1000000000)`.mapWith(Number) })
      .from(language);
    return change(code, { sort: top?.sort ?? 0 }, {}, context);
  },

  async remove({ code }, { db, audit }) {
    if (isBuiltInLanguage(code)) throw new AppError(409, 'language_list.built_in');
    const removed = await db.delete(language).where(eq(language.code, code)).returning();
    if (removed.length === 0) throw notFound();
    await tellPages(db);
    audit({ before: removed[0] });
    return { affected: removed.length };
  },

  ...textCalls(tellPages),
});
