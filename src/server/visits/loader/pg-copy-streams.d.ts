declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream';
  import type { Connection, Submittable } from 'pg';

  /** A query that is written to: `COPY … FROM STDIN`. It finishes when the server has taken everything. */
  export function from(statement: string): Writable & Submittable & { submit: (connection: Connection) => void };
}
