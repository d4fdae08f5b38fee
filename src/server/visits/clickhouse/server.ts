import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { databaseOf } from '../../kit/clickhouse-address.ts';

/** What a ClickHouse server answered that is no success; the text is its own, and names no password. */
export class ClickhouseError extends Error {
  override name = 'ClickhouseError';
}

export type Clickhouse = ReturnType<typeof openClickhouse>;

const connectMilliseconds = 30_000;
const shownProblem = 500;

/**
 * A server behind its HTTP interface. Statements hold numbers, and texts quoted by `quoted`, only.
 * @param database the database that statements are about; that of the address where none is named
 */
export function openClickhouse(address: string, database = databaseOf(address)) {
  const { origin, username, password } = new URL(address);
  const headers = {
    ...(username ? { 'x-clickhouse-user': decodeURIComponent(username) } : {}),
    ...(password ? { 'x-clickhouse-key': decodeURIComponent(password) } : {}),
    'content-type': 'text/plain; charset=utf-8',
  };

  async function send(body: string, parameters: Record<string, string>, milliseconds: number): Promise<string> {
    const query = new URLSearchParams({ wait_end_of_query: '1', ...parameters });
    // Not by fetch, which gives a server five minutes to begin its answer.
    const ask = origin.startsWith('https:') ? https.request : http.request;
    const request = ask(`${origin}/?${query}`, { method: 'POST', headers, signal: AbortSignal.timeout(milliseconds) });
    // What breaks off after the answer began is told by reading it.
    request.on('error', () => {});
    request.end(body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const answer = await text(response);
    if (response.statusCode !== 200) throw new ClickhouseError(answer.slice(0, shownProblem).trim() || `status ${response.statusCode}`);
    return answer;
  }

  return {
    database,
    /** The columns of a query's answer. Numbers of 64 bits are numbers, too: ids and counts are far below 2^53. */
    async columns(statement: string, milliseconds = connectMilliseconds): Promise<unknown[][]> {
      const max_execution_time = String(Math.ceil(milliseconds / 1000));
      const settings = { output_format_json_quote_64bit_integers: '0', max_query_size: '100000000', max_execution_time };
      return JSON.parse(await send(`${statement} FORMAT JSONCompactColumns`, { database, ...settings }, milliseconds));
    },
    async run(statement: string, milliseconds = 600_000): Promise<void> {
      await send(statement, { database, max_query_size: '100000000' }, milliseconds);
    },
    /** For what makes the database itself. */
    async administer(statement: string): Promise<void> {
      await send(statement, {}, connectMilliseconds);
    },
  };
}

export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
