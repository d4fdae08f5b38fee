import { cpSync, existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { quoted, restore } from '../backup/backup.public.ts';
import { StartError } from '../kit/start-error.ts';
import { syncFolder } from '../kit/visits/journal/files.ts';
import { journalFolder } from '../kit/visits/journal/segment.ts';
import { endVisits, hold } from './borrowing.ts';
import { folderOf, pointTo } from './installation.ts';
import { migrationsOf, type UpgradeOptions } from './options.ts';
import { removeRecord, type UpgradeRecord, writeRecord } from './record.ts';

/**
 * Makes the release before the one that runs. Where the schema has changed since, the data comes from the backup that the upgrade made;
 * what was recorded since then is kept in a folder beside it. Killed at any step, the same command goes on.
 * @param hasRun false where the release after it never did: all that was recorded since the backup are visits, which stay
 * @returns false where an outside database is not as that release needs it: the operator fills another one
 * @throws {StartError}
 */
export async function goBack(record: UpgradeRecord, options: UpgradeOptions, hasRun = true): Promise<boolean> {
  const { installation, log } = options;
  const { from, to, dataDir } = record;
  if (!existsSync(folderOf(installation, from))) throw new StartError(`${from} is not there any more.`);
  const isMigrated = migrationsOf(installation, from).length < migrationsOf(installation, to).length;
  if (!isMigrated || !record.backup) {
    (await hold(dataDir))();
    await leave(record, options);
  } else if (options.config.databaseUrl) {
    (await hold(dataDir))();
    const isChanged = await knowsMore(options.config.databaseUrl, migrationsOf(installation, from).length);
    await leave(record, options);
    if (!isChanged) return true;
    log(`${from} cannot use the database as ${to} has made it. Create an empty one, put it into DATABASE_URL, and fill it:`);
    log(`  npm run restore -- ${quoted(record.backup)} <new data folder>`);
    return false;
  } else await exchangeData(record, record.backup, options, hasRun);
  return true;
}

/** Whether a database has more migrations than so many; one that does not answer may have. */
async function knowsMore(databaseUrl: string, migrations: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number }>('SELECT count(*)::integer AS number FROM migration');
    return (rows[0]?.number ?? 0) > migrations;
  } catch {
    return true;
  } finally {
    await client.end();
  }
}

async function leave({ from }: UpgradeRecord, { installation, log }: UpgradeOptions): Promise<void> {
  await pointTo(installation, from);
  removeRecord(installation.home);
  log(`${from} is what starts again.`);
}

async function exchangeData(record: UpgradeRecord, backup: string, options: UpgradeOptions, hasRun: boolean): Promise<void> {
  const { installation, config, signal, log } = options;
  const { to, dataDir } = record;
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const back = record.back ?? { restored: `${dataDir}.before-${to}-${time}`, aside: `${dataDir}.of-${to}-${time}`, hasRun };
  const release = existsSync(back.aside) ? () => {} : await hold(dataDir);
  try {
    // From here on nothing starts: without the folder a start would make a new site in its place.
    writeRecord(installation.home, { ...record, back });
    if (!existsSync(back.aside)) {
      if (!existsSync(back.restored)) {
        log(`Restoring ${backup}.`);
        await restore({ path: backup, dataDir: back.restored, config, isSite: true, signal, log: () => {} });
      }
      await endVisits(dataDir);
      log(`The data of ${to} goes to ${back.aside}.`);
      renameSync(dataDir, back.aside);
    }
    if (existsSync(back.restored)) {
      // The chain of test money is the world outside, which no backup holds: it goes on from where it is.
      const chain = join(back.aside, 'test-network');
      if (existsSync(chain)) cpSync(chain, join(back.restored, 'test-network'), { recursive: true });
      const journal = journalFolder(back.aside);
      if (!back.hasRun && existsSync(journal)) cpSync(journal, journalFolder(back.restored), { recursive: true });
      renameSync(back.restored, dataDir);
    }
    await syncFolder(dirname(dataDir));
    log('The data is as it was before the upgrade.');
    await leave(record, options);
    log(`  What was recorded since lies in ${back.aside}: remove it when nothing of it is needed.`);
  } catch (error) {
    // Nothing is away yet: what runs may go on.
    if (!existsSync(back.aside)) writeRecord(installation.home, { ...record });
    throw error;
  } finally {
    release();
  }
}
