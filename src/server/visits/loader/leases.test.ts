import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../kit/testing/eventually.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { endedSource, livingSource, writeSegment } from '../testing/journal.ts';
import { openWorkbench, type Workbench } from '../testing/loading.ts';

/** A code with targets whose quotas have nothing left: everything is leased. */
async function newTargets(bench: Workbench, count: number): Promise<number[]> {
  const rows = await bench.all(`
    WITH someone AS (
      INSERT INTO user_account (account, password_hash, role_id, invitation_code) SELECT 'a', '', role.id, 'a' FROM role LIMIT 1 RETURNING id
    ), code AS (
      INSERT INTO live_code (file_name, owner_id, name) SELECT 'code', id, 'Code' FROM someone RETURNING id
    ), target AS (
      INSERT INTO live_code_target (live_code_id, kind, content, sort, threshold)
      SELECT code.id, 'url', 'https://example.com', sort, 100 FROM code, generate_series(1, ${count}) AS sort RETURNING id, sort
    ), quota AS (INSERT INTO target_quota (target_id, remaining) SELECT id, 0 FROM target)
    SELECT id::int FROM target ORDER BY sort`);
  return rows.map(({ id }) => Number(id));
}

async function lease(bench: Workbench, source: string, target: number, granted: number, generation = 1): Promise<number> {
  const { rows } = await bench.client.query<{ id: number }>(
    'INSERT INTO target_lease (target_id, generation, source, granted) VALUES ($1, $2, $3, $4) RETURNING id::int',
    [target, generation, source, granted],
  );
  return rows[0]?.id ?? 0;
}

const quotas = (bench: Workbench) => bench.all('SELECT target_id::int AS target, remaining FROM target_quota ORDER BY target_id');
const leases = (bench: Workbench) => bench.all('SELECT id::int, granted, served FROM target_lease ORDER BY id');
const noLeases = (bench: Workbench) => eventually(async () => expect(await leases(bench)).toEqual([]), { interval: 25 });

describe('the leases of a process that was killed', () => {
  test('give back what its journal does not hold, and nothing twice', async () => {
    const bench = await openWorkbench();
    const [a = 0, b = 0] = await newTargets(bench, 2);
    const source = endedSource();
    const [first, second, third] = [await lease(bench, source, a, 10), await lease(bench, source, a, 5), await lease(bench, source, b, 7)];
    const served = [first, first, first, second, second, second, second, second, third];
    writeSegment(
      bench.folder,
      source,
      1,
      served.slice(0, 5).map((lease_id) => visitOf({ lease_id })),
    );
    writeSegment(
      bench.folder,
      source,
      2,
      served.slice(5).map((lease_id) => visitOf({ lease_id, open_log: false })),
    );
    for (let loader = 0; loader < 2; loader += 1) bench.start();
    await noLeases(bench);
    expect(await quotas(bench)).toEqual([
      { target: a, remaining: 7 },
      { target: b, remaining: 6 },
    ]);
    expect(await bench.all("SELECT DISTINCT kind, key FROM visit_change WHERE kind = 'code'")).toEqual([{ kind: 'code', key: 'code' }]);
  });

  test('give nothing back to a quota that was refilled since', async () => {
    const bench = await openWorkbench();
    const [a = 0, b = 0] = await newTargets(bench, 2);
    const source = endedSource();
    await lease(bench, source, a, 10);
    await lease(bench, source, b, 10);
    await bench.client.query('UPDATE target_quota SET remaining = 100, generation = 2 WHERE target_id = $1', [a]);
    writeSegment(bench.folder, source, 1, []);
    bench.start();
    await noLeases(bench);
    expect(await quotas(bench)).toEqual([
      { target: a, remaining: 100 },
      { target: b, remaining: 10 },
    ]);
  });

  test('wait until all its segments are loaded', async () => {
    const bench = await openWorkbench();
    const [a = 0] = await newTargets(bench, 1);
    const source = endedSource();
    await lease(bench, source, a, 10);
    await bench.client.query('INSERT INTO journal_segment (name, source) VALUES ($1, $2)', [`${source}.000001.journal`, source]);
    writeSegment(bench.folder, source, 2, []);
    bench.start();
    await bench.finished(1);
    expect(await leases(bench)).toHaveLength(1);
    expect(await quotas(bench)).toEqual([{ target: a, remaining: 0 }]);
    await bench.client.query('UPDATE journal_segment SET finished_at = now()');
    await noLeases(bench);
    expect(await quotas(bench)).toEqual([{ target: a, remaining: 10 }]);
  });

  test('without a journal are given back after a while, but not those of a process on another machine that began just now', async () => {
    const bench = await openWorkbench();
    const [a = 0, b = 0] = await newTargets(bench, 2);
    const [lost, young] = [endedSource('lost'), endedSource('young')];
    await lease(bench, lost, a, 10);
    const kept = await lease(bench, young, b, 10);
    await bench.client.query("UPDATE target_lease SET created_at = now() - interval '2 hours' WHERE source = $1", [lost]);
    bench.start();
    await eventually(async () => expect(await leases(bench)).toEqual([{ id: kept, granted: 10, served: 0 }]), { interval: 25 });
    expect(await quotas(bench)).toEqual([
      { target: a, remaining: 10 },
      { target: b, remaining: 0 },
    ]);
  });
});

describe('the leases of a living process', () => {
  test('are counted as they are served, and go when they are served whole', async () => {
    const bench = await openWorkbench();
    const [a = 0] = await newTargets(bench, 1);
    const source = livingSource();
    const [whole, part] = [await lease(bench, source, a, 3), await lease(bench, source, a, 3)];
    writeSegment(
      bench.folder,
      source,
      1,
      [whole, whole, part, whole].map((lease_id) => visitOf({ lease_id })),
    );
    bench.start();
    await eventually(async () => expect(await leases(bench)).toEqual([{ id: part, granted: 3, served: 1 }]), { interval: 25 });
    expect(await quotas(bench)).toEqual([{ target: a, remaining: 0 }]);
  });

  test('may be given back while their visits are loaded', async () => {
    const bench = await openWorkbench();
    const [a = 0] = await newTargets(bench, 1);
    const source = livingSource();
    const ids: number[] = [];
    for (let index = 0; index < 200; index += 1) ids.push(await lease(bench, source, a, 2));
    const visits = ids.flatMap((lease_id) => [visitOf({ lease_id }), visitOf({ lease_id })]);
    writeSegment(bench.folder, source, 1, visits);
    const other = new pg.Client({ connectionString: bench.url });
    await other.connect();
    bench.start({ batch_bytes: 1 });
    for (const id of ids.toReversed()) await other.query('DELETE FROM target_lease WHERE id = $1', [id]);
    await eventually(
      async () => expect(await bench.one('SELECT loaded_records::int AS count FROM journal_segment')).toEqual({ count: 400 }),
      { interval: 25 },
    );
    await other.end();
    expect(await leases(bench)).toEqual([]);
    expect(bench.log).toEqual([]);
  });
});
