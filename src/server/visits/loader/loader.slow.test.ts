import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../kit/testing/eventually.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { createMaintenance } from '../maintenance/loader-maintenance.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { endedSource, livingSource, writeSegment } from '../testing/journal.ts';
import { openWorkbench, type Workbench } from '../testing/loading.ts';
import { createSegments } from './segments.ts';

const program = fileURLToPath(new URL('./loader.main.ts', import.meta.url));

/** The loader as the process it is; its journals are below `dataDir`. */
function spawnLoader(url: string, dataDir: string): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, DATABASE_URL: url, LIVECODE_DATA_DIR: dataDir, LIVECODE_LOG_LEVEL: 'silent', NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}
const message = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('message', resolve));
const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once('exit', (code) => resolve(code)));
const loaded = async (bench: Workbench): Promise<number> =>
  Number((await bench.one('SELECT coalesce(sum(loaded_records), 0)::int AS count FROM journal_segment')).count);

const many = (count: number, kind: number) =>
  Array.from({ length: count }, (_, index) =>
    visitOf({
      live_code_id: 1 + (index % 7),
      ip: `9.${kind}.${index % 50}.${index % 31}`,
      at: Date.now() - index,
      outcome: index % 5 ? 0 : 8,
    }),
  );

describe('the loader as a process', () => {
  test('killed again and again, it loads every visit once', async () => {
    const bench = await openWorkbench();
    const folder = join(bench.folder, 'journal');
    const visits = 40_000;
    writeSegment(folder, endedSource(), 1, many(visits / 2, 1));
    writeSegment(folder, endedSource(), 1, many(visits / 2, 2));
    let kills = 0;
    while (kills < 4) {
      const child = spawnLoader(bench.url, bench.folder);
      await message(child);
      // A kill in the middle of what it does: while a batch of it is under way, sooner or later within the batch.
      await eventually(
        async () => {
          const { count } = await bench.one(
            `SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'livecode loader' AND datname = current_database() AND state <> 'idle'`,
          );
          if (count === 0 && (await loaded(bench)) < visits) throw new Error('nothing is under way');
        },
        { interval: 3 + kills * 7 },
      );
      child.kill('SIGKILL');
      await ended(child);
      kills += 1;
    }
    const last = spawnLoader(bench.url, bench.folder);
    await bench.finished(2);
    last.kill('SIGTERM');
    expect(await ended(last)).toBe(0);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: visits });
    expect(await inconsistencies(bench.client)).toEqual([]);
  });

  test('ends when its parent is gone', async () => {
    const bench = await openWorkbench();
    const child = spawnLoader(bench.url, bench.folder);
    expect(await message(child)).toEqual({ ready: true });
    child.disconnect();
    expect(await ended(child)).toBe(0);
  });
});

describe('a database that goes away', () => {
  test('is waited for, and everything is loaded once when it is back', async () => {
    const bench = await openWorkbench();
    const source = livingSource();
    writeSegment(bench.folder, source, 1, many(3000, 3));
    bench.start({ batch_bytes: 1 });
    const settings = new URL(bench.url);
    const name = settings.pathname.slice(1);
    settings.pathname = '/postgres';
    const server = new pg.Client({ connectionString: settings.href });
    await server.connect();
    await eventually(async () => expect(await loaded(bench)).toBeGreaterThan(100), { interval: 5 });
    await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'livecode loader'`,
      [name],
    );
    const before = await loaded(bench);
    expect(before).toBeLessThan(3000);
    writeSegment(bench.folder, source, 2, many(500, 4));
    await eventually(() => expect(bench.log.map(({ message }) => message)).toContain('the database is away; visits wait in the journal'));
    expect(await loaded(bench)).toBe(before);
    await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    await server.end();
    await eventually(async () => expect(await loaded(bench)).toBe(3500), { interval: 50 });
    expect(bench.log.map(({ message }) => message)).toEqual(['the database is away; visits wait in the journal', 'the database is back']);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 3500 });
    expect(await inconsistencies(bench.client)).toEqual([]);
  });
});

describe('loaded segments', () => {
  test('are kept for the retention time, and go only after the leases of their process', async () => {
    const bench = await openWorkbench();
    const [gone, living] = [endedSource(), livingSource()];
    const paths = [
      writeSegment(bench.folder, gone, 1, [visitOf()]),
      writeSegment(bench.folder, living, 1, [visitOf()]),
      writeSegment(bench.folder, living, 2, [visitOf()]),
    ];
    const loader = bench.start();
    await bench.finished(2);
    await loader.stop();
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const run = async (retention_seconds: number) => {
      const segments = createSegments(bench.folder, 10);
      await segments.refresh(bench.client);
      const maintenance = createMaintenance({ folder: bench.folder, log, retention_seconds, lost_source_seconds: 60 });
      await maintenance.run(bench.client, segments);
    };
    await run(60);
    expect(paths.map((path) => existsSync(path))).toEqual([true, true, true]);
    await run(0);
    expect(paths.map((path) => existsSync(path))).toEqual([false, false, true]);
  });
});
