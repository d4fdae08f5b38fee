import { closeSync, fsync, openSync, readdirSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../kit/calls/context.ts';
import { makeFolder } from '../../kit/folders.ts';
import { syncFolder } from '../../kit/visits/journal/files.ts';
import type { Alias, Owner, StoredCode } from '../model.ts';
import { plainCode } from './load.ts';
import type { Known, Memory } from './memory.ts';
import { plainShort, type StoredShort } from './shorts.ts';

type KnownAlias = Omit<Alias, 'is_stale'>;

const ending = '.snapshot';
const format = 1;
const linesPerTurn = 200;
const minPauseMilliseconds = 1000;
const maxPauseMilliseconds = 60_000;
const retryMilliseconds = 10_000;

export const snapshotPath = (dataDir: string, slot: string): string => join(dataDir, 'redirect', `${slot}${ending}`);

/** Written whole under another name, synced and renamed, a few lines in each turn of the event loop, so that visits don't wait for it. */
export async function writeSnapshot(path: string, known: Known): Promise<void> {
  makeFolder(dirname(path), 0o700);
  const temporary = `${path}.part`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    let lines: string[] = [JSON.stringify({ format, site: known.site })];
    let count = 0;
    const add = async (kind: 'owner' | 'code' | 'alias' | 'short', value: Owner | StoredCode | KnownAlias | StoredShort) => {
      lines.push(JSON.stringify({ [kind]: value }));
      count += 1;
      if (lines.length < linesPerTurn) return;
      writeSync(file, `${lines.join('\n')}\n`);
      lines = [];
      await turn();
    };
    for (const owner of known.owners) await add('owner', owner);
    for (const code of known.codes) await add('code', plainCode(code));
    for (const { key, alias_id, file_name } of known.aliases) await add('alias', { key, alias_id, file_name });
    for (const short of known.shorts) await add('short', plainShort(short));
    writeSync(file, `${[...lines, JSON.stringify({ end: count })].join('\n')}\n`);
    await new Promise<void>((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())));
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  await syncFolder(dirname(path));
}

/** Writes what is known when it has changed: soon while that is quick, and never more than a small part of the time. */
export function keepSnapshots(path: string, memory: Pick<Memory, 'version' | 'known'>, log: Pick<Log, 'warn'>) {
  let written = -1;
  let wait = minPauseMilliseconds;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const write = async () => {
    const version = memory.version();
    const known = version === written ? undefined : memory.known();
    if (!known) return;
    const start = performance.now();
    try {
      await writeSnapshot(path, known);
      written = version;
    } catch (error) {
      log.warn({ error: String(error) }, 'the snapshot could not be written');
      // A full disk stays full for a while.
      wait = retryMilliseconds;
      return;
    }
    // Writing takes a fiftieth of the time at most.
    wait = Math.min(Math.max((performance.now() - start) * 50, minPauseMilliseconds), maxPauseMilliseconds);
  };
  let writing = Promise.resolve();
  const plan = () => {
    timer = setTimeout(() => {
      writing = write().then(() => {
        if (!isStopped) plan();
      });
    }, wait);
    timer.unref();
  };
  plan();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}

/**
 * What this process knew when it last ran, or, where it never did, what another one of this machine knew; undefined where there is nothing.
 * Throws where the file isn't whole.
 */
export function readSnapshot(path: string): Known | undefined {
  const found = [path, ...othersOf(path)].find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
  if (found === undefined) return undefined;
  const [head, ...lines] = readFileSync(found, 'utf8').trimEnd().split('\n');
  const first = JSON.parse(head ?? '');
  const last = JSON.parse(lines.pop() ?? 'null');
  if (first.format !== format || last?.end !== lines.length) throw new Error(`${found} is not whole`);
  const owners: Owner[] = [];
  const codes: StoredCode[] = [];
  const aliases: KnownAlias[] = [];
  const shorts: StoredShort[] = [];
  for (const line of lines) {
    const { owner, code, alias, short } = JSON.parse(line);
    if (owner) owners.push(owner);
    else if (alias) aliases.push(alias);
    else if (short) shorts.push(short);
    else codes.push(plainCode(code));
  }
  return { site: first.site, owners, codes, aliases, shorts };
}

/** Newest first. */
function othersOf(path: string): string[] {
  const folder = dirname(path);
  const age = (candidate: string) => statSync(candidate, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  try {
    const others = readdirSync(folder).filter((name) => name.endsWith(ending));
    return others.map((name) => join(folder, name)).sort((a, b) => age(b) - age(a));
  } catch {
    return [];
  }
}
