/**
 * Brings the database up to date and fills a new one, in a process that ends: schema, seed and demo data need memory that the supervisor
 * would never give back. Tells the supervisor the first administrator's password, or what failed.
 */
import { readConfig } from './config.ts';
import { openDatabase, openPool } from './kit/postgres/database.ts';
import { keepIdentity } from './kit/postgres/database-identity.ts';
import { migrate } from './kit/postgres/migrate.ts';
import { openVault } from './kit/vault.ts';
import { takeCopyMark } from './restored-copy/restored-copy.public.ts';
import { seed } from './seed.ts';
import { describeFault, type Prepared } from './supervisor/prepare-database.ts';
import { configurePayments } from './tron/tron.seed.ts';

const log = (line: string) => console.log(line);

const copyWords =
  'This is a restored copy: it sends nothing to the outside until an administrator says on the start page that it is the site.';

async function prepare(url: string): Promise<string | undefined> {
  const config = readConfig(process.env);
  const applied = await migrate(url);
  if (applied.length > 0) log(`Migrated the database (${applied.length} steps).`);
  const pool = openPool(url, { warn: (_, message) => log(message) }, 2);
  try {
    // Here, where it is said once, and not by parts that end with it again and again.
    const vault = await openVault(openDatabase(pool), config.dataDir, config.masterKey);
    if (await takeCopyMark(openDatabase(pool), config.dataDir)) log(copyWords);
    const { adminPassword } = await seed(pool, config);
    await keepIdentity(url, config.dataDir);
    await configurePayments(openDatabase(pool), vault, config);
    return adminPassword;
  } finally {
    await pool.end();
  }
}

const answer: Prepared = await prepare(process.env.DATABASE_URL ?? '').then(
  (password) => ({ password }),
  (error) => ({ fault: describeFault(error) }),
);
process.send?.(answer);
