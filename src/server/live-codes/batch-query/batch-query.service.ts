import type { batchQuery, FoundLine } from '../../../contract/codes/batch-query.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import { shownHost } from '../../domains/domains.public.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { defaultPageSize } from '../../kit/rows/list.ts';
import { lockedAmong } from '../../orders/over-quota.public.ts';
import { shortCodeFigures } from '../../short-codes/short-codes.public.ts';
import { codeTotals } from '../../visits/visits.public.ts';
import { settingsOver } from '../live-codes.settings.ts';
import { type Query, readQuery } from './batch-query.lines.ts';
import {
  blockStatesOf,
  type CodeFound,
  type DomainFound,
  findCodes,
  findDomains,
  findShortCodes,
  type ShortFound,
} from './batch-query.reads.ts';

type Inquire = (typeof batchQuery)['calls']['inquire'];
type Found = { codes: Map<string, CodeFound>; domains: Map<string, DomainFound>; shorts: ShortFound[] };

/** A key that stands on very many short domains is shown with the newest of its links. */
const maxAlike = 10;

const nothing = {
  state: null,
  id: null,
  name: '',
  file_name: '',
  found_alias: null,
  live_code_id: null,
  owner_account: null,
  host: null,
  host_unicode: null,
  domain_type: null,
  domain_enabled: null,
  block_status: null,
  block_since: null,
  suspected_since: null,
  monitor_id: null,
  visits: null,
  ips: null,
};

/** The domain that answers for a host: itself with its port, itself, or the nearest wildcard above. */
function domainFor(host: string, bare: string, domains: Found['domains']): DomainFound | undefined {
  const labels = bare.split('.');
  const wildcards = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
  return [host, bare, ...wildcards].map((name) => domains.get(name)).find((found) => found !== undefined);
}

/** The names under which a line's host could be registered. */
function namesOf(query: Query): string[] {
  if (query.kind !== 'link' && query.kind !== 'host') return [];
  const labels = query.bare.split('.');
  return [query.host, query.bare, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`)];
}

const ofDomain = (domain: DomainFound | undefined) =>
  domain
    ? { host: domain.host, domain_type: domain.type, domain_enabled: domain.enabled, block_status: domain.block_status }
    : { host: null, domain_type: null, domain_enabled: null, block_status: null };

function rowsOf(line: string, at: number, query: Query, found: Found): FoundLine[] {
  const row = (kind: FoundLine['kind'], more: Partial<FoundLine> = {}): FoundLine => ({
    key: `${at}-${kind}-${more.id ?? 0}`,
    at,
    line,
    kind,
    ...nothing,
    ...more,
    host_unicode: more.host ? shownHost(more.host) : null,
  });
  if (query.kind === 'invalid') return [row('invalid')];
  const domain = query.kind === 'key' ? undefined : domainFor(query.host, query.bare, found.domains);
  if (query.kind === 'host') {
    if (!domain) return [row('unknown', { host: query.host })];
    const { id, host: name, holder_account, enabled } = domain;
    return [row('domain', { id, name, owner_account: holder_account, state: enabled ? 'enabled' : 'disabled', ...ofDomain(domain) })];
  }
  const shorts = found.shorts.filter((short) =>
    query.kind === 'link'
      ? (domain && short.domain_id === domain.id && short.short === query.key) || short.platform_url === query.url
      : short.short === query.key,
  );
  const code = found.codes.get(query.key);
  // A short domain leads to short codes only, the other domains to live codes; a key alone may be of either.
  const isShortLink = domain?.type === 3;
  const rows = [
    ...(code && !isShortLink ? [row('code', { ...code, live_code_id: code.id, ...(domain ? ofDomain(domain) : {}) })] : []),
    ...shorts.slice(0, maxAlike).map(({ domain_id: _domain, short: _short, platform_url: _url, ...short }) => row('short', short)),
  ];
  return rows.length > 0 ? rows : [row('unknown', query.kind === 'link' ? { ...ofDomain(domain), host: domain?.host ?? query.host } : {})];
}

async function inquire(
  { lines, page = 1, page_size = defaultPageSize }: ParsedInputOf<Inquire>,
  context: Context,
): Promise<OutputOf<Inquire>> {
  const queries = lines
    .map((line, index) => ({ line: line.trim(), at: index + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, at }) => ({ line, at, query: readQuery(line) }));
  const keys = new Set(
    queries.flatMap(({ query }) => ((query.kind === 'key' || query.kind === 'link') && query.key !== '' ? [query.key] : [])),
  );
  const urls = new Set(queries.flatMap(({ query }) => (query.kind === 'link' ? [query.url] : [])));
  const hosts = new Set(queries.flatMap(({ query }) => namesOf(query)));
  const found: Found = {
    codes: await findCodes([...keys], context),
    domains: await findDomains([...hosts], context),
    shorts: await findShortCodes([...keys], [...urls], context),
  };
  const rows = queries.flatMap(({ line, at, query }) => rowsOf(line, at, query, found));
  const kinds = { code: 0, short: 0, domain: 0, unknown: 0, invalid: 0 };
  for (const { kind } of rows) kinds[kind] += 1;
  const shown = rows.slice((page - 1) * page_size, page * page_size);
  return { content: await withBlockState(await withVisits(shown, context), context), total: rows.length, page, page_size, kinds };
}

async function withBlockState(rows: readonly FoundLine[], context: Context): Promise<FoundLine[]> {
  const states = await blockStatesOf([...new Set(rows.flatMap(({ domain_type, host }) => (domain_type && host) || []))], context);
  return rows.map((row) => ({ ...row, ...states.get(row.host ?? '') }));
}

async function withVisits(rows: readonly FoundLine[], { db, now, scope }: Context): Promise<FoundLine[]> {
  const idsOf = (kind: FoundLine['kind']) => [...new Set(rows.flatMap((row) => (row.kind === kind ? (row.id ?? []) : [])))];
  const [ids, short_ids] = [idsOf('code'), idsOf('short')];
  const time = { now, time_zone: (await settingsOver(db)).time_zone };
  const totals = await codeTotals(db, ids, time);
  const shorts = await shortCodeFigures(db, short_ids, time);
  const locked = await lockedAmong(ids, { db, scope });
  return rows.map((row) => {
    const { kind, id } = row;
    if ((kind !== 'code' && kind !== 'short') || id === null || (kind === 'code' && locked.has(id))) return row;
    const { visits = 0, ips = 0 } = (kind === 'code' ? totals : shorts).get(id) ?? {};
    return { ...row, visits, ips };
  });
}

export const batchQueryService: Service<typeof batchQuery> = { inquire };
