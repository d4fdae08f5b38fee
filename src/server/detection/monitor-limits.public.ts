import { sql } from 'drizzle-orm';
import type { Settings } from '../../contract/settings.ts';
import { limitSql } from '../orders/quotas.public.ts';
import { role } from '../roles/roles.table.ts';
import { user_account } from '../users/users.table.ts';

/**
 * What a user may watch, in SQL over his row and that of his role: so many addresses that are none of our domains, and none of them nor his
 * domains more often than this. His own values come first; without them his combo and the settings bound customers and agents. Null is no
 * limit.
 */
export const monitorLimits = ({ monitor_quota, monitor_minimum_seconds }: Pick<Settings, 'monitor_quota' | 'monitor_minimum_seconds'>) => ({
  monitor_limit: limitSql('monitors', sql`${monitor_quota || null}::integer`),
  monitor_minimum: sql<number | null>`coalesce(${user_account.monitor_minimum_seconds},
    CASE WHEN ${role.kind} NOT IN ('super', 'administrator') THEN ${monitor_minimum_seconds}::integer END)`,
});
