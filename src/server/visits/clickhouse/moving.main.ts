// npm run visits:move [-- --verify | --anew | --end]: keeps visits in ClickHouse, too, and moves there what was recorded before.
import { parseArgs } from 'node:util';
import { readConfig } from '../../config.ts';
import { openPool } from '../../kit/postgres/database.ts';
import { withDatabase } from '../../kit/postgres/with-database.ts';
import { StartError } from '../../kit/start-error.ts';
import { endCopy } from './copy.ts';
import { copyVisits, verifyCopy } from './copying.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
const log = (line: string): void => console.log(line);

try {
  const { values } = parseArgs({ options: { verify: { type: 'boolean' }, anew: { type: 'boolean' }, end: { type: 'boolean' } } });
  const { dataDir, databaseUrl, clickhouseUrl, clickhouseCluster } = readConfig(process.env);
  process.exitCode = await withDatabase({ dataDir, databaseUrl }, async (url) => {
    const pool = openPool(url, { warn: (_details, message) => console.error(message) }, 3, 'livecode visits:move');
    try {
      if (values.end) {
        const client = await pool.connect();
        await endCopy(client).finally(() => client.release());
        log('Visits are not copied any more. What is in ClickHouse is left there.');
        return 0;
      }
      if (!clickhouseUrl) throw new StartError('Where to? CLICKHOUSE_URL is not set.');
      const work = { pool, address: { url: clickhouseUrl, cluster: clickhouseCluster }, log, isOver: () => stopping.signal.aborted };
      const faults = await (values.verify ? verifyCopy(work) : copyVisits({ ...work, anew: values.anew === true }));
      for (const fault of faults) console.error(`FAULT ${fault}`);
      return faults.length === 0 ? 0 : 1;
    } finally {
      await pool.end();
    }
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
