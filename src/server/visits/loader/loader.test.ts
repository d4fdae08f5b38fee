import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../kit/testing/eventually.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { segmentName } from '../../kit/visits/journal/segment.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { endedSource, livingSource, segmentBytes, writeSegment } from '../testing/journal.ts';
import { openWorkbench } from '../testing/loading.ts';
import { createPace } from './pace/pace.ts';

const noon = Date.parse('2026-03-10T04:00:00Z');
const hour = 3_600_000;

/** Visits of a few codes and addresses over some days, so that everything collides with everything. */
const record: fc.Arbitrary<VisitRecord> = fc
  .record({
    at: fc.integer({ min: noon - 40 * hour, max: noon + 40 * hour }),
    live_code_id: fc.constantFrom(0, 1, 2, 3),
    target_id: fc.constantFrom(0, 11, 12),
    outcome: fc.constantFrom(0, 0, 0, 4, 8, 9),
    ip: fc.constantFrom('114.114.114.114', '223.5.5.5', '120.196.165.24', '8.8.8.8', '2400:3200::1', '::ffff:8.8.8.8'),
    user_agent: fc.constantFrom('', 'curl/8', visitOf().user_agent, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0.0.0'),
    path: fc.constantFrom('/', '/abcd', '/活码'),
    referer: fc.constantFrom('', 'https://example.com/'),
  })
  .map((one) => visitOf(one.outcome === 0 && one.live_code_id === 0 ? { ...one, outcome: 3 } : one));

const random = (count: number, seed: number): VisitRecord[] =>
  fc.sample(fc.array(record, { minLength: count, maxLength: count }), { seed, numRuns: 1 }).flat();

describe('loading', () => {
  test('every rollup equals the rows, whatever comes in whatever batches', async () => {
    const bench = await openWorkbench();
    const [first, second, third] = [endedSource(), endedSource(), endedSource()];
    writeSegment(bench.folder, first, 1, random(700, 1));
    writeSegment(bench.folder, first, 2, random(300, 2));
    writeSegment(bench.folder, second, 1, random(900, 3));
    writeSegment(bench.folder, third, 1, []);
    bench.start({ batch_bytes: 1 });
    await bench.finished(4);
    expect(await inconsistencies(bench.client)).toEqual([]);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 1900 });
    expect(await bench.one('SELECT sum(loaded_records)::int AS count, sum(damaged_bytes)::int AS damaged FROM journal_segment')).toEqual({
      count: 1900,
      damaged: 0,
    });
    expect(bench.log).toEqual([]);
  });

  test('two loaders at once load everything once', async () => {
    const bench = await openWorkbench();
    const [first, second] = [endedSource(), endedSource()];
    writeSegment(bench.folder, first, 1, random(1500, 4));
    writeSegment(bench.folder, second, 1, random(1500, 5));
    for (let loader = 0; loader < 2; loader += 1) bench.start({ batch_bytes: 1 });
    await bench.finished(2);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 3000 });
    expect(await inconsistencies(bench.client)).toEqual([]);
    expect(bench.log).toEqual([]);
  });

  test('loaders that meet the same new texts, places and devices at once agree on their ids', async () => {
    const bench = await openWorkbench();
    const strange = (index: number) => visitOf({ path: `/${index}`, user_agent: `agent ${index}`, ip: `1.${index % 250}.${index % 7}.1` });
    const records = Array.from({ length: 500 }, (_, index) => strange(index));
    for (let slot = 0; slot < 4; slot += 1) writeSegment(bench.folder, endedSource(), 1, slot % 2 ? records : records.toReversed());
    for (let loader = 0; loader < 2; loader += 1) bench.start();
    await bench.finished(4);
    expect(
      await bench.one(`SELECT count(*)::int AS rows, count(DISTINCT path_id)::int AS paths, count(DISTINCT agent_id)::int AS agents,
        min(length(text)) > 0 AND bool_and(user_agent LIKE 'agent %') AS readable
        FROM visit JOIN visit_text ON visit_text.id = path_id JOIN visit_agent ON visit_agent.id = agent_id`),
    ).toEqual({ rows: 2000, paths: 500, agents: 500, readable: true });
    expect(await inconsistencies(bench.client)).toEqual([]);
  });

  test('a row says what the record said', async () => {
    const bench = await openWorkbench();
    const source = endedSource();
    writeSegment(bench.folder, source, 1, [
      visitOf({ live_code_id: 0, outcome: 1, host: 'strange.example', ip: '::1', referer: 'https://a.example/b', language: '' }),
      visitOf({ at: noon, live_code_id: 7, target_id: 9, ip: '120.196.165.24' }),
    ]);
    bench.start();
    await bench.finished(1);
    const rows =
      await bench.all(`SELECT visit.id::text, at, live_code_id::int, target_id::int, host(ip) AS ip, host.text AS host, path.text AS path, referer.text AS referer,
      language.text AS language, user_agent, country, region, city, carrier, source, system, outcome, unique_ip, first_visit
      FROM visit JOIN visit_text AS host ON host.id = host_id JOIN visit_text AS path ON path.id = path_id
      LEFT JOIN visit_text AS referer ON referer.id = referer_id LEFT JOIN visit_text AS language ON language.id = language_id
      JOIN visit_agent ON visit_agent.id = agent_id JOIN visit_device ON visit_device.id = device_id JOIN visit_place ON visit_place.id = place_id ORDER BY outcome`);
    const segment = Number((await bench.one('SELECT id FROM journal_segment')).id);
    expect(rows[0]).toMatchObject({
      at: new Date(noon),
      live_code_id: 7,
      target_id: 9,
      ip: '120.196.165.24',
      host: 'qr.example.com',
      path: '/abcd',
      referer: null,
      language: 'zh-CN',
      region: '广东',
      city: '深圳',
      carrier: 'mobile',
      source: 'messenger',
      system: 'iOS',
      outcome: 0,
      unique_ip: true,
      first_visit: true,
    });
    expect(rows[1]).toMatchObject({
      id: String(segment * 2 ** 26),
      live_code_id: null,
      target_id: null,
      ip: '::1',
      host: 'strange.example',
      referer: 'https://a.example/b',
      language: null,
      outcome: 1,
      unique_ip: false,
      first_visit: false,
    });
  });

  test('hostile records are loaded like any other', async () => {
    const bench = await openWorkbench();
    const nasty = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
    writeSegment(bench.folder, endedSource(), 1, [
      visitOf({ at: 0 }),
      visitOf({ at: 2 ** 48 - 1 }),
      visitOf({ live_code_id: 2 ** 48 - 1, target_id: 2 ** 48 - 1, lease_id: 2 ** 48 - 1 }),
      visitOf({ outcome: 255, live_code_id: 0 }),
      visitOf({ ip: '' }),
      visitOf({ ip: 'fe80::1%eth0' }),
      visitOf({ ip: "1.2.3.4'); DROP TABLE visit; --" }),
      visitOf({ host: nasty, path: nasty, referer: nasty, language: nasty, user_agent: nasty }),
      visitOf({ host: '\xff'.repeat(300), path: '\xff'.repeat(300), referer: '\xff'.repeat(600), user_agent: '\xff'.repeat(600) }),
      visitOf({ path: '\\N', referer: '\\.', user_agent: '{"a,b"}\t\r\n\\' }),
    ]);
    bench.start();
    await bench.finished(1);
    expect(bench.log).toEqual([]);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 10 });
    expect(await inconsistencies(bench.client)).toEqual([]);
    expect(await bench.one(`SELECT count(*)::int AS count FROM visit_agent WHERE user_agent = E'{"a,b"}\\t\\r\\n\\\\'`)).toEqual({
      count: 1,
    });
  });
});

