import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Delivery, maxWebhooks, type webhookGroup } from '../../contract/people/webhook.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseImpersonator, type Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import { guardedUrl } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { publish } from '../kit/postgres/bus.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { makeTest } from './webhooks.outbox.ts';
import { attempt } from './webhooks.sending.ts';
import { newSecret, secretLabel } from './webhooks.signature.ts';
import { event, webhook, webhook_delivery } from './webhooks.table.ts';

const fields = {
  id: webhook.id,
  owner_id: webhook.owner_id,
  owner_account: sql<string>`${user_account.account}`,
  url: webhook.url,
  events: webhook.events,
  all_users: webhook.all_users,
  enabled: webhook.enabled,
  stopped: webhook.stopped,
  failing_since: webhook.failing_since,
  remark: webhook.remark,
  waiting: sql<number>`(SELECT count(*)::int FROM webhook_delivery AS own WHERE own.webhook_id = ${webhook.id} AND own.state = 'waiting')`,
  last_delivery_at: sql<string | null>`(SELECT own.tried_at FROM webhook_delivery AS own
    WHERE own.webhook_id = ${webhook.id} AND own.tried_at IS NOT NULL ORDER BY own.id DESC LIMIT 1)`.mapWith(webhook_delivery.tried_at),
  created_at: webhook.created_at,
  updated_at: webhook.updated_at,
};

const deliveryFields = {
  id: webhook_delivery.id,
  event_id: webhook_delivery.event_id,
  type: sql<string>`${event.type}`,
  data: sql<Delivery['data']>`${event.data}`,
  at: sql<string>`${event.at}`.mapWith(event.at),
  state: webhook_delivery.state,
  attempts: webhook_delivery.attempts,
  next_attempt_at: webhook_delivery.next_attempt_at,
  tried_at: webhook_delivery.tried_at,
  status: webhook_delivery.status,
  answer: webhook_delivery.answer,
  error: webhook_delivery.error,
  error_params: webhook_delivery.error_params,
  duration_ms: webhook_delivery.duration_ms,
};
const eventJoin = [event, eq(event.id, webhook_delivery.event_id)] as const;
type Row = Omit<Delivery, 'next_attempt_at'> & { next_attempt_at: string; error_params: Record<string, string | number> | null };

const shown = ({ error, error_params, next_attempt_at, ...row }: Row, { language }: Context): Delivery => ({
  ...row,
  next_attempt_at: row.state === 'waiting' ? next_attempt_at : null,
  error: error && translate(language, `errors.${error}`, error_params ?? {}),
});

function checkedUrl(text: string, network: GuardedNetwork): { url: string; host: string } {
  try {
    const { href, host } = guardedUrl(text);
    network.checkHost(href);
    return { url: href, host };
  } catch (error) {
    throw invalidField('url', error instanceof AppError ? 'invalid_url' : 'refused_address');
  }
}

function refuseAllUsers(all_users: boolean | undefined, { scope }: Context): void {
  if (all_users && !scope.all) throw invalidField('all_users', 'beyond_own');
}

const whole = (webhook_row: typeof webhook.$inferSelect) => {
  const { secret: _secret, failing_since: _failing, created_at: _created, updated_at: _updated, ...row } = webhook_row;
  return row;
};

/** A webhook that the caller may change, locked. */
async function lock(db: Database, id: number, { scope }: Context): Promise<typeof webhook.$inferSelect> {
  const [found] = await db
    .select()
    .from(webhook)
    .where(and(eq(webhook.id, id), scope.changes(webhook.owner_id)))
    .for('no key update');
  if (!found) throw notFound();
  return found;
}

/** Two that are made at once must not both find room for one. */
async function refuseTooMany(tx: Database, owner_id: number): Promise<void> {
  await tx.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, owner_id)).for('no key update');
  if ((await tx.$count(webhook, eq(webhook.owner_id, owner_id))) >= maxWebhooks)
    throw new AppError(409, 'webhook.too_many', { params: { maximum: maxWebhooks } });
}

async function readDelivery(id: number, context: Context): Promise<Delivery> {
  const [row] = await context.db
    .select(deliveryFields)
    .from(webhook_delivery)
    .innerJoin(...eventJoin)
    .where(eq(webhook_delivery.id, id));
  if (!row) throw notFound();
  return shown(row, context);
}

