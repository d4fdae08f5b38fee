import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { describe, expect, test } from 'vitest';
import { outcomes } from '../../../contract/enums.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { segmentName } from '../../kit/visits/journal/segment.ts';
import { todayFigures } from '../statistics/today.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { endedSource, olderBytes, writeSegment } from '../testing/journal.ts';
import { openWorkbench, type Workbench } from '../testing/loading.ts';
import { visitorPage } from '../visitors/visitors.ts';
import { newRowsPerHour } from './sources.store.ts';
import { refererHost, registeredNames } from './sources.ts';

const outcome = (name: (typeof outcomes)[number]): number => outcomes.indexOf(name);

async function makeOwner(bench: Workbench, account: string): Promise<number> {
  const { rows } = await bench.client.query(
    `WITH made AS (INSERT INTO role (name, kind) VALUES ('links', 'customer') ON CONFLICT (name) DO NOTHING RETURNING id)
     INSERT INTO user_account (account, password_hash, role_id, invitation_code)
     SELECT $1, 'none', id, 'invite-' || $1 FROM (SELECT id FROM made UNION ALL SELECT id FROM role WHERE name = 'links') AS role LIMIT 1 RETURNING id`,
    [account],
  );
  return Number(rows[0].id);
}
const makeCode = async (bench: Workbench, owner: number, file_name: string): Promise<number> =>
  Number(
    (await bench.client.query('INSERT INTO live_code (owner_id, file_name, name) VALUES ($1, $2, $2) RETURNING id', [owner, file_name]))
      .rows[0].id,
  );
const makeShort = async (bench: Workbench, owner: number): Promise<number> =>
  Number(
    (
      await bench.client.query(
        `INSERT INTO short_code (owner_id, url, platform_url) VALUES ($1, 'https://target.example/', 'https://short.example/a') RETURNING id`,
        [owner],
      )
    ).rows[0].id,
  );

let segments = 0;
async function load(bench: Workbench, records: VisitRecord[]): Promise<void> {
  segments += 1;
  writeSegment(bench.folder, endedSource(), segments, records);
  const before = (await bench.one('SELECT count(*)::int AS n FROM journal_segment WHERE finished_at IS NOT NULL')).n;
  await bench.finished(Number(before) + 1);
}

describe('hits of forwards', () => {
  test('are counted for each, and are no visits of a code', async () => {
    const bench = await openWorkbench();
    bench.start();
    const at = Date.parse('2026-03-10T04:00:00Z');
    const hit = (forward_id: number, later: number) =>
      visitOf({ outcome: outcome('forwarded'), live_code_id: 0, forward_id, at: at + later, path: '/old' });
    await load(bench, [hit(4, 0), hit(4, 2000), hit(4, 1000), hit(9, 0)]);
    await load(bench, [hit(4, 500)]);
    expect(await bench.all('SELECT forward_id::int, hits::int, last_at FROM forward_total ORDER BY forward_id')).toEqual([
      { forward_id: 4, hits: 4, last_at: new Date(at + 2000) },
      { forward_id: 9, hits: 1, last_at: new Date(at) },
    ]);
    expect(await bench.all('SELECT FROM visitor')).toEqual([]);
    expect(await bench.all('SELECT FROM target_total')).toEqual([]);
    expect(await bench.all('SELECT DISTINCT forward_id::int, target_id, live_code_id, outcome FROM visit ORDER BY 1')).toEqual([
      { forward_id: 4, target_id: null, live_code_id: null, outcome: outcome('forwarded') },
      { forward_id: 9, target_id: null, live_code_id: null, outcome: outcome('forwarded') },
    ]);
    expect(await inconsistencies(bench.client)).toEqual([]);
  });
});

