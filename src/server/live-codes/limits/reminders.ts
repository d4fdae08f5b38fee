import { sql } from 'drizzle-orm';
import type { Language, MessagePlace } from '../../../contract/enums.ts';
import { claim } from '../../kit/jobs/leased-rows.ts';
import { notify, type Speech, type Words } from '../../kit/messages/notify.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { codePageUrl } from '../live-codes.addresses.ts';

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
const maxLines = 20;

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
  // Of two at once each would tell an owner of a part.
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('expiring_targets'))`);
  const expiring = await claimExpiring(db, options);
  for (const [owner_id, targets] of Map.groupBy(expiring, (target) => target.owner_id))
    await notify(db, owner_id, {
      kind: 'reminder',
      ...placeOf(targets),
      words: wordsOf(targets),
      events: targets.map(({ owner_id: _owner, place: _place, ...data }) => ({ type: 'code.target_expiring', data })),
    });
  return expiring.length;
}

async function claimExpiring(db: Database, { now, hours }: Options): Promise<Expiring[]> {
  const from = now.toISOString();
  const until = new Date(now.getTime() + hours * 3_600_000).toISOString();
  const rows = await claim<Expiring>(db, {
    table: 'live_code_target',
    due: sql`
      SELECT live_code_target.id, code.id AS code_id, code.file_name, code.name, code.owner_id FROM live_code_target
        JOIN live_code AS code ON code.id = live_code_target.live_code_id
        JOIN user_account AS owner ON owner.id = code.owner_id
      WHERE live_code_target.expires_at > ${from} AND live_code_target.expires_at <= ${until} AND live_code_target.enabled
        AND live_code_target.reminded_expiry IS DISTINCT FROM live_code_target.expires_at
        AND code.open AND code.frozen_at IS NULL AND NOT code.removed AND (code.expires_at IS NULL OR code.expires_at > ${from}) AND owner.all_codes_open
      ORDER BY live_code_target.expires_at, live_code_target.id LIMIT ${targetsAtOnce}`,
    set: sql`reminded_expiry = expires_at`,
    returning: sql`due.code_id AS id, due.file_name, due.name, due.owner_id, live_code_target.id AS target_id,
      live_code_target.name AS target_name, expires_at,
      (SELECT count(*) FROM live_code_target AS before WHERE before.live_code_id = due.code_id
        AND (before.sort, -before.id) >= (live_code_target.sort, -live_code_target.id))::int AS place`,
  });
  return rows
    .map((row) => ({ ...row, expires_at: new Date(row.expires_at).toISOString() }))
    .sort((a, b) => a.expires_at.localeCompare(b.expires_at) || a.target_id - b.target_id);
}

/** The code where it is one, else the list of those that have a target which ends. */
function placeOf(targets: readonly Expiring[]): { place: MessagePlace; place_id?: number } {
  const [first] = targets;
  return first && targets.every(({ id }) => id === first.id) ? { place: 'live_code', place_id: first.id } : { place: 'expiring_codes' };
}

const wordsOf =
  (targets: readonly Expiring[]) =>
  ({ say, time }: Speech): Words => {
    const [first] = targets;
    const title =
      targets.length === 1 && first
        ? say('set_qr_code.reminder.title', { code: first.name })
        : say('set_qr_code.reminder.title_many', { number: targets.length });
    const lines = targets.slice(0, maxLines).map(({ id, name, place, target_name, expires_at }) => {
      const line = say(target_name ? 'set_qr_code.reminder.named_line' : 'set_qr_code.reminder.line', {
        code: name,
        place,
        target: target_name,
        time: time(expires_at),
      });
      return `${line} ${codePageUrl(id)}`;
    });
    const rest = targets.length - lines.length;
    if (rest > 0) lines.push(say('set_qr_code.reminder.rest', { number: rest }));
    return { title, content: [...lines, '', say('set_qr_code.reminder.advice')] };
  };
