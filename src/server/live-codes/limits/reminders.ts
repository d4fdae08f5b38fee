import { sql } from 'drizzle-orm';
import type { Language } from '../../../contract/enums.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { translate } from '../../kit/messages/messages.ts';
import { sendSystemMessage } from '../../kit/messages/site-messages.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';

type Options = { now: Date /** Hours before the expiry; 0 reminds nobody. */; hours: number; time_zone: string; language: Language };
type Expiring = {
  id: number;
  file_name: string;
  name: string;
  owner_id: number;
  target_id: number;
  target_name: string;
  place: number;
  expires_at: string;
};

const targetsAtOnce = 1000;
const mostLines = 20;

/**
 * Tells the owners of open codes of their targets that end within these hours: one site message each, and an event for each target. A
 * target is claimed by the expiry it is told of, so that it is told of once by however many workers, and again when its expiry changes.
 * @returns how many targets were told of
 */
export async function remindOfExpiries(db: Database, options: Options): Promise<number> {
  let reminded = 0;
  if (options.hours <= 0) return reminded;
  for (;;) {
    const found = await transact(db, (tx) => remindOfSome(tx, options));
    reminded += found;
    if (found < targetsAtOnce) return reminded;
  }
}

async function remindOfSome(db: Database, options: Options): Promise<number> {
  const expiring = await claim(db, options);
  await emitEvents(
    db,
    expiring.map(({ owner_id, place: _place, ...data }) => ({ type: 'code.target_expiring', owner_id, data })),
  );
  for (const [owner_id, targets] of Map.groupBy(expiring, (target) => target.owner_id))
    await sendSystemMessage(db, { user_ids: [owner_id], kind: 'reminder', ...messageOf(targets, options) });
  return expiring.length;
}

async function claim(db: Database, { now, hours }: Options): Promise<Expiring[]> {
  const from = now.toISOString();
  const until = new Date(now.getTime() + hours * 3_600_000).toISOString();
  const { rows } = await db.execute<Expiring>(sql`
    WITH due AS (
      SELECT target.id FROM live_code_target AS target
        JOIN live_code AS code ON code.id = target.live_code_id
        JOIN user_account AS owner ON owner.id = code.owner_id
      WHERE target.expires_at > ${from} AND target.expires_at <= ${until} AND target.enabled
        AND target.reminded_expiry IS DISTINCT FROM target.expires_at
        AND code.open AND NOT code.removed AND (code.expires_at IS NULL OR code.expires_at > ${from}) AND owner.all_codes_open
      ORDER BY target.expires_at, target.id LIMIT ${targetsAtOnce} FOR UPDATE OF target SKIP LOCKED
    ), told AS (
      UPDATE live_code_target AS target SET reminded_expiry = target.expires_at FROM due WHERE target.id = due.id
      RETURNING target.id, target.live_code_id, target.name, target.sort, target.expires_at
    )
    SELECT code.id, code.file_name, code.name, code.owner_id, told.id AS target_id, told.name AS target_name, told.sort + 1 AS place, told.expires_at
    FROM told JOIN live_code AS code ON code.id = told.live_code_id ORDER BY told.expires_at, told.id`);
  return rows.map((row) => ({ ...row, expires_at: new Date(row.expires_at).toISOString() }));
}

function messageOf(targets: readonly Expiring[], { time_zone, language }: Options): { title: string; content: string } {
  const clock = new Intl.DateTimeFormat(language, { timeZone: time_zone, dateStyle: 'medium', timeStyle: 'short' });
  const [first] = targets;
  const title =
    targets.length === 1 && first
      ? translate(language, 'set_qr_code.reminder.title', { code: first.name })
      : translate(language, 'set_qr_code.reminder.title_many', { number: targets.length });
  const lines = targets.slice(0, mostLines).map(({ name, place, target_name, expires_at }) =>
    translate(language, target_name ? 'set_qr_code.reminder.named_line' : 'set_qr_code.reminder.line', {
      code: name,
      place,
      target: target_name,
      time: clock.format(new Date(expires_at)),
    }),
  );
  const rest = targets.length - lines.length;
  if (rest > 0) lines.push(translate(language, 'set_qr_code.reminder.rest', { number: rest }));
  return { title, content: [...lines, '', translate(language, 'set_qr_code.reminder.advice')].join('\n') };
}
