import { and, asc, eq, sql } from 'drizzle-orm';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { shortCodeGroup } from '../../contract/links/short-code.ts';
import { shownHost } from '../domains/domains.public.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { emitEvents } from '../kit/messages/events.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { urlFault } from '../live-codes/live-codes.public.ts';
import { user_account } from '../users/users.table.ts';
import { placesOf } from './places.ts';
import { addShortCodes, codeDestinations, regenerateShortCode } from './short-codes.making.ts';
import { listShortCodes, mayChange, readShortCodes, told } from './short-codes.public.ts';
import { short_code } from './short-codes.table.ts';

type Calls = (typeof shortCodeGroup)['calls'];
type Row = typeof short_code.$inferSelect;

/** The links of these ids that the caller may change, locked in the order of their ids; others are left out. */
function lockShortCodes(ids: readonly number[], { db, scope }: Context): Promise<Row[]> {
  return db
    .select()
    .from(short_code)
    .where(and(isOneOf(short_code.id, ids), mayChange(scope)))
    .orderBy(asc(short_code.id))
    .for('update');
}

/** Sets the same columns on many links, and tells of those that change by it. */
async function changeMany(ids: readonly number[], changes: Partial<Pick<Row, 'enabled' | 'display'>>, context: Context) {
  const { db, audit } = context;
  const rows = await lockShortCodes(ids, context);
  const changed = rows.filter((row) => Object.entries(changes).some(([column, value]) => row[column as keyof Row] !== value));
  const own = changed.map(({ id }) => id);
  await db
    .update(short_code)
    .set({ ...changes, updated_at: sql`now()` })
    .where(isOneOf(short_code.id, own));
  const after = await readShortCodes(own, context);
  await emitEvents(
    db,
    after.map((row) => ({ type: 'short_code.changed', owner_id: row.owner_id, data: told(row) })),
  );
  audit({ before: changed.map(({ id, enabled, display }) => ({ id, enabled, display })), after: changes });
  return { affected: rows.length };
}

type Leads = Pick<Row, 'live_code_id' | 'url' | 'domain_choice'>;

/** Where a changed link leads: 400 where the new destination isn't allowed, 409 where another platform holds the old one. */
async function newDestination(row: Row, { live_code_id, url }: ParsedInputOf<Calls['update']>, context: Context): Promise<Partial<Leads>> {
  if (live_code_id === undefined && url === undefined) return {};
  if (live_code_id !== undefined && url !== undefined) throw invalidField('url', 'code_or_url');
  if (url === row.url && (live_code_id ?? null) === row.live_code_id) return {};
  if (row.domain_id === null) throw new AppError(409, 'short_code.fixed_destination');
  if (url !== undefined) {
    const fault = urlFault(url, (await context.settings()).jump_schemes);
    if (fault) throw invalidField('url', fault);
    return { url, live_code_id: null, domain_choice: null };
  }
  const [code] = await codeDestinations([live_code_id ?? 0], context);
  if (code?.owner_id !== row.owner_id) throw invalidField('live_code_id', 'unknown_code');
  return { live_code_id: code.live_code_id, url: null };
}

/** Short links: made, listed, changed. */
export const createShortCodeService = (network: GuardedNetwork): Service<typeof shortCodeGroup> => ({
  inquire: listShortCodes,

  async domains({ owner_id }, { db, scope }) {
    const owner = owner_id ?? scope.owner_id;
    if ((await db.$count(user_account, and(eq(user_account.id, owner), scope.sees(user_account.id)))) === 0) throw notFound();
    const places = await placesOf(db, owner);
    return { content: places.map(({ id, host, is_blocked }) => ({ id, host, host_unicode: shownHost(host), is_blocked })) };
  },

  add: (input, context) => addShortCodes(input, network, context),
  regenerate: (input, context) => regenerateShortCode(input, network, context),

  async update(input, context) {
    const { db, audit } = context;
    const [row] = await lockShortCodes([input.id], context);
    if (!row) throw notFound();
    const { expires_at, remark } = input;
    const destination = await newDestination(row, input, context);
    const changes = { ...destination, ...(expires_at === undefined ? {} : { expires_at }), ...(remark === undefined ? {} : { remark }) };
    await db
      .update(short_code)
      .set({ ...changes, updated_at: sql`now()` })
      .where(eq(short_code.id, row.id));
    const [after] = await readShortCodes([row.id], context);
    if (!after) throw notFound();
    await emitEvents(db, [{ type: 'short_code.changed', owner_id: row.owner_id, data: told(after) }]);
    audit(changesBetween(Object.fromEntries(Object.keys(changes).map((column) => [column, row[column as keyof Row]])), changes));
    return after;
  },

  update_enabled: ({ ids, enabled }, context) => changeMany(ids, { enabled }, context),
  update_display: ({ ids, display }, context) => changeMany(ids, { display }, context),

  async update_design({ ids, qr_design }, context) {
    const rows = await lockShortCodes(ids, context);
    const own = rows.map(({ id }) => id);
    await context.db.update(short_code).set({ qr_design }).where(isOneOf(short_code.id, own));
    context.audit({ after: { ids: own, characters: qr_design ? JSON.stringify(qr_design).length : 0 } });
    return { affected: rows.length };
  },

  async remove({ ids }, context) {
    const { db, audit } = context;
    const own = (await lockShortCodes(ids, context)).map(({ id }) => id);
    const before = await readShortCodes(own, context);
    await db.delete(short_code).where(isOneOf(short_code.id, own));
    await emitEvents(
      db,
      before.map((row) => ({ type: 'short_code.removed', owner_id: row.owner_id, data: told(row) })),
    );
    audit({ before: before.map(told) });
    return { affected: before.length };
  },
});
