import { sql } from 'drizzle-orm';
import type { Language, MessageKind, MessagePlace } from '../../../contract/enums.ts';
import { visitSettingDefaults } from '../../../contract/settings.visits.ts';
import type { Database } from '../postgres/database.ts';
import { type DomainEvent, emitEvents } from './events.ts';
import { languageOf, translate } from './messages.ts';
import { sendSystemMessage } from './site-messages.ts';

/** Speaks to one reader. */
export type Speech = {
  language: Language;
  say: (key: string, params?: Record<string, string | number>) => string;
  /** A moment by the clock of the site. */
  time: (at: string | Date) => string;
};
export type Words = { title: string; content: string | readonly string[] };

export type Notice = {
  kind: MessageKind;
  /** What it is about, where its reader finds it. */
  place?: MessagePlace;
  place_id?: number | undefined;
  /** Plain text, its content in lines. */
  words: (speech: Speech) => Words;
  /** What the users' webhooks, pushes and bots are told of it. */
  events?: readonly Omit<DomainEvent, 'owner_id'>[];
};

type Reader = { id: number; language: Language | null; default_language: Language | null; time_zone: string | null };

function speechFor(language: Language, time_zone: string): Speech {
  const clock = new Intl.DateTimeFormat(language, { timeZone: time_zone, dateStyle: 'medium', timeStyle: 'short' });
  return { language, say: (key, params) => translate(language, key, params), time: (at) => clock.format(new Date(at)) };
}

/**
 * Tells users of something, in the transaction of `db`: a site message in the language of each, and the events that are given. What is told
 * to somebody else than the reader of a page comes through here, but for the texts that pushes have written already.
 */
export async function notify(db: Database, users: number | readonly number[], { words, events = [], ...message }: Notice): Promise<void> {
  const ids = typeof users === 'number' ? [users] : users;
  const { rows } = await db.execute<Reader>(sql`
    SELECT id::float8 AS id, language, (SELECT value #>> '{}' FROM setting WHERE key = 'default_language') AS default_language,
      (SELECT value #>> '{}' FROM setting WHERE key = 'time_zone') AS time_zone
    FROM user_account WHERE id = ANY(${sql.param([...ids])}::bigint[]) ORDER BY id`);
  for (const [language, readers] of Map.groupBy(rows, (row) => row.language ?? row.default_language ?? languageOf(undefined))) {
    const { title, content } = words(speechFor(language, readers[0]?.time_zone ?? visitSettingDefaults.time_zone));
    const text = typeof content === 'string' ? content : content.join('\n');
    await sendSystemMessage(db, { ...message, user_ids: readers.map(({ id }) => id), title, content: text });
  }
  await emitEvents(
    db,
    ids.flatMap((owner_id) => events.map((event) => ({ ...event, owner_id }))),
  );
}

/** Tells every administrator who can act. */
export async function notifyAdministrators(db: Database, notice: Omit<Notice, 'kind' | 'events'>): Promise<void> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT user_account.id::float8 AS id FROM user_account JOIN role ON role.id = role_id
    WHERE role.kind IN ('super', 'administrator') AND NOT disabled AND status = 1`);
  await notify(
    db,
    rows.map(({ id }) => id),
    { kind: 'alert', ...notice },
  );
}
