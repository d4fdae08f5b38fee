import { migrate } from '../migrate.ts';

/** Fills the database that every suite gets a copy of. */
export async function prepareTemplate(url: string): Promise<void> {
  await migrate(url);
}
