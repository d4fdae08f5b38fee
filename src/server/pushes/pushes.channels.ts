import { randomInt, timingSafeEqual } from 'node:crypto';
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import {
  type Channel,
  type ChannelKind,
  maxChannels,
  type RobotKind,
  robotKinds,
  type shieldPush,
} from '../../contract/detection/shield-push.ts';
import type { OutputOf, ParsedInputOf } from '../../contract/kit/call.ts';
import type { Settings } from '../../contract/settings.ts';
import { telegram_chat } from '../bots/bots.public.ts';
import { countAttempt } from '../kit/calls/attempts.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseImpersonator } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { publish } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import type { Vault } from '../kit/vault.ts';
import { user_account } from '../users/users.table.ts';
import { readMailServer } from './pushes.mail-server.ts';
import { personal } from './pushes.personal.ts';
import { push_channel } from './pushes.table.ts';
import { sendMail } from './senders/mail.ts';
import { openRobot, type Robot, sealRobot } from './senders/robots.ts';

type Calls = (typeof shieldPush)['calls'];
type AddInput = ParsedInputOf<Calls['add_channel']>;

const codeMinutes = 30;
const maxGuesses = 5;

const {
  secret: _secret,
  receiver: _receiver,
  code_hash: _hash,
  code_sent_at: _sent,
  code_guesses: _guesses,
  free_at: _free,
  ...plain
} = getTableColumns(push_channel);
const fields = {
  ...plain,
  has_secret: sql<boolean>`${push_channel.secret} IS NOT NULL`,
  last_delivered_at: sql<string | null>`(SELECT own.tried_at FROM push_delivery AS own
    WHERE own.channel_id = ${push_channel.id} AND own.state = 'delivered' ORDER BY own.id DESC LIMIT 1)`.mapWith(push_channel.confirmed_at),
  rules: sql<number>`(SELECT count(*)::int FROM push_rule_channel AS own WHERE own.channel_id = ${push_channel.id})`,
};
const rows = rowsOf(push_channel, { fields, scope: push_channel.owner_id });

const isRobot = (kind: ChannelKind): kind is RobotKind => (robotKinds as readonly ChannelKind[]).includes(kind);

/** Two that are made at once must not both find room for one. */
async function refuseTooMany(db: Database, owner_id: number): Promise<void> {
  await db.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, owner_id)).for('no key update');
  if ((await db.$count(push_channel, eq(push_channel.owner_id, owner_id))) >= maxChannels)
    throw new AppError(409, 'push.too_many_channels', { params: { maximum: maxChannels } });
}

