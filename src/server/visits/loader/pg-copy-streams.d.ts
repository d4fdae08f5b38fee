declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Connection, Submittable } from 'pg';

  /** A query that is written to: `COPY … FROM STDIN`. It finishes when the server has taken everything. */
  export function from(statement: string): Writable & Submittable & { submit: (connection: Connection) => void };
  /** A query that is read from, as `COPY … TO STDOUT` sends it, in pieces that end anywhere. */
  export function to(statement: string): Readable & Submittable & { submit: (connection: Connection) => void };
}
