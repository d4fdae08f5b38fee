import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execute } from './execute.mjs';

const vitest = 'node_modules/vitest/vitest.mjs';
const playwright = 'node_modules/@playwright/test/cli.js';
const listed = 10;

/**
 * Runs tests: units and integration by Vitest, journeys by Playwright, all of them or the gate; or what the arguments name.
 * @param {string[]} args files, folders and options of the one runner or the other: those of journeys name something of `e2e`
 * @returns {Promise<number>} 0 where all passed
 */
export async function runTests(root, args, { gate }) {
  // Shared by all workers, and by the processes that tests start.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') };
  if (args.length > 0) {
    const isJourney = args.some((arg) => arg.startsWith('e2e'));
    return execute(root, isJourney ? [playwright, 'test', '-c', 'e2e', ...args] : [vitest, 'run', ...args], env);
  }
  const folder = mkdtempSync(join(tmpdir(), 'livecode-tests-'));
  try {
    const [units, journeys] = [join(folder, 'units.json'), join(folder, 'journeys.json')];
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${units}`];
    const first = await execute(root, [vitest, 'run', ...reporters], { ...env, ...(gate && { LIVECODE_TEST_GATE: '1' }) });
    const second = await execute(root, [playwright, 'test', '-c', 'e2e', ...(gate ? ['--grep', '@gate'] : [])], {
      ...env,
      LIVECODE_TEST_REPORT: journeys,
    });
    tellSlowest([...vitestFiles(root, units), ...playwrightFiles(journeys)]);
    return first || second;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tellSlowest(files) {
  console.log(`\nThe ${listed} slowest of ${files.length} files:`);
  for (const { name, seconds } of files.sort((one, other) => other.seconds - one.seconds).slice(0, listed))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

function vitestFiles(root, report) {
  const { testResults } = read(report) ?? { testResults: [] };
  return testResults.map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 }));
}

function playwrightFiles(report) {
  const { suites } = read(report) ?? { suites: [] };
  return suites.map((suite) => ({ name: `e2e/${suite.file}`, seconds: milliseconds(suite) / 1000 }));
}

const milliseconds = ({ suites = [], specs = [] }) =>
  [
    ...suites.map(milliseconds),
    ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
  ].reduce((sum, each) => sum + each, 0);

/** A runner that broke off has written none, and said why. */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
