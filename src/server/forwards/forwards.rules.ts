import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { forwardAddress, forwardPaths, isSafeTemplate, restMark } from '../kit/visits/forwards.ts';
import { urlFault } from '../live-codes/live-codes.public.ts';
import { forward } from './forwards.table.ts';

export type Rule = { id?: number | undefined; path: string; url: string; keep_query: boolean };
type Host = { id: number; host: string; holder_id: number | null };

/** Paths that the visit path answers itself. */
const serverPaths = ['/healthz', '/readyz', '/metrics', '/robots.txt', '/favicon.ico'];
const maxHops = 10;

/** A path as browsers send it: other letters as percent escapes, dots resolved. */
export function sentPath(path: string): string {
  const star = path.endsWith('/*');
  const parsed = URL.parse(`http://host${star ? path.slice(0, -1) : path}`);
  return parsed === null ? path : `${parsed.pathname}${star ? '*' : ''}`;
}

/** The enabled domain that a Host header names: the name with its port, the name alone, or the nearest wildcard above it. */
export async function findHost(db: Database, host: string): Promise<Host | undefined> {
  const name = host.toLowerCase().replace(/\.?(?::\d+)?$/, '');
  const names = [host.toLowerCase(), name];
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) names.push(`*${name.slice(dot)}`);
  const { rows } = await db.execute<Host>(sql`
    SELECT domain.id::float8 AS id, domain.host, domain.holder_id::float8 AS holder_id
    FROM unnest(${sql.param(names)}::text[]) WITH ORDINALITY AS wanted (host, place) JOIN domain USING (host)
    WHERE domain.enabled ORDER BY wanted.place LIMIT 1`);
  return rows[0];
}

/** Rules that answer on a host, as the visit path knows them. */
export async function rulesOf(db: Database, { id, holder_id }: Host): Promise<(Rule & { id: number; status: 301 | 302 | 307 })[]> {
  return db
    .select({ id: forward.id, path: forward.path, url: forward.url, keep_query: forward.keep_query, status: forward.status })
    .from(forward)
    .where(and(eq(forward.domain_id, id), eq(forward.enabled, true), holder_id === null ? undefined : eq(forward.owner_id, holder_id)));
}

/** Codes that a rule would hide: their number, or whether there is any where the rule stands for the whole host. */
async function hidesCodes(db: Database, { id, holder_id }: Host, path: string): Promise<'taken_by_code' | 'hides_codes' | undefined> {
  const onDomain = sql`(live_code.entry_domain_id = ${id} OR live_code.landing_domain_id = ${id})`;
  if (path === '/*') {
    const { rows } = await db.execute(sql`
      SELECT 1 FROM live_code WHERE entry_domain_id = ${id} AND NOT removed
      UNION ALL SELECT 1 FROM live_code WHERE landing_domain_id = ${id} AND NOT removed
      UNION ALL SELECT 1 FROM short_code WHERE domain_id = ${id} LIMIT 1`);
    return rows.length > 0 ? 'hides_codes' : undefined;
  }
  const name = path
    .replace(/\/\*?$/, '')
    .slice(1)
    .toLowerCase();
  if (name === '' || name.includes('/')) return undefined;
  const serves = holder_id === null ? sql`true` : sql`(live_code.owner_id = ${holder_id} OR ${onDomain})`;
  const { rows } = await db.execute(sql`
    SELECT 1 FROM live_code_key JOIN live_code ON live_code.id = live_code_key.live_code_id WHERE key = ${name} AND NOT removed AND ${serves}
    UNION ALL SELECT 1 FROM short_code WHERE domain_id = ${id} AND short = ${name} LIMIT 1`);
  return rows.length > 0 ? 'taken_by_code' : undefined;
}

/** Whether a visitor who follows this rule, and the rules that its address leads to on our hosts, comes back to where he was. */
async function isLoop(db: Database, host: Host, rule: Rule): Promise<boolean> {
  const seen = new Set<string>();
  let url: string | null = `http://${host.host.replace('*', 'any')}${rule.path.replace('*', 'any')}`;
  for (let hop = 0; url !== null; hop += 1) {
    const at: URL | null = /^https?:/i.test(url) ? URL.parse(url) : null;
    if (at === null) return false;
    const place = `${at.host}${at.pathname}`;
    if (seen.has(place) || hop === maxHops) return true;
    seen.add(place);
    const found: Host | undefined = await findHost(db, at.host);
    if (found === undefined) return false;
    const others = (await rulesOf(db, found)).filter(({ id }) => id !== rule.id);
    const next = forwardPaths<Rule>(found.id === host.id ? [...others, rule] : others).find(at.pathname);
    url = next ? forwardAddress(next.rule, next.rest, '') : null;
  }
  return false;
}

/**
 * Checks a rule against its host: what it hides, where it leads, and that it doesn't lead back.
 * @param present the rule as it stands; what is unchanged of it blocks no form
 * @throws AppError 400 with what is wrong at each field
 */
export async function checkRule(
  db: Database,
  host: Host,
  rule: Rule,
  { schemes, present }: { schemes: readonly string[]; present?: Rule | undefined },
): Promise<void> {
  const fields: Record<string, string> = {};
  if (rule.path !== present?.path) {
    const fault = serverPaths.includes(rule.path) || rule.path.startsWith('/~') ? 'reserved_path' : await hidesCodes(db, host, rule.path);
    if (fault) fields.path = fault;
  }
  if (rule.url !== present?.url || rule.path !== present?.path) {
    const fault = urlFault(rule.url, schemes) ?? templateFault(rule);
    if (fault) fields.url = fault;
    else if (!fields.path && (await isLoop(db, host, rule))) fields.url = 'loop';
  }
  if (Object.keys(fields).length > 0) throw new AppError(400, 'input.invalid', { fields });
}

function templateFault({ path, url }: Rule): string | undefined {
  if (!url.includes(restMark)) return undefined;
  if (!path.endsWith('*')) return 'rest_without_star';
  return isSafeTemplate(url) ? undefined : 'rest_in_host';
}

/** An address that a user typed in, with or without a scheme. */
export const readAddress = (text: string): URL | null => URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
