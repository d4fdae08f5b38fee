// npm run logs:verify [-- --head <number:hash>]: proves that the log is what was written. Answers 1 where it is not.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { openDatabase, openPool } from '../kit/postgres/database.ts';
import { withDatabase } from '../kit/postgres/with-database.ts';
import { masterKeyFile, openVault } from '../kit/vault.ts';
import { verifyLog } from './logs.verify.ts';

type Means = Pick<Config, 'dataDir' | 'masterKey'> & { expectedHead: string | undefined };

async function verify(url: string, { dataDir, masterKey, expectedHead }: Means): Promise<number> {
  const pool = openPool(url, { warn: (_details, message) => console.error(message) }, 2);
  try {
    const startedAt = performance.now();
    const { seals, rows, removed, unsealed, head, faults } = await verifyLog(
      openDatabase(pool),
      await openVault(openDatabase(pool), dataDir, masterKey),
      expectedHead,
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

try {
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const { dataDir, databaseUrl, masterKey } = readConfig(process.env);
  // A key that is made now would find fault with every seal.
  if (!masterKey && !existsSync(masterKeyFile(dataDir)))
    throw new Error(`Neither LIVECODE_MASTER_KEY nor ${masterKeyFile(dataDir)} is there.`);
  process.exitCode = await withDatabase({ dataDir, databaseUrl }, (url) => verify(url, { dataDir, masterKey, expectedHead: values.head }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
