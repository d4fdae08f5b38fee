import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BlockCheck, CheckedUrl } from '../../../contract/detection/wx-shield-detection.ts';
import { maxCheckedUrls } from '../../../contract/detection/wx-shield-detection.ts';
import { blockStatus, type Language } from '../../../contract/enums.ts';
import { unicodeOf } from '../../domains/domains.public.ts';
import { translate } from '../../kit/messages/messages.ts';
import { contains, equals, isOneOf } from '../../kit/rows/list.ts';
import { block_check, block_check_url } from '../detection.table.ts';
import { failureWords, type StoredFinding } from '../detectors/findings.ts';

const countOf = (condition: SQL) =>
  sql<number>`(SELECT count(*) FROM block_check_url AS own WHERE own.check_id = block_check.id AND ${condition})`.mapWith(Number);
const withStatus = (status: number) => countOf(sql`own.block_status = ${status}`);

export const checkFields = {
  id: block_check.id,
  total: block_check.total,
  done: countOf(sql`own.state <> 'waiting'`),
  normal: withStatus(blockStatus.normal),
  blocked: withStatus(blockStatus.blocked),
  failed: withStatus(blockStatus.failed),
  created_at: block_check.created_at,
  finished_at: block_check.finished_at,
} satisfies Record<keyof BlockCheck, unknown>;

export const urlFields = {
  id: block_check_url.id,
  position: block_check_url.position,
  url: block_check_url.url,
  host: block_check_url.host,
  host_unicode: unicodeOf(block_check_url.host),
  state: block_check_url.state,
  block_status: block_check_url.block_status,
  disputed: block_check_url.disputed,
  findings: block_check_url.findings,
  duration_ms: block_check_url.duration_ms,
  checked_at: block_check_url.checked_at,
  monitor_id: sql<number | null>`(SELECT min(domain_monitor.id) FROM domain_monitor WHERE domain_monitor.owner_id = ${block_check.user_id}
    AND (domain_monitor.url = ${block_check_url.url} OR (domain_monitor.domain_id IS NOT NULL AND domain_monitor.host = ${block_check_url.host})))`,
};
export const checkJoin = [block_check, eq(block_check.id, block_check_url.check_id)] as const;

export type Filters = { check_id: number; search?: string; block_status?: number; waiting?: boolean; ids?: readonly number[] };

/** The addresses of a list of this user that fit; nobody else's, whatever his role: what one looks up is his own business. */
export const listed = ({ check_id, search, block_status, waiting, ids }: Filters, user_id: number): SQL | undefined =>
  and(
    eq(block_check_url.check_id, check_id),
    eq(block_check.user_id, user_id),
    contains([block_check_url.url, block_check_url.host], search),
    equals(block_check_url.block_status, block_status),
    waiting === undefined ? undefined : sql`(${block_check_url.state} = 'waiting') = ${waiting}`,
    ids && isOneOf(block_check_url.id, ids.slice(0, maxCheckedUrls)),
  );

type Row = Omit<CheckedUrl, 'detectors' | 'reason'> & { state: 'waiting' | 'done' | 'stopped'; findings: StoredFinding[] };

export function shownUrl({ state, findings, ...row }: Row, language: Language): CheckedUrl {
  return { ...row, detectors: findings.map(({ detector }) => detector), reason: reasonOf(state, row, findings, language) };
}

/** What led to it, in a line: what the first detector saw that says so. */
export function reasonOf(
  state: Row['state'],
  { block_status }: Pick<Row, 'block_status'>,
  findings: readonly StoredFinding[],
  language: Language,
): string {
  if (state === 'stopped') return translate(language, 'errors.detection.stopped');
  if (state === 'waiting' || block_status === null) return '';
  const wanted = { [blockStatus.normal]: 'normal', [blockStatus.blocked]: 'blocked', [blockStatus.failed]: 'failed' }[block_status];
  const first = findings.find(({ answer }) => answer === wanted);
  if (findings.length === 0) return translate(language, 'errors.detection.no_detector');
  if (!first) return translate(language, 'errors.detection.unconfirmed');
  if (first.answer === 'failed') return failureWords(language, first.error) ?? '';
  return [first.title, first.text].filter(Boolean).join(' – ') || first.detector;
}
