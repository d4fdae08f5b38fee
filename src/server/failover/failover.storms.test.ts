import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { markBlocked, markHealthy, workOff } from './testing/failover.ts';

let test_app: TestApp;
let owners: TestUser[];
beforeAll(async () => {
  test_app = await createTestApp();
  owners = [await test_app.makeUser('customer'), await test_app.makeUser('customer'), await test_app.makeUser('customer')];
});
afterAll(() => test_app.close());

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Domains of three owners and of the pool, four each, and codes on all of them. */
async function makeSite(seed: number): Promise<number[]> {
  const holders = [...owners.map(({ id }) => id), null];
  const ids: number[] = [];
  for (const holder_id of holders) {
    const { rows } = await test_app.db.execute<{ id: number }>(sql`
      INSERT INTO domain (host, type, holder_id) SELECT ${`s${seed}-${holder_id ?? 'pool'}-`}::text || n || '.example.com', 1, ${holder_id}::bigint
      FROM generate_series(1, 4) AS n RETURNING id::float8 AS id`);
    ids.push(...rows.map(({ id }) => id));
  }
  await test_app.db.execute(sql`
    INSERT INTO live_code (file_name, owner_id, name, entry_domain_id)
    SELECT 'st' || ${seed}::int || '-' || domain.id || '-' || owner || '-' || n, owner, 'storm', domain.id
    FROM domain, unnest(${sql.param(owners.map(({ id }) => id))}::bigint[]) AS owner, generate_series(1, 2) AS n
    WHERE domain.id = ANY(${sql.param(ids)}::bigint[]) AND (domain.holder_id IS NULL OR domain.holder_id = owner)`);
  await markHealthy(test_app.db, ids);
  return ids;
}

const rowsOf = async <Row extends Record<string, unknown>>(query: ReturnType<typeof sql>) => (await test_app.db.execute<Row>(query)).rows;
const setLimit = (max: number) => test_app.db.execute(sql`UPDATE shield_rule SET max_per_hour = ${max}`);
/** Three workers at once. */
const work = () => Promise.all([1, 2, 3].map(() => workOff(test_app.db)));
const due = () => test_app.db.execute(sql`UPDATE domain_incident SET next_attempt_at = now() WHERE ended_at IS NULL`);

/** Codes on a blocked domain although one is there that could take its place; codes where their owners may not be. */
const misplaced = () =>
  rowsOf(sql`
    SELECT code.id, domain.host FROM live_code AS code JOIN domain ON domain.id = code.entry_domain_id
    WHERE domain.holder_id <> code.owner_id OR domain.block_status = 2 AND EXISTS (
      SELECT FROM domain AS other WHERE other.block_status = 1 AND other.enabled AND (
        other.holder_id IS NULL OR other.holder_id = domain.holder_id))`);
/** Codes that were put twice on one domain since a moment in which none became well again. */
const circles = (since: string) =>
  rowsOf(sql`
    SELECT live_code_id FROM live_code_version WHERE at > ${since}::timestamptz AND action = 'domain_replaced'
    GROUP BY live_code_id HAVING count(*) > count(DISTINCT fields ->> 'entry_domain_id')`);
const now = async () => (await rowsOf<{ now: string }>(sql`SELECT clock_timestamp()::text AS now`))[0]?.now ?? '';

test.each([7, 2026])(
  'after random blocks and recoveries codes stand on healthy domains, and no code went in a circle (seed %i)',
  async (seed) => {
    const random = randomOf(seed);
    await setLimit(1000);
    await test_app.db.execute(sql`UPDATE domain SET enabled = false`);
    const ids = await makeSite(seed);
    const blocked = new Set<number>();
    for (let round = 0; round < 10; round += 1) {
      const since = await now();
      const falling = ids.filter((id) => !blocked.has(id) && random(4) === 0);
      for (const id of falling) blocked.add(id);
      // Some fall while others are being handled.
      const half = Math.ceil(falling.length / 2);
      await markBlocked(test_app.db, falling.slice(0, half));
      await Promise.all([work(), markBlocked(test_app.db, falling.slice(half))]);
      await due();
      await work();
      expect(await misplaced()).toEqual([]);
      expect(await circles(since)).toEqual([]);
      const rising = [...blocked].filter(() => random(3) === 0);
      for (const id of rising) blocked.delete(id);
      await markHealthy(test_app.db, rising);
      await work();
    }
    expect(await rowsOf(sql`SELECT id FROM failover WHERE replacement_id IS NOT NULL`)).toEqual([]);
    expect((await rowsOf(sql`SELECT id FROM domain_replacement WHERE failover_id IS NOT NULL`)).length).toBeGreaterThan(10);
  },
);

