import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const folders = ['src', 'scripts', 'simulators', 'bench'];
const slow = folders.map((folder) => `${folder}/**/*.slow.test.ts`);

/** Without it, or names of files, the gate runs: what must hold before anything is merged, within a few minutes. */
const gate = process.env.LIVECODE_TEST_GATE === '1';

/** Of the slow tests those that guard the promises: nothing answered is lost, whatever is killed. */
const guards = [
  'src/server/backup/backup.slow.test.ts',
  'src/server/kit/postgres/postgres.slow.test.ts',
  'src/server/restored-copy/restored-copy.slow.test.ts',
  'src/server/visits/loader/crash.slow.test.ts',
];

/** What runs on the engine of ClickHouse, which only `npm run test:clickhouse` installs. */
const onClickhouse = 'src/**/*.clickhouse.test.ts';

const cores = availableParallelism();
/** Tests wait for PostgreSQL, processes and clocks as much as they work: as many as cores would leave those idle. */
const beyondCores = Math.ceil(cores * 1.5);

/** Processes that are killed and browsers that are watched can be late on a busy machine; the report says which tests were tried again. */
const retry = process.env.CI ? 1 : 0;

/** Tells what hangs, and nothing else: on a machine that is busy otherwise all takes many times as long. */
const testTimeout = 180_000;

/** What is awaited comes at once on a quiet machine; the default of a second is soon over on a busy one. */
const expect = { poll: { timeout: 15_000 } };

/** What takes longest, in each project: begun last, it would run on alone when all others are done. */
const longest = [
  'src/server/app.test.ts',
  'src/server/tron/model.test.ts',
  'src/server/ownership.test.ts',
  'src/server/servers/runs/runs.test.ts',
  'src/server/users/login/login.test.ts',
  'src/server/logs/logs.seal.test.ts',
  'src/server/exports.test.ts',
];

/** Vitest's own order is by what it remembers, which a new checkout does not have. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.indexOf(relative(import.meta.dirname, moduleId));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** The statistics' own tests, answered by the other store, and those of the store itself. */
const clickhouse: TestProjectInlineConfiguration = {
  test: {
    name: 'clickhouse',
    include: [
      onClickhouse,
      'src/server/visits/statistics/historical-statistics.test.ts',
      'src/server/visits/statistics/statistics.test.ts',
      'src/server/visits/statistics/visits.public.test.ts',
      'src/server/visits/statistics/recover.test.ts',
      'src/server/visits/maintenance/retention.test.ts',
      'src/server/visits/devices/device-model.test.ts',
      'src/server/visits/digests/visit-digest.test.ts',
    ],
    environment: 'node',
    // One engine, one statement at a time.
    maxWorkers: 1,
    globalSetup: ['src/server/visits/testing/clickhouse-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
};

export default defineConfig({
  test: {
    tags: [{ name: 'full', description: 'takes seconds and guards no promise alone: `npm run test:full`' }],
    // One PostgreSQL for the whole run.
    globalSetup: ['src/server/kit/testing/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'fast',
          include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          exclude: [...slow, onClickhouse],
          environment: 'node',
          // Files share a process and its modules: importing the app takes as long as many a file's tests.
          isolate: false,
          maxWorkers: beyondCores,
          retry,
          testTimeout,
          hookTimeout: testTimeout,
          expect,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // What kills processes, starts many of them, or is about great numbers.
        test: {
          name: 'slow',
          include: gate ? guards : slow,
          maxWorkers: beyondCores,
          retry,
          environment: 'node',
          testTimeout,
          hookTimeout: testTimeout,
          expect,
          sequence: { groupOrder: 1 },
        },
      },
      ...(process.env.LIVECODE_TEST_CLICKHOUSE ? [clickhouse] : []),
    ],
  },
});
