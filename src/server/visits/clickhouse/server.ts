import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { databaseOf } from '../../kit/clickhouse-address.ts';

export type Clickhouse = ReturnType<typeof openClickhouse>;

const askMilliseconds = 30_000;
const runMilliseconds = 600_000;
/** Each statement has a time of its own; the client's is for those that say none. */
const longestMilliseconds = 24 * 3_600_000;

/** Only what is done is answered: without this a server begins its answer before it knows how the statement ends. */
const whenDone: ClickHouseSettings = { wait_end_of_query: 1 };
const statementSettings: ClickHouseSettings = { ...whenDone, max_query_size: '100000000' };

/** One a database, for as long as the process: its connections are kept for a few seconds, and keep nothing from ending. */
const clients = new Map<string, Promise<ClickHouseClient>>();

function clientOf(address: string, database: string): Promise<ClickHouseClient> {
  const key = `${address} ${database}`;
  const client = clients.get(key) ?? connect(address, database);
  clients.set(key, client);
  return client;
}

async function connect(address: string, database: string): Promise<ClickHouseClient> {
  // Loaded with the first question: most installations have no such server.
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
  const { origin, username, password } = new URL(address);
  return createClient({
    url: origin,
    database,
    ...(username ? { username: decodeURIComponent(username), password: decodeURIComponent(password) } : {}),
    request_timeout: longestMilliseconds,
    // Whoever asks tells what went wrong.
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/**
 * A server behind its HTTP interface. Statements hold numbers, and texts quoted by `quoted`, only. What the server refuses is a `ClickHouseError` of its own words, which name no password.
 * @param database the database that statements are about; that of the address where none is named
 */
export function openClickhouse(address: string, database = databaseOf(address)) {
  const client = () => clientOf(address, database);

  return {
    database,
    /** The columns of a query's answer. Numbers of 64 bits are numbers, too: ids and counts are far below 2^53. */
    async columns(statement: string, milliseconds = askMilliseconds): Promise<unknown[][]> {
      const { stream } = await (await client()).exec({
        query: `${statement} FORMAT JSONCompactColumns`,
        clickhouse_settings: {
          ...statementSettings,
          output_format_json_quote_64bit_integers: 0,
          max_execution_time: Math.ceil(milliseconds / 1000),
        },
        abort_signal: AbortSignal.timeout(milliseconds),
      });
      return JSON.parse(await text(stream));
    },
    async run(statement: string, milliseconds = runMilliseconds): Promise<void> {
      await (await client()).command({
        query: statement,
        clickhouse_settings: statementSettings,
        abort_signal: AbortSignal.timeout(milliseconds),
      });
    },
    /** Adds lines of texts between tabs to `table (columns)`. */
    async insert(table: string, lines: string, settings: ClickHouseSettings): Promise<void> {
      await (await client()).insert({
        table,
        values: Readable.from([lines], { objectMode: false }),
        format: 'TabSeparated',
        clickhouse_settings: { ...whenDone, ...settings },
        abort_signal: AbortSignal.timeout(runMilliseconds),
      });
    },
    /** For what makes the database itself. */
    async administer(statement: string): Promise<void> {
      await (await clientOf(address, 'default')).command({
        query: statement,
        clickhouse_settings: whenDone,
        abort_signal: AbortSignal.timeout(askMilliseconds),
      });
    },
  };
}

export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
