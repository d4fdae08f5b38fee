import { watch as watchFolder } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { lockDataFolder, readState, writeState } from '../kit/data-folder-lock.ts';
import { makeDataFolder } from '../kit/folders.ts';
import { StartError } from '../kit/start-error.ts';
import { askForDemo, readyBlock, takenPort } from './announce.ts';
import type { ChildPlan, Children } from './children.ts';
import { superviseChildren } from './children.ts';
import type { DatabaseServer } from './database.ts';
import { chooseDatabase, isUnreachable, retryWhile } from './database.ts';
import { hasRoom, makeRoom } from './disk.ts';
import { endOrphans } from './orphans.ts';

export interface Parts {
  /** Answer visits, with or without the database. */
  visits: ChildPlan[];
  /** Are started when the data is prepared, and asked for then. */
  others: () => ChildPlan[];
  /** Migrates and seeds. Returns the first administrator's generated password, at the first start only. */
  prepareData: (config: Config, databaseUrl: string) => Promise<string | undefined>;
  /** Folders whose changed sources start the children anew; undefined outside development. */
  watched: string[] | undefined;
  log: (line: string) => void;
  /** How long a part may take to stop. */
  graceMilliseconds?: number;
}

/**
 * Starts everything on the data folder and keeps it running until a signal stops it, which ends the process.
 * @throws {StartError}
 */
export async function supervise(config: Config, parts: Parts): Promise<void> {
  const { log } = parts;
  makeDataFolder(config.dataDir);
  makeRoom(config.dataDir, log);
  const release = await lockDataFolder(config.dataDir, log);
  const earlier = readState(config.dataDir);
  if (!earlier?.completed && !hasRoom(config.dataDir)) throw new StartError(`A first start needs room on the disk of ${config.dataDir}.`);
  if (earlier) writeState(config.dataDir, { ...earlier, pid: process.pid, stopping: false });
  await endOrphans(earlier, log);
  await refuseTakenPorts(config);

  let completed = earlier?.completed ?? false;
  const isFirst = !completed && config.roles.includes('web');
  const demo = config.demo || (isFirst && (await askForDemo()));
  const database = chooseDatabase(config, log);
  const record = () => writeState(config.dataDir, { pid: process.pid, completed, stopping: isStopping(), children: children.running() });
  const children = superviseChildren(childEnvironment(config, database), log, () => record());

  let password: string | undefined;
  let stopping: Promise<void> | undefined;
  const end = async () => {
    await children.stop(parts.graceMilliseconds ?? 10_000);
    await database.stop();
    release();
    // It exists nowhere else, and a start that was stopped early has not shown it.
    if (password) log(`The password of the new account "admin" is ${password}`);
  };
  const stop = () => {
    if (!stopping) {
      stopping = end();
      record();
    }
    return stopping;
  };
  const isStopping = () => stopping !== undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop().then(() => process.exit(0)));

  const prepare = async () => {
    await database.start();
    password = await parts.prepareData({ ...config, demo }, database.url);
  };
  try {
    // At the first start an unreachable database is a wrong address, and worth stopping for.
    const passes = (error: unknown) => isUnreachable(error) || !hasRoom(config.dataDir);
    const prepared = completed ? retryWhile(passes, prepare, isStopping, log) : prepare();
    // Later, visits are answered from the snapshot while the database is away, or takes long to recover.
    await (completed ? Promise.race([prepared, delay(2_000)]) : prepared);
    if (isStopping()) return;
    for (const plan of parts.visits) children.add(plan);
    await prepared;
    if (isStopping()) return;
    for (const plan of parts.others()) children.add(plan);
    const late = await children.ready(60_000);
    if (isStopping()) return;
    if (late.length > 0) log(`Not ready yet: ${late.join(', ')}. See the messages above.`);
    completed = true;
    record();
    for (const folder of parts.watched ?? []) restartOnChange(folder, children);
    log(readyBlock(config, { password, watch: parts.watched !== undefined }));
    password = undefined;
  } catch (error) {
    if (isStopping()) return;
    await stop();
    throw error;
  }
}

/** Brings the database of a data folder up to date, and stops it again: what an upgrade does before a start. @throws {StartError} */
export async function prepareOnly(config: Config, prepareData: Parts['prepareData'], log: (line: string) => void): Promise<void> {
  makeDataFolder(config.dataDir);
  const release = await lockDataFolder(config.dataDir, log);
  const database = chooseDatabase(config, log);
  try {
    await endOrphans(readState(config.dataDir), log);
    await database.start();
    await prepareData(config, database.url);
  } finally {
    await database.stop();
    release();
  }
}

function childEnvironment(config: Config, database: DatabaseServer): NodeJS.ProcessEnv {
  // The administrator's password is the seed's business, in this process.
  const { LIVECODE_ADMIN_PASSWORD: _, ...inherited } = process.env;
  const own = config.databaseUrl ? {} : { LIVECODE_OWN_POSTGRES: '1' };
  return { ...inherited, ...own, DATABASE_URL: database.url, LIVECODE_DATA_DIR: config.dataDir };
}

async function refuseTakenPorts(config: Config) {
  const ports = [...(config.roles.includes('web') ? [config.port] : []), ...(config.roles.includes('redirect') ? [config.visitPort] : [])];
  const taken = await takenPort(ports);
  if (taken) throw new StartError(`Port ${taken} is in use. Choose others by LIVECODE_PORT and LIVECODE_VISIT_PORT.`);
}

/** The browser side is Vite's business. */
function restartOnChange(folder: string, children: Children) {
  let timer: NodeJS.Timeout | undefined;
  watchFolder(folder, { recursive: true }, (_, file) => {
    if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => children.restart(), 150);
  });
}
