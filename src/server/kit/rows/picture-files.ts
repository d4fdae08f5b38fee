import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadsFolder } from '../visits/visit-paths.ts';

/** Pictures of other storages, as far as they are kept on this machine. */
export const pictureCacheFolder = (dataDir: string): string => join(dataDir, 'picture-cache');
/** One empty file for each picture that a process waits for; it is taken away once it is decided whether the picture comes. */
export const wantedPicturesFolder = (dataDir: string): string => join(pictureCacheFolder(dataDir), 'wanted');

const namePattern = /^[a-z0-9]{26,64}\.(jpg|png|webp|gif)$/;
const contentTypes: Record<string, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp', gif: 'image/gif' };

/** What is served for a picture's name; undefined where the name can't be one of a picture. */
export function pictureType(name: string): string | undefined {
  const [, ending = ''] = namePattern.exec(name) ?? [];
  return contentTypes[ending];
}

/** The picture on this machine's disk, wherever it came from. The caller closes it, and has checked its name by `pictureType`. */
export async function openPicture(dataDir: string, name: string): Promise<FileHandle | undefined> {
  const openIn = (folder: string) => open(join(folder, name)).catch(() => undefined);
  return (await openIn(uploadsFolder(dataDir))) ?? (await openIn(pictureCacheFolder(dataDir)));
}

/** Headers of every picture: its name is random and its content never changes. */
export const pictureHeaders = (type: string, size: number): [string, string][] => [
  ['content-type', type],
  ['content-length', String(size)],
  ['cache-control', 'public, max-age=31536000, immutable'],
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'"],
];
