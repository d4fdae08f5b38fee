import { and, sql } from 'drizzle-orm';
import type { AddedLine, domainList } from '../../contract/domains/domain-list.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/kit/call.ts';
import type { Context } from '../kit/calls/context.ts';
import { tellOfDomains } from './domains.events.ts';
import { checkHost, wildcardsOver } from './domains.hosts.ts';
import { shownHost } from './domains.names.ts';
import { placesLeft } from './domains.quota.ts';
import { holderOf } from './domains.rules.ts';
import { domain } from './domains.table.ts';

type Call = (typeof domainList)['calls']['add_many'];
type Read = { line: string; host: string | null; remark: string; state?: AddedLine['state'] };

const maxRemarkLength = 200;

/** A line as people paste it: a host or a whole address, and a remark after a `#` or a tab. */
function readLine(line: string, allowsDevelopment: boolean): Read {
  const [, text = '', note = ''] = /^([^#\t]*)(?:[#\t](.*))?$/su.exec(line.trim()) ?? [];
  const remark = note
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxRemarkLength);
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?].*$/s, '')
    .replace(/[,;，；。]+$/u, '');
  const checked = checkHost(bare, { allowsDevelopment });
  return 'fault' in checked ? { line, host: null, remark, state: checked.fault } : { line, host: checked.host, remark };
}

/** Lines that say something: neither empty nor a comment alone. */
const isMeant = (line: string): boolean => !/^\s*(#|\/\/|;|$)/.test(line);

/** Registers a domain for each line; what became of each is said, and none keeps the others back. */
export async function addMany(
  { lines, holder_id, remark = '', ...fields }: ParsedInputOf<Call>,
  context: Context,
): Promise<OutputOf<Call>> {
  const { db, scope } = context;
  const holder = await holderOf(holder_id, context);
  const seen = new Set<string>();
  const read = lines.filter(isMeant).map((line): Read => {
    const found = readLine(line, scope.all);
    if (found.host === null || !seen.has(found.host)) {
      if (found.host !== null) seen.add(found.host);
      return found;
    }
    return { ...found, state: 'repeated' };
  });
  const known = await knownHosts([...seen], holder, context);
  for (const line of read) line.state ??= known.get(line.host ?? '');

  const wanted = read.filter((line) => line.state === undefined);
  const quota = await placesLeft(holder, db);
  for (const line of wanted.slice(quota?.left ?? wanted.length)) line.state = 'quota_exceeded';
  // In the order of their names, so that two batches at once never wait for each other.
  const rows = wanted
    .flatMap(({ host, state, remark: own }) =>
      host === null || state ? [] : [{ ...fields, host, holder_id: holder, remark: own || remark }],
    )
    .sort((one, other) => (one.host < other.host ? -1 : 1));
  const added =
    rows.length === 0
      ? []
      : await db
          .insert(domain)
          .values(rows)
          .onConflictDoNothing({ target: domain.host })
          .returning({ id: domain.id, host: domain.host, type: domain.type, holder_id: domain.holder_id, enabled: domain.enabled });
  await tellOfDomains('domain.created', added, context);
  context.audit({ after: { hosts: added.map(({ host }) => host), type: fields.type, holder_id: holder } });

  const addedHosts = new Set(added.map(({ host }) => host));
  return {
    added: added.length,
    results: read.map(({ line, host, state }) => ({
      line: line.trim(),
      host,
      host_unicode: host && shownHost(host),
      // Another user added it a moment ago.
      state: state ?? (addedHosts.has(host ?? '') ? 'added' : 'taken'),
    })),
  };
}

/** Which of these hosts can't be added: registered already, told as such to a caller who may see it, or below another's wildcard. */
async function knownHosts(
  hosts: readonly string[],
  holder_id: number | null,
  { db, scope }: Context,
): Promise<Map<string, 'exists' | 'taken'>> {
  if (hosts.length === 0) return new Map();
  const sees = scope.sees(domain.holder_id);
  const registered = await db
    .select({ host: domain.host, isSeen: sees ? sql<boolean>`coalesce(${sees}, false)` : sql<boolean>`true` })
    .from(domain)
    .where(sql`${domain.host} = ANY(${sql.param([...hosts])}::text[])`);
  const states = new Map(registered.map(({ host, isSeen }) => [host, isSeen ? ('exists' as const) : ('taken' as const)]));
  if (scope.all) return states;
  const wildcards = [...new Set(hosts.flatMap(wildcardsOver))];
  const covering = await db
    .select({ host: domain.host })
    .from(domain)
    .where(and(sql`${domain.host} = ANY(${sql.param(wildcards)}::text[])`, sql`${domain.holder_id} IS DISTINCT FROM ${holder_id}`));
  const foreign = new Set(covering.map(({ host }) => host));
  for (const host of hosts) if (!states.has(host) && wildcardsOver(host).some((name) => foreign.has(name))) states.set(host, 'taken');
  return states;
}
