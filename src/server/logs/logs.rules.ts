import { alwaysLogged } from '../../contract/system/log-config.ts';
import type { Database } from '../kit/postgres/database.ts';
import { log_config } from './logs.table.ts';

export type LogRule = Pick<typeof log_config.$inferSelect, 'id' | 'type' | 'kept' | 'retention_days' | 'template'>;
export type LogRules = {
  /** The rule that decides about a type: its own, else its group's, else that for all. */
  ruleOf: (type: string) => LogRule | undefined;
};

/** Decides about power over the system: kept whatever the rules say. */
export const isAlwaysKept = (type: string): boolean => alwaysLogged.includes(type.split('/', 1)[0] ?? '');

export async function readRules(db: Database): Promise<LogRules> {
  const { id, type, kept, retention_days, template } = log_config;
  const rows = await db.select({ id, type, kept, retention_days, template }).from(log_config);
  const byType = new Map(rows.map((row) => [row.type, row]));
  return {
    ruleOf: (wanted) => byType.get(wanted) ?? byType.get(`${wanted.split('/', 1)[0]}/*`) ?? byType.get('*'),
  };
}
