// npm run restore -- <file> [<data folder>]: makes a data folder, and with DATABASE_URL a database, of a backup.
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { StartError } from '../kit/start-error.ts';
import { runProgram, typedPath } from './program.ts';
import { restore } from './restore.ts';

await runProgram(async (signal) => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file, folder] = positionals;
  if (!file) throw new StartError('Which backup? npm run restore -- <file> [<data folder>]');
  const config = readConfig(process.env);
  const dataDir = folder ? typedPath(folder) : config.dataDir;
  await restore({ path: typedPath(file), dataDir, config, signal, log: (line) => console.log(line) });
});
