import { and, asc, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { fileNamePattern } from '../../contract/codes/live-code-fields.ts';
import { type command, type FoundCode, type FoundDomain, maxCounted, maxFound } from '../../contract/system/command.ts';
import { blockFields } from '../detection/block-state.public.ts';
import { isNamed, unicodeOf } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { findByWords, foundAliases, hasText, isFound } from '../live-codes/live-codes.public.ts';
import { live_code, live_code_key } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';

const link = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\s]+)\/?([^?#\s]*)/i;

/** What to look for: of a pasted link its host and its first path segment, else the text as both. */
export function readSearch(text: string): { code: string; host: string } {
  const [, host, path] = link.exec(text) ?? [];
  if (host === undefined) return { code: text, host: text };
  return { code: path?.split('/')[0]?.toLowerCase() || host, host: host.toLowerCase() };
}

const codeColumns = [live_code.name, live_code.file_name, live_code.remark];

/** The codes of that very key first, then those with the text in their name, key or remark. */
async function findCodes(text: string, { db, scope, actor }: Context): Promise<FoundCode[]> {
  if (!actor.nodes.has('qr_code_list') && !actor.nodes.has('qr_code_list_admin')) return [];
  const keyed = db.select({ id: live_code_key.live_code_id }).from(live_code_key).where(eq(live_code_key.key, text));
  const isKey = fileNamePattern.test(text) ? inArray(live_code.id, keyed) : sql`false`;
  const found = (where: SQL | undefined, limit: number) =>
    db
      .select({
        id: live_code.id,
        name: live_code.name,
        file_name: live_code.file_name,
        open: live_code.open,
        owner_account: user_account.account,
        changeable: sql<boolean>`${scope.changes(live_code.owner_id) ?? sql`true`}`,
      })
      .from(live_code)
      .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
      .where(and(scope.sees(live_code.owner_id), eq(live_code.removed, false), where))
      .orderBy(desc(live_code.id))
      .limit(limit);
  const exact = await found(isKey, 1);
  const words = await findByWords(db, text, actor.role.kind === 'customer' ? actor.user_id : undefined);
  const others = and(words && isFound(live_code.id, words), hasText(codeColumns, text));
  const codes = [...exact, ...(await found(and(others, sql`NOT ${isKey}`), maxFound - exact.length))];
  const ids = codes.map(({ id }) => id);
  const aliases = await foundAliases(db, ids, codeColumns, text);
  return codes.map((code) => ({ ...code, found_alias: aliases.get(code.id) ?? null }));
}

/** Shorter names first: a user who types a host whole sees it before those that only hold it. */
async function findDomains(text: string, { db, scope, actor }: Context): Promise<FoundDomain[]> {
  if (!actor.nodes.has('domain_list')) return [];
  // Names are written out: without a join the query builder leaves the table of a column away, and both tables have an `id`.
  const counted = (open: boolean) =>
    sql<number>`(SELECT count(*) FROM (SELECT FROM live_code AS code WHERE NOT code.removed AND code.open = ${open}
      AND (code.entry_domain_id = domain.id OR code.landing_domain_id = domain.id)
      AND ${scope.changes(sql`code.owner_id`) ?? sql`true`} LIMIT ${maxCounted}) AS counted)`.mapWith(Number);
  // The platform's pool is everybody's to use, so that its domains are found too.
  const seen = or(scope.sees(domain.holder_id) ?? sql`true`, sql`${domain.holder_id} IS NULL`);
  return db
    .select({
      id: domain.id,
      host: domain.host,
      host_unicode: unicodeOf(domain.host),
      type: domain.type,
      enabled: domain.enabled,
      block_status: domain.block_status,
      ...blockFields(sql`domain.id`, scope.changes(sql`domain.holder_id`)),
      changeable: sql<boolean>`coalesce(${scope.changes(domain.holder_id) ?? sql`true`}, false)`,
      open_codes: counted(true),
      closed_codes: counted(false),
    })
    .from(domain)
    .where(and(seen, await isNamed(db, text)))
    .orderBy(sql`length(${domain.host})`, asc(domain.host))
    .limit(maxFound);
}

export const commandService: Service<typeof command> = {
  async search({ text }, context) {
    const { code, host } = readSearch(text);
    return { codes: await findCodes(code, context), domains: await findDomains(host, context) };
  },
};
