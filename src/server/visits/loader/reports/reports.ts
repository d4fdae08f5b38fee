import type pg from 'pg';
import { outcomes } from '../../../../contract/enums.ts';
import type { VisitRecord } from '../../../kit/visits/journal/record.ts';
import { type ReportNote, readNote } from '../../../kit/visits/report-note.ts';
import { plainArray } from '../copy.ts';

export type Report = ReportNote & { live_code_id: number; file_name: string; host: string; ip: string; language: string; at: number };

const reported = outcomes.indexOf('reported');
/** Reports of one code that wait to be looked at, at most: what is more says nothing new. */
const maxWaiting = 200;

/** @param ip in canonical spelling */
export function reportOf(record: VisitRecord, ip: string, at: number): Report | undefined {
  const { outcome, live_code_id, path, host, language, note } = record;
  if (outcome !== reported) return undefined;
  const said = readNote(note);
  return said && { ...said, live_code_id, file_name: path.slice(1), host, ip, language, at };
}

/**
 * Keeps the reports of a batch with the owner whom the code has now. A process that did not know the code names it by its file name only. One
 * address is heard once on a code until somebody has looked.
 */
export async function addReports(client: pg.ClientBase, reports: readonly Report[]): Promise<void> {
  if (reports.length === 0) return;
  await client.query({
    name: 'reports',
    text: `INSERT INTO report (live_code_id, file_name, owner_id, host, reason, text, ip, language, at)
      SELECT DISTINCT ON (code.id, given.ip) code.id, code.file_name, code.owner_id, given.host, given.reason, given.text, given.ip, given.language, given.at
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::inet[], $7::text[], $8::timestamptz[])
        AS given (live_code_id, file_name, host, reason, text, ip, language, at)
      JOIN live_code AS code ON CASE WHEN given.live_code_id > 0 THEN code.id = given.live_code_id ELSE code.file_name = given.file_name END
      WHERE (SELECT count(*) FROM (SELECT FROM report WHERE report.live_code_id = code.id AND report.state = 'new' LIMIT ${maxWaiting}) AS waiting) < ${maxWaiting}
      ORDER BY code.id, given.ip, given.at
      ON CONFLICT (live_code_id, ip) WHERE state = 'new' DO NOTHING`,
    values: [
      plainArray(reports.map(({ live_code_id }) => live_code_id)),
      reports.map(({ file_name }) => file_name),
      reports.map(({ host }) => host),
      reports.map(({ reason }) => reason),
      reports.map(({ text }) => text),
      plainArray(reports.map(({ ip }) => ip)),
      reports.map(({ language }) => language),
      plainArray(reports.map(({ at }) => new Date(at).toISOString())),
    ],
  });
}
