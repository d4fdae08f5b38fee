import { and, eq, sql } from 'drizzle-orm';
import { type ScriptSchedule, type scriptSchedule, shownTimes } from '../../../contract/system/script-schedule.ts';
import { recordAct } from '../../kit/calls/audit.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, mapUniqueViolation, notFound } from '../../kit/calls/errors.ts';
import { translate } from '../../kit/messages/messages.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { changesBetween } from '../../kit/rows/changes.ts';
import { contains, equals, list } from '../../kit/rows/list.ts';
import { user_account } from '../../users/users.table.ts';
import { environmentOf } from '../script.parameters.ts';
import { hideSecrets, openSecrets, scheduleSecretsLabel, sealSecrets, withKnown } from '../script.secrets.ts';
import { script } from '../script.table.ts';
import { fitOf } from './fit.ts';
import { type StoredSchedule, script_schedule } from './script-schedule.table.ts';
import { nextTimes, timesOf } from './times.ts';

const joins = [
  [script, eq(script.id, script_schedule.script_id)],
  [user_account, eq(user_account.id, script_schedule.user_id)],
] as const;
const stamp = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const fields = {
  id: script_schedule.id,
  name: script_schedule.name,
  script_id: script_schedule.script_id,
  script_name: sql<string | null>`${script.name}`,
  values: sql<Record<string, string>>`${script_schedule.values}`,
  server_ids: script_schedule.server_ids,
  server_names: sql<
    string[]
  >`ARRAY(SELECT server.name FROM server WHERE server.id = ANY(${script_schedule.server_ids}) ORDER BY server.name)`,
  parallel: script_schedule.parallel,
  stop_on_failure: script_schedule.stop_on_failure,
  cron: script_schedule.cron,
  time_zone: script_schedule.time_zone,
  missed: script_schedule.missed,
  enabled: script_schedule.enabled,
  account: sql<string>`${user_account.account}`,
  last_run: sql<ScriptSchedule['last_run']>`(SELECT jsonb_build_object('id', run.id,
    'created_at', to_char(run.created_at AT TIME ZONE 'UTC', ${sql.raw(stamp)}), 'state', async_operation.state,
    'number', (SELECT count(*) FROM script_run_server WHERE run_id = run.id),
    'failed', (SELECT count(*) FROM script_run_server WHERE run_id = run.id AND script_run_server.state <> 'succeeded'))
    FROM script_run AS run LEFT JOIN async_operation ON async_operation.id = run.operation_id
    WHERE run.schedule_id = ${script_schedule.id} ORDER BY run.id DESC LIMIT 1)`,
  skipped_at: script_schedule.skipped_at,
  skipped_why: script_schedule.skipped_why,
  halted_at: script_schedule.halted_at,
  halt_reason: script_schedule.halt_reason,
  halt_params: script_schedule.halt_params,
  created_at: script_schedule.created_at,
  updated_at: script_schedule.updated_at,
};

type Hidden = Pick<StoredSchedule, 'skipped_at' | 'skipped_why' | 'halted_at' | 'halt_reason' | 'halt_params'>;
type Row = Omit<ScriptSchedule, 'next' | 'skipped' | 'halted'> & Hidden;

function shown({ skipped_at, skipped_why, halted_at, halt_reason, halt_params, ...row }: Row, { now, language }: Context): ScriptSchedule {
  const isLive = row.enabled && halted_at === null;
  return {
    ...row,
    next: isLive ? nextTimes(row.cron, row.time_zone, now, shownTimes).map((time) => time.toISOString()) : [],
    skipped: skipped_at && skipped_why ? { at: skipped_at, why: skipped_why } : null,
    halted: halted_at && halt_reason ? { at: halted_at, reason: translate(language, `errors.${halt_reason}`, halt_params ?? {}) } : null,
  };
}

async function read(id: number, context: Context): Promise<ScriptSchedule> {
  const query = context.db.select(fields).from(script_schedule).$dynamic();
  for (const [table, on] of joins) query.leftJoin(table, on);
  const [found] = await query.where(eq(script_schedule.id, id));
  if (!found) throw notFound();
  return shown(found as Row, context);
}

async function lock(tx: Database, id: number): Promise<StoredSchedule> {
  const [found] = await tx.select().from(script_schedule).where(eq(script_schedule.id, id)).for('update');
  if (!found) throw notFound();
  return found;
}

const unique = mapUniqueViolation({ script_schedule_name_key: 'name' });
const notHalted = { halted_at: null, halt_reason: null, halt_params: null } as const;

/** What the log holds of a schedule: how it does is no change. */
const logged = ({ name, script_id, values, server_ids, parallel, stop_on_failure, cron, time_zone, missed, enabled }: StoredSchedule) => ({
  ...{ name, script_id, values, server_ids, parallel, stop_on_failure, cron, time_zone, missed, enabled },
});

