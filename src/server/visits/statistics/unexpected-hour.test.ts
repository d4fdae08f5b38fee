import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { openDatabase, openPool } from '../../kit/postgres/database.ts';
import { createTestDatabase } from '../../kit/testing/database.ts';
import { counted } from './workbench/counted.ts';
import { askOf } from './workbench/question.ts';

type Plan = { 'Relation Name'?: string; 'Actual Loops': number; Plans?: Plan[] };

const readsOf = (plan: Plan, table: string): number =>
  (plan['Relation Name'] === table ? plan['Actual Loops'] : 0) + (plan.Plans ?? []).reduce((sum, child) => sum + readsOf(child, table), 0);

test('filters read their dictionaries once, also for an hour whose counts are newer than what the planner knows', async () => {
  const { url } = await createTestDatabase();
  const pool = openPool(url, { warn: () => {} }, 1, 'test');
  const db = openDatabase(pool);
  const origins = (hours: string, number: number) =>
    pool.query(`INSERT INTO visit_hour_origin (live_code_id, hour, place_id, device_id, visits)
      SELECT n % 100 + 1, ${hours}, place.id, device.id, 1 FROM generate_series(1, ${number}) AS n
      JOIN visit_place AS place ON place.city = (n % 200)::text JOIN visit_device AS device ON device.browser = (n % 300)::text`);
  try {
    await pool.query(`INSERT INTO visit_place (country, region, city, carrier)
      SELECT '中国', '', n, CASE WHEN n % 2 = 0 THEN 'mobile' ELSE 'unicom' END FROM generate_series(0, 199) AS n`);
    await pool.query(`INSERT INTO visit_device (source, system, brand, browser)
      SELECT 'browser', 'iOS', CASE WHEN n % 3 = 0 THEN 'Apple' ELSE 'Huawei' END, n FROM generate_series(0, 299) AS n`);
    await pool.query('ALTER TABLE visit_hour_origin SET (autovacuum_enabled = false)');
    await origins(`'2026-03-01T00:00:00Z'::timestamptz + n % 48 * interval '1 hour'`, 50_000);
    await pool.query('ANALYZE');
    await origins(`'2026-03-03T00:00:00Z'`, 3_000);
    const time_zone = 'Asia/Shanghai';
    const span = { from: Date.parse('2026-03-03T00:00:00Z'), to: Date.parse('2026-03-03T01:00:00Z') };
    const question = await askOf(db, { codes: undefined, span, time_zone, filters: { carrier: ['mobile'], brand: ['Apple'] } });
    const found = counted(question, 'place');
    const { rows } = await db.execute<{ visits: number }>(sql`SELECT sum(visits)::integer AS visits FROM ${found} AS found`);
    expect(rows).toEqual([{ visits: 500 }]);
    const explained = await db.execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM ${found} AS found`,
    );
    const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan as Plan;
    expect([readsOf(plan, 'visit_place'), readsOf(plan, 'visit_device')]).toEqual([1, 1]);
  } finally {
    await pool.end();
  }
});
