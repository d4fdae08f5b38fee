import pg from 'pg';
import { seed } from '../../seed.ts';
import { migrate } from '../postgres/migrate.ts';

export const administratorPassword = 'administrator-of-tests';

/** Fills the database that every suite gets a copy of: the tables, and what a first start puts into them. */
export async function prepareTemplate(url: string): Promise<void> {
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await seed(pool, { adminPassword: administratorPassword, visitPort: 3001, dataDir: '', demo: false });
  await pool.end();
}
