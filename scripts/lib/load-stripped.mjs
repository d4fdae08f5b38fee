// Loaded first into every process of the product: its sources are read without their types where they lie so, see ensureStripped. Plain
// JavaScript, because a single source that Node strips by itself would take the memory that this is to spare. Node's compile cache would
// do it, too, but keeps what it read in memory as long as the process runs, beside what it made of it.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strippedFolder, strippedName } from './stripped.mjs';

const rootUrl = new URL('../../', import.meta.url).href;
const folder = strippedFolder(fileURLToPath(rootUrl));

function readStripped(url) {
  if (!url.startsWith(rootUrl) || !url.endsWith('.ts')) return undefined;
  try {
    return readFileSync(join(folder, strippedName(readFileSync(fileURLToPath(url), 'utf8'))), 'utf8');
  } catch {
    // It is new, or was changed: Node strips it.
    return undefined;
  }
}

if (existsSync(folder)) {
  registerHooks({
    load(url, context, nextLoad) {
      const source = readStripped(url);
      return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
}
