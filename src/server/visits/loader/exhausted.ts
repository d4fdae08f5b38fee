import type pg from 'pg';
import { outcomes } from '../../../contract/enums.ts';
import type { Batch } from './batch.ts';
import { plainArray } from './copy.ts';

const exhausted = outcomes.indexOf('exhausted');

/** Marks codes that had to turn a visitor away because no target had visits left; whether to tell their owners is decided later. */
export async function markExhausted(client: pg.ClientBase, { hours }: Batch): Promise<void> {
  const ids = new Set(hours.filter(({ outcome }) => outcome === exhausted).map(({ live_code_id }) => live_code_id));
  if (ids.size === 0) return;
  await client.query({
    name: 'mark_exhausted',
    // Codes that are marked already take no lock. Sorted, so that loaders which mark the same codes wait for each other in one order.
    text: `INSERT INTO code_exhausted (live_code_id)
      SELECT id FROM unnest($1::bigint[]) AS given (id) WHERE NOT EXISTS (SELECT FROM code_exhausted WHERE live_code_id = id) ORDER BY id
      ON CONFLICT DO NOTHING`,
    values: [plainArray([...ids].sort((a, b) => a - b))],
  });
}
