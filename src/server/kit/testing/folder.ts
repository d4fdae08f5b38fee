import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a folder of the test's own, which the test removes. A data folder for the embedded PostgreSQL belongs inside: as root,
 * PostgreSQL's account must be able to pass through, which a plain temporary folder forbids.
 */
export function makeTestFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'livecode-')));
  chmodSync(folder, 0o711);
  return folder;
}
