// `strip.main.mjs [root]`, on the product's own runtime, where something else than `npm start` starts it: see ensureStripped.
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { writeStripped } from './strip.mjs';

// Of Node's, which says that stripping is an experiment: it is what Node itself does with our sources.
process.removeAllListeners('warning');
writeStripped(process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)), stripTypeScriptTypes);
