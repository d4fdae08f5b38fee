// npm run master-key:change: seals every secret of the database with a new master key, while the product stands still.
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { openDatabase, openPool } from '../kit/postgres/database.ts';
import { withDatabase } from '../kit/postgres/with-database.ts';
import { changeMasterKey } from './change.ts';

/** 64 hexadecimal digits; the value of LIVECODE_NEW_MASTER_KEY where the present one comes from LIVECODE_MASTER_KEY. */
function newKey(): Buffer {
  const text = process.env.LIVECODE_NEW_MASTER_KEY ?? '';
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new Error(
      'LIVECODE_MASTER_KEY gives the present key: set LIVECODE_NEW_MASTER_KEY to 64 hexadecimal digits, such as openssl rand -hex 32.',
    );
  return Buffer.from(text, 'hex');
}

try {
  parseArgs({});
  const { dataDir, databaseUrl, masterKey } = readConfig(process.env);
  const configured = masterKey && { from: masterKey, to: newKey() };
  await withDatabase({ dataDir, databaseUrl }, async (url) => {
    const pool = openPool(url, { warn: (_details, message) => console.error(message) }, 2);
    try {
      const number = await changeMasterKey({ db: openDatabase(pool), dataDir, configured });
      console.log(
        number === undefined ? 'The change that was broken off is complete.' : `${number} secrets are sealed with the new master key.`,
      );
      console.log(configured ? 'Set LIVECODE_MASTER_KEY to the new key on all hosts.' : 'master.key holds the new key: back it up.');
      console.log('Backups made before open with the old key only.');
    } finally {
      await pool.end();
    }
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
