import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import { limitSql, lockQuota, type Quota, refuseBeyondQuota as refuse } from '../orders/quotas.public.ts';

/** How many more domains a user may hold; undefined is no limit. The user stays locked until the transaction ends. */
export const placesLeft = (holder_id: number | null, db: Database): Promise<Quota | undefined> => lockQuota(db, holder_id, 'domains');

/** 409 where a user would hold more than he may. */
export const refuseBeyondQuota = (holder_id: number | null, more: number, db: Database): Promise<void> =>
  refuse(db, holder_id, 'domains', more);

/** The quota as it applies, in SQL: null is no limit. */
export const quotaSql = (setting: number): SQL<number | null> => limitSql('domains', sql`${setting || null}::integer`);
