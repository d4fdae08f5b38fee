// npm run upgrade -- <archive of a release>, or -- --back: exchanges the release of this installation, its data included.
import { parseArgs } from 'node:util';
import { runProgram, typedPath } from '../backup/backup.public.ts';
import { readConfig } from '../config.ts';
import { tryLock } from '../kit/data-folder-lock.ts';
import { StartError } from '../kit/start-error.ts';
import { goBack } from './back.ts';
import { isAlive, lendingOn, untilSucceeded } from './borrowing.ts';
import { findInstallation } from './installation.ts';
import { readRecord } from './record.ts';
import { upgrade } from './upgrade.ts';

await runProgram(async (signal) => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { back: { type: 'boolean' } } });
  const installation = findInstallation();
  const release = tryLock(installation.releases);
  if (!release) throw new StartError('Another upgrade of this installation is under way.');
  const config = readConfig(process.env);
  // Asked before: its note of itself goes with a folder that is exchanged.
  const lender = lendingOn(config.dataDir);
  const options = { installation, config, signal, log: (line: string) => console.log(line) };
  if (values.back) {
    const record = readRecord(installation.home);
    const isLeft = record && record.from === installation.current && !record.back;
    if (!record || isLeft) throw new StartError(`There is nothing to go back from: ${installation.current} is what runs.`);
    await goBack(record, options);
  } else {
    const [archive] = positionals;
    if (!archive) throw new StartError('Which archive? npm run upgrade -- <archive of a release>, or npm run upgrade -- --back');
    await upgrade(typedPath(archive), options);
  }
  release();
  if (lender === undefined || !isAlive(lender)) return;
  const isRunning = await untilSucceeded(config.dataDir, lender);
  console.log(
    isRunning ? `Livecode ${installation.current} runs.` : `Livecode ${installation.current} does not run yet: see what it says.`,
  );
});
