/**
 * Runs tests again and again, tries none a second time, and tells each that ever failed: what passes by luck is a fault.
 * `--times n` runs (20), the last quarter of them beside `--busy n` processes that only compute (0); `--ci` runs all of
 * continuous integration in a fresh clone of the commit that is checked out; whatever else is given goes to `npm test`. What failed leaves
 * its output and the traces of its journeys.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What Vitest and Playwright write of a run, as far as it is read here. */
type UnitReport = { testResults: { assertionResults: { status: string; fullName: string }[]; status: string; name: string }[] };
type Suite = { file: string; suites?: Suite[]; specs: { ok: boolean; title: string }[] };
type JourneyReport = { suites: Suite[] };

const failedUnits = ({ testResults }: UnitReport) =>
  testResults.flatMap(({ assertionResults, status, name }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    // A file that could not be begun has no tests.
    return failed.length > 0 || status !== 'failed' ? failed : [name];
  });

const failedJourneys = ({ file, suites = [], specs }: Suite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ title }) => `${file}: ${title}`),
  ...suites.flatMap(failedJourneys),
];

function failedOf(reports: string) {
  return readdirSync(reports).flatMap((name) => {
    const report: unknown = JSON.parse(readFileSync(join(reports, name), 'utf8'));
    return name.startsWith('units') ? failedUnits(report as UnitReport) : (report as JourneyReport).suites.flatMap(failedJourneys);
  });
}

/** Processes that take what time they get, as a neighbour on the same machine would. */
function busyProcesses(count: number) {
  const children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}

const ended = (child: ChildProcess) =>
  new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

/** One run, its output in a file beside its reports. */
async function run(folder: string, args: string[], inClone: boolean) {
  const reports = mkdtempSync(join(folder, 'reports-'));
  const clone = join(folder, 'clone');
  const { CI: _, ...env } = process.env;
  try {
    if (inClone) execFileSync('git', ['clone', '-q', root, clone]);
    const [program, ...rest] = inClone ? ['bash', '.ci/run'] : [process.execPath, 'scripts/run.mjs', 'test', ...args];
    const child = spawn(program ?? '', rest, {
      cwd: inClone ? clone : root,
      env: { ...env, LIVECODE_TEST_REPORTS: reports, LIVECODE_TEST_TRACES: `${reports}-traces` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(`${reports}.log`);
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
    const code = await ended(child);
    log.end();
    return { passed: code === 0, failed: failedOf(reports), log: `${reports}.log` };
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/** Ours; every other argument is the test runner's. */
function take(args: string[], name: string, otherwise: number) {
  const at = args.indexOf(name);
  const value = at < 0 ? otherwise : Number(args.splice(at, 2)[1]);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} wants a number`);
  return value;
}

const args = process.argv.slice(2);
const times = take(args, '--times', 20);
const busy = take(args, '--busy', 0);
const inClone = args.includes('--ci');
const calm = busy > 0 ? times - Math.ceil(times / 4) : times;
const folder = mkdtempSync(join(tmpdir(), 'livecode-steady-'));
const failures = new Map<string, number>();
let unsteady = 0;

for (let each = 1; each <= times; each++) {
  const started = Date.now();
  const stop = busyProcesses(each > calm ? busy : 0);
  try {
    const { passed, failed, log } = await run(folder, args, inClone);
    for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
    unsteady += passed ? 0 : 1;
    const beside = each > calm ? ` beside ${busy} busy processes` : '';
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(`${each} of ${times}${beside}: ${passed ? 'passed' : `FAILED, see ${log},`} in ${seconds} s`);
  } finally {
    stop();
  }
}
for (const [name, count] of failures) console.log(`failed ${count} of ${times}: ${name}`);
console.log(unsteady === 0 ? `All ${times} passed, none tried again.` : `${unsteady} of ${times} failed.`);
if (unsteady === 0) rmSync(folder, { recursive: true, force: true });
process.exitCode = unsteady === 0 ? 0 : 1;