/** The address of a robot where it is one of the site's: the same origin, a path below, and a key. */
function robotUrl(kind: RobotKind, text: string | undefined, settings: Settings): string {
  if (!text) throw invalidField('url', 'required');
  const base = new URL(settings[`${kind}_robot_url`]);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = base.pathname.replace(/\/+$/, '');
  const isBelow = url && url.origin === base.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`));
  if (!isBelow || url.username !== '' || url.password !== '') throw invalidField('url', 'not_a_robot');
  if (keyOf(kind, url, path) === '') throw invalidField('url', 'not_a_robot');
  url.hash = '';
  return url.href;
}

function keyOf(kind: RobotKind, url: URL, path: string): string {
  if (kind === 'wecom') return url.searchParams.get('key') ?? '';
  if (kind === 'dingtalk') return url.searchParams.get('access_token') ?? '';
  return url.pathname.slice(path.length + 1);
}

const robotTarget = (url: string): string => `${new URL(url).host} …${url.slice(-4)}`;

type Place = Pick<typeof push_channel.$inferInsert, 'target' | 'telegram_chat_id' | 'secret' | 'receiver' | 'confirmed_at'>;
const receiverOf = (vault: Vault, text: string): Buffer => vault.mac(text, 'push receiver');
const confirmed = { confirmed_at: sql`now()` as unknown as string };

/** Where a new channel leads; one that its owner has to prove is his is not confirmed. */
async function placeOf(input: AddInput, { db, actor, settings, vault }: Context): Promise<Place> {
  const { kind, address, telegram_chat_id, url, secret = '' } = input;
  if (kind === 'site') return { receiver: Buffer.from('site'), ...confirmed };
  if (kind === 'email') {
    if (address === undefined) throw invalidField('address', 'required');
    return { target: address, receiver: receiverOf(vault, `email ${address.toLowerCase()}`) };
  }
  if (isRobot(kind)) return { ...robotPlace(kind, { url: robotUrl(kind, url, await settings()), secret }, vault), ...confirmed };
  if (telegram_chat_id === undefined) throw invalidField('telegram_chat_id', 'required');
  const [chat] = await db
    .select()
    .from(telegram_chat)
    .where(and(eq(telegram_chat.id, telegram_chat_id), eq(telegram_chat.user_id, actor.user_id)));
  if (!chat) throw invalidField('telegram_chat_id', 'unknown_chat');
  const receiver = receiverOf(vault, `telegram ${chat.bot_id} ${chat.chat_id}`);
  return { target: chat.nickname || chat.username, telegram_chat_id, receiver, ...confirmed };
}

const robotPlace = (kind: RobotKind, robot: Robot, vault: Vault) => ({
  target: robotTarget(robot.url),
  secret: sealRobot(vault, robot),
  receiver: receiverOf(vault, `${kind} ${robot.url}`),
});

const fieldOfKind = (kind: ChannelKind): string =>
  kind === 'email' ? 'address' : kind === 'telegram' ? 'telegram_chat_id' : isRobot(kind) ? 'url' : 'kind';

/** A receiver is a channel of its owner once: the field by which it was named is at fault. */
function withReceiverNamed<T>(kind: ChannelKind, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const text = String(error instanceof Error ? (error.cause ?? error) : error);
    throw text.includes('push_channel_owner_id_receiver_key') ? invalidField(fieldOfKind(kind), 'channel_exists') : error;
  });
}

export const listChannels = (input: ParsedInputOf<Calls['channels']>, context: Context) =>
  rows.page({ order: 'asc', ...input }, personal(context));

export async function addChannel(input: AddInput, context: Context): Promise<Channel> {
  refuseImpersonator(context);
  const { db, actor } = context;
  await refuseTooMany(db, actor.user_id);
  const row = { owner_id: actor.user_id, kind: input.kind, name: input.name ?? '', ...(await placeOf(input, context)) };
  return withReceiverNamed(input.kind, rows.add(row, personal(context)));
}

export async function updateChannel(input: ParsedInputOf<Calls['update_channel']>, context: Context): Promise<Channel> {
  refuseImpersonator(context);
  const { id, url, secret, ...rest } = input;
  const own = personal(context);
  const [before] = await rows.lock([id], own);
  if (!before) throw notFound();
  const { kind } = before;
  const changesPlace = (url !== undefined && url !== '') || (secret !== undefined && secret !== '');
  // An owner who switches it on again begins anew.
  const anew = rest.enabled ? { stopped: null, failing_since: null } : {};
  const place = changesPlace && isRobot(kind) && before.secret ? await changedRobot(kind, before.secret, { url, secret }, context) : {};
  const changed = await withReceiverNamed(kind, rows.change({ id, ...rest, ...anew, ...place }, own));
  await publish(context.db, 'event', null);
  return changed;
}

async function changedRobot(kind: RobotKind, sealed: Buffer, given: Partial<Robot>, { vault, settings }: Context) {
  const former = openRobot(vault, sealed);
  const url = given.url ? robotUrl(kind, given.url, await settings()) : former.url;
  return robotPlace(kind, { url, secret: given.secret || former.secret }, vault);
}

export const removeChannels = (input: { ids: number[] }, context: Context) => rows.remove(input, personal(context));

const codeOf = (vault: Vault, id: number, code: string): Buffer => vault.mac(`${id} ${code}`, 'push channel code');

/** Mails a code to an address that was not confirmed yet; what went wrong is told in words, so that the address can be mended. */
export const sendCode =
  (network: GuardedNetwork) =>
  async ({ id }: { id: number }, context: Context): Promise<OutputOf<Calls['send_code']>> => {
    refuseImpersonator(context);
    const { db, actor, vault, language } = context;
    const [found] = await db
      .select()
      .from(push_channel)
      .where(and(eq(push_channel.id, id), eq(push_channel.owner_id, actor.user_id), eq(push_channel.kind, 'email')));
    if (!found) throw notFound();
    if (found.confirmed_at) throw new AppError(409, 'push.confirmed_already');
    // Nobody's mailbox is filled by us, whoever's address was typed.
    await countAttempt(db, `push code of ${actor.user_id}`, { max: 10, seconds: 3600 });
    await countAttempt(db, `push code to ${found.receiver.toString('hex')}`, { max: 5, seconds: 3600 });
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await db
      .update(push_channel)
      .set({ code_hash: codeOf(vault, id, code), code_sent_at: sql`now()`, code_guesses: 0 })
      .where(eq(push_channel.id, id));
    await recordAct(db, context, { type: 'shield_push/send_code', content: { id } });
    try {
      const server = await readMailServer(db, vault);
      if (!server) throw new AppError(409, 'push.no_mail_server');
      const site = (await context.settings()).admin_title;
      await sendMail(network, server, {
        to: found.target,
        subject: translate(language, 'push_text.code_mail.subject', { site }),
        text: translate(language, 'push_text.code_mail.text', { site, code, account: actor.account, minutes: codeMinutes }),
        id: `code-${id}-${Date.now()}`,
      });
      return { error: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { error: translate(language, `errors.${error.code}`, error.details.params) };
    }
  };

/** Not a transaction: a wrong guess stays counted. */
export async function confirmChannel({ id, code }: { id: number; code: string }, context: Context): Promise<{ affected: number }> {
  refuseImpersonator(context);
  const { db, actor, vault } = context;
  const isOwn = and(eq(push_channel.id, id), eq(push_channel.owner_id, actor.user_id));
  const [exists] = await db
    .select({ confirmed_at: push_channel.confirmed_at })
    .from(push_channel)
    .where(isOwn)
    .orderBy(asc(push_channel.id));
  if (!exists) throw notFound();
  if (exists.confirmed_at) return { affected: 0 };
  const [found] = await db
    .update(push_channel)
    .set({ code_guesses: sql`${push_channel.code_guesses} + 1` })
    .where(
      and(
        isOwn,
        sql`${push_channel.code_guesses} < ${maxGuesses}`,
        sql`${push_channel.code_sent_at} > now() - make_interval(mins => ${codeMinutes})`,
      ),
    )
    .returning({ code_hash: push_channel.code_hash });
  if (!found?.code_hash) throw invalidField('code', 'code_expired');
  if (!timingSafeEqual(found.code_hash, codeOf(vault, id, code))) throw invalidField('code', 'wrong_code');
  await db.update(push_channel).set({ confirmed_at: sql`now()`, code_hash: null, updated_at: sql`now()` }).where(isOwn);
  await recordAct(db, context, { type: 'shield_push/confirm', content: { id } });
  return { affected: 1 };
}
