import { watch as watchFolder } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { lockDataFolder, readState, type SupervisorState, writeState } from '../kit/data-folder-lock.ts';
import { makeDataFolder } from '../kit/folders.ts';
import { StartError } from '../kit/start-error.ts';
import { askForDemo, readyBlock, takenPort } from './announce.ts';
import type { Children } from './children.ts';
import { superviseChildren } from './children.ts';
import type { DatabaseServer } from './database.ts';
import { chooseDatabase, isUnreachable, retryWhile } from './database.ts';
import { hasRoom, makeRoom, untilRoom } from './disk.ts';
import { createLender } from './lender.ts';
import { endOrphans } from './orphans.ts';
import { type Parts, usualGrace } from './parts.ts';
import { findPredecessor, type Predecessor } from './successor.ts';

/** So long a successor waits for a part of it before it takes the next one from its predecessor. */
const maxPartMilliseconds = 20_000;

/**
 * Starts everything on the data folder and keeps it running until a signal stops it, which ends the process.
 * @throws {StartError}
 */
export async function supervise(config: Config, parts: Parts): Promise<void> {
  const { log } = parts;
  const predecessor = findPredecessor();
  const { release, earlier } = await takeDataFolder(config, log);
  await refuseTakenPorts(config, predecessor !== undefined);

  let completed = earlier?.completed ?? false;
  const demo = config.demo || (!completed && config.roles.includes('web') && (await askForDemo()));
  const database = chooseDatabase(config, log);
  const children = superviseChildren(childEnvironment(config, database), log, () => record());
  const isStopping = () => stopping !== undefined;
  const write = (running: SupervisorState['children']) =>
    writeState(config.dataDir, { pid: process.pid, completed, stopping: isStopping(), lent: lender.lent(), children: running });
  const record = () => lender.isAway() || write(children.running());
  const lender = createLender(
    // What still runs ends with this process: nothing is left for the next start.
    { parts, children, database, release, keep: () => write([]), isStopping },
    (code) => void stop().then(() => process.exit(code)),
  );

  let password: string | undefined;
  let stopping: Promise<void> | undefined;
  const end = async () => {
    await lender.stop();
    await children.stop(parts.graceMilliseconds ?? usualGrace);
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop().then(() => process.exit(0)));

  const prepare = async () => {
    await database.start();
    password = await parts.prepareData({ ...config, demo }, database.url);
  };
  try {
    await startParts({ config, parts, children, predecessor, prepare, completed, isStopping });
    if (isStopping()) return;
    completed = true;
    lender.open();
    record();
    predecessor?.tellDone();
    for (const folder of parts.watched ?? []) restartOnChange(folder, children);
    log(readyBlock(config, { password, watch: parts.watched !== undefined }));
    password = undefined;
  } catch (error) {
    if (isStopping()) return;
    await stop();
    throw error;
  }
}

/** Makes and locks it, and ends what an earlier start left running on it. @throws {StartError} */
async function takeDataFolder(config: Config, log: (line: string) => void) {
  makeDataFolder(config.dataDir);
  makeRoom(config.dataDir, log);
  const release = await lockDataFolder(config.dataDir, log);
  const earlier = readState(config.dataDir);
  if (!earlier?.completed && !hasRoom(config.dataDir)) throw new StartError(`A first start needs room on the disk of ${config.dataDir}.`);
  if (earlier) writeState(config.dataDir, { ...earlier, pid: process.pid, stopping: false, lent: undefined });
  await endOrphans(earlier, log);
  return { release, earlier };
}

interface Start {
  config: Config;
  parts: Parts;
  children: Children;
  predecessor: Predecessor | undefined;
  /** Starts the database, and brings the data up to date. */
  prepare: () => Promise<void>;
  /** Whether an earlier start came to its end. */
  completed: boolean;
  isStopping: () => boolean;
}

/** Starts what answers visits, and the rest once the data is prepared. */
async function startParts({ config, parts, children, predecessor, prepare, completed, isStopping }: Start): Promise<void> {
  // At the first start an unreachable database is a wrong address, and worth stopping for.
  const { attempt, mayPass } = untilRoom(() => hasRoom(config.dataDir), prepare);
  const passes = (error: unknown) => isUnreachable(error) || mayPass();
  const prepared = completed ? retryWhile(passes, attempt, isStopping, parts.log) : prepare();
  // Later, visits are answered from the snapshot while the database is away, or takes long to recover; a predecessor does so anyway.
  await (completed && !predecessor ? Promise.race([prepared, delay(2_000)]) : prepared);
  if (isStopping()) return;
  for (const plan of parts.visits) {
    children.add(plan, await predecessor?.take(plan.name));
    // One after another, so that the others answer meanwhile.
    if (predecessor) await children.ready(maxPartMilliseconds);
  }
  await prepared;
  if (isStopping()) return;
  for (const plan of parts.others()) children.add(plan);
  const late = await children.ready(60_000);
  if (late.length > 0 && !isStopping()) parts.log(`Not ready yet: ${late.join(', ')}. See the messages above.`);
}

/** Brings the database of a data folder up to date, and stops it again: what an upgrade does before a start. @throws {StartError} */
export async function prepareOnly(config: Config, prepareData: Parts['prepareData'], log: (line: string) => void): Promise<void> {
  makeDataFolder(config.dataDir);
  const release = await lockDataFolder(config.dataDir, log);
  // Visits of thresholds that were leased meanwhile would be unknown to the backup that a failure leads back to.
  const database = chooseDatabase(config, log, true);
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

async function refuseTakenPorts(config: Config, isSuccessor: boolean) {
  const isListening = config.roles.includes('redirect') && !isSuccessor;
  const ports = [...(config.roles.includes('web') ? [config.port] : []), ...(isListening ? [config.visitPort] : [])];
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
