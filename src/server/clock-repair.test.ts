import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repairMoments } from './clock-repair.ts';
import { countAttempt } from './kit/calls/attempts.ts';
import { startJobs } from './kit/jobs/jobs.ts';
import { createTestApp, type TestApp } from './kit/testing/app.ts';

let test_app: TestApp;
let user: { id: number };
let jobs: { stop: () => Promise<void> };
beforeAll(async () => {
  test_app = await createTestApp();
  user = await test_app.makeUser('customer');
  // Its schema is that of the queue; the schedule comes round after the test.
  jobs = await startJobs(test_app.url, [{ name: 'test.job', cron: '0 0 1 1 *', run: async () => {} }], pino({ level: 'silent' }));
});
afterAll(async () => {
  await jobs.stop();
  await test_app.close();
});

const one = async (query: string) => (await test_app.db.execute(sql.raw(query))).rows[0];
const day = "interval '1 day'";

it('changes nothing where no clock was ahead', async () => {
  await repairMoments(test_app.db);
  expect(await repairMoments(test_app.db)).toBe(0);
});

it.each(["interval '1 hour'", day])('sessions, leases, retries and schedules go on after the clock was %s ahead', async (shift) => {
  await one(`UPDATE session SET used_at = now() + ${shift}, expires_at = now() + interval '30 days' + ${shift} WHERE user_id = ${user.id}`);
  await one(`INSERT INTO second_factor (user_id, last_step) VALUES (${user.id}, floor(extract(epoch FROM now() + ${shift}) / 30))
    ON CONFLICT (user_id) DO UPDATE SET last_step = excluded.last_step`);
  await one(`INSERT INTO async_operation (user_id, kind, input, language, state, heartbeat_at)
    VALUES (${user.id}, 'test', '{}', 'zh-CN', 'running', now() + ${shift})`);
  await one(`UPDATE pgboss.version SET cron_on = now() + ${shift}`);
  await one(`INSERT INTO pgboss.job (name, state, singleton_on, start_after) VALUES
    ('test.job', 'completed', (now() + ${shift}) AT TIME ZONE 'UTC', now()), ('test.job', 'created', NULL, now() + ${shift})`);
  expect(await repairMoments(test_app.db)).toBeGreaterThanOrEqual(7);
  expect(
    await one(`SELECT
      (SELECT bool_and(used_at <= now() AND expires_at > now() + interval '29 days' AND expires_at <= now() + interval '30 days') FROM session
        WHERE user_id = ${user.id}) AS session,
      (SELECT last_step <= floor(extract(epoch FROM now()) / 30) FROM second_factor WHERE user_id = ${user.id}) AS factor,
      (SELECT bool_and(heartbeat_at <= now()) FROM async_operation) AS operation,
      (SELECT cron_on IS NULL OR cron_on <= now() FROM pgboss.version) AS schedule,
      (SELECT count(*)::int FROM pgboss.job WHERE singleton_on > (now() + interval '1 minute') AT TIME ZONE 'UTC' OR start_after > now() + interval '1 minute') AS jobs`),
  ).toEqual({ session: true, factor: true, operation: true, schedule: true, jobs: 0 });
  await one(`DELETE FROM async_operation`);
});

it('a session keeps its life where the clock was only behind', async () => {
  await one(`UPDATE session SET used_at = now() - ${day}, expires_at = now() + interval '29 days' WHERE user_id = ${user.id}`);
  expect(await repairMoments(test_app.db)).toBe(0);
});

it('attempts are refused no longer than their window is, though it was opened by a clock ahead', async () => {
  const limit = { max: 1, seconds: 600 };
  await countAttempt(test_app.db, 'clock', limit);
  await expect(countAttempt(test_app.db, 'clock', limit)).rejects.toMatchObject({ status: 429 });
  await one(`UPDATE attempt SET window_ends_at = window_ends_at + ${day} WHERE key = 'clock'`);
  await countAttempt(test_app.db, 'clock', limit);
  await expect(countAttempt(test_app.db, 'clock', limit)).rejects.toMatchObject({
    details: { retryAfterSeconds: expect.closeTo(600, -1) },
  });
});
