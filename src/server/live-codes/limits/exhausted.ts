import { sql } from 'drizzle-orm';
import type { Language, MessagePlace } from '../../../contract/enums.ts';
import { claim } from '../../kit/jobs/leased-rows.ts';
import { notify, type Speech, type Words } from '../../kit/messages/notify.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { codePageUrl } from '../live-codes.addresses.ts';
import { isExhausted } from '../live-codes.public.ts';
import { live_code } from '../live-codes.table.ts';

type Options = { now: Date /** Of owners who never chose one. */; language: Language };
type Exhausted = { id: number; file_name: string; name: string; owner_id: number; language: Language | null };

const codesAtOnce = 500;
const maxLines = 20;
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
  // Of two at once each would tell an owner of a part.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('code_exhausted'))`);
  const rows = await claim<Exhausted>(tx, {
    table: 'code_exhausted',
    key: 'live_code_id',
    due: sql`
      SELECT code_exhausted.live_code_id, ${targetsNow} AS targets, live_code.file_name, live_code.name, live_code.owner_id
      FROM code_exhausted JOIN live_code ON live_code.id = code_exhausted.live_code_id JOIN user_account ON user_account.id = live_code.owner_id
      WHERE code_exhausted.told IS NULL AND NOT live_code.removed AND ${isExhausted(options.now)}
      ORDER BY code_exhausted.live_code_id LIMIT ${codesAtOnce}`,
    set: sql`told = due.targets`,
    returning: sql`due.live_code_id AS id, due.file_name, due.name, due.owner_id`,
  });
  for (const [owner_id, codes] of Map.groupBy(rows, (code) => code.owner_id))
    await notify(tx, owner_id, {
      kind: 'alert',
      ...placeOf(codes),
      words: wordsOf(codes),
      events: codes.map(({ owner_id: _owner, ...data }) => ({ type: 'code.exhausted', data })),
    });
  return rows.length;
}

const placeOf = ([first, ...others]: readonly Exhausted[]): { place: MessagePlace; place_id?: number | undefined } =>
  others.length === 0 ? { place: 'live_code', place_id: first?.id } : { place: 'exhausted_codes' };

const wordsOf =
  (codes: readonly Exhausted[]) =>
  (speech: Speech): Words => {
    const say: Speech['say'] = (key, params) => speech.say(`set_qr_code.exhausted_notice.${key}`, params);
    const lines = codes.slice(0, maxLines).map(({ id, name, file_name }) => `${say('line', { name, file_name })} ${codePageUrl(id)}`);
    const rest = codes.length - lines.length;
    return {
      title: codes.length === 1 ? say('title', { name: codes[0]?.name ?? '' }) : say('title_many', { number: codes.length }),
      content: [...lines, ...(rest > 0 ? [say('rest', { number: rest })] : []), '', say('advice')],
    };
  };
