import { sql } from 'drizzle-orm';
import { sessionDays } from './kit/calls/authentication.ts';
import type { Log } from './kit/calls/context.ts';
import { every, type Repeated } from './kit/jobs/every.ts';
import { jobLeaseSeconds } from './kit/jobs/jobs.ts';
import type { Database } from './kit/postgres/database.ts';
import { impersonationHours } from './users/login/sessions.ts';

/** As often as moments ahead of the clock are looked for, by a timer that no setting of the clock moves. */
const intervalMilliseconds = 15_000;
/** Clocks of several machines differ by less. */
const ahead = "now() + interval '1 minute'";

/**
 * What a clock that was ahead left behind, and what it is now: moments of things done that lie in the future, and moments to do them that
 * lie farther ahead than they are ever set. Without it leases, retries and schedules would wait until the clock has caught up, and
 * sessions would live on.
 */
const repairs: readonly string[] = [
  `UPDATE session SET used_at = now() WHERE used_at > ${ahead}`,
  `UPDATE session SET expires_at = now() + make_interval(days => ${sessionDays})
    WHERE impersonator_session_id IS NULL AND expires_at > ${ahead} + make_interval(days => ${sessionDays})`,
  `UPDATE session SET expires_at = now() + make_interval(hours => ${impersonationHours})
    WHERE impersonator_session_id IS NOT NULL AND expires_at > ${ahead} + make_interval(hours => ${impersonationHours})`,
  // No window is longer than a day. Those of shorter ones are found when they are counted in.
  `DELETE FROM attempt WHERE window_ends_at > ${ahead} + interval '1 day'`,
  // The present step counts as used: of two minutes, one code at the most is lost.
  `UPDATE second_factor SET last_step = floor(extract(epoch FROM now()) / 30) WHERE last_step > floor(extract(epoch FROM now()) / 30) + 2`,
  `UPDATE target_lease SET created_at = now() WHERE created_at > ${ahead}`,
  `UPDATE async_operation SET heartbeat_at = now() WHERE state = 'running' AND heartbeat_at > ${ahead}`,
  `UPDATE domain_check SET due_at = now(), checked_at = now() WHERE checked_at > ${ahead}`,
  `UPDATE domain_registration SET due_at = now(), asked_at = least(asked_at, now()), found_at = least(found_at, now())
    WHERE asked_at > ${ahead} OR due_at > ${ahead} + interval '2 days'`,
  `UPDATE domain_monitor SET due_at = now(), claimed_until = NULL, checked_at = least(checked_at, now())
    WHERE checked_at > ${ahead} OR claimed_until > ${ahead} + interval '1 minute' OR due_at > ${ahead} + interval '2 days'`,
  `UPDATE block_check_url SET claimed_until = NULL WHERE claimed_until > ${ahead} + interval '1 minute'`,
  `UPDATE detector SET stopped_until = CASE WHEN stopped_until IS NOT NULL THEN now() END, stopped_at = least(stopped_at, now()),
    paced_until = least(paced_until, now())
    WHERE stopped_until > ${ahead} + interval '1 hour' OR stopped_at > ${ahead} OR paced_until > ${ahead}`,
  `UPDATE detection_state SET controls_at = now() WHERE controls_at > ${ahead}`,
  `UPDATE webhook_delivery SET next_attempt_at = now(), claimed_until = NULL, tried_at = least(tried_at, now()), created_at = least(created_at, now())
    WHERE state = 'waiting' AND (tried_at > ${ahead} OR created_at > ${ahead})`,
  `UPDATE telegram_bot SET due_at = now(), claimed_until = NULL WHERE due_at > ${ahead} + interval '1 hour' OR claimed_until > ${ahead}`,
  `UPDATE telegram_update SET next_attempt_at = now(), claimed_until = NULL, received_at = least(received_at, now())
    WHERE state IN ('waiting', 'answering') AND (received_at > ${ahead} OR claimed_until > ${ahead})`,
  `UPDATE push SET created_at = now(), due_at = least(due_at, now()), repeat_at = least(repeat_at, now()) WHERE created_at > ${ahead}`,
  `UPDATE push_delivery SET next_attempt_at = now(), claimed_until = NULL, tried_at = least(tried_at, now()), created_at = least(created_at, now())
    WHERE state = 'waiting' AND (tried_at > ${ahead} OR created_at > ${ahead})`,
  `UPDATE push_channel SET failing_since = now() WHERE failing_since > ${ahead}`,
  `UPDATE push_channel SET free_at = now() WHERE free_at > ${ahead} + interval '1 day'`,
  `UPDATE visit_rule SET checked_until = least(checked_until, now()), told_at = least(told_at, now())
    WHERE checked_until > ${ahead} OR told_at > ${ahead}`,
  `UPDATE storage_removal SET due_at = now(), created_at = now() WHERE created_at > ${ahead}`,
  `UPDATE storage_removal SET due_at = now() WHERE due_at > ${ahead} + greatest(15, least(power(2, least(attempts, 11)), 1440)) * interval '1 minute'`,
  `UPDATE server SET due_at = now(), checked_at = least(checked_at, now()) WHERE due_at > ${ahead} + interval '1 minute' OR checked_at > ${ahead}`,
  `UPDATE recurring_job SET next_at = now() WHERE next_at > ${ahead} + make_interval(mins => every_minutes)`,
  `UPDATE recurring_job SET leased_until = now() + make_interval(secs => ${jobLeaseSeconds})
    WHERE leased_until > ${ahead} + make_interval(secs => ${jobLeaseSeconds})`,
];

/** Brings moments back that a clock ahead of the present one has set. Answers how many rows were changed. */
export async function repairMoments(db: Database): Promise<number> {
  let changed = 0;
  for (const repair of repairs) changed += (await db.execute(sql.raw(repair))).rowCount ?? 0;
  return changed;
}

/** Does so again and again until it is stopped, because a clock may be set at any time. */
export function keepMomentsRepaired(db: Database, log: Log): Repeated {
  async function repair(): Promise<void> {
    const changed = await repairMoments(db);
    if (changed > 0) log.warn({ changed }, 'the clock was set back: moments that lay ahead of it were brought back');
  }
  return every(intervalMilliseconds, repair, { log, failure: 'moments ahead of the clock could not be looked for', atOnce: true });
}
