import { type SQL, sql } from 'drizzle-orm';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { ipData, UploadedIpData, UsedIpData } from '../../../contract/visits/ip-data.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { currentPlaces } from '../current-places.public.ts';
import { type AgeOptions, agedBy, dataOf } from '../ip-data.public.ts';

type Row = Omit<UsedIpData, 'data_date' | 'age_days' | 'is_old' | 'ranges'>;

const iso = (column: string): SQL => sql.raw(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`);

/** A list as it is told of, as JSON; null where the column names none. */
export const uploadedJson = (id: SQL): SQL => sql`(SELECT json_build_object('id', file.id, 'name', file.name, 'bytes', file.bytes,
    'structure', file.structure, 'made_at', ${iso('file.made_at')}, 'segments', file.segments, 'places', file.places,
    'uploaded_by_account', by_user.account, 'uploaded_at', ${iso('file.created_at')})
  FROM ip_data AS file LEFT JOIN user_account AS by_user ON by_user.id = file.uploaded_by WHERE file.id = ${id})`;

/** The lists in use, with their age. */
export async function usedLists(db: Database, { now, warning_days }: AgeOptions): Promise<OutputOf<(typeof ipData)['calls']['inquire']>> {
  const { ranges } = await currentPlaces(db);
  const { rows } = await db.execute<Row>(sql`
    SELECT ip_data_use.family, ${uploadedJson(sql`used_id`)} AS file, ${uploadedJson(sql`former_id`)} AS former,
      ${iso('changed_at')} AS changed_at, account AS changed_by_account
    FROM ip_data_use LEFT JOIN user_account ON user_account.id = changed_by ORDER BY family`);
  const { rows: counted } = await db.execute<{ corrections: number }>(
    sql`SELECT count(*)::integer AS corrections FROM ip_correction WHERE enabled`,
  );
  const content = rows.map((row): UsedIpData => {
    const kind = row.family === 4 ? 'ipv4' : 'ipv6';
    const data_date = dataOf(row.family, row.file?.made_at);
    return { ...row, ...agedBy(data_date, { now, warning_days }), ranges: ranges[kind] };
  });
  return { content, warning_days, corrections: counted[0]?.corrections ?? 0 };
}

export async function readUploaded(db: Database, id: number): Promise<UploadedIpData | undefined> {
  const { rows } = await db.execute<{ file: UploadedIpData | null }>(sql`SELECT ${uploadedJson(sql`${id}::bigint`)} AS file`);
  return rows[0]?.file ?? undefined;
}
