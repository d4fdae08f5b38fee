// The supervisor with small parts, so that tests can start, kill and stop it as a process of its own.
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { readConfig } from '../../config.ts';
import { StartError } from '../../kit/start-error.ts';
import { supervise } from '../supervise.ts';

const part = (name: string, ...args: string[]) => ({ name, args: [fileURLToPath(new URL('./part.ts', import.meta.url)), name, ...args] });

/** Counts the starts on this database, and gives the first one a password, as the seed does. */
async function prepareData(_: unknown, url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE TABLE IF NOT EXISTS start (number serial)');
  const { rows } = await client.query<{ number: number }>('INSERT INTO start DEFAULT VALUES RETURNING number').finally(() => client.end());
  return rows[0]?.number === 1 ? 'first-start-only' : undefined;
}

try {
  await supervise(readConfig(process.env), {
    visits: [part('visits'), part('stubborn', 'ignore-sigterm')].slice(0, Number(process.env.TEST_VISIT_PARTS ?? 1)),
    others: () => [part('web')],
    prepareData,
    watched: undefined,
    graceMilliseconds: 1_000,
    log: (line) => console.log(line),
  });
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
