import { sql } from 'drizzle-orm';
import type { Language } from '../../../contract/enums.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { translate } from '../../kit/messages/messages.ts';
import { sendSystemMessage } from '../../kit/messages/site-messages.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { isExhausted } from '../live-codes.public.ts';
import { live_code } from '../live-codes.table.ts';

type Options = { now: Date /** Of owners who never chose one. */; language: Language };
type Exhausted = { id: number; file_name: string; name: string; owner_id: number; language: Language | null };

const codesAtOnce = 500;
const mostLines = 20;
/** What is served from a lease is known some seconds later: a code is looked at again for so long. */
const doubtMinutes = 10;

/** What a code's targets are like: refilled, changed or joined by another one, they are others. */
const targetsNow = sql`(
  SELECT md5(coalesce(string_agg(concat_ws(':', target.id, target.enabled, target.threshold, target.expires_at, target.refilled_at, quota.generation),
    ',' ORDER BY target.id), ''))
  FROM live_code_target AS target LEFT JOIN target_quota AS quota ON quota.target_id = target.id WHERE target.live_code_id = ${live_code.id})`;

/**
 * Tells the owners of codes whose visitors found no target with visits left, as the loader has marked them: an event for each code, one
 * site message for each owner. A code is told of once until its targets change, by however many workers.
 * @returns how many codes were told of
 */
export async function tellOfExhausted(db: Database, options: Options): Promise<number> {
  await db.execute(sql`
    DELETE FROM code_exhausted WHERE NOT EXISTS (SELECT FROM live_code WHERE id = live_code_id)
      OR told <> (SELECT ${targetsNow} FROM live_code WHERE id = live_code_id)
      OR told IS NULL AND at < ${options.now.toISOString()}::timestamptz - make_interval(mins => ${doubtMinutes})`);
  for (let told = 0; ; ) {
    const number = await transact(db, (tx) => tellSome(tx, options));
    told += number;
    if (number < codesAtOnce) return told;
  }
}

async function tellSome(tx: Database, options: Options): Promise<number> {
  const { rows } = await tx.execute<Exhausted>(sql`
    WITH due AS (
      SELECT marked.live_code_id FROM code_exhausted AS marked JOIN live_code ON live_code.id = marked.live_code_id
      WHERE marked.told IS NULL AND NOT live_code.removed AND ${isExhausted(options.now)}
      ORDER BY marked.live_code_id LIMIT ${codesAtOnce} FOR UPDATE OF marked SKIP LOCKED
    )
    UPDATE code_exhausted SET told = ${targetsNow}
    FROM due, live_code, user_account WHERE code_exhausted.live_code_id = due.live_code_id AND live_code.id = due.live_code_id
      AND user_account.id = live_code.owner_id
    RETURNING live_code.id, live_code.file_name, live_code.name, live_code.owner_id, user_account.language`);
  await emitEvents(
    tx,
    rows.map(({ owner_id, language: _language, ...data }) => ({ type: 'code.exhausted', owner_id, data })),
  );
  for (const [owner_id, codes] of Map.groupBy(rows, (code) => code.owner_id))
    await sendSystemMessage(tx, { user_ids: [owner_id], kind: 'alert', ...messageOf(codes, codes[0]?.language ?? options.language) });
  return rows.length;
}

function messageOf(codes: readonly Exhausted[], language: Language): { title: string; content: string } {
  const say = (key: string, params?: Record<string, string | number>) => translate(language, `set_qr_code.exhausted_notice.${key}`, params);
  const lines = codes.slice(0, mostLines).map(({ name, file_name }) => say('line', { name, file_name }));
  const rest = codes.length - lines.length;
  return {
    title: codes.length === 1 ? say('title', { name: codes[0]?.name ?? '' }) : say('title_many', { number: codes.length }),
    content: [...lines, ...(rest > 0 ? [say('rest', { number: rest })] : []), '', say('advice')].join('\n'),
  };
}
