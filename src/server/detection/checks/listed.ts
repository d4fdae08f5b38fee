import { sql } from 'drizzle-orm';
import { type Database, transactAgain } from '../../kit/postgres/database.ts';
import type { ReadyDetector } from '../detectors/open-detectors.ts';
import { pushChecks } from '../lists/lists.pushes.ts';
import type { Looked } from './asking-all.ts';
import type { Portion } from './claims.ts';
import { voicesOf } from './outcomes.ts';
import { judgeOnce } from './verdict.ts';

type Judging = { detectors: readonly ReadyDetector[]; confirmations: number; now: Date };

/** An address for which there was no turn with any detector waits so long. */
const retrySeconds = 2;

/** Writes what was found about addresses of lists. A list whose last address this was is finished. */
export async function writeListed(
  db: Database,
  { claim, rows }: Portion,
  looked: readonly Looked[],
  { detectors, confirmations, now }: Judging,
): Promise<void> {
  const isPut = ({ findings, refused }: Looked) => findings.length === 0 && refused.has('pace');
  const given = looked
    .filter((one) => !isPut(one))
    .map(({ id, findings }) => {
      const { status, disputed } = judgeOnce(voicesOf(findings), { detectors, confirmations });
      return { id, status, disputed, findings, duration_ms: Math.max(0, ...findings.map(({ duration_ms }) => duration_ms)) };
    });
  const back = looked.filter(isPut).map(({ id }) => id);
  const lists =
    'check_id' in (rows[0] ?? {}) ? [...new Set(rows.map((row) => ('check_id' in row ? row.check_id : 0)))].sort((a, b) => a - b) : [];
  await transactAgain(db, async (tx) => {
    // The lists first: of two workers with the last addresses of one, the second sees what the first wrote.
    await tx.execute(sql`SELECT FROM block_check WHERE id = ANY(${sql.param(lists)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
    await tx.execute(sql`
      UPDATE block_check_url SET state = 'done', block_status = given.status, disputed = given.disputed, findings = given.findings,
        duration_ms = given.duration_ms, checks = checks + 1, checked_at = ${now.toISOString()}, claim = NULL, claimed_until = NULL
      FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        AS given (id bigint, status smallint, disputed boolean, findings jsonb, duration_ms int)
      WHERE block_check_url.id = given.id AND block_check_url.claim = ${claim}`);
    await tx.execute(sql`
      UPDATE block_check_url SET claimed_until = now() + make_interval(secs => ${retrySeconds})
      WHERE id = ANY(${sql.param(back)}::bigint[]) AND claim = ${claim}`);
    await tx.execute(sql`
      UPDATE block_check SET finished_at = now() WHERE id = ANY(${sql.param(lists)}::bigint[]) AND finished_at IS NULL
        AND NOT EXISTS (SELECT FROM block_check_url WHERE check_id = block_check.id AND state = 'waiting')`);
    await pushChecks(tx, lists);
  });
}
