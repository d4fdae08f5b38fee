import { and, asc, desc, eq } from 'drizzle-orm';
import { type DetectorKind, messengerKinds } from '../../../contract/detection/detectors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { detector } from '../detection.table.ts';
import type { OpenDetector } from './asking.ts';

export const keyLabel = (id: number): string => `detector:${id}`;

export const knowsMessengers = (kind: DetectorKind): boolean => (messengerKinds as readonly DetectorKind[]).includes(kind);

export type ReadyDetector = OpenDetector & {
  id: number;
  weight: number;
  per_second: number | null;
  per_day: number | null;
  /** On the wall clock; null: it works. */
  stopped_until: string | null;
};

const opened = (row: typeof detector.$inferSelect, vault: Vault): ReadyDetector => {
  const { id, name, config, timeout_ms, weight, per_second, per_day, stopped_until } = row;
  return { id, name, config, timeout_ms, weight, per_second, per_day, stopped_until, key: openKey(row, vault) };
};

export const openKey = ({ id, key }: Pick<typeof detector.$inferSelect, 'id' | 'key'>, vault: Vault): string | undefined =>
  key ? vault.open(key, keyLabel(id)).toString() : undefined;

/** Those that are switched on, in their order, with their keys. */
export async function readDetectors(db: Database, vault: Vault): Promise<ReadyDetector[]> {
  const rows = await db
    .select()
    .from(detector)
    .where(and(eq(detector.enabled, true)))
    .orderBy(desc(detector.sort), asc(detector.id));
  return rows.map((row) => opened(row, vault));
}