describe('visits of a short code', () => {
  test('count for it, and are not counted again among those of the codes, also when it is long removed', async () => {
    const bench = await openWorkbench();
    bench.start();
    const owner = await makeOwner(bench, 'short-owner');
    const [code, short] = [await makeCode(bench, owner, 'abcd'), await makeShort(bench, owner)];
    const at = Date.parse('2026-03-10T04:10:00Z');
    const visits = ['1.1.1.1', '1.1.1.1', '2.2.2.2'].flatMap((ip) => [
      visitOf({ live_code_id: 0, short_code_id: short, ip, at }),
      visitOf({ live_code_id: code, ip, at: at + 50 }),
    ]);
    await load(bench, [...visits, visitOf({ live_code_id: 0, short_code_id: short, at, outcome: outcome('closed') })]);
    const figures = async () => {
      const db = drizzle(bench.client);
      const { sums, before } = await todayFigures(db, undefined, { now: new Date(at + 60_000), time_zone: 'Asia/Shanghai' });
      const next = await todayFigures(db, undefined, { now: new Date(at + 86_400_000 + 60_000), time_zone: 'Asia/Shanghai' });
      return { sums, before, next: next.before };
    };
    const expected = { visits: 3, ips: 2, new_ips: 2, refused: 1, programs: 0, own: 0 };
    expect(await figures()).toMatchObject({ sums: expected, next: expected });
    expect(await bench.one(`SELECT visits::int, ips::int FROM short_code_total WHERE short_code_id = ${short}`)).toEqual({
      visits: 3,
      ips: 2,
    });
    await bench.client.query('DELETE FROM short_code');
    for (const sort of ['arrived_at', 'visits'] as const) {
      const time = { now: new Date(at + 60_000), time_zone: 'Asia/Shanghai' };
      const { content } = await visitorPage(drizzle(bench.client) as unknown as Database, { sort }, time);
      expect(content.map(({ ip, codes, visits }) => ({ ip, codes, visits })).sort((a, b) => b.visits - a.visits)).toEqual([
        { ip: '1.1.1.1', codes: 1, visits: 2 },
        { ip: '2.2.2.2', codes: 1, visits: 1 },
      ]);
    }
    expect(await figures()).toMatchObject({ sums: expected, next: expected });
  });
});

test('what a journal from before an upgrade holds is loaded, under the names that it has now', async () => {
  const bench = await openWorkbench();
  const owner = await makeOwner(bench, 'older');
  const [code, short] = [await makeCode(bench, owner, 'abcd'), await makeShort(bench, owner)];
  const records = [
    { live_code_id: code, target_id: 5 },
    { live_code_id: short },
    { live_code_id: 0, target_id: 4, outcome: outcome('forwarded') },
  ];
  let bytes = Buffer.alloc(0);
  for (const record of records) bytes = Buffer.concat([bytes, olderBytes(visitOf(record), 1, bytes.length)]);
  writeFileSync(join(bench.folder, segmentName(endedSource(), 1)), bytes);
  bench.start();
  await bench.finished(1);
  expect(
    await bench.all(
      'SELECT live_code_id::int AS code, short_code_id::int AS short, target_id::int AS target, forward_id::int AS forward FROM visit ORDER BY id',
    ),
  ).toEqual([
    { code, short: null, target: 5, forward: null },
    { code: null, short, target: null, forward: null },
    { code: null, short: null, target: null, forward: 4 },
  ]);
  expect(bench.log).toEqual([]);
  expect(await inconsistencies(bench.client)).toEqual([]);
});

