import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressed = /\.(js|css|html|svg|json|wasm)$/;
const minBytes = 1024;

/** Writes each file a second and third time as Brotli and gzip, so that the server compresses nothing that never changes. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => compressed.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const content = await readFile(path);
          if (content.length < minBytes) return;
          const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
          await Promise.all([
            promisify(brotliCompress)(content, { params }).then((bytes) => writeFile(`${path}.br`, bytes)),
            promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(`${path}.gz`, bytes)),
          ]);
        }),
      );
    },
  };
}
