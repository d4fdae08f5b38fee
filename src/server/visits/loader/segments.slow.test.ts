import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../kit/testing/eventually.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { journalFolder, listSegments, segmentName } from '../../kit/visits/journal/segment.ts';
import { ask, startProcess } from '../../redirect/testing/process.ts';
import { openRecords } from '../../redirect/testing/records.ts';
import { createMaintenance } from '../maintenance/loader-maintenance.ts';
import { endedSource, segmentBytes, writeSegment } from '../testing/journal.ts';
import { openWorkbench, type Workbench } from '../testing/loading.ts';
import { createSegments } from './segments.ts';

const zeros = (bytes: number) => Buffer.alloc(bytes);
/** More than is read at once. */
const long = 5 * 2 ** 20;

/** What a loader does about kept segments, with nothing to wait for. */
async function sweep(bench: Workbench, folder: string): Promise<string[]> {
  const errors: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (_: object, message: string) => void errors.push(message) };
  const segments = createSegments(folder, 10);
  const maintenance = createMaintenance({ folder, log, retention_seconds: 0, lost_source_seconds: 60 });
  await segments.refresh(bench.client);
  await maintenance.run(bench.client, segments);
  return errors;
}

describe('the segment of a writer that was killed', () => {
  test('goes after its retention, though zeros were written ahead of its records', async () => {
    const bench = await openWorkbench();
    const records = await openRecords(bench.url);
    onTestFinished(() => records.close());
    await records.addDomain('entry.example');
    await records.addCode('killed');
    const [port, dataDir] = [await freePort(), bench.folder];
    const redirect = await startProcess({ databaseUrl: bench.url, dataDir, port, processes: 1 });
    onTestFinished(() => redirect.kill());
    expect((await ask(port, '/killed')).status).toBe(200);
    await redirect.kill();
    const folder = journalFolder(dataDir);
    const [segment] = listSegments(folder);
    expect(statSync(segment?.path ?? '').size).toBeGreaterThan(2 ** 20);
    bench.start({ folder });
    await bench.finished(1);
    expect(await sweep(bench, folder)).toEqual([]);
    expect(listSegments(folder)).toEqual([]);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 1 });
  });

  test.each([
    ['nothing', zeros(0)],
    ['zeros', zeros(2_000_000)],
    ['more zeros than are read at once', zeros(long)],
  ])('goes where its last record is torn and followed by %s', async (_, rest) => {
    const bench = await openWorkbench();
    const source = endedSource();
    const bytes = segmentBytes([visitOf(), visitOf({ ip: '8.8.8.8' })]);
    const path = join(bench.folder, segmentName(source, 1));
    writeFileSync(path, Buffer.concat([bytes.subarray(0, bytes.length - 20), rest]));
    bench.start();
    await bench.finished(1);
    expect(await bench.one('SELECT loaded_records::int, damaged_bytes > 0 AS is_damaged FROM journal_segment')).toEqual({
      loaded_records: 1,
      is_damaged: true,
    });
    expect(await sweep(bench, bench.folder)).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });

  test('is loaded whole where a torn record and a lost part lie before others', async () => {
    const bench = await openWorkbench();
    const source = endedSource();
    const first = segmentBytes([visitOf(), visitOf({ ip: '8.8.8.8' })]);
    const bytes = segmentBytes([...Array(40_000)].map((__, index) => visitOf({ ip: `9.9.${index % 200}.1` })));
    bytes.fill(0, first.length - 20, long);
    writeFileSync(join(bench.folder, segmentName(source, 1)), Buffer.concat([bytes, zeros(2_000_000)]));
    bench.start();
    await bench.finished(1);
    const { loaded } = await bench.one('SELECT loaded_offset::int AS loaded FROM journal_segment');
    expect(loaded).toBe(bytes.length);
    expect(await sweep(bench, bench.folder)).toEqual([]);
    expect(listSegments(bench.folder)).toEqual([]);
  });
});

test('a segment that holds more than was loaded is kept, and told of once', async () => {
  const bench = await openWorkbench();
  const path = writeSegment(bench.folder, endedSource(), 1, [visitOf()]);
  bench.start();
  await bench.finished(1);
  appendFileSync(path, Buffer.concat([zeros(long), segmentBytes([visitOf()]), zeros(1000)]));
  const before = readFileSync(path);
  expect(await sweep(bench, bench.folder)).toEqual(['a finished journal segment holds more; it is kept']);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('records of a later version wait for it, told of once, and neither they nor what lies behind them are passed over', async () => {
  const bench = await openWorkbench();
  const source = endedSource();
  const bytes = segmentBytes([visitOf(), visitOf(), visitOf()]);
  const length = bytes.length / 3;
  bytes.writeUInt8(9, length + 5);
  const seed = (bytes.readUInt32LE(length + 2) ^ Math.imul(length, 0x9e3779b1)) >>> 0;
  bytes.writeUInt32LE(crc32(bytes.subarray(length + 10, 2 * length), seed), length + 6);
  const path = join(bench.folder, segmentName(source, 1));
  writeFileSync(path, Buffer.concat([bytes, zeros(1000)]));
  writeSegment(bench.folder, source, 2, [visitOf()]);
  writeSegment(bench.folder, endedSource(), 1, [visitOf()]);
  bench.start();
  await bench.finished(1);
  await eventually(() => expect(bench.log).toHaveLength(1));
  // Another round of the loader, which could pass it over.
  writeSegment(bench.folder, endedSource(), 1, [visitOf()]);
  await bench.finished(2);
  expect(bench.log).toMatchObject([{ level: 'error', details: { loaded: length, version: 9 } }]);
  expect(await sweep(bench, bench.folder)).toEqual([]);
  expect(existsSync(path)).toBe(true);
  const rows = await bench.all(
    'SELECT loaded_records::int AS records, finished_at IS NULL AS waits FROM journal_segment ORDER BY 2 DESC, 1 DESC',
  );
  expect(rows).toEqual([
    { records: 1, waits: true },
    { records: 0, waits: true },
    { records: 1, waits: false },
    { records: 1, waits: false },
  ]);
});

describe('a clock that is set', () => {
  const hour = 3_600_000;
  test.each([
    ['back by an hour', -hour],
    ['back by a day', -24 * hour],
    ['forward by an hour', hour],
  ])('%s holds up no visit', async (_, shift) => {
    const bench = await openWorkbench();
    const source = endedSource();
    bench.start({ pause_milliseconds: 250 });
    writeSegment(bench.folder, source, 1, [visitOf()]);
    await bench.finished(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shift });
    onTestFinished(() => void vi.useRealTimers());
    writeSegment(bench.folder, source, 2, [visitOf(), visitOf()]);
    writeSegment(bench.folder, endedSource(), 1, [visitOf()]);
    await bench.finished(3);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 4 });
  });
});
