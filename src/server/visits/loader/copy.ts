import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Sends rows in COPY's text format, one per line with its line end, and waits until the server has taken them. */
export async function copyRows(client: pg.ClientBase, statement: string, rows: string): Promise<void> {
  if (rows === '') return;
  const stream = client.query(copyFrom(statement));
  await new Promise<void>((resolve, reject) => {
    stream.once('error', reject);
    stream.once('finish', resolve);
    stream.end(rows);
  });
}

/** An array parameter in PostgreSQL's own notation; only for values without quotes, commas and spaces: numbers, addresses, days, times. */
export const plainArray = (values: ArrayLike<number | string>): string => `{${Array.prototype.join.call(values, ',')}}`;
