import { type Settings, settingsOf } from '../../contract/settings.ts';

/** Anything that runs a query with positional parameters and answers rows: a `pg` pool or client. */
type Queryable = { query: (text: string) => Promise<{ rows: { key: string; value: unknown }[] }> };

export async function readSettings(db: Queryable): Promise<Settings> {
  const { rows } = await db.query('SELECT key, value FROM setting');
  return settingsOf(rows);
}
