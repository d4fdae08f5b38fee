import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Freezable, MessagePlace } from '../../contract/enums.ts';
import { readableHost } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { notify, type Speech } from '../kit/messages/notify.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { lockCustomers } from '../users/users.public.ts';
import { user_account } from '../users/users.table.ts';
import { report } from './report-list.table.ts';

/** A thing that is frozen or freed, and whom it concerns; a domain of the platform pool concerns nobody. */
type Thing = { id: number; name: string; owner_id: number | null };
type Wanted = { what: Freezable; ids: readonly number[] };

const tables = { code: live_code, domain, user: user_account } as const;

const words = {
  frozen: {
    kind: 'alert',
    code: 'report_list.message.frozen.code',
    domain: 'report_list.message.frozen.domain',
    user: 'report_list.message.frozen.user',
    text: 'report_list.message.frozen_text',
  },
  freed: {
    kind: 'info',
    code: 'report_list.message.freed.code',
    domain: 'report_list.message.freed.domain',
    user: 'report_list.message.freed.user',
    text: 'report_list.message.freed_text',
  },
} as const;

/** Reports and freezing are for administrators, whatever nodes a role of customers was given. */
export function refuseOthers({ scope }: Context): void {
  if (!scope.all) throw new AppError(403, 'forbidden');
}

/** The things of these ids that are frozen, or that are not, locked in the order of their ids. */
async function lockThings({ what, ids }: Wanted, isFrozen: boolean, context: Context): Promise<Thing[]> {
  const { db } = context;
  const frozen = (table: (typeof tables)[Freezable]): SQL | undefined =>
    and(isOneOf(table.id, ids), isFrozen ? isNotNull(table.frozen_at) : isNull(table.frozen_at));
  if (what === 'code') {
    return db
      .select({ id: live_code.id, name: live_code.name, owner_id: live_code.owner_id })
      .from(live_code)
      .where(frozen(live_code))
      .orderBy(asc(live_code.id))
      .for('update');
  }
  if (what === 'domain') {
    const found = await db
      .select({ id: domain.id, name: domain.host, owner_id: domain.holder_id })
      .from(domain)
      .where(frozen(domain))
      .orderBy(asc(domain.id))
      .for('update');
    return found.map((one) => ({ ...one, name: readableHost(one.name) }));
  }
  const users = await lockCustomers(ids, context);
  return db
    .select({ id: user_account.id, name: user_account.account, owner_id: user_account.id })
    .from(user_account)
    .where(and(isOneOf(user_account.id, users), frozen(user_account)));
}

/** The reports that freezing a thing answers. */
function reportsOf({ what, ids }: Wanted): SQL {
  if (what === 'code') return isOneOf(report.live_code_id, ids);
  if (what === 'user') return isOneOf(report.owner_id, ids);
  return sql`${report.host} IN (SELECT host FROM domain WHERE ${isOneOf(domain.id, ids)})`;
}

const placeOf = (what: Freezable, [first, ...others]: readonly Thing[]): { place: MessagePlace; place_id?: number | undefined } => {
  if (what === 'domain') return { place: 'domains' };
  return what === 'code' && others.length === 0 ? { place: 'live_code', place_id: first?.id } : { place: 'frozen_codes' };
};

/** Tells each owner, in his language, what of his was frozen and why, or that it is free again. */
async function tellOwners(
  what: Freezable,
  things: readonly Thing[],
  { become, reason }: { become: keyof typeof words; reason: string },
  { db }: Context,
): Promise<void> {
  for (const [owner_id, own] of Map.groupBy(things, (thing) => thing.owner_id)) {
    if (owner_id === null) continue;
    const names = own.slice(0, 10).map(({ name }) => name);
    const wordsOf = ({ language, say }: Speech) => {
      const params = { names: new Intl.ListFormat(language, { style: 'narrow', type: 'unit' }).format(names), reason };
      return { title: say(words[become][what], params), content: say(words[become].text, params) };
    };
    await notify(db, owner_id, { kind: words[become].kind, ...placeOf(what, own), words: wordsOf });
  }
}

export async function freeze({ what, ids, reason }: Wanted & { reason: string }, context: Context): Promise<{ affected: number }> {
  refuseOthers(context);
  const { db, actor, audit } = context;
  const things = await lockThings({ what, ids }, false, context);
  const found = things.map(({ id }) => id);
  const table = tables[what];
  await db.update(table).set({ frozen_at: sql`now()`, frozen_reason: reason, frozen_by: actor.user_id }).where(isOneOf(table.id, found));
  const acted = await db
    .update(report)
    .set({ state: 'acted', decided_by: actor.user_id, decided_at: sql`now()` })
    .where(and(reportsOf({ what, ids: found }), eq(report.state, 'new')))
    .returning({ id: report.id });
  audit({ after: { what, frozen: things, reason, reports: acted.length } });
  await tellOwners(what, things, { become: 'frozen', reason }, context);
  return { affected: things.length };
}

export async function unfreeze({ what, ids }: Wanted, context: Context): Promise<{ affected: number }> {
  refuseOthers(context);
  const { db, audit } = context;
  const things = await lockThings({ what, ids }, true, context);
  const table = tables[what];
  await db
    .update(table)
    .set({ frozen_at: null, frozen_reason: '', frozen_by: null })
    .where(
      isOneOf(
        table.id,
        things.map(({ id }) => id),
      ),
    );
  audit({ before: { what, frozen: things }, after: { frozen: false } });
  await tellOwners(what, things, { become: 'freed', reason: '' }, context);
  return { affected: things.length };
}
