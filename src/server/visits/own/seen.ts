import type pg from 'pg';
import { outcomes } from '../../../contract/enums.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { plainArray } from '../loader/copy.ts';

const own = outcomes.indexOf('own');

/** The marked device that an owner's visit came by; 0 where only his address told. */
export const ownDeviceIn = ({ outcome, note }: VisitRecord): number => (outcome === own && /^\d{1,15}$/.test(note) ? Number(note) : 0);

/**
 * When the devices were seen last, at most once an hour each: an owner's tests of a code would otherwise write a row every time. In the order
 * of their ids, as every loader locks them.
 */
export async function markSeen(client: pg.ClientBase, devices: ReadonlyMap<number, number>): Promise<void> {
  if (devices.size === 0) return;
  const seen = [...devices];
  await client.query({
    name: 'own_devices',
    text: `WITH due AS (
        SELECT device.id, given.at FROM own_device AS device
        JOIN unnest($1::bigint[], $2::timestamptz[]) AS given (id, at) ON given.id = device.id
        WHERE device.seen_at IS NULL OR device.seen_at <= given.at - interval '1 hour'
        ORDER BY device.id FOR UPDATE OF device
      )
      UPDATE own_device AS device SET seen_at = due.at FROM due WHERE device.id = due.id`,
    values: [plainArray(seen.map(([id]) => id)), plainArray(seen.map(([, at]) => new Date(at).toISOString()))],
  });
}
