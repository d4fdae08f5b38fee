import type pg from 'pg';
import { z } from 'zod';
import { AppError } from '../../kit/calls/errors.ts';
import { createWorkLoop, Stopped, type WorkLoop } from '../../kit/jobs/work-loop.ts';
import { setLocales } from '../../kit/messages/messages.ts';
import { cachedValue } from '../../kit/postgres/cached-value.ts';
import { type Database, openDatabase, transact, transactAgain } from '../../kit/postgres/database.ts';
import { readLanguages } from '../../languages/languages.public.ts';
import { readSettings } from '../../settings/settings.public.ts';
import type { Answer } from '../api/answers.ts';
import { clientOf, type Download, downloaderOf, Migrated, type Telegram } from '../api/client.ts';
import { forgetChat, moveChat } from '../bots.chats.ts';
import type { BotsOptions } from '../bots.options.ts';
import { isChatLost } from '../bots.public.ts';
import { claimUpdate, finish, type KeptUpdate, keepRest, putOff, release, takeEffect, updates } from './inbox.ts';
import { planOf } from './plan.ts';

const pollMilliseconds = 1_000;
/** Less than a worker has database connections. */
const updatesAtOnce = 4;

/** Faults of one answer that no further attempt can mend: the press is too old to be answered, the message is gone. */
const isPointless = (error: unknown): boolean => error instanceof AppError && error.code === 'telegram.failed';

/** Says what is left to be said, one after the other. */
async function sayAll(db: Database, kept: KeptUpdate, answers: readonly Answer[], telegram: Telegram, signal: AbortSignal): Promise<void> {
  const { bot_id, chat_id } = kept;
  for (const [index, { method, params }] of answers.entries()) {
    try {
      await telegram(method, params, z.unknown(), { signal });
    } catch (error) {
      if (error instanceof Migrated && chat_id !== null) {
        await moveChat(db, { bot_id, chat_id }, error.chat_id);
        await telegram(method, { ...params, chat_id: error.chat_id }, z.unknown(), { signal });
      } else if (isChatLost(error) && chat_id !== null) {
        await transact(db, (tx) => forgetChat(tx, { bot_id, chat_id }));
        return;
      } else if (!isPointless(error)) throw error;
    }
    if (index < answers.length - 1) await keepRest(db, kept, answers.slice(index + 1));
  }
}

export type HandlingOptions = BotsOptions & { pool: pg.Pool; now?: () => Date };

/** Does what bots were sent: each update takes effect once, and is answered at least once. */
export function startHandling(options: HandlingOptions): WorkLoop {
  const { pool, bus, network, vault, log, checkUrl, takePicture, now = () => new Date() } = options;
  const db = openDatabase(pool);
  const settings = cachedValue({ bus, log, topics: ['setting'], read: () => readSettings(pool) });
  const locales = cachedValue({
    bus,
    log,
    topics: ['language', 'setting'],
    async read() {
      const known = await readLanguages(pool);
      setLocales(known);
      return known;
    },
  });

  async function handle(kept: KeptUpdate, signal: AbortSignal): Promise<void> {
    await locales();
    const telegram = await clientOf({ db, network, vault }, kept);
    let answers: readonly Answer[] | undefined = kept.answers ?? [];
    if (kept.state === 'waiting' && kept.update) {
      const bot = { id: kept.bot_id, username: kept.username };
      const download: Download = async (...asked) => (await downloaderOf({ db, network, vault }, kept))(...asked);
      const effect = await planOf(
        { db, network, vault, bot, telegram, settings: await settings(), now: now(), checkUrl, takePicture, download, signal },
        kept.update,
      );
      answers = await transactAgain(db, (tx) => takeEffect(tx, kept, () => effect(tx)));
    }
    if (!answers) return;
    await sayAll(db, kept, answers, telegram, signal);
    await finish(db, kept);
  }

  return createWorkLoop<KeptUpdate>({
    name: 'telegram updates',
    bus,
    topic: 'telegram_update',
    pollMilliseconds,
    concurrency: updatesAtOnce,
    log,
    claim: () => claimUpdate(db),
    async run(kept, signal) {
      try {
        await handle(kept, signal);
      } catch (error) {
        if (signal.aborted && signal.reason instanceof Stopped) throw signal.reason;
        const code = error instanceof AppError ? error.code : String(error);
        log.warn({ bot: kept.bot_id, update: kept.id, error: code }, 'an update of a bot could not be dealt with');
        await putOff(db, kept, error instanceof AppError ? (error.details.retryAfterSeconds ?? 0) : 0);
      }
    },
    lease: updates.lease(db),
    release: (kept) => release(db, kept),
  });
}