/** @param network keeps deliveries away from addresses inside */
export const createWebhookService = (network: GuardedNetwork): Service<typeof webhookGroup> => ({
  inquire: ({ search, enabled, owner_id, ...input }, { db, scope }) =>
    list(db, input, {
      fields,
      from: webhook,
      joins: [[user_account, eq(user_account.id, webhook.owner_id)]],
      // What an agent's customers are told of is their own business.
      where: and(
        scope.changes(webhook.owner_id),
        contains([webhook.url, webhook.remark], search),
        equals(webhook.enabled, enabled),
        equals(webhook.owner_id, owner_id),
      ),
      sorts: webhook,
      key: webhook.id,
    }),

  // Not `writes`: an answer that is kept for a repetition would keep the secret.
  async add({ url, events = [], all_users = false, enabled = true, remark = '' }, context) {
    const { db, actor, vault } = context;
    refuseImpersonator(context);
    refuseAllUsers(all_users, context);
    const { key, secret } = newSecret();
    const wanted = { ...checkedUrl(url, network), events: [...new Set(events)], all_users, enabled, remark };
    return transact(db, async (tx) => {
      await refuseTooMany(tx, actor.user_id);
      const [made] = await tx
        .insert(webhook)
        .values({ ...wanted, owner_id: actor.user_id, secret: vault.seal(key, secretLabel) })
        .returning({ id: webhook.id });
      if (!made) throw new Error('the webhook row was not returned');
      await recordAct(tx, context, { type: 'webhook/add', content: wanted, changes: { after: { id: made.id, ...wanted } } });
      return { id: made.id, secret };
    });
  },

  async update({ id, url, ...input }, context) {
    const { db, audit } = context;
    refuseImpersonator(context);
    refuseAllUsers(input.all_users, context);
    const before = await lock(db, id, context);
    const changed = {
      ...input,
      ...(url === undefined ? {} : checkedUrl(url, network)),
      ...(input.events ? { events: [...new Set(input.events)] } : {}),
      // An owner who switches it on again begins anew.
      ...(input.enabled ? { stopped: null, failing_since: null } : {}),
    };
    const [after] = await db
      .update(webhook)
      .set({ ...changed, updated_at: sql`now()` })
      .where(eq(webhook.id, id))
      .returning();
    if (after) audit(changesBetween(whole(before), whole(after)));
    await publish(db, 'event', null);
    return { affected: 1 };
  },

  async regenerate({ id }, context) {
    const { db, vault } = context;
    refuseImpersonator(context);
    const { key, secret } = newSecret();
    return transact(db, async (tx) => {
      await lock(tx, id, context);
      await tx
        .update(webhook)
        .set({ secret: vault.seal(key, secretLabel), updated_at: sql`now()` })
        .where(eq(webhook.id, id));
      await recordAct(tx, context, { type: 'webhook/regenerate', content: { id } });
      return { secret };
    });
  },

  async remove({ ids }, { db, scope, audit }) {
    const removed = await db
      .delete(webhook)
      .where(and(isOneOf(webhook.id, ids), scope.changes(webhook.owner_id)))
      .returning();
    audit({ before: removed.map(whole) });
    return { affected: removed.length };
  },

  async test({ id }, context) {
    const { db, vault, actor } = context;
    const [found] = await db
      .select()
      .from(webhook)
      .where(and(eq(webhook.id, id), context.scope.changes(webhook.owner_id)));
    if (!found) throw notFound();
    await recordAct(db, context, { type: 'webhook/test', content: { id } });
    const made = await makeTest(db, found, { webhook_id: id, account: actor.account });
    await attempt(made, { db, network, vault, now: () => context.now }, { isTest: true });
    return readDelivery(made.id, context);
  },

  async deliveries({ webhook_id, state, type, ...input }, context) {
    const { db, scope } = context;
    const own: SQL | undefined = and(eq(webhook.id, webhook_id), scope.changes(webhook.owner_id));
    if ((await db.$count(webhook, own)) === 0) throw notFound();
    const page = await list(db, input, {
      fields: deliveryFields,
      from: webhook_delivery,
      joins: [eventJoin],
      where: and(eq(webhook_delivery.webhook_id, webhook_id), equals(webhook_delivery.state, state), equals(event.type, type)),
      sorts: { id: webhook_delivery.id },
      key: webhook_delivery.id,
    });
    return { ...page, content: page.content.map((row) => shown(row, context)) };
  },

  async resend({ ids }, { db, scope, audit }) {
    const { rows } = await db.execute<{ id: number; webhook_id: number }>(sql`
      UPDATE ${webhook_delivery} SET state = 'waiting', attempts = 0, next_attempt_at = now(), claim = NULL, claimed_until = NULL
      FROM ${webhook}, ${event}
      WHERE ${and(
        isOneOf(webhook_delivery.id, ids),
        eq(webhook.id, webhook_delivery.webhook_id),
        eq(...([event.id, webhook_delivery.event_id] as const)),
        scope.changes(webhook.owner_id),
        sql`${event.type} <> 'webhook.test'`,
      )} RETURNING ${webhook_delivery.id}, ${webhook_delivery.webhook_id}`);
    audit({ after: rows });
    if (rows.length > 0) await publish(db, 'event', null);
    return { affected: rows.length };
  },
});
