import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../kit/start-error.ts';
import { isSafeName } from './archive/reader.ts';
import type { ArchiveWriter } from './archive/writer.ts';

/** What a step of a backup has put into the file. */
export interface Tally {
  files: number;
  bytes: number;
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Opens a file for reading; undefined where it is gone. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Adds a file of the disk, unless it has vanished since it was listed. */
export async function addPath(archive: ArchiveWriter, name: string, path: string, tally: Tally): Promise<void> {
  const file = await openIfThere(path);
  if (!file) return;
  try {
    tally.bytes += await archive.addFile(name, file);
    tally.files += 1;
  } finally {
    await file.close();
  }
}

export interface TreeEntry {
  /** Relative to the folder, with slashes. */
  name: string;
  path: string;
  kind: 'folder' | 'file' | 'other';
}

/** Everything below a folder that `isWanted` lets through, parents before what they hold; nothing where the folder is missing. */
export async function* walk(folder: string, isWanted: (name: string) => boolean, prefix = ''): AsyncGenerator<TreeEntry> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const name = `${prefix}${entry.name}`;
    const path = join(folder, entry.name);
    if (!isWanted(name) || !isSafeName(name)) continue;
    const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other';
    yield { name, path, kind };
    if (kind === 'folder') yield* walk(path, isWanted, `${name}/`);
  }
}

/** Adds the files of a folder whose names are not known yet, and makes them known. */
export async function addNewFiles(archive: ArchiveWriter, name: string, folder: string, known: Set<string>): Promise<Tally> {
  const tally = { files: 0, bytes: 0 };
  // What is still being written has a name of its own until it is whole.
  for await (const entry of walk(folder, (path) => !path.endsWith('.part'))) {
    if (entry.kind === 'other') throw new StartError(`${entry.path} is neither a file nor a folder: a backup cannot hold it.`);
    if (entry.kind !== 'file' || known.has(`${name}/${entry.name}`)) continue;
    known.add(`${name}/${entry.name}`);
    await addPath(archive, `${name}/${entry.name}`, entry.path, tally);
  }
  return tally;
}
