import { sql } from 'drizzle-orm';
import type { Settings } from '../../../contract/settings.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { guardedRequest } from '../../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { platformOwners } from '../detection.public.ts';
import type { Looked } from './asking-all.ts';

/** How long what the control addresses said serves all workers. */
const heldSeconds = 5;
const timeoutMilliseconds = 5_000;
/** Of the answers of a portion, so many failed, and nothing at all was said about one address: it may be our own way out. */
const failingShare = 0.5;

/** Whether a portion went so badly that the fault may be our own. */
export function failsWidely(looked: readonly Looked[]): boolean {
  const findings = looked.flatMap((one) => one.findings);
  if (findings.length === 0) return false;
  const isVain = ({ answer }: { answer: string }) => answer === 'failed' || answer === 'down';
  const hasNothing = looked.some((one) => one.findings.length > 0 && one.findings.every(isVain));
  return hasNothing && findings.filter(isVain).length >= findings.length * failingShare;
}

type Options = { db: Database; network: GuardedNetwork; settings: Pick<Settings, 'control_addresses'> };
type State = { blind_since: string | null; controls_answer: boolean; is_held: boolean };

const readState = async (db: Database): Promise<State> => {
  const { rows } = await db.execute<State>(sql`
    SELECT blind_since, controls_answer, coalesce(controls_at > now() - make_interval(secs => ${heldSeconds}), false) AS is_held FROM detection_state`);
  return rows[0] ?? { blind_since: null, controls_answer: true, is_held: false };
};

/** Whether any address answers that always should. Any answer will do: it came from outside. */
async function doControlsAnswer({ network, settings }: Options): Promise<boolean> {
  if (settings.control_addresses.length === 0) return true;
  const answers = settings.control_addresses.map((url) =>
    guardedRequest(network, { url, timeout_ms: timeoutMilliseconds, maximum_bytes: 1024, cut: true }),
  );
  return Promise.any(answers).then(
    () => true,
    () => false,
  );
}

/**
 * Whether our own way out is down, so that nothing may be judged: where the control addresses do not answer either. What they said serves
 * all workers for a moment. The first to find out tells it, once, as the first to find that it is over does.
 */
export async function isBlind(options: Options): Promise<boolean> {
  const { db } = options;
  const state = await readState(db);
  if (state.is_held) return !state.controls_answer;
  const answers = await doControlsAnswer(options);
  await transact(db, async (tx) => {
    const { rows } = await tx.execute<{ blind_since: string | null }>(sql`SELECT blind_since FROM detection_state FOR UPDATE`);
    const before = rows[0]?.blind_since ?? null;
    await tx.execute(sql`
      UPDATE detection_state SET controls_at = now(), controls_answer = ${answers},
        blind_since = CASE WHEN ${answers} THEN NULL ELSE coalesce(blind_since, now()) END`);
    if (answers === (before === null)) return;
    const since = new Date(before ?? Date.now()).toISOString();
    const owners = await platformOwners(tx);
    const type = answers ? 'detection.restored' : 'detection.blind';
    await emitEvents(
      tx,
      owners.map((owner_id) => ({ type, owner_id, data: { since } })),
    );
  });
  return !answers;
}

/** Whether it is known that nothing may be judged, asked before anything is claimed; then the control addresses are asked again. */
export async function isStillBlind(options: Options): Promise<boolean> {
  return (await readState(options.db)).blind_since === null ? false : isBlind(options);
}
