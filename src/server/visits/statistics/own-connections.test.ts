import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { visitSummary } from '../../../contract/visits/visit-summary.ts';
import type { Service } from '../../kit/calls/context.ts';
import { openDatabase, openPool } from '../../kit/postgres/database.ts';
import { createTestDatabase } from '../../kit/testing/database.ts';
import { onOwnConnections } from './own-connections.ts';

test('a statement that counts for too long ends, and says what to do', async () => {
  const { url } = await createTestDatabase();
  const pool = openPool(url, { warn: () => {} }, 1, 'test', 50);
  const slow: Service<typeof visitSummary> = {
    inquire: async (_input, { db }) => {
      await db.execute(sql`SELECT pg_sleep(60)`);
      return { content: [], total: 0, page: 1, page_size: 20 };
    },
  };
  try {
    const { inquire } = onOwnConnections(slow, openDatabase(pool));
    await expect(inquire({}, {} as never)).rejects.toMatchObject({ status: 503, code: 'statistics.too_long' });
  } finally {
    await pool.end();
  }
});
