import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../../kit/testing/app.ts';
import { createTronSite, type TronSite } from '../testing/site.ts';
import { tellStalled } from './stalled.ts';

const minute = 60_000;
let site: TronSite;
let admin: TestUser;
let start: number;

beforeAll(async () => {
  site = await createTronSite();
  admin = await site.makeUser('super');
  start = Date.parse((await site.read()).block_at);
});
afterAll(() => site.close());

const look = (minutes: number) => tellStalled(site.db, new Date(start + minutes * minute));
async function told(): Promise<string[]> {
  const { rows } = await site.db.execute<{ type: string }>(
    sql`SELECT type FROM event WHERE owner_id = ${admin.id} AND type LIKE 'payments.%' ORDER BY id`,
  );
  return rows.map(({ type }) => type);
}
/** What the watcher notes where a node does not answer, and where it was asked a moment before. */
const note = (error: string | null, minutes: number) =>
  site.db.execute(
    sql`UPDATE tron_position SET last_error = ${error}, last_error_at = now(), due_at = ${new Date(start + minutes * minute).toISOString()}::timestamptz`,
  );

test('payments that are not read for five minutes are told once, and that they are read again', async () => {
  await note('tron.no_answer', 6);
  await look(6);
  await look(10);
  expect(await told()).toEqual([]);
  await look(11);
  await look(12);
  expect(await told()).toEqual(['payments.stalled']);
  // By the rule that everybody begins with.
  const { rows } = await site.db.execute(
    sql`SELECT type FROM push_event JOIN event ON event.id = event_id WHERE owner_id = ${admin.id} AND type LIKE 'payments.%'`,
  );
  expect(rows).toEqual([{ type: 'payments.stalled' }]);
  await note(null, 20);
  await look(20);
  await look(21);
  expect(await told()).toEqual(['payments.stalled', 'payments.resumed']);
});

test('neither a quiet network is told, nor what is caught up within five minutes; a watcher that does not come is', async () => {
  const before = await told();
  await note(null, 60);
  for (const minutes of [50, 56, 62]) await look(minutes);
  await note('tron.no_answer', 70);
  await look(70);
  await note(null, 72);
  await look(72);
  expect(await told()).toEqual(before);
  for (const minutes of [80, 85]) await look(minutes);
  expect(await told()).toEqual([...before, 'payments.stalled']);
});
