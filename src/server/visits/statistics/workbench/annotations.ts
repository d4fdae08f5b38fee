import { type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../../contract/enums.ts';
import type { OutputOf } from '../../../../contract/kit/call.ts';
import type { historicalStatistics } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { hourCounts } from '../hour-counts.ts';
import { type CodeCondition, inSpan, millisecondsOf, type Span } from '../spans.ts';

type Annotation = OutputOf<(typeof historicalStatistics)['calls']['annotations']>['content'][number];

/** More marks than a line can bear say nothing. */
const shownAnnotations = 60;
const exhausted = outcomes.indexOf('exhausted');

/**
 * What happened in these days: to the domains of the codes and, where codes are named, to each of them. What a code was before it came to its
 * present owner is not told.
 */
export async function annotationsOf(db: Database, codes: CodeCondition, span: Span, areNamed: boolean): Promise<Annotation[]> {
  const within = (moment: SQL) => inSpan(moment, span);
  const blocked = sql`
    SELECT domain_incident.began_at AS at, 'domain_blocked' AS kind, NULL::bigint AS live_code_id, '' AS code_name, domain.host AS text
    FROM domain_incident JOIN domain ON domain.id = domain_incident.domain_id
    WHERE domain_incident.kind = 'blocked' AND ${within(sql`domain_incident.began_at`)}
      AND EXISTS (SELECT FROM live_code WHERE (entry_domain_id = domain.id OR landing_domain_id = domain.id) AND ${codes ?? sql`true`}
        UNION ALL SELECT FROM domain_replacement JOIN domain_replacement_code ON replacement_id = domain_replacement.id
          JOIN live_code ON live_code.id = code_id WHERE from_domain_id = domain.id AND ${codes ?? sql`true`})`;
  const changed = sql`
    SELECT live_code_version.at, CASE WHEN action IN ('domain_replaced', 'domain_changed') THEN 'domain_replaced' ELSE 'code_changed' END, live_code.id,
      live_code.name, action
    FROM live_code_version JOIN live_code ON live_code.id = live_code_version.live_code_id AND live_code.owner_id = live_code_version.owner_id
    WHERE ${codes ?? sql`true`} AND action <> 'kept' AND ${within(sql`live_code_version.at`)}
    UNION ALL
    SELECT min(counts.hour), 'target_exhausted', live_code.id, live_code.name, ''
    FROM ${hourCounts('visit_hour', codes ?? sql`true`, span)} AS counts JOIN live_code ON live_code.id = counts.live_code_id
    WHERE counts.outcome = ${exhausted} GROUP BY live_code.id, counts.hour::date
    UNION ALL
    SELECT live_code.visible_from, 'history_cleared', live_code.id, live_code.name, '' FROM live_code
    WHERE ${codes ?? sql`true`} AND ${within(sql`live_code.visible_from`)}`;
  const { rows } = await db.execute<Omit<Annotation, 'at' | 'note_id'> & { at: number }>(sql`
    SELECT ${millisecondsOf(sql`at`)} AS at, kind, live_code_id::float8 AS live_code_id, code_name, text
    FROM (${areNamed ? sql`${blocked} UNION ALL ${changed}` : blocked}) AS happened ORDER BY at DESC LIMIT ${shownAnnotations}`);
  return rows.map((row) => ({ ...row, at: new Date(Math.round(row.at)).toISOString(), note_id: null }));
}

/** So many of the newest are shown: a user may write far more than a chart can bear. */
const shownNotes = 200;

/**
 * The notes of the reader himself or, where codes are picked, of their owners: about these codes or all of their owner. What he wrote about
 * a code that is another user's by now stays his, without the code's name.
 */
export async function notesOf(db: Database, reader_id: number, picked: CodeCondition, span: Span): Promise<Annotation[]> {
  const isAsked = picked
    ? sql`EXISTS (SELECT FROM live_code WHERE live_code.owner_id = visit_note.owner_id
        AND live_code.id = coalesce(visit_note.live_code_id, live_code.id) AND ${picked})`
    : sql`visit_note.owner_id = ${reader_id}`;
  const { rows } = await db.execute<Omit<Annotation, 'at' | 'kind'> & { at: number }>(sql`
    SELECT ${millisecondsOf(sql`visit_note.at`)} AS at, named.id::float8 AS live_code_id, coalesce(named.name, '') AS code_name, visit_note.text,
      CASE WHEN visit_note.owner_id = ${reader_id} THEN visit_note.id::float8 END AS note_id
    FROM visit_note LEFT JOIN live_code AS named ON named.id = visit_note.live_code_id AND named.owner_id = visit_note.owner_id
    WHERE ${isAsked} AND ${inSpan(sql`visit_note.at`, span)}
    ORDER BY visit_note.at DESC, visit_note.id DESC LIMIT ${shownNotes}`);
  return rows.map((row) => ({ ...row, at: new Date(Math.round(row.at)).toISOString(), kind: 'note' }));
}
