import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Log } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { leasedRows } from '../../kit/jobs/leased-rows.ts';
import { createWorkLoop, Stopped, type WorkLoop } from '../../kit/jobs/work-loop.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Bus } from '../../kit/postgres/bus.ts';
import { type Database, openDatabase } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { type Means, openNodes } from '../tron.means.ts';
import { tron_send } from '../tron.table.ts';
import { advanceSend, type Sender } from './engine.ts';
import type { Hooks, SendRow } from './sends.ts';

const pollMilliseconds = 1_000;
/** At least so long between two looks at one send, whatever came of the first. */
const restSeconds = 2;
const retrySeconds = 10;
const sendsAtOnce = 4;

type Claimed = { id: number; claim: string };
const sends = leasedRows<Claimed>('tron_send', { seconds: 60, retry: { at: 'due_at', seconds: sql`${retrySeconds}` } });

async function claimSend(db: Database): Promise<Claimed | undefined> {
  const [claimed] = await sends.claim(db, {
    due: sql`SELECT id FROM tron_send WHERE state IN ('queued', 'signed', 'broadcast') AND due_at <= now()
      AND ${sends.isFree} ORDER BY due_at LIMIT 1`,
  });
  return claimed;
}

/** Gives a send back: at its own time, and not at once where its step left none. */
const giveBack = (db: Database, claimed: Claimed) =>
  sends.release(db, claimed, sql`due_at = greatest(due_at, now() + make_interval(secs => ${restSeconds}))`);

export async function openSender(means: Means, hooks: Hooks, signal?: AbortSignal): Promise<Sender> {
  return { db: means.db, vault: means.vault, hooks, ...(await openNodes(means, signal)) };
}

export type SenderOptions = {
  pool: pg.Pool;
  bus: Bus;
  network: GuardedNetwork;
  vault: Vault;
  log: Log;
  hooks: Hooks;
  /** Before each round: what waits to be sent or booked. */
  prepare: (db: Database) => Promise<unknown>;
};

/** Signs, sends and follows what is due, until it is stopped. What a worker that died left is taken up by the next one. */
export function startSender({ pool, bus, network, vault, log, hooks, prepare }: SenderOptions): WorkLoop {
  const db = openDatabase(pool);
  const means: Means = { db, vault, network };
  return createWorkLoop<Claimed>({
    name: 'payments that are sent',
    bus,
    topic: 'tron_send',
    pollMilliseconds,
    concurrency: sendsAtOnce,
    log,
    prepare: () => prepare(db),
    claim: () => claimSend(db),
    async run(claimed, signal) {
      try {
        const [send] = await db.select().from(tron_send).where(eq(tron_send.id, claimed.id));
        if (send) await advanceSend(await openSender(means, hooks, signal), send as SendRow);
        await giveBack(db, claimed);
      } catch (error) {
        if (signal.aborted && signal.reason instanceof Stopped) throw signal.reason;
        log.warn({ send: claimed.id, error: String(error) }, 'a payment could not be sent on');
        await sends.fail(db, claimed, { set: sql`last_error = ${error instanceof AppError ? error.code : 'internal'}` });
      }
    },
    release: (claimed) => sends.release(db, claimed),
  });
}
