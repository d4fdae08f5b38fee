import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder of the test's own, closed to others, which the test removes. */
export const makeTestFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'livecode-')));
