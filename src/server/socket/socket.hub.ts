import { sql } from 'drizzle-orm';
import type { Language } from '../../contract/enums.ts';
import { type SocketMessage, socketProtocol, socketTypes } from '../../contract/socket.ts';
import { liveSessions } from '../kit/calls/authentication.ts';
import type { Log } from '../kit/calls/context.ts';
import { every } from '../kit/jobs/every.ts';
import { translate } from '../kit/messages/messages.ts';
import type { Bus, Push, Receivers } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { messageFor } from '../messages/messages.public.ts';

/** An open page that has logged in. */
export type Page = {
  session_id: number;
  user_id: number;
  role_id: number;
  /** Has to set up a second factor first: it hears only what concerns the page itself. */
  is_enrolling: boolean;
  language: Language;
  watches_statistics: boolean;
  /** How many visits were loaded when it was last told that there are newer ones; undefined since it began to watch. */
  told_records: number | undefined;
  send: (message: SocketMessage) => void;
  close: (code: number) => void;
};

const checkMilliseconds = 500;
const statisticsMilliseconds = 5000;
/** Room in a frame for what stands around a message's text. */
const maxTextLength = socketProtocol.maxFrameBytes - 1024;

export const plain = (type: number, content: SocketMessage['content'] = null): SocketMessage => ({
  type,
  status: true,
  message: '',
  content,
});

export type Hub = { add: (page: Page) => void; remove: (page: Page) => void; pages: () => ReadonlySet<Page>; stop: () => void };

/**
 * All open pages of this process. Hears from the bus what is to be pushed, and asks twice a second, for all of them at once, whether their
 * sessions still hold, whatever it is that ended one.
 */
export function createHub({ db, bus, log }: { db: Database; bus: Bus; log: Log }): Hub {
  const pages = new Set<Page>();

  bus.subscribe('push', (push) => {
    for (const page of [...pages]) if (isReceiver(page, push)) deliver(page, push);
  });
  const tellSite = () => {
    for (const page of [...pages]) page.send(plain(socketTypes.site));
  };
  bus.subscribe('setting', tellSite);
  // What was changed while the bus was away, nobody has told the pages of.
  bus.onGap(tellSite);
  bus.subscribe('site_message', ({ id }) => {
    pushMessage(id).catch((error) => log.warn({ error: String(error) }, 'a site message was not pushed'));
  });

  async function pushMessage(id: number): Promise<void> {
    const open = [...pages].filter((page) => !page.is_enrolling);
    if (open.length === 0) return;
    const message = await messageFor(db, id, [...new Set(open.map((page) => page.user_id))]);
    if (!message) return;
    const receivers = new Set(message.receivers);
    const isTooLong = Buffer.byteLength(JSON.stringify(message.content)) > maxTextLength;
    const content = { id, title: message.title, content: isTooLong ? null : message.content };
    for (const page of open) if (receivers.has(page.user_id)) page.send(plain(socketTypes.site_message, content));
  }

  /** Ends the pages whose sessions are over; notes what changed of the others. */
  async function checkSessions(): Promise<void> {
    const checked = [...pages];
    if (checked.length === 0) return;
    const live = new Map(
      (await liveSessions(db, [...new Set(checked.map((page) => page.session_id))])).map((row) => [row.session_id, row]),
    );
    for (const page of checked) {
      const session = live.get(page.session_id);
      if (session) Object.assign(page, { role_id: session.role_id, is_enrolling: session.is_enrolling });
      else end(page);
    }
  }

  function end(page: Page): void {
    const message = translate(page.language, 'errors.not_logged_in');
    page.send({ type: socketTypes.close, status: false, message, content: null });
    page.close(socketProtocol.deliberateClose);
  }

  async function tick(): Promise<void> {
    const watching = [...pages].filter((page) => page.watches_statistics && !page.is_enrolling);
    if (watching.length === 0) return;
    const { rows } = await db.execute<{ loaded: number }>(
      sql`SELECT coalesce(sum(loaded_records), 0)::bigint AS loaded FROM journal_segment`,
    );
    const loaded = rows[0]?.loaded;
    // Who has just begun to watch is always told: visits may have come between his page's first question and this.
    for (const page of watching.filter(({ told_records }) => told_records !== loaded)) {
      page.told_records = loaded;
      page.send(plain(socketTypes.statistics, { at: new Date().toISOString() }));
    }
  }

  const repeated = [
    every(checkMilliseconds, checkSessions, { log, failure: 'sessions of open pages could not be checked' }),
    every(statisticsMilliseconds, tick, { log, failure: 'there may be newer statistics than open pages know' }),
  ];

  return {
    add: (page) => void pages.add(page),
    remove: (page) => void pages.delete(page),
    pages: () => pages,
    stop() {
      for (const { stop } of repeated) void stop();
    },
  };
}

function isReceiver(page: Page, { to, type }: Push): boolean {
  if (page.is_enrolling && type > socketTypes.close) return false;
  return isNamed(page, to);
}

function isNamed(page: Page, to: Receivers): boolean {
  if ('user_ids' in to) return to.user_ids.includes(page.user_id);
  if ('session_ids' in to) return to.session_ids.includes(page.session_id);
  if ('role_id' in to) return to.role_id === page.role_id;
  return to.all;
}

function deliver(page: Page, { type, status = true, text, content = null }: Push): void {
  const message = text ? translate(page.language, text) : '';
  // What is pushed went through JSON on its way here.
  page.send({ type, status, message, content: content as SocketMessage['content'] });
  if (type === socketTypes.close) page.close(socketProtocol.deliberateClose);
}
