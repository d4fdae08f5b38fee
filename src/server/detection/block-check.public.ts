import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { blockStatus, type Language } from '../../contract/enums.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import { publish } from '../kit/postgres/bus.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { block_check, block_check_url } from './detection.table.ts';
import { reasonOf } from './lists/lists.reads.ts';
import { readAddress } from './monitors/addresses.ts';

const pollMilliseconds = 250;
const maxMilliseconds = 30_000;

type Wish = { user_id: number; url: string; language: Language; signal: AbortSignal };

/**
 * Checks one address for a user as a list of one, and waits for what is found: the list stands on his screen afterwards.
 * @param db outside any transaction: a worker has to see the list
 * @throws {AppError} 400 at `url`, 503 `unavailable` where no worker answers in time
 */
export async function checkAddress(db: Database, { user_id, url, language, signal }: Wish) {
  const address = readAddress(url, { all: false });
  if ('fault' in address) throw invalidField('url', address.fault);
  const id = await transact(db, async (tx) => {
    const [list] = await tx.insert(block_check).values({ user_id, total: 1 }).returning({ id: block_check.id });
    if (!list) throw new Error('the row of the list was not returned');
    const [made] = await tx
      .insert(block_check_url)
      .values({ ...address, check_id: list.id, position: 1 })
      .returning({ id: block_check_url.id });
    if (!made) throw new Error('the row of the address was not returned');
    await publish(tx, 'domain_monitor', null);
    return made.id;
  });
  for (const until = performance.now() + maxMilliseconds; performance.now() < until; ) {
    await delay(pollMilliseconds, undefined, { signal });
    const [row] = await db.select().from(block_check_url).where(eq(block_check_url.id, id));
    if (!row || row.state === 'waiting') continue;
    const reason = reasonOf(row.state, row, row.findings, language);
    return { url: address.url, block_status: row.block_status ?? blockStatus.failed, reason };
  }
  throw new AppError(503, 'unavailable');
}
