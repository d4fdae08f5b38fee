import { and, eq, isNull, sql } from 'drizzle-orm';
import type { PushDelivery, shieldPush } from '../../contract/detection/shield-push.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/kit/call.ts';
import { telegram_chat } from '../bots/bots.public.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { publish } from '../kit/postgres/bus.ts';
import { contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { addChannel, confirmChannel, listChannels, removeChannels, sendCode, updateChannel } from './pushes.channels.ts';
import { readMailServer } from './pushes.mail-server.ts';
import { makeTest } from './pushes.outbox.ts';
import { addRule, listRules, removeRules, updateRule } from './pushes.rules.ts';
import { attempt } from './pushes.sending.ts';
import { mail_server, push, push_channel, push_delivery, push_rule } from './pushes.table.ts';
import { sealPassword, sendMail } from './senders/mail.ts';

type Calls = (typeof shieldPush)['calls'];

const isSeen = sql`(${push.seen_at} IS NOT NULL AND ${push_delivery.state} = 'delivered')`;
const fields = {
  id: push_delivery.id,
  push_id: push_delivery.push_id,
  owner_id: push_delivery.owner_id,
  owner_account: sql<string>`${user_account.account}`,
  channel_id: push_delivery.channel_id,
  channel_kind: sql<PushDelivery['channel_kind']>`${push_channel.kind}`,
  channel_name: sql<string>`${push_channel.name}`,
  channel_target: sql<string>`${push_channel.target}`,
  rule_id: sql<number | null>`${push.rule_id}`.mapWith(push.rule_id),
  rule_name: sql<string | null>`${push_rule.name}`,
  is_test: sql<boolean>`${push.is_test}`,
  title: sql<string>`${push.title}`,
  content: sql<string>`${push.content}`,
  events: sql<number>`${push.events}`,
  round: push_delivery.round,
  state: sql<PushDelivery['state']>`CASE WHEN ${isSeen} THEN 'seen' ELSE ${push_delivery.state} END`,
  held: sql<boolean>`${push.held}`,
  attempts: push_delivery.attempts,
  next_attempt_at: push_delivery.next_attempt_at,
  tried_at: push_delivery.tried_at,
  answer: push_delivery.answer,
  error: push_delivery.error,
  error_params: push_delivery.error_params,
  duration_ms: push_delivery.duration_ms,
  repeat_at: sql<string | null>`${push.repeat_at}`.mapWith(push.repeat_at),
  seen_at: sql<string | null>`${push.seen_at}`.mapWith(push.seen_at),
  created_at: push_delivery.created_at,
};
const joins = [
  [push, eq(push.id, push_delivery.push_id)],
  [push_channel, eq(push_channel.id, push_delivery.channel_id)],
  [push_rule, eq(push_rule.id, push.rule_id)],
  [user_account, eq(user_account.id, push_delivery.owner_id)],
] as const;

type Row = Omit<PushDelivery, 'next_attempt_at'> & { next_attempt_at: string; error_params: Record<string, string | number> | null };

const shown = ({ error, error_params, next_attempt_at, ...row }: Row, { language }: Context): PushDelivery => ({
  ...row,
  next_attempt_at: row.state === 'waiting' ? next_attempt_at : null,
  error: error && translate(language, `errors.${error}`, error_params ?? {}),
});

async function inquire(input: ParsedInputOf<Calls['inquire']>, context: Context): Promise<OutputOf<Calls['inquire']>> {
  const { search, state, channel_kind, channel_id, rule_id, owner_id, ...rest } = input;
  const { db, scope } = context;
  const page = await list(db, rest, {
    fields,
    from: push_delivery,
    joins,
    // What an agent's customers are told of is their own business.
    where: and(
      scope.changes(push_delivery.owner_id),
      contains([push.title, push.content, push_channel.target, push_channel.name], search),
      state && sql`${fields.state} = ${state}`,
      equals(push_channel.kind, channel_kind),
      equals(push_delivery.channel_id, channel_id),
      equals(push.rule_id, rule_id),
      equals(push_delivery.owner_id, owner_id),
    ),
    sorts: { id: push_delivery.id, next_attempt_at: push_delivery.next_attempt_at, tried_at: push_delivery.tried_at },
    key: push_delivery.id,
  });
  return { ...page, content: page.content.map((row) => shown(row, context)) };
}

async function resend({ ids }: { ids: number[] }, { db, scope, audit }: Context): Promise<{ affected: number }> {
  const { rows } = await db.execute<{ id: number }>(sql`
    UPDATE ${push_delivery} SET state = 'waiting', attempts = 0, next_attempt_at = now(), claim = NULL, claimed_until = NULL
    FROM ${push}
    WHERE ${and(
      isOneOf(push_delivery.id, ids),
      eq(push.id, push_delivery.push_id),
      scope.changes(push_delivery.owner_id),
      sql`NOT ${push.is_test}`,
      sql`${push.closed_at} IS NOT NULL`,
    )} RETURNING ${push_delivery.id}`);
  audit({ after: rows });
  if (rows.length > 0) await publish(db, 'event', null);
  return { affected: rows.length };
}

type SeenInput = ParsedInputOf<Calls['seen']>;

async function seen({ push_ids, message_ids }: SeenInput, { db, actor }: Context): Promise<{ affected: number }> {
  const found = await db
    .update(push)
    .set({ seen_at: sql`now()`, repeat_at: null })
    .where(
      and(
        eq(push.owner_id, actor.user_id),
        isNull(push.seen_at),
        sql`${push.closed_at} IS NOT NULL`,
        push_ids && isOneOf(push.id, push_ids),
        message_ids &&
          sql`${push.id} IN (SELECT own.push_id FROM push_delivery AS own WHERE own.site_message_id = ANY (${sql.param([...message_ids])}::bigint[]))`,
      ),
    )
    .returning({ id: push.id });
  return { affected: found.length };
}

async function choices(_input: object, { db, actor, settings }: Context): Promise<OutputOf<Calls['choices']>> {
  const { wecom_robot_url: wecom, dingtalk_robot_url: dingtalk, feishu_robot_url: feishu } = await settings();
  const chats = await db
    .select({ id: telegram_chat.id, title: sql<string>`coalesce(nullif(${telegram_chat.nickname}, ''), ${telegram_chat.username})` })
    .from(telegram_chat)
    .where(eq(telegram_chat.user_id, actor.user_id))
    .orderBy(telegram_chat.id);
  return {
    robots: { wecom, dingtalk, feishu },
    has_mail_server: (await db.$count(mail_server)) > 0,
    has_site_channel: (await db.$count(push_channel, and(eq(push_channel.owner_id, actor.user_id), eq(push_channel.kind, 'site')))) > 0,
    chats,
    may_set_mail_server: actor.role.kind === 'super' && actor.nodes.has('configuration.update'),
  };
}

/** Whoever sets it reads what is mailed: codes too. */
function refuseUnlessSuper({ actor }: Context): void {
  if (actor.role.kind !== 'super') throw new AppError(403, 'forbidden');
}

async function updateMailServer({ password, ...input }: ParsedInputOf<Calls['update_mail_server']>, context: Context) {
  refuseUnlessSuper(context);
  const { db, vault, audit } = context;
  const [before] = await db.select().from(mail_server).for('update');
  // A password is for the server that it was typed for: elsewhere it would be given away.
  const keeps = password === undefined && before?.host === input.host;
  const sealed = keeps ? (before?.password ?? null) : password ? sealPassword(vault, password) : null;
  const values = { ...input, password: sealed, updated_at: sql`now()` as unknown as string };
  await db.insert(mail_server).values(values).onConflictDoUpdate({ target: mail_server.id, set: values });
  const { password: _former, ...former } = before ?? { password: null };
  audit({ before: former, after: { ...input, has_password: sealed !== null } });
  return { affected: 1 };
}

const testMailServer =
  (network: GuardedNetwork) =>
  async (
    { password, to, ...input }: ParsedInputOf<Calls['test_mail_server']>,
    context: Context,
  ): Promise<OutputOf<Calls['test_mail_server']>> => {
    refuseUnlessSuper(context);
    const { db, vault, language, settings } = context;
    const startedAt = performance.now();
    const saved = await readMailServer(db, vault);
    const known = saved?.host === input.host ? saved.password : '';
    const { admin_title: site, mail_proxy: proxy } = await settings();
    await recordAct(db, context, { type: 'shield_push/test_mail_server', content: { ...input, to } });
    const outcome = await sendMail(
      network,
      { ...input, password: password ?? known, proxy },
      {
        to,
        subject: translate(language, 'push_text.test.title', { site }),
        text: translate(language, 'push_text.test.content', { site }),
        id: `test-${Date.now()}`,
      },
    ).then(
      (answer) => ({ answer, error: null }),
      (error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        return { answer: '', error: translate(language, `errors.${error.code}`, error.details.params) };
      },
    );
    return { ...outcome, duration_ms: Math.round(performance.now() - startedAt) };
  };

const test =
  (network: GuardedNetwork) =>
  async ({ id }: { id: number }, context: Context): Promise<PushDelivery> => {
    const { db, vault, actor, language, settings } = context;
    const [channel] = await db
      .select({ id: push_channel.id, owner_id: push_channel.owner_id, confirmed_at: push_channel.confirmed_at })
      .from(push_channel)
      .where(and(eq(push_channel.id, id), eq(push_channel.owner_id, actor.user_id)));
    if (!channel) throw notFound();
    if (!channel.confirmed_at) throw new AppError(409, 'push.unconfirmed');
    await recordAct(db, context, { type: 'shield_push/test', content: { id } });
    const { admin_title: site } = await settings();
    const made = await makeTest(db, channel, {
      title: translate(language, 'push_text.test.title', { site }),
      content: translate(language, 'push_text.test.content', { site }),
    });
    await attempt({ ...made, language }, { db, network, vault, now: () => context.now, site: settings }, { isTest: true });
    const query = db.select(fields).from(push_delivery).$dynamic();
    for (const [table, on] of joins) query.leftJoin(table, on);
    const [row] = await query.where(eq(push_delivery.id, made.id));
    if (!row) throw notFound();
    return shown(row, context);
  };

/** @param network keeps what is sent away from addresses inside */
export const createShieldPushService = (network: GuardedNetwork): Service<typeof shieldPush> => ({
  inquire,
  resend,
  seen,
  choices,
  channels: listChannels,
  add_channel: addChannel,
  update_channel: updateChannel,
  remove_channel: removeChannels,
  send_code: sendCode(network),
  confirm: confirmChannel,
  test: test(network),
  rules: listRules,
  add_rule: addRule,
  update_rule: updateRule,
  remove_rule: removeRules,

  async mail_server(_input, context) {
    refuseUnlessSuper(context);
    const [row] = await context.db.select().from(mail_server);
    if (!row) return { server: null };
    const { password, ...server } = row;
    return { server: { ...server, has_password: password !== null } };
  },
  update_mail_server: updateMailServer,
  async remove_mail_server(_input, context) {
    refuseUnlessSuper(context);
    const removed = await context.db.delete(mail_server).returning({ host: mail_server.host });
    context.audit({ before: removed });
    return { affected: removed.length };
  },
  test_mail_server: testMailServer(network),
});
