import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Config } from './config.ts';
import { configHelp, readConfig } from './config.ts';
import { readSimulators } from './demo/simulators.ts';
import { isDiskFull } from './kit/files.ts';
import { recogniseDatabase } from './kit/postgres/database-identity.ts';
import { StartError } from './kit/start-error.ts';
import { createTurns } from './redirect/rotation/turns.ts';
import { redirectRuntime } from './redirect/runtime.ts';
import type { ChildPlan } from './supervisor/children.ts';
import { stopWithNpm } from './supervisor/npm.ts';
import { prepareDatabase } from './supervisor/prepare-database.ts';
import { prepareOnly, supervise } from './supervisor/supervise.ts';
import { refuseHalfReturned, successorIn } from './upgrade/upgrade.public.ts';
import { loaderRuntime } from './visits/loader/loader.runtime.ts';
import { webRuntime } from './web.runtime.ts';
import { partEnvironment, workerRuntime } from './worker.runtime.ts';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const log = (line: string) => console.log(line);
const program = (path: string) => join(here, path);

function redirectPlans(config: Config): ChildPlan[] {
  if (!config.roles.includes('redirect')) return [];
  const { answer } = createTurns();
  return Array.from({ length: config.redirectProcesses }, (_, slot) => ({
    name: `redirect ${slot}`,
    args: [...redirectRuntime.args, program('redirect/main.ts')],
    env: { LIVECODE_SLOT: String(slot) },
    answer,
  }));
}

function otherPlans(config: Config, watch: boolean): ChildPlan[] {
  const simulated = simulatorPlan(config);
  const plans: ChildPlan[] = [];
  // What floods the back office must not keep visits waiting.
  const { niceness } = config;
  if (config.roles.includes('redirect'))
    plans.push({
      name: 'loader',
      args: [...loaderRuntime.args, program('visits/loader/loader.main.ts')],
      env: partEnvironment,
    });
  for (const [role, { args, env }] of [
    ['web', webRuntime],
    ['worker', workerRuntime],
  ] as const)
    if (config.roles.includes(role))
      plans.push({ name: role, args: [...args, program(`${role}.ts`)], env: { ...env, ...simulated?.allowed }, niceness });
  if (simulated) plans.push(simulated.plan);
  else if (hasTestNetwork(config)) plans.push(testNetworkPlan(config));
  if (watch)
    plans.push({ name: 'vite', args: [join(root, 'node_modules/vite/bin/vite.js'), '--strictPort', '--logLevel', 'warn'], reports: false });
  return plans;
}

/** What a demo speaks to has little to do, and gives back what it took. */
const simulatorRuntime = ['--expose-gc', '--max-semi-space-size=2'];

/** The embedded network, on which payments run until a real one is configured. */
const hasTestNetwork = ({ roles, tronPort, tronUrl }: Config) => roles.includes('worker') && tronPort > 0 && !tronUrl;

/** Its blocks are kept beside the database. */
const testNetworkFolder = (dataDir: string) => join(dataDir, 'test-network');

/**
 * What a data folder with demo data speaks to instead of others' servers, with the test network in the same process, and the leave to speak
 * to this machine.
 */
function simulatorPlan(config: Config): { plan: ChildPlan; allowed: { LIVECODE_ALLOWED_NETWORKS: string } } | undefined {
  const { dataDir, allowedNetworks, tronPort } = config;
  const simulators = readSimulators(dataDir);
  if (!simulators) return undefined;
  const { port, token, blocked } = simulators;
  const args = [...simulatorRuntime, join(root, 'simulators/main.ts'), '--port', String(port), '--token', token];
  for (const host of blocked) args.push('--blocked', host);
  if (hasTestNetwork(config)) args.push('--tron-port', String(tronPort), '--tron-folder', testNetworkFolder(dataDir));
  return {
    plan: { name: 'simulators', args, env: partEnvironment },
    allowed: { LIVECODE_ALLOWED_NETWORKS: [...allowedNetworks, '127.0.0.1/32'].join(',') },
  };
}

const testNetworkPlan = ({ dataDir, tronPort }: Config): ChildPlan => ({
  name: 'test network',
  args: [...simulatorRuntime, join(root, 'simulators/tron/tron.main.ts'), String(tronPort), testNetworkFolder(dataDir)],
  env: partEnvironment,
});

/** Hosts that only answer visits leave schema and seed to the others. */
const ownsSchema = (config: Config) => config.roles.includes('web') || config.roles.includes('worker');

/**
 * @returns the first administrator's generated password, at the first start only
 * @throws {StartError} where the data folder belongs to another database
 */
async function prepareData(config: Config, url: string): Promise<string | undefined> {
  await recogniseDatabase(url, config.dataDir);
  if (!ownsSchema(config)) return undefined;
  return prepareDatabase({ DATABASE_URL: url, LIVECODE_DATA_DIR: config.dataDir, LIVECODE_DEMO: config.demo ? '1' : '0' });
}

/** @returns the exit code, or undefined while everything runs */
async function main(): Promise<number | undefined> {
  // A terminal that was closed must not keep us from stopping in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // The process that started us was killed, and with it the way to stop us.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  stopWithNpm();
  // Journals and uploads hold visitors' data: what we and our children create is ours alone.
  process.umask(0o077);
  const { values } = parseArgs({
    options: { demo: { type: 'boolean' }, watch: { type: 'boolean' }, prepare: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    log('npm start [-- --demo]\n\nEnvironment:');
    for (const { key, help, fallback } of configHelp) log(`  ${key.padEnd(29)}${help} Default: ${fallback}.`);
    return 0;
  }
  const config = readConfig({ ...process.env, ...(values.demo && { LIVECODE_DEMO: '1' }) });
  if (!ownsSchema(config) && !config.databaseUrl) throw new StartError('LIVECODE_ROLE without web and worker needs DATABASE_URL.');
  refuseHalfReturned(root);
  if (values.prepare) {
    await prepareOnly(config, prepareData, log);
    return 0;
  }
  const watch = values.watch ?? false;
  const watched = watch ? [join(root, 'src/server'), join(root, 'src/contract')] : undefined;
  const visits = redirectPlans(config);
  await supervise(config, {
    visits,
    others: () => otherPlans(config, watch),
    prepareData,
    watched,
    successor: successorIn(root, config.dataDir),
    log,
  });
  return undefined;
}

try {
  const code = await main();
  if (code !== undefined) process.exit(code);
} catch (error) {
  console.error(error instanceof StartError || isDiskFull(error) ? error.message : error);
  process.exit(1);
}
