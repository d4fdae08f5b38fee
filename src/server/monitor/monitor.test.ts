import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { judgeHosts, strainsOf } from './alarms.ts';
import { takeSample } from './sampler.public.ts';
import { type HostSample, pointOf, quantileOf, sampleOf } from './samples.ts';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('super');
});
afterAll(() => test_app.close());
beforeEach(() => test_app.db.execute(sql`TRUNCATE host_sample, host_alarm`));

const limits = { alarm_visit_milliseconds: 200, alarm_unloaded_visits: 1000, alarm_memory_megabytes: 500, alarm_disk_percent: 90 };
const quiet: HostSample = {
  visits: { 'redirect 0': { answered: 0, refused: 0, bounds: { '0.1': 0, '1': 0, '+Inf': 0 } } },
  unloaded: 0,
  loaded: 0,
  calls: 0,
  call_seconds: 0,
  disk: 0.5,
  processes: { web: { bytes: 100 * 2 ** 20, cpu: 1, late: 0.02, started_at: 1_700_000_000 } },
};
const visited = (answered: number, fast: number): HostSample => ({
  ...quiet,
  visits: { 'redirect 0': { answered, refused: 2, bounds: { '0.1': fast, '1': answered, '+Inf': answered } } },
});
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000).toISOString();
const now = new Date(at(300));
const tell = (host: string, seconds: number, sample: HostSample) =>
  test_app.db.execute(sql`INSERT INTO host_sample (host, at, sample) VALUES (${host}, ${at(seconds)}, ${JSON.stringify(sample)}::jsonb)`);
const inquire = async () => (await test_app.call(owner, 'monitor', 'inquire', {})).body;
const told = async () =>
  (
    await test_app.db.execute<{ type: string; kind: string }>(
      sql`SELECT type, data ->> 'kind' AS kind FROM event WHERE owner_id = ${owner.id} AND type LIKE 'host.%' ORDER BY id`,
    )
  ).rows;

const metrics = `# HELP livecode_visit_seconds Time between request and answer.
livecode_visit_seconds_bucket{process="redirect 0",slot="0",le="0.001"} 90
livecode_visit_seconds_bucket{process="redirect 0",slot="0",le="+Inf"} 100
livecode_visit_seconds_count{process="redirect 0",slot="0"} 100
livecode_journal_records_total{process="redirect 0",slot="0"} 100
livecode_journal_source{process="redirect 0",slot="0",source="a-1"} 1
livecode_unavailable_total{process="redirect 0",slot="0"} 1
livecode_journal_refused_total{process="redirect 0",slot="0"} 2
livecode_loader_records_total{process="loader"} 7000
livecode_web_requests_total{process="web",status="2xx"} 8
livecode_web_requests_total{process="web",status="5xx"} 1
livecode_web_request_seconds_total{process="web"} 0.5
livecode_process_resident_bytes{process="web"} 1000
livecode_process_cpu_seconds_total{process="web"} 2.5
`;

test('what a host tells is read from its metrics; what is not loaded is told by the name of the journal', () => {
  expect(sampleOf(metrics, (source) => (source === 'a-1' ? 60 : 0), 0.4)).toEqual({
    visits: { 'redirect 0': { answered: 100, refused: 3, bounds: { '0.001': 90, '+Inf': 100 } } },
    unloaded: 40,
    loaded: 7000,
    calls: 9,
    call_seconds: 0.5,
    disk: 0.4,
    processes: { web: { bytes: 1000, cpu: 2.5, late: 0, started_at: 0 } },
    silent: [],
  });
});

test('a redirect process that was begun and tells nothing for half a minute is stuck; one that was just begun is not', () => {
  const { silent } = sampleOf(`${metrics}livecode_child_up{process="supervisor",child="redirect 1"} 1\n`, () => 0, 0.4);
  expect(silent).toEqual(['redirect 1']);
  const stuck = { ...quiet, silent: ['redirect 1'] };
  const samples = (...rows: HostSample[]) => rows.map((sample, place) => ({ host: 'a', at: at(280 + place * 10), sample }));
  expect(strainsOf(samples(stuck, stuck, stuck), limits, now)).toEqual({ silent: { value: 1, limit: 0 } });
  expect(strainsOf(samples(quiet, quiet, stuck), limits, now)).toEqual({});
  expect(strainsOf(samples(stuck, stuck, quiet), limits, now)).toEqual({});
});