describe('a journal that is being written or was damaged', () => {
  test('many visits at once wait in the journal while the processors have no rest, and are then loaded', async () => {
    const bench = await openWorkbench();
    let clock = 0;
    const pace = createPace(
      () => ({ idle: 0, all: clock }),
      () => clock,
    );
    let waits = 0;
    // The journal grows while nobody reads it: half of what came would tell another rate.
    let isHeld = false;
    const isToWait = (source: string) => {
      const isWaiting = pace.isToWait(source) || isHeld;
      waits += isWaiting ? 1 : 0;
      return isWaiting;
    };
    const waited = async (times: number) => {
      const before = waits;
      await eventually(async () => expect(waits).toBeGreaterThanOrEqual(before + times));
    };
    const bytes = segmentBytes(Array.from({ length: 1410 }, () => visitOf()));
    const path = join(bench.folder, segmentName(livingSource(), 1));
    const ends = [1, 1400, 1410].map((count) => segmentBytes(Array.from({ length: count }, () => visitOf())).length);
    const loaded = (count: number) =>
      eventually(async () =>
        expect(await bench.all('SELECT loaded_records::int FROM journal_segment')).toEqual([{ loaded_records: count }]),
      );
    writeFileSync(path, bytes.subarray(0, ends[0]));
    bench.start({ pace: { ...pace, isToWait } });
    await loaded(1);
    isHeld = true;
    clock += 250;
    appendFileSync(path, bytes.subarray(ends[0], ends[1]));
    isHeld = false;
    await loaded(1400);
    appendFileSync(path, bytes.subarray(ends[1]));
    await waited(3);
    await loaded(1400);
    clock += 4000;
    await loaded(1410);
    expect(await inconsistencies(bench.client)).toEqual([]);
  });

  test('a torn record waits until it is whole', async () => {
    const bench = await openWorkbench();
    const bytes = segmentBytes([visitOf(), visitOf({ ip: '8.8.8.8' }), visitOf({ ip: '8.8.4.4' })]);
    const source = livingSource();
    const path = join(bench.folder, segmentName(source, 1));
    const torn = bytes.length - 20;
    writeFileSync(path, bytes.subarray(0, torn));
    bench.start();
    await eventually(async () =>
      expect(await bench.all('SELECT loaded_records::int FROM journal_segment')).toEqual([{ loaded_records: 2 }]),
    );
    appendFileSync(path, bytes.subarray(torn));
    await eventually(async () =>
      expect(await bench.all('SELECT loaded_records::int FROM journal_segment')).toEqual([{ loaded_records: 3 }]),
    );
    expect(await bench.one('SELECT loaded_offset::int, damaged_bytes::int, finished_at FROM journal_segment')).toEqual({
      loaded_offset: bytes.length,
      damaged_bytes: 0,
      finished_at: null,
    });
    writeSegment(bench.folder, source, 2, []);
    await bench.finished(1);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 3 });
  });

  test('the torn end of a process that was killed is counted and left out', async () => {
    const bench = await openWorkbench();
    const source = endedSource();
    const bytes = segmentBytes([visitOf(), visitOf({ ip: '8.8.8.8' })]);
    const whole = segmentBytes([visitOf()]).length;
    writeFileSync(join(bench.folder, segmentName(source, 1)), bytes.subarray(0, bytes.length - 1));
    bench.start();
    await bench.finished(1);
    expect(await bench.one('SELECT loaded_offset::int, loaded_records::int, damaged_bytes::int FROM journal_segment')).toEqual({
      loaded_offset: bytes.length - 1,
      loaded_records: 1,
      damaged_bytes: bytes.length - 1 - whole,
    });
  });

  test('a record that the disk spoiled costs no other', async () => {
    const bench = await openWorkbench();
    const records = Array.from({ length: 300 }, (_, index) => visitOf({ ip: `9.9.${Math.floor(index / 100)}.${index % 100}` }));
    const path = writeSegment(bench.folder, endedSource(), 1, records);
    const bytes = readFileSync(path);
    const length = segmentBytes([visitOf({ ip: '9.9.0.0' })]).length;
    for (const at of [length * 3 + 40, Math.floor(bytes.length / 2)]) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    writeFileSync(path, bytes);
    bench.start({ batch_bytes: 1 });
    await bench.finished(1);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 298 });
    const { damaged_bytes } = await bench.one('SELECT damaged_bytes::int FROM journal_segment');
    expect(damaged_bytes).toBeGreaterThan(2 * length - 8);
    expect(damaged_bytes).toBeLessThan(2 * length + 8);
    expect(bench.log.filter(({ message }) => message === 'a journal segment is damaged').length).toBeGreaterThan(0);
    expect(await inconsistencies(bench.client)).toEqual([]);
  });

  test('a record that the database refuses is passed over and told, and costs no other', async () => {
    const bench = await openWorkbench();
    await bench.client.query(`ALTER TABLE visit ADD CONSTRAINT refused CHECK (ip <> '6.6.6.6')`);
    const records = Array.from({ length: 40 }, (_, index) => visitOf({ ip: index === 23 ? '6.6.6.6' : `9.9.9.${index}` }));
    writeSegment(bench.folder, endedSource(), 1, records);
    bench.start();
    await bench.finished(1);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 39 });
    expect(bench.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'a visit that the database refuses was passed over',
        details: expect.objectContaining({ record: records[23] }),
      }),
    );
    expect(await inconsistencies(bench.client)).toEqual([]);
  });
});