type Settled = Pick<StoredSchedule, 'script_id' | 'server_ids' | 'values' | 'cron' | 'time_zone' | 'enabled'>;

/**
 * Refuses what could not run, with the fields at fault. Answers what follows from the rest: its next moment, that it goes on, and its values
 * without the secret ones, which are sealed apart.
 */
async function planned(tx: Database, { actor, now, vault }: Context, given: Settled, before?: StoredSchedule) {
  const [next] = timesOf(given.cron, given.time_zone, now, 1);
  const [found] = given.script_id === null ? [] : await tx.select().from(script).where(eq(script.id, given.script_id)).for('share');
  const parameters = found?.parameters ?? [];
  const isSame = before !== undefined && before.script_id === given.script_id;
  const known = isSame ? openSecrets(vault, before.secrets, scheduleSecretsLabel(before.id)) : {};
  const whole = withKnown(parameters, given.values, known);
  if (found) environmentOf(parameters, whole);
  const { shown: values, secrets } = hideSecrets(parameters, whole);
  const { user_id } = actor;
  const fit = await fitOf(tx, { ...given, values, user_id });
  if (fit instanceof AppError) throw fit;
  const next_at = given.enabled ? (next?.toISOString() ?? null) : null;
  const plan = { ...notHalted, values, user_id, next_at, planned_at: now.toISOString(), skipped_at: null, skipped_why: null };
  return { plan, seal: (id: number) => sealSecrets(vault, secrets, scheduleSecretsLabel(id)) };
}

export const scriptScheduleService: Service<typeof scriptSchedule> = {
  async inquire({ name, script_id, ...input }, context) {
    const page = await list(context.db, input, {
      fields,
      from: script_schedule,
      joins,
      where: and(contains(script_schedule.name, name), equals(script_schedule.script_id, script_id)),
      sorts: script_schedule,
      key: script_schedule.id,
    });
    return { ...page, content: page.content.map((row) => shown(row as Row, context)) };
  },

  async preview({ cron, time_zone }, { now }) {
    return { next: timesOf(cron, time_zone, now, shownTimes).map((time) => time.toISOString()) };
  },

  async add(input, context) {
    const given = { values: {}, parallel: 3, stop_on_failure: true, missed: 'skip' as const, enabled: true, ...input };
    return transact(context.db, async (tx) => {
      const { plan, seal } = await planned(tx, context, given);
      const [added] = await tx
        .insert(script_schedule)
        .values({ ...given, ...plan })
        .returning()
        .catch(unique);
      if (!added) throw new Error('the schedule was not returned');
      await tx
        .update(script_schedule)
        .set({ secrets: seal(added.id) })
        .where(eq(script_schedule.id, added.id));
      const changes = { after: logged(added) };
      await recordAct(tx, context, { type: 'script_schedule/add', content: { id: added.id, name: added.name }, changes });
      return read(added.id, { ...context, db: tx });
    });
  },

  async update({ id, ...input }, context) {
    return transact(context.db, async (tx) => {
      const before = await lock(tx, id);
      const { plan, seal } = await planned(tx, context, { ...before, ...input }, before);
      const [after] = await tx
        .update(script_schedule)
        .set({ ...input, ...plan, secrets: seal(id), updated_at: sql`now()` as never })
        .where(eq(script_schedule.id, id))
        .returning()
        .catch(unique);
      if (!after) throw notFound();
      const changes = changesBetween(logged(before), logged(after));
      await recordAct(tx, context, { type: 'script_schedule/update', content: { id, name: after.name }, changes });
      return read(id, { ...context, db: tx });
    });
  },

  /** What was paused over is not made up for. */
  async update_enabled({ id, enabled }, context) {
    return transact(context.db, async (tx) => {
      const before = await lock(tx, id);
      const { plan } = enabled ? await planned(tx, context, { ...before, enabled }, before) : { plan: { next_at: null } };
      await tx
        .update(script_schedule)
        .set({ enabled, ...plan, updated_at: sql`now()` as never })
        .where(eq(script_schedule.id, id));
      const changes = { before: { enabled: before.enabled }, after: { enabled } };
      await recordAct(tx, context, { type: 'script_schedule/update_enabled', content: { id, name: before.name, enabled }, changes });
      return read(id, { ...context, db: tx });
    });
  },

  async remove({ id }, context) {
    return transact(context.db, async (tx) => {
      const removed = await lock(tx, id);
      await tx.delete(script_schedule).where(eq(script_schedule.id, id));
      const changes = { before: logged(removed) };
      await recordAct(tx, context, { type: 'script_schedule/remove', content: { id, name: removed.name }, changes });
      return { affected: 1 };
    });
  },
};
