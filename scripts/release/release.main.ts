// Makes the archive of a release: `npm run release [-- --trial] [-- <folder>]`.
import { parseArgs } from 'node:util';
import { makeRelease, productFolder } from './release.ts';

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { trial: { type: 'boolean' } } });
  const { path, packedBytes, bytes, files, sha256 } = await makeRelease({
    root: productFolder,
    folder: positionals[0] ?? 'dist',
    isTrial: values.trial ?? false,
  });
  console.log(`${path}\n  ${megabytes(packedBytes)} packed, ${megabytes(bytes)} unpacked in ${files} files\n  SHA-256 ${sha256}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
