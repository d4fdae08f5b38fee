import { setTimeout as delay } from 'node:timers/promises';
import { type Params, Refusal } from './methods.ts';
import type { Bot, Update } from './world.ts';

const maxWaitSeconds = 50;
const retryMilliseconds = 500;
const webhookMilliseconds = 5_000;

type Waiting = { end: (why: 'news' | 'conflict' | 'over') => void };

export type Delivery = ReturnType<typeof createDelivery>;

/** Hands updates over: to the request of a bot that waits, or to its webhook, one after the other until each was taken. */
export function createDelivery() {
  const waiting = new Map<number, Waiting>();
  const delivering = new Set<number>();
  const stopping = new AbortController();
  /** Every call of a webhook, with what it answered. */
  const calls: { url: string; update_id: number; status: number }[] = [];

  function wait(bot: Bot, seconds: number, closed: AbortSignal): Promise<'news' | 'conflict' | 'over'> {
    waiting.get(bot.id)?.end('conflict');
    return new Promise((resolve) => {
      const timer = setTimeout(() => own.end('over'), seconds * 1000);
      const own: Waiting = {
        end(why) {
          clearTimeout(timer);
          if (waiting.get(bot.id) === own) waiting.delete(bot.id);
          resolve(why);
        },
      };
      closed.addEventListener('abort', () => own.end('over'));
      waiting.set(bot.id, own);
    });
  }

  async function getUpdates(bot: Bot, { offset, limit = 100, timeout = 0 }: Params, closed: AbortSignal): Promise<Update[]> {
    if (bot.webhook) throw new Refusal(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first");
    const from = offset === undefined ? 0 : Number(offset);
    bot.queue = bot.queue.filter(({ update_id }) => update_id >= from);
    if (bot.queue.length === 0 && Number(timeout) > 0) {
      const why = await wait(bot, Math.min(Number(timeout), maxWaitSeconds), closed);
      if (why === 'conflict')
        throw new Refusal(409, 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running');
    }
    return bot.queue.slice(0, Math.min(100, Number(limit)));
  }

  async function call(bot: Bot, update: Update): Promise<boolean> {
    const { url, secret_token } = bot.webhook ?? { url: '', secret_token: '' };
    const headers = { 'content-type': 'application/json', ...(secret_token ? { 'x-telegram-bot-api-secret-token': secret_token } : {}) };
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(webhookMilliseconds)]);
    try {
      const { status, body } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(update), signal });
      await body?.cancel();
      calls.push({ url, update_id: update.update_id, status });
      return status >= 200 && status < 300;
    } catch {
      calls.push({ url, update_id: update.update_id, status: 0 });
      return false;
    }
  }

  async function deliver(bot: Bot): Promise<void> {
    if (delivering.has(bot.id)) return;
    delivering.add(bot.id);
    while (bot.webhook && bot.queue[0] && !stopping.signal.aborted) {
      if (await call(bot, bot.queue[0])) bot.queue.shift();
      else await delay(retryMilliseconds, undefined, { signal: stopping.signal }).catch(() => {});
    }
    delivering.delete(bot.id);
  }

  return {
    getUpdates,
    calls,
    /** Sends an update to the webhook, whether it was taken before or not. */
    call,
    /** After something was put into the queue, or the webhook was set. */
    news(bot: Bot): void {
      waiting.get(bot.id)?.end(bot.webhook ? 'conflict' : 'news');
      if (bot.webhook) void deliver(bot);
    },
    stop(): void {
      stopping.abort();
      for (const { end } of [...waiting.values()]) end('over');
    },
  };
}
