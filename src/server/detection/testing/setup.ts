import { sql } from 'drizzle-orm';
import type { DetectorConfig } from '../../../contract/detection/detectors.ts';
import { type SettingKey, settingsOf } from '../../../contract/settings.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import type { TestApp } from '../../kit/testing/app.ts';
import { createVault, readMasterKey } from '../../kit/vault.ts';
import { setting } from '../../settings/settings.table.ts';
import { claimDue, claimUrgent, claimUrls, type Portion } from '../checks/claims.ts';
import { createSemaphore } from '../checks/semaphore.ts';
import { checkPortion } from '../detection.loop.ts';
import { detector } from '../detection.table.ts';
import { createBudgets } from '../detectors/limits.ts';
import { keyLabel, readDetectors } from '../detectors/open-detectors.ts';

/** Simulators stand on the loopback address. */
export const loopback = ['127.0.0.0/8'];

export async function setSettings({ db }: TestApp, values: Partial<Record<SettingKey, unknown>>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await db.execute(sql`INSERT INTO setting (key, value) VALUES (${key}, ${JSON.stringify(value)}::jsonb)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
}

/** Puts these detectors in the place of those of a first start; their ids. */
export async function useDetectors(
  { db, dataDir }: TestApp,
  detectors: readonly {
    name: string;
    config: DetectorConfig;
    key?: string;
    weight?: number;
    per_second?: number;
    per_day?: number;
    timeout_ms?: number;
  }[],
): Promise<number[]> {
  await db.delete(detector);
  const vault = createVault(readMasterKey(dataDir));
  const ids: number[] = [];
  for (const [index, { key, ...one }] of detectors.entries()) {
    const [row] = await db
      .insert(detector)
      .values({ ...one, kind: one.config.kind, sort: 100 - index })
      .returning({ id: detector.id });
    const id = row?.id ?? 0;
    if (key) await db.execute(sql`UPDATE detector SET key = ${vault.seal(Buffer.from(key), keyLabel(id))} WHERE id = ${id}`);
    ids.push(id);
  }
  return ids;
}

export type Checker = {
  due: () => Promise<number>;
  urgent: () => Promise<number>;
  lists: () => Promise<number>;
  at: (moment: Date) => void;
};

/** Checks as a worker does, a portion at each call, at the moment that is set. Answers how many addresses were taken. */
export function createChecker({ db, dataDir }: TestApp): Checker {
  const vault = createVault(readMasterKey(dataDir));
  const network = guardNetwork(loopback);
  const readAll = async () => settingsOf(await db.select().from(setting));
  let moment: Date | undefined;
  const run = async (take: (limit: number) => Promise<Portion | undefined>) => {
    const portion = await take(100);
    if (!portion) return 0;
    const semaphore = createSemaphore();
    semaphore.allow(100);
    const now = () => moment ?? new Date();
    const signal = new AbortController().signal;
    const budgets = createBudgets(db, readAll);
    await checkPortion(portion, {
      db,
      network,
      settings: await readAll(),
      detectors: await readDetectors(db, vault),
      budgets,
      semaphore,
      now,
      signal,
    });
    return portion.rows.length;
  };
  return {
    due: () => run((limit) => claimDue(db, limit)),
    urgent: () => run((limit) => claimUrgent(db, limit)),
    lists: () => run((limit) => claimUrls(db, limit)),
    at: (value) => {
      moment = value;
    },
  };
}
