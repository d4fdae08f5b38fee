import { closeSync, fsync, openSync, readdirSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { makeFolder } from '../../kit/folders.ts';
import { syncFolder } from '../../kit/visits/journal/files.ts';
import type { Owner, StoredCode } from '../model.ts';
import { plainCode } from './load.ts';
import type { Known } from './memory.ts';
import { plainShort, type StoredShort } from './shorts.ts';

const ending = '.snapshot';
const format = 1;
const linesPerTurn = 200;

export const snapshotPath = (dataDir: string, slot: string): string => join(dataDir, 'redirect', `${slot}${ending}`);

/** Written whole under another name, synced and renamed, a few lines in each turn of the event loop, so that visits don't wait for it. */
export async function writeSnapshot(path: string, known: Known): Promise<void> {
  makeFolder(dirname(path), 0o700);
  const temporary = `${path}.part`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    let lines: string[] = [JSON.stringify({ format, site: known.site })];
    let count = 0;
    const add = async (kind: 'owner' | 'code' | 'short', value: Owner | StoredCode | StoredShort) => {
      lines.push(JSON.stringify({ [kind]: value }));
      count += 1;
      if (lines.length < linesPerTurn) return;
      writeSync(file, `${lines.join('\n')}\n`);
      lines = [];
      await turn();
    };
    for (const owner of known.owners) await add('owner', owner);
    for (const code of known.codes) await add('code', plainCode(code));
    for (const short of known.shorts) await add('short', plainShort(short));
    writeSync(file, `${[...lines, JSON.stringify({ end: count })].join('\n')}\n`);
    await new Promise<void>((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())));
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  await syncFolder(dirname(path));
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
  const shorts: StoredShort[] = [];
  for (const line of lines) {
    const { owner, code, short } = JSON.parse(line);
    if (owner) owners.push(owner);
    else if (short) shorts.push(short);
    else codes.push(plainCode(code));
  }
  return { site: first.site, owners, codes, shorts };
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
