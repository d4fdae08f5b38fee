import { sql } from 'drizzle-orm';
import { emitEvents } from '../../kit/messages/events.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { platformOwners } from '../detection.public.ts';
import { latencyStep, latencySteps, type StoredFinding } from './findings.ts';
import { knowsMessengers } from './open-detectors.ts';

/** So many failures one after another, and a detector is left alone for a while. */
export const failuresToStop = 10;
/** Doubled each time: 1, 2, 4 … minutes. */
const maxStopMinutes = 60;
/** Longer than an attempt takes: a probe whose worker died is made again. */
const probeSeconds = 45;

/** Of whom nobody can say that they did not try to make a detector fail. */
export type Found = { finding: StoredFinding; is_registered: boolean };

const ofTheDetector =
  /^(outgoing\.(timeout|failed|unreadable|too_large)|detection\.(timeout|throttled|status|captcha|needs_key)|internal)$/;

/**
 * Whether a failure speaks against the detector. What a detector of the domain itself cannot tell is the domain's fault; and an address
 * that a user made up must not be able to switch a detector off for all.
 */
export const isItsFault = ({ finding, is_registered }: Found): boolean =>
  finding.answer === 'failed' && knowsMessengers(finding.kind) && (is_registered || ofTheDetector.test(finding.error?.key ?? ''));

/** Takes the one probe of each detector that was switched off long enough. Answers which this worker may make. */
export async function takeProbes(db: Database, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await db.execute<{ id: number }>(sql`
    UPDATE detector SET stopped_until = now() + make_interval(secs => ${probeSeconds})
    WHERE id = ANY(${sql.param([...ids])}::bigint[]) AND stopped_until <= now() RETURNING id::float8 AS id`);
  return new Set(rows.map(({ id }) => id));
}

type Report = {
  id: number;
  normal: number;
  blocked: number;
  down: number;
  failed: number;
  latencies: number[];
  /** Failures since the last answer, or all of them. */
  run: number;
  answered: boolean;
  error: string | null;
  params: Record<string, string | number> | null;
};

function reportOf(id: number, found: readonly Found[]): Report {
  const report: Report = {
    ...{ id, normal: 0, blocked: 0, down: 0, failed: 0, run: 0, answered: false, error: null, params: null },
    latencies: Array.from({ length: latencySteps }, () => 0),
  };
  for (const one of found.toSorted((a, b) => endOf(a.finding) - endOf(b.finding))) {
    const { answer, error, duration_ms } = one.finding;
    report[answer] += 1;
    if (answer === 'failed') {
      if (isItsFault(one)) report.run += 1;
      report.error = error?.key ?? null;
      report.params = error?.params ?? null;
    } else {
      report.run = 0;
      report.answered = true;
      const step = latencyStep(duration_ms);
      report.latencies[step] = (report.latencies[step] ?? 0) + 1;
    }
  }
  return report;
}

const endOf = ({ at, duration_ms }: StoredFinding): number => Date.parse(at) + duration_ms;

/**
 * Counts what detectors answered, in the transaction of the checks. One that failed too often in a row is switched off for a while, which
 * its operators are told once; one whose probe succeeded works again.
 */
export async function countAnswers(tx: Database, found: readonly Found[]): Promise<void> {
  const byId = Map.groupBy(
    found.filter(({ finding }) => finding.detector_id !== null),
    ({ finding }) => finding.detector_id ?? 0,
  );
  // In the order of ids, so that two workers never wait for each other.
  const reports = [...byId].sort(([one], [other]) => one - other).map(([id, all]) => reportOf(id, all));
  if (reports.length === 0) return;
  const given = sql`jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) AS given
    (id bigint, normal int, blocked int, down int, failed int, latencies int[], run int, answered boolean, error text, params jsonb)`;
  await tx.execute(
    sql`SELECT FROM detector WHERE id = ANY(${sql.param(reports.map(({ id }) => id))}::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
  );
  await tx.execute(sql`
    INSERT INTO detector_hour (detector_id, hour, normal, blocked, down, failed, latencies)
    SELECT detector.id, date_trunc('hour', now()), given.normal, given.blocked, given.down, given.failed, given.latencies
    FROM ${given} JOIN detector ON detector.id = given.id ORDER BY detector.id
    ON CONFLICT (detector_id, hour) DO UPDATE SET normal = detector_hour.normal + excluded.normal, blocked = detector_hour.blocked + excluded.blocked,
      down = detector_hour.down + excluded.down, failed = detector_hour.failed + excluded.failed,
      latencies = ARRAY(SELECT one + other FROM unnest(detector_hour.latencies, excluded.latencies) WITH ORDINALITY AS sums (one, other, place) ORDER BY place)`);
  await tx.execute(sql`
    UPDATE detector SET last_used_at = now(),
      failures = CASE WHEN given.answered THEN given.run ELSE detector.failures + given.run END,
      stopped_until = CASE WHEN given.answered THEN NULL ELSE detector.stopped_until END,
      last_error = coalesce(given.error, detector.last_error),
      last_error_params = CASE WHEN given.error IS NULL THEN detector.last_error_params ELSE given.params END,
      last_error_at = CASE WHEN given.error IS NULL THEN detector.last_error_at ELSE now() END
    FROM ${given} WHERE detector.id = given.id`);
  await stopFailing(tx, reports);
}

/** Those that failed too often, and those whose probe failed: the latter are known to be off. */
async function stopFailing(tx: Database, reports: readonly Report[]): Promise<void> {
  const failing = reports.filter(({ run }) => run > 0).map(({ id }) => id);
  if (failing.length === 0) return;
  // Long after the last stop it begins anew with a minute.
  const stops = sql`CASE WHEN before.stopped_at > now() - make_interval(mins => ${2 * maxStopMinutes}) THEN before.stops + 1 ELSE 1 END`;
  const { rows } = await tx.execute<{ id: number; name: string; error: string | null; is_news: boolean }>(sql`
    UPDATE detector SET failures = 0, stops = ${stops}, stopped_at = now(),
      stopped_until = now() + least(power(2, least(${stops}, 10) - 1), ${maxStopMinutes}) * interval '1 minute'
    FROM detector AS before
    WHERE before.id = detector.id AND detector.id = ANY(${sql.param(failing)}::bigint[])
      AND (detector.stopped_until IS NOT NULL OR detector.failures >= ${failuresToStop})
    RETURNING detector.id::float8 AS id, detector.name, detector.last_error AS error, before.stopped_until IS NULL AS is_news`);
  const news = rows.filter(({ is_news }) => is_news);
  if (news.length === 0) return;
  const owners = await platformOwners(tx);
  await emitEvents(
    tx,
    news.flatMap(({ id, name, error }) =>
      owners.map((owner_id) => ({ type: 'detector.failed' as const, owner_id, data: { id, name, error } })),
    ),
  );
}
