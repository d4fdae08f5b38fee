// npm run logs:verify [-- --head <number:hash>]: proves that the log is what was written. Answers 1 where it is not.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { openDatabase, openPool } from '../kit/postgres/database.ts';
import { startPostgres } from '../kit/postgres/postgres.ts';
import { runningPostgres } from '../kit/postgres/postgres-address.ts';
import { createVault, masterKeyFile, readMasterKey } from '../kit/vault.ts';
import { verifyLog } from './logs.verify.ts';

const { values } = parseArgs({ options: { head: { type: 'string' } } });
const { dataDir, databaseUrl, masterKey } = readConfig(process.env);

async function verify(url: string): Promise<number> {
  const pool = openPool(url, { warn: (_details, message) => console.error(message) }, 2);
  try {
    const startedAt = performance.now();
    const { seals, rows, removed, unsealed, head, faults } = await verifyLog(
      openDatabase(pool),
      createVault(readMasterKey(dataDir, masterKey)),
      values.head,
    );
    for (const { what } of faults) console.error(`FAULT ${what}`);
    console.log(
      `${rows} rows in ${seals} seals, ${removed} removed by right, ${unsealed} not sealed yet; ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    console.log(`head ${head ?? 'none'}`);
    console.log(faults.length === 0 ? 'the log is what was written' : `${faults.length} faults`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await pool.end();
  }
}

/** Uses the database that runs; starts the embedded one for the time where it does not. */
async function withDatabase(work: (url: string) => Promise<number>): Promise<number> {
  const url = databaseUrl ?? runningPostgres(dataDir);
  if (url) return work(url);
  if (!existsSync(dataDir)) throw new Error(`There is no data folder ${dataDir}.`);
  const postgres = await startPostgres({ dataDir });
  return work(postgres.url).finally(() => postgres.stop());
}

try {
  // A key that is made now would find fault with every seal.
  if (!masterKey && !existsSync(masterKeyFile(dataDir)))
    throw new Error(`Neither LIVECODE_MASTER_KEY nor ${masterKeyFile(dataDir)} is there.`);
  process.exitCode = await withDatabase(verify);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
