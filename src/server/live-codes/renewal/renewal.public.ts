import { sql } from 'drizzle-orm';
import { recogniseQr } from '../../../contract/codes/qr-kind.ts';
import type { Language } from '../../../contract/enums.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { type Buttons, type CallbackAnswer, escapeHtml, onCallback, type TakePicture } from '../../bots/bots.public.ts';
import { readPerson } from '../../kit/calls/authentication.ts';
import { translate } from '../../kit/messages/messages.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { PictureTaker } from '../../uploads/storing.public.ts';
import { changePicture, dueTargets, type PictureTarget, targetsShowing } from './targets.ts';

const [renew, takeBack] = ['renew', 'renew_back'] as const;
/** Who may change where a code of his leads. */
const nodes: readonly NodeKey[] = ['qr_code_list.update', 'qr_code_list_admin.update'];
const maxName = 24;
const dayMilliseconds = 86_400_000;

type Speech = { language: Language; time_zone: string };

const words = ({ language }: Pick<Speech, 'language'>, key: string, params: Record<string, string | number> = {}): string =>
  translate(language, `telegram_bot_binding.renewal.${key}`, params);

const shownTime = ({ language, time_zone }: Speech, at: string): string =>
  new Intl.DateTimeFormat(language, { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at));

const paramsOf = (speech: Speech, { code, place, expires_at }: PictureTarget) => ({
  code: code.length > maxName ? `${code.slice(0, maxName - 1).toWellFormed()}…` : code,
  place,
  time: expires_at === null ? '' : shownTime(speech, expires_at),
});

async function timeZoneOf(db: Database): Promise<string> {
  const { rows } = await db.execute<{ value: string }>(sql`SELECT value #>> '{}' AS value FROM setting WHERE key = 'time_zone'`);
  return rows[0]?.value ?? 'Asia/Shanghai';
}

/**
 * A picture that is sent to a bot is read, and offered for the targets of the sender's codes that are about to end: one tap, and visitors see
 * it. So a group's code of a week is renewed from the phone that made it.
 */
export function startRenewal(taker: PictureTaker): TakePicture {
  onCallback(renew, (tx, { chat, data, language }) => renewTarget(tx, { user_id: chat.user_id, data, language }));
  onCallback(takeBack, (tx, { chat, data, language }) => undo(tx, { user_id: chat.user_id, data, language }));
  return async ({ db, person, language, settings, now, bytes, caption, signal }) => {
    const speech = { language, time_zone: settings.time_zone };
    if (!nodes.some((node) => person.nodes.has(node))) return { html: words(speech, 'no_rights') };
    const seen = await taker.see(bytes, person.user_id, signal);
    const { qr_text, qr_kind } = seen.finding;
    if (qr_kind === 'none' || qr_text === null) return { html: words(speech, 'no_code') };
    const [known] = await targetsShowing(db, person.user_id, qr_text);
    if (known) return { html: escapeHtml(words(speech, 'known', paramsOf(speech, known))) };
    const due = await dueTargets(db, person.user_id, now, caption.trim());
    if (due.length === 0)
      return { html: escapeHtml(words(speech, caption.trim() === '' ? 'none_due' : 'none_named', { words: caption.trim() })) };
    const { id } = await taker.keep(seen, person.user_id, words(speech, 'title', { time: shownTime(speech, now.toISOString()) }));
    const buttons: Buttons = [
      ...due.map((target) => [{ text: words(speech, 'choice', paramsOf(speech, target)), data: `${renew}:${id}:${target.id}` }]),
      [{ text: words(speech, 'none_of_them'), data: `${renew}:${id}:0` }],
    ];
    return { html: escapeHtml(words(speech, 'choose')), buttons };
  };
}

type Pressed = { user_id: number; data: string; language: Language };

async function mayChange(tx: Database, user_id: number): Promise<boolean> {
  const person = await readPerson(tx, user_id);
  return nodes.some((node) => person?.nodes.has(node));
}

async function renewTarget(tx: Database, { user_id, data, language }: Pressed): Promise<CallbackAnswer> {
  const [file_id = 0, target_id = 0] = data.split(':').map(Number);
  if (target_id === 0) return { text: words({ language }, 'kept_aside'), buttons: [] };
  const { rows } = await tx.execute<{ qr_text: string | null; created_at: string }>(
    sql`SELECT qr_text, created_at FROM file WHERE id = ${file_id} AND owner_id = ${user_id}`,
  );
  const [picture] = rows;
  if (!picture || !(await mayChange(tx, user_id))) return { text: words({ language }, 'not_changed'), alert: true };
  const { days } = recogniseQr(picture.qr_text ?? '');
  // A picture that was just sent was just made; of codes that nobody knows to end the target does not, either.
  const expires_at = days === undefined ? null : new Date(Date.parse(picture.created_at) + days * dayMilliseconds).toISOString();
  const before = await changePicture(tx, { user_id, target_id, file_id, expires_at });
  if (!before) return { text: words({ language }, 'not_changed'), alert: true };
  const speech = { language, time_zone: await timeZoneOf(tx) };
  const done = words(speech, expires_at === null ? 'done_endless' : 'done', paramsOf(speech, { ...before, expires_at }));
  const seconds = before.expires_at === null ? 0 : Math.round(Date.parse(before.expires_at) / 1000);
  const back = [target_id, file_id, before.file_id, seconds].join(':');
  return { text: done, message: { html: escapeHtml(done), buttons: [[{ text: words(speech, 'undo'), data: `${takeBack}:${back}` }]] } };
}

async function undo(tx: Database, { user_id, data, language }: Pressed): Promise<CallbackAnswer> {
  const [target_id = 0, expected = 0, file_id = 0, seconds = 0] = data.split(':').map(Number);
  const expires_at = seconds === 0 ? null : new Date(seconds * 1000).toISOString();
  const isDone = (await mayChange(tx, user_id)) && (await changePicture(tx, { user_id, target_id, file_id, expires_at, expected }));
  if (!isDone) return { text: words({ language }, 'not_changed'), alert: true, buttons: [] };
  const speech = { language, time_zone: await timeZoneOf(tx) };
  const undone = words(speech, 'undone', paramsOf(speech, isDone));
  return { text: undone, message: { html: escapeHtml(undone) } };
}
