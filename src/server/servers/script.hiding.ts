import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { secretMask } from '../../contract/system/script.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { script_schedule } from './schedules/script-schedule.table.ts';
import { hideSecrets, openSecrets, runSecretsLabel, scheduleSecretsLabel, sealSecrets } from './script.secrets.ts';
import { type StoredScript, script_run } from './script.table.ts';

type Hidden = Pick<StoredScript, 'id' | 'parameters'>;

/** Schedules are locked before their script, as whoever meets or changes one does. */
export const lockSchedules = (tx: Database, script_id: number) =>
  tx.select().from(script_schedule).where(eq(script_schedule.script_id, script_id)).orderBy(asc(script_schedule.id)).for('no key update');

async function sealInSchedules(tx: Database, { id: script_id, parameters }: Hidden, vault: Vault): Promise<void> {
  for (const row of await lockSchedules(tx, script_id)) {
    const { shown, secrets } = hideSecrets(parameters, row.values);
    if (Object.keys(secrets).length === 0) continue;
    const label = scheduleSecretsLabel(row.id);
    const sealed = sealSecrets(vault, { ...openSecrets(vault, row.secrets, label), ...secrets }, label);
    await tx.update(script_schedule).set({ values: shown, secrets: sealed }).where(eq(script_schedule.id, row.id));
  }
}

/** A run that servers still wait for, or whose script a worker may take up again, needs the values. */
async function sealInRuns(tx: Database, { parameters }: Hidden, isClear: SQL, vault: Vault): Promise<void> {
  const isOpen = sql`EXISTS (SELECT FROM async_operation WHERE async_operation.id = ${script_run.operation_id} AND async_operation.state IN ('waiting', 'running'))
    AND EXISTS (SELECT FROM script_run_server WHERE run_id = ${script_run.id} AND script_run_server.state IN ('waiting', 'running'))`;
  for (const run of await tx.select().from(script_run).where(and(isClear, isOpen)).orderBy(asc(script_run.id)).for('no key update')) {
    const { shown, secrets } = hideSecrets(parameters, run.environment);
    const label = runSecretsLabel(run.id);
    const sealed = sealSecrets(vault, { ...openSecrets(vault, run.secrets, label), ...secrets }, label);
    await tx.update(script_run).set({ environment: shown, secrets: sealed }).where(eq(script_run.id, run.id));
  }
}

/**
 * Hides what secret parameters of a script were given while they were none: schedules and runs under way keep the values sealed, runs that
 * are over get a mask. The script is locked by the caller. The log keeps what was said when it was said: its chain allows no change.
 */
export async function hideFormerValues(tx: Database, script: Hidden, vault: Vault): Promise<void> {
  const names = script.parameters.filter(({ type }) => type === 'secret').map(({ name }) => name);
  if (names.length === 0) return;
  await sealInSchedules(tx, script, vault);
  const clear = sql`jsonb_each_text(${script_run.environment}) AS given (name, value)
    WHERE given.name = ANY(${sql.param(names)}::text[]) AND given.value NOT IN ('', ${secretMask})`;
  const isClear = sql`${script_run.script_id} = ${script.id} AND EXISTS (SELECT FROM ${clear})`;
  await sealInRuns(tx, script, isClear, vault);
  const masks = sql`(SELECT jsonb_object_agg(given.name, ${secretMask}::text) FROM ${clear})`;
  await tx
    .update(script_run)
    .set({ environment: sql`${script_run.environment} || ${masks}` })
    .where(isClear);
}
