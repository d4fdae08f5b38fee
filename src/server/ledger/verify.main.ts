// npm run ledger:verify: proves that the ledger adds up, in every account and transfer. Answers 1 where it does not.
import { readConfig } from '../config.ts';
import { openDatabase, openPool } from '../kit/postgres/database.ts';
import { withDatabase } from '../kit/postgres/with-database.ts';
import { findFaults } from './ledger.verify.ts';

async function verify(url: string): Promise<number> {
  const pool = openPool(url, { warn: (_details, message) => console.error(message) }, 2);
  try {
    const startedAt = performance.now();
    const { transfers, entries, faults } = await findFaults(openDatabase(pool));
    for (const { code, where, expected, found } of faults) console.error(`FAULT ${code} ${where}: ${expected} expected, ${found} found`);
    console.log(`${transfers} transfers, ${entries} entries; ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    console.log(faults.length === 0 ? 'the ledger adds up' : `${faults.length} faults`);
    return faults.length === 0 ? 0 : 1;
  } finally {
    await pool.end();
  }
}

try {
  const { dataDir, databaseUrl } = readConfig(process.env);
  process.exitCode = await withDatabase({ dataDir, databaseUrl }, verify);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
