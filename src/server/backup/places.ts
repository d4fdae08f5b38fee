import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isBucketAddress } from '../kit/bucket-address.ts';
import { openBucket } from './bucket.ts';

const backupName = /^livecode-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar\.zst(?:\.age)?(\.\d+(?:@[^/]+)?\.part)?$/;

/** A folder of this machine or of a bucket. */
type BackupPlace = { list(): Promise<string[]>; remove(name: string): Promise<void>; close(): void };
export const openPlace = (place: string): BackupPlace =>
  isBucketAddress(place) ? openBucket(place) : { list: () => readdir(place), remove: (name) => rm(join(place, name)), close: () => {} };

export type Found = { name: string; at: number; isPart: boolean };

/** Backups with the moments that their names tell, the newest first. What is called otherwise is somebody else's. */
export function backupsAmong(names: readonly string[]): Found[] {
  const found = names.flatMap((name) => {
    const [, year, month, date, hour, minute, second, part] = backupName.exec(name) ?? [];
    return year ? [{ name, at: Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`), isPart: part !== undefined }] : [];
  });
  return found.toSorted((one, other) => other.at - one.at);
}

/** The newest whole one. */
export const newestAmong = (names: readonly string[]): Found | undefined => backupsAmong(names).find(({ isPart }) => !isPart);

/** Where a backup of a place is, as the programs take it. */
export const addressIn = (place: string, name: string): string =>
  isBucketAddress(place) ? place.replace(/\/*(\?|$)/, `/${name}$1`) : join(place, name);
