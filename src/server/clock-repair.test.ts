import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repairMoments } from './clock-repair.ts';
import { countAttempt } from './kit/calls/attempts.ts';
import { createTestApp, type TestApp } from './kit/testing/app.ts';

let test_app: TestApp;
let user: { id: number };
beforeAll(async () => {
  test_app = await createTestApp();
  user = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

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
  await one(`INSERT INTO recurring_job (name, every_minutes, next_at, leased_until) VALUES
    ('minutely', 1, now() + ${shift} + interval '1 minute', NULL), ('hourly', 60, now() + ${shift} + interval '1 hour', NULL),
    ('running', 1, now(), now() + ${shift} + interval '30 seconds'), ('later', 60, now() + interval '1 hour', now() + interval '30 seconds')`);
  expect(await repairMoments(test_app.db)).toBe(7);
  expect(
    await one(`SELECT
      (SELECT bool_and(used_at <= now() AND expires_at > now() + interval '29 days' AND expires_at <= now() + interval '30 days') FROM session
        WHERE user_id = ${user.id}) AS session,
      (SELECT last_step <= floor(extract(epoch FROM now()) / 30) FROM second_factor WHERE user_id = ${user.id}) AS factor,
      (SELECT bool_and(heartbeat_at <= now()) FROM async_operation) AS operation,
      (SELECT array_agg(name ORDER BY name) FROM recurring_job WHERE next_at <= now()) AS due,
      (SELECT max(leased_until) BETWEEN now() AND now() + interval '30 seconds' FROM recurring_job) AS lease`),
  ).toEqual({ session: true, factor: true, operation: true, due: ['hourly', 'minutely', 'running'], lease: true });
  await one(`DELETE FROM async_operation`);
  await one(`DELETE FROM recurring_job`);
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
  await one(`UPDATE attempt SET window_ends_at = window_ends_at + ${day} WHERE key = 'clock'`);
  expect(await repairMoments(test_app.db)).toBe(1);
  await countAttempt(test_app.db, 'clock', limit);
});
