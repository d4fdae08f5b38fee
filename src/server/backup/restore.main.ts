// npm run restore -- <file or s3://bucket/file> [<data folder>] [--identity <file>]: makes a data folder, and with DATABASE_URL a database, of a backup.
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { isBucketAddress } from '../kit/bucket-address.ts';
import { StartError } from '../kit/start-error.ts';
import { withFetched } from './fetched.ts';
import { runProgram, typedPath } from './program.ts';
import { restore } from './restore.ts';

await runProgram(async (signal) => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { identity: { type: 'string' } } });
  const [file, folder] = positionals;
  if (!file) throw new StartError('Which backup? npm run restore -- <file> [<data folder>]');
  const config = readConfig(process.env);
  const dataDir = folder ? typedPath(folder) : config.dataDir;
  const log = (line: string) => console.log(line);
  const keys = { identity: values.identity && typedPath(values.identity), passphrase: process.env.LIVECODE_BACKUP_PASSPHRASE };
  const work = async (path: string) => {
    await restore({ path, keys, dataDir, config, signal, log });
  };
  await (isBucketAddress(file) ? withFetched(file, { beside: dataDir, signal, log }, work) : work(typedPath(file)));
});
