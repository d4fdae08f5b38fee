import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Replaces a file in one step: a full disk or a kill leaves the earlier one whole. */
export function replaceFile(path: string, text: string, mode: number): void {
  const unfinished = `${path}.new`;
  try {
    const file = openSync(unfinished, 'w', mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Tells a folder from every copy of it: device and inode. */
export function folderIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}

/** Whether an operation failed for want of room: no blocks, or the account's quota. */
export const isDiskFull = (error: unknown): error is Error =>
  error instanceof Error && /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|database or disk is full/i.test(error.message);
