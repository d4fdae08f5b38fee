import { and, eq, sql } from 'drizzle-orm';
import type { BlockCheck, wxShieldDetection } from '../../../contract/detection/wx-shield-detection.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { startOperation } from '../../kit/jobs/operations.ts';
import { publish } from '../../kit/postgres/bus.ts';
import { isOneOf, list } from '../../kit/rows/list.ts';
import { block_check, block_check_url } from '../detection.table.ts';
import { shownFinding } from '../detectors/findings.ts';
import { readAddress } from '../monitors/addresses.ts';
import { watch } from '../monitors/monitors.writes.ts';
import { pushChecks } from './lists.pushes.ts';
import { checkFields, checkJoin, listed, shownUrl, urlFields } from './lists.reads.ts';

const keptDays = 30;

async function readCheck(id: number, { db, actor }: Pick<Context, 'db' | 'actor'>): Promise<BlockCheck> {
  const [row] = await db
    .select(checkFields)
    .from(block_check)
    .where(and(eq(block_check.id, id), eq(block_check.user_id, actor.user_id)));
  if (!row) throw notFound();
  return row;
}

/** The lines that hold an address, each once and in their order, and those that hold none. */
function readLines(lines: readonly string[], context: Context) {
  const refused: { line: string; number: number }[] = [];
  const addresses = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const address = readAddress(line, context.scope);
    if ('fault' in address) refused.push({ line: line.trim().slice(0, 200), number: index + 1 });
    else addresses.set(address.url, address.host);
  }
  return { refused, addresses: [...addresses].map(([url, host]) => ({ url, host })) };
}

/** The caller's addresses of these ids, locked. */
const lockUrls = (ids: readonly number[], { db, actor }: Context) =>
  db
    .select({ id: block_check_url.id, check_id: block_check_url.check_id, url: block_check_url.url, host: block_check_url.host })
    .from(block_check_url)
    .innerJoin(...checkJoin)
    .where(and(isOneOf(block_check_url.id, ids), eq(block_check.user_id, actor.user_id)))
    .orderBy(block_check_url.id)
    .for('update', { of: block_check_url });

/** Lists of addresses that a user has checked at once. Everybody sees his own. */
export const wxShieldDetectionService: Service<typeof wxShieldDetection> = {
  checks: ({ ids, ...input }, { db, actor }) =>
    list(db, input, {
      fields: checkFields,
      from: block_check,
      where: and(
        eq(block_check.user_id, actor.user_id),
        sql`${block_check.created_at} > now() - make_interval(days => ${keptDays})`,
        ids && isOneOf(block_check.id, ids),
      ),
      sorts: { id: block_check.id },
      key: block_check.id,
    }),

  async inquire({ check_id, search, block_status, waiting, sort = 'position', order = 'asc', ...page }, context) {
    await readCheck(check_id, context);
    const found = await list(
      context.db,
      { ...page, sort, order },
      {
        fields: urlFields,
        from: block_check_url,
        joins: [checkJoin],
        where: listed({ check_id, search, block_status, waiting }, context.actor.user_id),
        sorts: block_check_url,
        key: block_check_url.id,
      },
    );
    return { ...found, content: found.content.map((row) => shownUrl(row, context.language)) };
  },

  async details({ id }, { db, actor, language }) {
    const [row] = await db
      .select(urlFields)
      .from(block_check_url)
      .innerJoin(...checkJoin)
      .where(and(eq(block_check_url.id, id), eq(block_check.user_id, actor.user_id)));
    if (!row) throw notFound();
    return { ...shownUrl(row, language), findings: row.findings.map((finding) => shownFinding(finding, language)) };
  },

  async check({ lines }, context) {
    const { db, actor, audit } = context;
    const { refused, addresses } = readLines(lines, context);
    if (addresses.length === 0) return { check: null, refused };
    const [made] = await db
      .insert(block_check)
      .values({ user_id: actor.user_id, total: addresses.length })
      .returning({ id: block_check.id });
    if (!made) throw new Error('the row of the list was not returned');
    await db.insert(block_check_url).values(addresses.map((address, index) => ({ ...address, check_id: made.id, position: index + 1 })));
    audit({ after: { id: made.id, total: addresses.length } });
    await publish(db, 'domain_monitor', null);
    return { check: await readCheck(made.id, context), refused };
  },

  async recheck({ ids }, context) {
    const { db } = context;
    const own = await lockUrls(ids, context);
    const ownIds = own.map(({ id }) => id);
    await db
      .update(block_check_url)
      .set({ state: 'waiting', block_status: null, disputed: false, findings: [], claim: null, claimed_until: null })
      .where(isOneOf(block_check_url.id, ownIds));
    const checks = [...new Set(own.map(({ check_id }) => check_id))];
    await db.update(block_check).set({ finished_at: null }).where(isOneOf(block_check.id, checks));
    await pushChecks(db, checks);
    if (own.length > 0) await publish(db, 'domain_monitor', null);
    return { affected: own.length };
  },

  async stop({ check_id }, context) {
    const { db } = context;
    await readCheck(check_id, context);
    const stopped = await db
      .update(block_check_url)
      .set({ state: 'stopped', claim: null, claimed_until: null })
      .where(and(eq(block_check_url.check_id, check_id), eq(block_check_url.state, 'waiting')))
      .returning({ id: block_check_url.id });
    await db
      .update(block_check)
      .set({ finished_at: sql`coalesce(${block_check.finished_at}, now())` })
      .where(eq(block_check.id, check_id));
    await pushChecks(db, [check_id]);
    return { affected: stopped.length };
  },

  async monitor({ ids }, context) {
    const own = await lockUrls(ids, context);
    if (own.length === 0) throw notFound();
    const unique = [...new Map(own.map(({ url, host }) => [url, { url, host }])).values()];
    const { added, existing, beyond, combo } = await watch(unique, {}, context);
    context.audit({ after: { urls: [...added] } });
    return { added: added.size, existing: existing.size, beyond_quota: beyond.size, combo: beyond.size > 0 ? combo : null };
  },

  async export({ format, ...filters }, context) {
    const { db, actor, language } = context;
    await readCheck(filters.check_id, context);
    return { operation_id: await startOperation(db, { kind: 'block_check_export', input: { filters, format }, actor, language }) };
  },
};
