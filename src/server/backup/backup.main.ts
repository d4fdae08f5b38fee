// npm run backup [-- <file, folder or s3://bucket/folder>]: writes all of a site into one file, whether it runs or not.
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { backUp } from './backup.ts';
import { report, runProgram, typedPath } from './program.ts';

await runProgram(async (signal) => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const config = readConfig(process.env);
  const encryption = { recipients: config.backupRecipients, passphrase: process.env.LIVECODE_BACKUP_PASSPHRASE };
  const made = await backUp({ config, encryption, target: typedPath(positionals[0] ?? '.'), signal, log: (line) => console.log(line) });
  await report(made);
});