test('counters that began anew count from nothing, and rates are never negative', () => {
  const before = { at: at(0), sample: visited(1000, 1000) };
  expect(pointOf(before, { at: at(10), sample: visited(1500, 1500) })).toMatchObject({ visits: 50, refused: 0, unloaded: 0 });
  expect(pointOf(before, { at: at(10), sample: visited(30, 30) })).toMatchObject({ visits: 3 });
  expect(pointOf(before, { at: at(10), sample: quiet }).p99).toBeNull();
});

test('quantiles lie between the bounds that hold them', () => {
  expect(quantileOf({ '0.001': 50, '0.002': 100, '+Inf': 100 }, 0.5)).toBe(1);
  expect(quantileOf({ '0.001': 50, '0.002': 100, '+Inf': 100 }, 0.99)).toBeCloseTo(1.98);
  expect(quantileOf({ '0.001': 0, '0.002': 0, '+Inf': 10 }, 0.99)).toBe(2);
  expect(quantileOf({}, 0.5)).toBeNull();
});

test('this host is shown with its processes from its second sample on', async () => {
  let answered = 0;
  const all = async () => {
    answered += 60;
    return metrics.replace('count{process="redirect 0",slot="0"} 100', `count{process="redirect 0",slot="0"} ${answered}`);
  };
  const options = { pool: test_app.pool, all, dataDir: '/', port: 3000 };
  await takeSample(options);
  await test_app.db.execute(sql`UPDATE host_sample SET at = at - interval '60 seconds'`);
  await takeSample(options);
  const { hosts, queues, database } = await inquire();
  expect(hosts).toHaveLength(1);
  expect(hosts[0]?.points).toHaveLength(1);
  expect(hosts[0]?.points[0]?.visits).toBeCloseTo(1, 0);
  expect(hosts[0]?.processes.map(({ name }) => name)).toEqual(['web']);
  expect(hosts[0]?.disk).toBeGreaterThan(0);
  expect(queues.map(({ kind }) => kind)).toContain('operations');
  expect(database.bytes).toBeGreaterThan(1_000_000);
});

test('two hosts are told apart, and one of them is silent', async () => {
  for (const second of [0, 100, 200, 295]) {
    await tell('a:3000', second, quiet);
    if (second < 200) await tell('b:3000', second, quiet);
  }
  expect(await judgeHosts(test_app.db, limits, now)).toBe(1);
  expect(await test_app.db.execute(sql`SELECT host, kind FROM host_alarm`)).toMatchObject({ rows: [{ host: 'b:3000', kind: 'away' }] });
  expect(await judgeHosts(test_app.db, limits, now)).toBe(0);
  expect((await told()).slice(-1)).toEqual([{ type: 'host.strained', kind: 'away' }]);
  await tell('b:3000', 299, quiet);
  expect(await judgeHosts(test_app.db, limits, now)).toBe(1);
  expect((await told()).slice(-1)).toEqual([{ type: 'host.recovered', kind: 'away' }]);
});

test.each([
  ['slow_visits', [visited(0, 0), visited(1000, 900)]],
  [
    'unloaded',
    [
      { ...quiet, unloaded: 5000 },
      { ...quiet, unloaded: 1001 },
    ],
  ],
  ['memory', [1, 2].map(() => ({ ...quiet, processes: { web: { bytes: 600 * 2 ** 20, cpu: 0, late: 0, started_at: 0 } } }))],
  ['disk', [quiet, { ...quiet, disk: 0.95 }]],
] as const)('%s is told where it is beyond its limit', (kind, [first, last]) => {
  const samples = [
    { host: 'a', at: at(0), sample: first },
    { host: 'a', at: at(295), sample: last },
  ];
  expect(Object.keys(strainsOf(samples, limits, now))).toEqual([kind]);
});

test.each([
  ['few visits, however slow', [visited(0, 0), visited(90, 0)]],
  [
    'a journal that was loaded in between',
    [
      { ...quiet, unloaded: 5000 },
      { ...quiet, unloaded: 10 },
    ],
  ],
  ['memory that was given back', [{ ...quiet, processes: { web: { bytes: 2 ** 30, cpu: 0, late: 0, started_at: 0 } } }, quiet]],
] as const)('%s is no strain', (_what, [first, last]) => {
  const samples = [
    { host: 'a', at: at(0), sample: first },
    { host: 'a', at: at(295), sample: last },
  ];
  expect(strainsOf(samples, limits, now)).toEqual({});
});

test('only administrators see hosts', async () => {
  const customer = await test_app.makeUser('customer');
  expect((await test_app.send(customer, 'monitor/inquire', {})).status).toBe(403);
});
