import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execute } from './execute.mjs';

const vitest = 'node_modules/vitest/vitest.mjs';
const playwright = 'node_modules/@playwright/test/cli.js';
const listed = 10;

/**
 * Runs tests: units and integration by Vitest, journeys by Playwright, all of them or the gate; or what the arguments name.
 * Their reports stay in the folder that LIVECODE_TEST_REPORTS names.
 * @param {string[]} args files, folders and options of the one runner or the other: those of journeys name something of `e2e`
 * @returns {Promise<number>} 0 where all passed
 */
export async function runTests(root, args, { gate }) {
  const kept = process.env.LIVECODE_TEST_REPORTS;
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'livecode-tests-'));
  const [units, journeys] = [join(folder, 'units.json'), join(folder, 'journeys.json')];
  // Shared by all workers, and by the processes that tests start.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile'), LIVECODE_TEST_REPORT: journeys };
  const reporters = ['default', 'json', join(import.meta.dirname, 'retried.mjs')].map((reporter) => `--reporter=${reporter}`);
  const byVitest = (rest, more = {}) =>
    execute(root, [vitest, 'run', ...reporters, `--outputFile.json=${units}`, ...rest], { ...env, ...more });
  const byPlaywright = (rest) => execute(root, [playwright, 'test', '-c', 'e2e', ...rest], env);
  try {
    if (args.length > 0) return await (args.some((arg) => arg.startsWith('e2e')) ? byPlaywright(args) : byVitest(args));
    const first = await (gate ? byVitest(['--tags-filter=!full'], { LIVECODE_TEST_GATE: '1' }) : byVitest([]));
    const second = await byPlaywright(gate ? ['--grep', '@gate'] : []);
    tellSlowest([...vitestFiles(root, units), ...playwrightFiles(journeys)]);
    return first || second;
  } finally {
    if (!kept) rmSync(folder, { recursive: true, force: true });
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
