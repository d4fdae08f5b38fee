import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { emitEvents } from '../kit/messages/events.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { here, preparePushes, work } from './testing/setup.ts';

preparePushes();

/** `npm run bench:pushes` kills more often, and prints what became of the pushes. */
const kills = Number(process.env.PUSH_KILLS ?? 6);
const users = Math.max(60, kills * 8);
const rulesEach = 2;
/** How many a worker has under way. */
const underWay = 8;

/** Users with a mailbox of their own and several rules that tell of the same event. */
async function makeOwners(): Promise<number[]> {
  const { rows } = await here.test_app.db.execute<{ id: number }>(sql`
    WITH made AS (
      INSERT INTO user_account (account, password_hash, role_id, invitation_code)
      SELECT 'killed' || number, '', role.id, 'killed' || number FROM role, generate_series(1, ${users}) AS number
      WHERE kind = 'customer' AND built_in RETURNING id
    ) SELECT id FROM made ORDER BY id`);
  const ids = rows.map(({ id }) => id);
  const owners = sql`unnest(${sql.param(ids)}::bigint[]) AS owner (id)`;
  // Without the rules that every user begins with, so that only mails are sent.
  await here.test_app.db.execute(sql`DELETE FROM push_rule WHERE owner_id = ANY(${sql.param(ids)}::bigint[])`);
  await here.test_app.db.execute(sql`
    WITH channel AS (
      INSERT INTO push_channel (owner_id, kind, target, receiver, confirmed_at)
      SELECT id, 'email', id || '@example.com', convert_to(id::text, 'UTF8'), now() FROM ${owners} RETURNING id, owner_id
    ), rule AS (
      INSERT INTO push_rule (owner_id, events) SELECT id, '{domain.blocked}'::text[] FROM ${owners}, generate_series(1, ${rulesEach}) RETURNING id, owner_id
    ) INSERT INTO push_rule_channel (rule_id, channel_id) SELECT rule.id, channel.id FROM rule JOIN channel USING (owner_id)`);
  return ids;
}

type Sent = { id: number; state: string; attempts: number };
const sent = async (): Promise<Sent[]> =>
  (
    await here.test_app.db.execute<Sent>(sql`
      SELECT push_delivery.id, state, attempts FROM push_delivery JOIN push_channel ON push_channel.id = channel_id WHERE kind = 'email' ORDER BY 1`)
  ).rows;

/** Makes what was gathered meanwhile due, until so many mails have arrived. */
async function untilSent(wanted: number): Promise<void> {
  let dueAt = 0;
  await eventually(
    async () => {
      if (performance.now() - dueAt > 500) {
        await here.test_app.db.execute(sql`UPDATE push SET due_at = now() WHERE closed_at IS NULL AND due_at > now()`);
        await here.test_app.db.execute(
          sql`UPDATE push_delivery SET next_attempt_at = now() WHERE attempts = 0 AND next_attempt_at > now()`,
        );
        dueAt = performance.now();
      }
      expect(here.mail.mails.length).toBeGreaterThanOrEqual(wanted);
    },
    { timeout: 60_000, interval: 5 },
  );
}

test(
  'kill -9 of the sender, again and again, loses no push, and sends none twice whose answer was seen',
  async () => {
    const owners = await makeOwners();
    const { mails, delay } = here.mail;
    delay(40);
    await emitEvents(
      here.test_app.db,
      owners.map((owner_id) => ({ type: 'domain.blocked', owner_id, data: { id: 1, host: 'killed.example.com' } })),
    );
    const { db } = here.test_app;
    // Kills from the first moment on: while events are gathered, while pushes are written, and while they are sent.
    for (let kill = 0; kill < kills; kill += 1) {
      const worker = fork(fileURLToPath(new URL('testing/worker.ts', import.meta.url)), [here.test_app.url, here.test_app.dataDir]);
      await once(worker, 'message');
      await db.execute(sql`UPDATE push_delivery SET claimed_until = now() WHERE claimed_until IS NOT NULL`);
      if (kill > 1) await untilSent(here.mail.mails.length + 6);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
    }
    await db.execute(sql`UPDATE push_delivery SET claimed_until = now() WHERE claimed_until IS NOT NULL`);
    await db.execute(sql`UPDATE push SET due_at = now() WHERE closed_at IS NULL`);
    await db.execute(sql`UPDATE push_delivery SET next_attempt_at = now() WHERE state = 'waiting'`);
    work();
    await eventually(async () => expect((await sent()).filter(({ state }) => state === 'delivered')).toHaveLength(users * rulesEach), {
      timeout: 30_000 + kills * 5_000,
      interval: 200,
    });
    const received = Map.groupBy(mails, ({ id }) => id);
    const all = await sent();
    const timesOf = (id: number) => received.get(`<push-${id}@example.com>`)?.length ?? 0;
    if (process.env.PUSH_KILLS) {
      const lost = all.filter(({ id }) => timesOf(id) === 0).length;
      const twice = all.filter(({ id, attempts }) => timesOf(id) > attempts).length;
      const again = all.filter(({ id }) => timesOf(id) > 1).length;
      console.log(`${kills} kills, ${all.length} pushes: lost ${lost}, sent again though the answer was written ${twice} (wanted: 0, 0)`);
      console.log(`came again because the sender was killed before it wrote the answer: ${again}`);
    }
    expect(all).toHaveLength(users * rulesEach);
    expect(received.size).toBe(users * rulesEach);
    for (const { id, attempts } of all) {
      const times = timesOf(id);
      // Whose answer was written was never tried again; what a killed worker had under way came again under the same id.
      expect(times).toBeGreaterThanOrEqual(1);
      expect(times).toBeLessThanOrEqual(attempts);
    }
    const again = all.filter(({ attempts }) => attempts > 1);
    expect(again.length).toBeLessThanOrEqual(kills * underWay);
    expect(mails.length - users * rulesEach).toBeLessThanOrEqual(kills * underWay);
    delay(0);
  },
  60_000 + kills * 15_000,
);