describe('where visits came from', () => {
  test.each([
    ['https://Shop.Example/a?b', 'shop.example'],
    ['http://user:pw@shop.example:8080/', 'shop.example'],
    ['https://shop.example./', 'shop.example'],
    ['shop.example', ''],
    ['android-app://com.example', ''],
    ['https://', ''],
    ['https://<script>/', ''],
    ['https://[2001:db8::1]:80/', '[2001:db8::1]'],
  ])('%s is of the host "%s"', (referer, host) => {
    expect(refererHost(referer)).toBe(host);
  });

  test('a host may be registered by itself or by a wildcard above it', () => {
    expect(registeredNames('a.b.example')).toEqual(['a.b.example', '*.b.example', '*.example']);
  });

  const rowsOf = (bench: Workbench) =>
    bench.all(
      `SELECT kind, owner_id::int, host, live_code_id::int, short_code_id::int, host(ip) AS ip, visits::int FROM visit_source ORDER BY kind, host, ip NULLS LAST`,
    );

  test('is listed where it is foreign to the code’s owner, with how often', async () => {
    const bench = await openWorkbench();
    bench.start();
    const [owner, other] = [await makeOwner(bench, 'source-owner'), await makeOwner(bench, 'source-other')];
    const [code, short] = [await makeCode(bench, owner, 'abcd'), await makeShort(bench, owner)];
    await bench.client.query(
      `INSERT INTO domain (host, type, holder_id) VALUES ('own.example', 1, $1), ('*.wild.example', 2, $1), ('pool.example', 1, NULL), ('others.example', 1, $2)`,
      [owner, other],
    );
    await bench.client.query(
      `INSERT INTO visit_source_rule (owner_id, host, action) VALUES ($1, 'friend.example', 'allow'), (NULL, 'old.example', 'allow')`,
      [owner],
    );
    const by = (host: string, change: Partial<VisitRecord> = {}) =>
      visitOf({ live_code_id: code, referer: `https://${host}/page`, ip: '3.3.3.3', ...change });
    const records = [
      by('thief.example'),
      by('thief.example', { outcome: outcome('closed') }),
      by('thief.example', { ip: '4.4.4.4' }),
      by('thief.example', { live_code_id: 0, short_code_id: short }),
      by('own.example'),
      by('x.wild.example'),
      by('pool.example'),
      by('others.example'),
      by('friend.example'),
      by('qr.example.com'),
      by('thief.example', { outcome: outcome('pressed') }),
      by('thief.example', { live_code_id: 999_999 }),
      visitOf({ live_code_id: code }),
      visitOf({
        outcome: outcome('unknown_host'),
        live_code_id: 0,
        host: 'Stray.Example:80',
        ip: '5.5.5.5',
        referer: 'https://any.example/',
      }),
      visitOf({ outcome: outcome('unknown_host'), live_code_id: 0, host: 'old.example', ip: '5.5.5.5' }),
      visitOf({ outcome: outcome('not_scanned'), live_code_id: code, proof_failure: 1, ip: '6.6.6.6' }),
      visitOf({ outcome: outcome('not_scanned'), live_code_id: code, proof_failure: 2, ip: '6.6.6.6' }),
      visitOf({ outcome: outcome('not_scanned'), live_code_id: code, ip: '6.6.6.6' }),
    ];
    const expected = (times: number) => [
      { kind: 'forged', owner_id: owner, host: '', live_code_id: code, short_code_id: null, ip: '6.6.6.6', visits: times },
      { kind: 'referer', owner_id: owner, host: 'others.example', live_code_id: code, short_code_id: null, ip: '3.3.3.3', visits: times },
      {
        kind: 'referer',
        owner_id: owner,
        host: 'thief.example',
        live_code_id: code,
        short_code_id: null,
        ip: '3.3.3.3',
        visits: 2 * times,
      },
      { kind: 'referer', owner_id: owner, host: 'thief.example', live_code_id: null, short_code_id: short, ip: '3.3.3.3', visits: times },
      { kind: 'referer', owner_id: owner, host: 'thief.example', live_code_id: code, short_code_id: null, ip: '4.4.4.4', visits: times },
      { kind: 'replayed', owner_id: owner, host: '', live_code_id: code, short_code_id: null, ip: '6.6.6.6', visits: times },
      {
        kind: 'unknown_host',
        owner_id: null,
        host: 'stray.example',
        live_code_id: null,
        short_code_id: null,
        ip: '5.5.5.5',
        visits: times,
      },
    ];
    await load(bench, records);
    const first = await rowsOf(bench);
    expect(first).toHaveLength(7);
    expect(first).toEqual(expect.arrayContaining(expected(1)));
    await load(bench, records);
    expect(await rowsOf(bench)).toEqual(expect.arrayContaining(expected(2)));
    expect(await rowsOf(bench)).toHaveLength(7);
  });

  test('is bounded: a flood of hosts and addresses ends in one row, and no other owner’s rows suffer', async () => {
    const bench = await openWorkbench();
    bench.start({ lanes: 2 });
    const [owner, other] = [await makeOwner(bench, 'flooded'), await makeOwner(bench, 'calm')];
    const [code, calm] = [await makeCode(bench, owner, 'abcd'), await makeCode(bench, other, 'efgh')];
    const flood = Array.from({ length: 3000 }, (_, index) =>
      visitOf({ live_code_id: code, referer: `https://h${index}.example/`, ip: `10.${index % 200}.0.1` }),
    );
    const strays = Array.from({ length: 1500 }, (_, index) =>
      visitOf({ live_code_id: 0, outcome: outcome('unknown_host'), host: `s${index}.example`, ip: '7.7.7.7' }),
    );
    await load(bench, [...flood, ...strays]);
    await load(bench, [...flood, visitOf({ live_code_id: calm, referer: 'https://thief.example/', ip: '8.8.8.8' })]);
    const counts = await bench.all(
      'SELECT kind, owner_id::int, count(ip)::int AS rows, sum(visits)::int AS visits FROM visit_source GROUP BY 1, 2 ORDER BY 1, 2',
    );
    expect(counts).toEqual([
      { kind: 'referer', owner_id: owner, rows: newRowsPerHour, visits: 6000 },
      { kind: 'referer', owner_id: other, rows: 1, visits: 1 },
      { kind: 'unknown_host', owner_id: null, rows: newRowsPerHour, visits: 1500 },
    ]);
    expect(await bench.all('SELECT kind, host, live_code_id FROM visit_source WHERE ip IS NULL ORDER BY kind')).toEqual([
      { kind: 'referer', host: '', live_code_id: null },
      { kind: 'unknown_host', host: '', live_code_id: null },
    ]);
  });
});
