import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import { builtInDates } from './facts/place.ts';

const dayMilliseconds = 86_400_000;

/** Data that is older than so many days is warned of; 0: never. */
export type AgeOptions = { now: Date; warning_days: number };

/** The day on which the data of a list was made: of an uploaded one by its header, else of the built-in one. */
export const dataOf = (family: 4 | 6, made_at: string | null | undefined): string => made_at?.slice(0, 10) ?? builtInDates[family];

/** How old data is, and whether that is too old. */
export function agedBy(data_date: string, { now, warning_days }: AgeOptions) {
  const age_days = Math.max(0, Math.floor((now.getTime() - Date.parse(data_date)) / dayMilliseconds));
  return { data_date, age_days, is_old: warning_days > 0 && age_days > warning_days };
}

/** The lists in use that are too old. */
export async function oldLists(db: Database, options: AgeOptions): Promise<{ family: 4 | 6; data_date: string }[]> {
  const { rows } = await db.execute<{ family: 4 | 6; made_at: string | null }>(sql`
    SELECT ip_data_use.family, to_char(made_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS made_at
    FROM ip_data_use LEFT JOIN ip_data ON ip_data.id = used_id ORDER BY ip_data_use.family`);
  return rows.map(({ family, made_at }) => ({ family, ...agedBy(dataOf(family, made_at), options) })).filter(({ is_old }) => is_old);
}
