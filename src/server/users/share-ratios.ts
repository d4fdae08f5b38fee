import { desc, eq, sql } from 'drizzle-orm';
import { mayInvite } from '../../contract/people/user-list.ts';
import { notify } from '../kit/messages/notify.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { role } from '../roles/roles.table.ts';
import type { LockedUser } from './people.rules.ts';
import { share_ratio_change, user_account } from './users.table.ts';

const shownChanges = 100;
const percent = (basisPoints: number): number => basisPoints / 100;

/** Writes down what ratios become, in basis points, and tells the agents: it holds for orders that are paid from now on. */
export async function changeRatios(tx: Database, users: readonly LockedUser[], ratio: number): Promise<void> {
  const changed = users.filter(({ share_ratio }) => share_ratio !== ratio);
  if (changed.length === 0) return;
  await tx.insert(share_ratio_change).values(changed.map(({ id, share_ratio }) => ({ user_id: id, before: share_ratio, after: ratio })));
  const roles = await tx
    .select({ id: role.id, kind: role.kind })
    .from(role)
    .where(
      isOneOf(
        role.id,
        changed.map(({ role_id }) => role_id),
      ),
    );
  const earning = new Set(roles.filter(({ kind }) => mayInvite(kind)).map(({ id }) => id));
  const told = changed.filter(({ role_id }) => earning.has(role_id));
  for (const [before, agents] of Map.groupBy(told, ({ share_ratio }) => share_ratio)) {
    const ratios = { before: percent(before), after: percent(ratio) };
    await notify(
      tx,
      agents.map(({ id }) => id),
      {
        kind: 'info',
        place: 'shares',
        words: ({ say }) => ({
          title: say('agent_divided_into.told_ratio', ratios),
          content: say('agent_divided_into.told_ratio_content', ratios),
        }),
      },
    );
  }
}

/** The ratio of a user and what it was before, the newest change first; in per cent. Undefined: there is no such user. */
export async function ratiosOf(db: Database, user_id: number) {
  const [present] = await db
    .select({ account: user_account.account, ratio: user_account.share_ratio })
    .from(user_account)
    .where(eq(user_account.id, user_id));
  if (!present) return undefined;
  const { before, after, at } = share_ratio_change;
  const changes = await db
    .select({ before: sql<number>`${before}::float8 / 100`, after: sql<number>`${after}::float8 / 100`, at })
    .from(share_ratio_change)
    .where(eq(share_ratio_change.user_id, user_id))
    .orderBy(desc(share_ratio_change.id))
    .limit(shownChanges);
  return { account: present.account, ratio: percent(present.ratio), changes };
}
