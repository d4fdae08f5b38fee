import { z } from 'zod';
import { StartError } from '../kit/start-error.ts';

export const formatVersion = 1;

const schema = z.object({
  format: z.literal(formatVersion),
  product: z.literal('livecode'),
  version: z.string(),
  created_at: z.iso.datetime(),
  /** `cluster`: the files of the embedded server. `dump`: what pg_dump wrote of an outside one. */
  database: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('cluster'),
      /** Major version of PostgreSQL, whose files no other one reads. */
      major: z.number(),
      /** As `linux-x64`: the files are laid out for it. */
      machine: z.string(),
      /** Whether the server ran meanwhile. */
      online: z.boolean(),
    }),
    z.object({ kind: z.literal('dump'), major: z.number() }),
  ]),
  /** Names of the migrations that were applied; null where the server did not run, and could not be asked. */
  migrations: z.array(z.string()).nullable(),
  /** False where the key was given by LIVECODE_MASTER_KEY, so that it is not in the file. */
  master_key: z.boolean(),
});

export type Manifest = z.infer<typeof schema>;

export const machine = `${process.platform}-${process.arch}`;

/** @throws {StartError} where it is of a format that this version does not know */
export function parseManifest(path: string, text: string): Manifest {
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StartError(`${path} was made by another version of Livecode, whose backups this one does not read.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
