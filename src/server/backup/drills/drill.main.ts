// npm run backup:drill [-- <file or s3://bucket/file>] [--identity <file>]: restores a backup in a place of its own, looks whether it is whole, and
// removes it. Without a file the newest of LIVECODE_BACKUP_DIR.
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { StartError } from '../../kit/start-error.ts';
import { addressIn, newestAmong, openPlace } from '../places.ts';
import { report, runProgram, typedPath } from '../program.ts';
import { sizeOf } from '../words.ts';
import { drill } from './drill.ts';

const said = {
  '': 'restored and read: it can be restored',
  sealed: 'checked, not opened: its checksum is the one that was noted, and what opens it is not here',
  sealed_unnoted: 'checked, not opened: it begins as an encrypted backup does, and what opens it is not here (--identity <file>)',
  no_scratch_database: 'checked, not opened: its checksum is right, and the role of DATABASE_URL may create no database to restore it into',
};

async function newestOf(place: string | undefined): Promise<string> {
  if (!place) throw new StartError('Which backup? npm run backup:drill -- <file>');
  const opened = openPlace(place);
  const newest = newestAmong(await opened.list().finally(() => opened.close()));
  if (!newest) throw new StartError(`There is no backup in ${place}.`);
  return addressIn(place, newest.name);
}

// Behind everything else on this machine, its database with it.
setPriority(19);
// The worker that began it is gone: the next one begins anew.
if (process.send) process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));

await runProgram(async (signal) => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { identity: { type: 'string' }, sha256: { type: 'string' } },
  });
  const config = readConfig(process.env);
  const [file] = positionals;
  const address = file ? typedPath(file) : await newestOf(config.backupPlace);
  const keys = { identity: values.identity && typedPath(values.identity), passphrase: process.env.LIVECODE_BACKUP_PASSPHRASE };
  const result = await drill({ address, keys, sha256: values.sha256, config, signal });
  console.log(`${address} (${sizeOf(result.bytes)}): ${said[result.message]}.`);
  await report(result);
});
