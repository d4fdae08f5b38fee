// The entry of every npm script. Plain JavaScript that any Node from 20 on runs with nothing installed.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installClickhouse } from './lib/clickhouse.mjs';
import { execute } from './lib/execute.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { homeOf, readRelease, refuseForRelease } from './lib/release.mjs';
import { ensureStripped } from './lib/strip.mjs';
import { runTests } from './lib/tests.mjs';
import { ensureWebApp } from './lib/web-app.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const biome = 'node_modules/@biomejs/biome/bin/biome';
const vitest = 'node_modules/vitest/vitest.mjs';

/** The checks that need neither a database nor a browser, cheapest first. What takes one core goes beside another such. */
const checks = [
  [{ name: 'format and lint', args: [biome, 'check', '--error-on-warnings', '--max-diagnostics=50'] }],
  [{ name: 'types', args: ['node_modules/typescript-native/bin/tsc', '-p', '.'] }],
  [
    {
      name: 'import rules',
      args: ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.mjs', 'src'],
    },
    { name: 'messages', args: ['scripts/check-messages.ts'] },
  ],
];

async function runCheck({ name, args }) {
  const started = Date.now();
  const code = await execute(root, args);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return code;
}

const commands = {
  /** What comes before every command is all that is asked for. */
  install: () => 0,
  /** Makes what `npm start` runs. That it runs afterwards, in our place, spares the memory of a process that would only wait. */
  async ready() {
    const roles = (process.env.LIVECODE_ROLE || 'all').split(',').map((role) => role.trim());
    if (!release && (roles.includes('all') || roles.includes('web'))) ensureWebApp(root);
    ensureStripped(root);
    return 0;
  },
  async build() {
    ensureWebApp(root);
    return 0;
  },
  async release(args) {
    ensureWebApp(root);
    return execute(root, ['scripts/release/release.main.ts', ...args]);
  },
  test(args) {
    ensureWebApp(root);
    ensureStripped(root);
    return runTests(root, args, { gate: true });
  },
  'test:full'(args) {
    ensureWebApp(root);
    ensureStripped(root);
    return runTests(root, args, { gate: false });
  },
  /** Tests of visits on the engine of ClickHouse, which is large and installed apart, by a lock file of its own. */
  'test:clickhouse': (args) =>
    execute(root, [vitest, 'run', '--project', 'clickhouse', ...args], { LIVECODE_TEST_CLICKHOUSE: installClickhouse(root) }),
  /** The statistics of both stores, the other on the same engine. */
  'bench:clickhouse': (args) =>
    execute(root, [join(root, 'bench/statistics.ts'), '--clickhouse', 'engine', ...args], {
      LIVECODE_TEST_CLICKHOUSE: installClickhouse(root),
    }),
  async check() {
    let failed = 0;
    for (const beside of checks) {
      const codes = await Promise.all(beside.map(runCheck));
      failed ||= codes.find((code) => code !== 0) ?? 0;
    }
    return failed;
  },
  async verify(args) {
    return (await commands.check()) || (await commands.test(args));
  },
  format: () => execute(root, [biome, 'check', '--write']),
  /** Runs one of our TypeScript programs by its path. */
  program: ([path = '', ...args]) => execute(root, [join(root, path), ...args], {}, release ? homeOf(root) : root),
};

const [name = '', ...rest] = process.argv.slice(2);
let release;
try {
  release = readRelease(root);
  if (!Object.hasOwn(commands, name)) throw new Error(`Unknown command "${name}": ${Object.keys(commands).join(', ')}`);
  if (release) refuseForRelease(name);
  else await ensureInstalled(root);
  process.exitCode = await commands[name](rest);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
