import type pg from 'pg';
import { outcomes } from '../../../contract/enums.ts';
import type { DecodedRecord } from '../../kit/visits/journal/record.ts';

const forwarded = outcomes.indexOf('forwarded');
/** From this layout on, short codes and forwards have numbers of their own in a record. */
const namedSince = 2;

/**
 * Puts what records of an earlier layout reached under its own name. Live codes and short codes had ids of one sequence when these were
 * written, so that the database tells which of them it is.
 */
export async function nameReached(client: pg.ClientBase, records: readonly DecodedRecord[]): Promise<void> {
  const older = records.flatMap(({ version, record }) => (version < namedSince ? [record] : []));
  if (older.length === 0) return;
  const ids = [...new Set(older.map(({ live_code_id }) => live_code_id))];
  const { rows } = await client.query<{ id: string }>('SELECT id FROM short_code WHERE id = ANY ($1::bigint[])', [ids]);
  const shorts = new Set(rows.map(({ id }) => Number(id)));
  for (const record of older) {
    if (record.outcome === forwarded) Object.assign(record, { forward_id: record.target_id, target_id: 0 });
    if (shorts.has(record.live_code_id)) Object.assign(record, { short_code_id: record.live_code_id, live_code_id: 0 });
  }
}