test('limits hold in a storm, with several workers, and what waits says why', async () => {
  await setLimit(2);
  await test_app.db.execute(sql`UPDATE domain SET enabled = false`);
  await test_app.db.execute(sql`UPDATE failover SET started_at = NULL`);
  const ids = await makeSite(99);
  // Of each holder three of four.
  await markBlocked(
    test_app.db,
    ids.filter((_, place) => place % 4 !== 3),
  );
  await work();
  const used = await rowsOf<{ holder_id: number | null; used: number }>(sql`
    SELECT holder_id::float8 AS holder_id, count(*)::float8 AS used FROM failover WHERE started_at IS NOT NULL GROUP BY holder_id`);
  expect(used.map(({ used }) => used)).toEqual([2, 2, 2, 2]);
  expect(
    await rowsOf(
      sql`SELECT reason, count(*)::float8 AS number FROM domain_incident WHERE ended_at IS NULL AND handling = 'waiting' AND domain_id = ANY(${sql.param(ids)}::bigint[]) GROUP BY reason`,
    ),
  ).toEqual([{ reason: 'limit', number: 4 }]);
  await test_app.db.execute(sql`UPDATE failover SET started_at = started_at - interval '1 hour'`);
  await due();
  await work();
  expect(await misplaced()).toEqual([]);
});

test('what somebody undoes while it is under way stays undone, and a domain that is well again keeps what was not moved yet', {
  tags: 'full',
}, async () => {
  await setLimit(1000);
  await test_app.db.execute(sql`UPDATE domain SET enabled = false`);
  const [owner] = owners;
  if (!owner) throw new Error('there are owners');
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO domain (host, type, holder_id) SELECT 'half-' || n || '.example.com', 1, ${owner.id}::bigint FROM generate_series(1, 2) AS n
    RETURNING id::float8 AS id`);
  const [from, to] = rows.map(({ id }) => id);
  await test_app.db.execute(sql`INSERT INTO live_code (file_name, owner_id, name, entry_domain_id)
    SELECT 'half-' || n, ${owner.id}, 'half', ${from} FROM generate_series(1, 4500) AS n`);
  await markHealthy(test_app.db, [from ?? 0, to ?? 0]);
  await markBlocked(test_app.db, [from ?? 0]);
  const countOn = async (id = 0) =>
    (await rowsOf<{ count: number }>(sql`SELECT count(*)::float8 AS count FROM live_code WHERE entry_domain_id = ${id}`))[0]?.count;
  const replacement = async () =>
    (await rowsOf<{ id: number }>(sql`SELECT max(replacement_id)::float8 AS id FROM failover`))[0]?.id ?? null;
  /** Acts as soon as the first codes were moved. */
  const meanwhile = async (act: () => Promise<unknown>) => {
    while ((await replacement()) === null || (await countOn(to)) === 0);
    await act();
  };
  const undo = async () => test_app.call(owner, 'domain_replacement', 'undo', { id: (await replacement()) ?? 0 });
  await Promise.all([workOff(test_app.db), meanwhile(undo)]);
  await due();
  await workOff(test_app.db);
  expect([await countOn(from), await countOn(to)]).toEqual([4500, 0]);
  expect(await rowsOf(sql`SELECT handling, reason FROM domain_incident WHERE domain_id = ${from}`)).toEqual([
    { handling: 'left', reason: 'undone' },
  ]);

  await markHealthy(test_app.db, [from ?? 0]);
  await markBlocked(test_app.db, [from ?? 0]);
  await Promise.all([workOff(test_app.db), meanwhile(() => markHealthy(test_app.db, [from ?? 0]))]);
  await workOff(test_app.db);
  const [stayed, moved] = [await countOn(from), await countOn(to)];
  expect((stayed ?? 0) + (moved ?? 0)).toBe(4500);
  expect(await rowsOf(sql`SELECT replacement_id FROM failover WHERE domain_id = ${from} AND replacement_id IS NOT NULL`)).toEqual([]);
  expect(await rowsOf(sql`SELECT live_codes FROM domain_replacement WHERE from_domain_id = ${from} ORDER BY id DESC LIMIT 1`)).toEqual([
    { live_codes: moved },
  ]);
});
