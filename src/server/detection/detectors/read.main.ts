// npm run gateway:read -- <folder>: says of each recorded page and redirect of the messenger what the product would make of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecorded } from './recorded.ts';

try {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('Which folder? npm run gateway:read -- <folder>');
  const names = readdirSync(folder);
  const lines = names.flatMap((name) => {
    const read = /\.(html?|json)$/.test(name) ? readRecorded(name, readFileSync(join(folder, name), 'utf8')) : [];
    return read.map((line) => `${name}  ${line}`);
  });
  for (const line of lines) console.log(line);
  console.log(`${lines.length} pages and redirects in ${names.length} files`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
