import type { BuiltInLanguage, Language } from '../../contract/enums.ts';
import { settings } from '../../contract/settings.ts';
import type { OfferedLanguage } from '../../contract/system/language-list.ts';
import { builtInTexts, type SiteLanguages, type SupportedLocale } from '../kit/messages/messages.ts';
import { textFault } from './languages.rules.ts';

/** Anything that runs a query and answers rows: a `pg` pool or client. */
type Queryable = { query: <R extends object>(statement: { name: string; text: string }) => Promise<{ rows: R[] }> };

type Row = Omit<OfferedLanguage, 'default_language'> & { show_status: boolean; texts: Record<string, string> | null; default: unknown };

/** The languages of the site with the texts that were overwritten, in the order in which they are offered. */
type KnownLanguage = Omit<SupportedLocale, 'code'> & OfferedLanguage;
export type KnownLanguages = Omit<SiteLanguages, 'spoken'> & { spoken: ReadonlyMap<Language, KnownLanguage> };

/** A text that no longer fits its key, because the built-in one has changed since, is left out. */
function fitting(base: BuiltInLanguage, texts: Record<string, string> | null): ReadonlyMap<string, string> {
  const builtIn = builtInTexts(base);
  return new Map(Object.entries(texts ?? {}).filter(([key, text]) => textFault(builtIn.get(key), text) === undefined));
}

export async function readLanguages(db: Queryable): Promise<KnownLanguages> {
  const text = `
    SELECT code, base, title, icon, country, abbreviation, phone_area_code, version::int8, show_status,
      (SELECT jsonb_object_agg(key, text) FROM language_text WHERE language_text.code = language.code) AS texts,
      (SELECT value FROM setting WHERE key = 'default_language') AS default
    FROM language ORDER BY sort DESC, code`;
  const { rows } = await db.query<Row>({ name: 'read_languages', text });
  const parsed = settings.default_language.schema.safeParse(rows[0]?.default);
  const default_language = parsed.success ? parsed.data : settings.default_language.default;
  const spoken = rows.map(({ show_status, texts, default: _default, ...row }): [Language, KnownLanguage] => [
    row.code,
    {
      ...row,
      default_language: row.code === default_language ? 2 : 1,
      is_offered: show_status,
      texts: fitting(row.base, texts),
    },
  ]);
  return { default_language, spoken: new Map(spoken) };
}

/** The languages that are offered, in their order. */
export const offeredLanguages = (known: KnownLanguages): OfferedLanguage[] =>
  [...known.spoken.values()]
    .filter((language) => language.is_offered)
    .map(({ is_offered: _offered, texts: _texts, ...language }) => language);
