import { existsSync } from 'node:fs';
import { refuseUnusable } from './outside-database.ts';
import { startPostgres } from './postgres.ts';
import { runningPostgres } from './postgres-address.ts';

/** For commands: uses the database that runs; starts the embedded one for the time where it does not. */
export async function withDatabase<T>(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl) await refuseUnusable(databaseUrl);
  const url = databaseUrl ?? runningPostgres(dataDir);
  if (url) return work(url);
  if (!existsSync(dataDir)) throw new Error(`There is no data folder ${dataDir}.`);
  const postgres = await startPostgres({ dataDir });
  return work(postgres.url).finally(() => postgres.stop());
}
