import { and, desc, eq, sql } from 'drizzle-orm';
import type { OperationState } from '../../contract/system/async-operations.ts';
import type { RunServer, RunServerState, ScriptParameter, ScriptRun, scriptGroup } from '../../contract/system/script.ts';
import { cancelOperation } from '../jobs/operations.public.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseUnlessSuper, type Service } from '../kit/calls/context.ts';
import { AppError, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import { async_operation } from '../kit/jobs/operations.ts';
import { translate } from '../kit/messages/messages.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { readOutput } from './runs/output.ts';
import { startRun } from './runs/runs.ts';
import { haltUnfit, runsScript } from './schedules/fit.ts';
import { script_schedule } from './schedules/script-schedule.table.ts';
import { hideFormerValues, lockSchedules } from './script.hiding.ts';
import { checkParameters, environmentOf } from './script.parameters.ts';
import { hideSecrets } from './script.secrets.ts';
import { type StoredRunServer, type StoredScript, script, script_run, script_run_server, script_version } from './script.table.ts';

const lastRun = (column: 'id' | 'created_at') =>
  sql.raw(`(SELECT ${column} FROM script_run WHERE script_id = script.id ORDER BY script_run.id DESC LIMIT 1)`);
const fields = {
  id: script.id,
  name: script.name,
  remark: script.remark,
  body: script.body,
  timeout_seconds: script.timeout_seconds,
  parameters: sql<ScriptParameter[]>`${script.parameters}`,
  version: script.version,
  last_run_id: sql<number | null>`${lastRun('id')}`.mapWith((id: string | null) => (id === null ? null : Number(id))),
  last_run_at: sql<string | null>`${lastRun('created_at')}`.mapWith((at: string | null) => at && new Date(at).toISOString()),
  schedules: sql<number>`(SELECT count(*)::int FROM script_schedule WHERE script_id = ${script.id})`,
  created_at: script.created_at,
  updated_at: script.updated_at,
};

async function read(id: number, db: Database) {
  const [found] = await db.select(fields).from(script).where(eq(script.id, id));
  if (!found) throw notFound();
  return found;
}

const unique = mapUniqueViolation({ script_name_key: 'name' });

const keepVersion = (db: Database, { id, version, body, timeout_seconds, parameters }: StoredScript, { actor, now }: Context) =>
  db
    .insert(script_version)
    .values({ script_id: id, version, body, timeout_seconds, parameters, user_id: actor.user_id, created_at: now.toISOString() });

/** Whether it runs otherwise than before: its name and remark do not matter. */
const isOther = (before: StoredScript, after: Partial<StoredScript>): boolean =>
  (['body', 'timeout_seconds', 'parameters'] as const).some(
    (key) => after[key] !== undefined && JSON.stringify(after[key]) !== JSON.stringify(before[key]),
  );

const runJoins = [
  [user_account, eq(user_account.id, script_run.user_id)],
  [async_operation, eq(async_operation.id, script_run.operation_id)],
  [script_schedule, eq(script_schedule.id, script_run.schedule_id)],
] as const;
const runFields = {
  id: script_run.id,
  kind: script_run.kind,
  script_id: script_run.script_id,
  script_name: script_run.script_name,
  version: script_run.version,
  dry: script_run.dry,
  timeout_seconds: script_run.timeout_seconds,
  parallel: script_run.parallel,
  stop_on_failure: script_run.stop_on_failure,
  account: sql<string>`${user_account.account}`,
  schedule_id: script_run.schedule_id,
  schedule_name: sql<string | null>`${script_schedule.name}`,
  operation_id: script_run.operation_id,
  operation_state: sql<OperationState | null>`${async_operation.state}`,
  created_at: script_run.created_at,
};

/** What never began, or was left by a worker that died for good, is told by its operation. */
function stateOf(state: RunServerState, operation: OperationState | null): RunServerState {
  if (operation === 'waiting' || operation === 'running') return state;
  if (state === 'waiting') return operation === 'cancelled' ? 'cancelled' : 'skipped';
  return state === 'running' ? 'interrupted' : state;
}

const shownServer = (row: StoredRunServer, operation: OperationState | null, { language }: Context): RunServer => ({
  ...row,
  state: stateOf(row.state, operation),
  error: row.error && translate(language, `errors.${row.error}`, row.error_params ?? {}),
});

function shownStates(states: Partial<Record<RunServerState, number>>, operation: OperationState | null): ScriptRun['states'] {
  const shown: ScriptRun['states'] = {};
  for (const [state, number] of Object.entries(states) as [RunServerState, number][]) {
    const told = stateOf(state, operation);
    shown[told] = (shown[told] ?? 0) + number;
  }
  return shown;
}

export const scriptService: Service<typeof scriptGroup> = {
  inquire: ({ name, ...input }, { db }) =>
    list(db, input, { fields, from: script, where: contains(script.name, name), sorts: script, key: script.id }),

  async add(input, context) {
    checkParameters(input.parameters ?? []);
    return transact(context.db, async (tx) => {
      const [added] = await tx.insert(script).values(input).returning().catch(unique);
      if (!added) throw new Error('the script was not returned');
      await keepVersion(tx, added, context);
      await recordAct(tx, context, { type: 'script/add', content: { id: added.id, name: added.name }, changes: { after: added } });
      return read(added.id, tx);
    });
  },

  async update({ id, ...input }, context) {
    if (input.parameters) checkParameters(input.parameters);
    return transact(context.db, async (tx) => {
      await lockSchedules(tx, id);
      const [before] = await tx.select().from(script).where(eq(script.id, id)).for('no key update');
      if (!before) throw notFound();
      const version = before.version + (isOther(before, input as Partial<StoredScript>) ? 1 : 0);
      const [after] = await tx
        .update(script)
        .set({ ...input, version, updated_at: sql`now()` as never })
        .where(eq(script.id, id))
        .returning()
        .catch(unique);
      if (!after) throw notFound();
      if (version > before.version) {
        await keepVersion(tx, after, context);
        await hideFormerValues(tx, after, context.vault);
      }
      await haltUnfit(tx, runsScript(id));
      await recordAct(tx, context, {
        type: 'script/update',
        content: { id, name: after.name, version },
        changes: changesBetween(before, after),
      });
      return read(id, tx);
    });
  },

  async remove({ id }, context) {
    return transact(context.db, async (tx) => {
      const running = await tx.select({ id: script_schedule.id }).from(script_schedule).where(runsScript(id));
      const [removed] = await tx.delete(script).where(eq(script.id, id)).returning();
      if (!removed) throw notFound();
      const ids = running.map((schedule) => schedule.id);
      await haltUnfit(tx, isOneOf(script_schedule.id, ids));
      await recordAct(tx, context, { type: 'script/remove', content: { id, name: removed.name }, changes: { before: removed } });
      return { affected: 1 };
    });
  },

  async versions({ id, ...input }, { db }) {
    await read(id, db);
    return list(db, input, {
      fields: {
        version: script_version.version,
        body: script_version.body,
        timeout_seconds: script_version.timeout_seconds,
        parameters: sql<ScriptParameter[]>`${script_version.parameters}`,
        account: sql<string | null>`${user_account.account}`,
        created_at: script_version.created_at,
      },
      from: script_version,
      joins: [[user_account, eq(user_account.id, script_version.user_id)]],
      where: eq(script_version.script_id, id),
      sorts: script_version,
      key: script_version.version,
    });
  },

  async run({ id, values = {}, server_ids, parallel = 3, stop_on_failure = true, dry = false }, context) {
    const { db, actor, language, vault } = context;
    return transact(db, async (tx) => {
      // Held as it is read: a parameter that becomes secret meanwhile finds the values of this run.
      const [row] = await tx.select().from(script).where(eq(script.id, id)).for('share');
      if (!row) throw notFound();
      const { shown: environment, secrets } = hideSecrets(row.parameters, environmentOf(row.parameters, values));
      const { name, version, body, timeout_seconds } = row;
      const { servers, ...started } = await startRun(tx, {
        ...{ kind: 'script' as const, script: { id, name, version }, environment, secrets, vault, bodyOf: () => body },
        ...{ server_ids, dry, timeout_seconds, parallel, stop_on_failure, actor, language },
      });
      const content = { id, name, version, run_id: started.run_id, servers, environment, parallel, stop_on_failure, dry };
      await recordAct(tx, context, { type: 'script/run', content });
      return started;
    });
  },

  async cancel({ id }, context) {
    refuseUnlessSuper(context);
    const [found] = await context.db.select().from(script_run).where(eq(script_run.id, id));
    if (!found) throw notFound();
    if (found.operation_id === null) throw new AppError(409, 'async_operations.wrong_state');
    await cancelOperation({ id: found.operation_id }, context);
    context.audit({ after: { run_id: id, kind: found.kind, script_name: found.script_name } });
    return { affected: 1 };
  },

  async runs({ script_id, server_id, schedule_id, kind, ...input }, { db }) {
    const states = sql<Partial<Record<RunServerState, number>>>`(SELECT jsonb_object_agg(state, number) FROM (
      SELECT state, count(*) AS number FROM script_run_server WHERE run_id = ${script_run.id} GROUP BY state) AS counted)`;
    const on = sql`EXISTS (SELECT FROM script_run_server WHERE run_id = ${script_run.id} AND server_id = ${server_id ?? null})`;
    const page = await list(db, input, {
      fields: { ...runFields, states },
      from: script_run,
      joins: runJoins,
      where: and(
        equals(script_run.script_id, script_id),
        equals(script_run.schedule_id, schedule_id),
        equals(script_run.kind, kind),
        server_id === undefined ? undefined : on,
      ),
      sorts: script_run,
      key: script_run.id,
    });
    return { ...page, content: page.content.map((row) => ({ ...row, states: shownStates(row.states ?? {}, row.operation_state) })) };
  },

  async run_details({ id }, context) {
    const query = context.db
      .select({ ...runFields, environment: script_run.environment })
      .from(script_run)
      .$dynamic();
    for (const [table, on] of runJoins) query.leftJoin(table, on);
    const [found] = await query.where(eq(script_run.id, id));
    if (!found) throw notFound();
    const rows = await context.db.select().from(script_run_server).where(eq(script_run_server.run_id, id)).orderBy(script_run_server.id);
    return { ...found, servers: rows.map((row) => shownServer(row, found.operation_state, context)) };
  },

  async run_body({ run_server_id }, { db }) {
    const [found] = await db
      .select({ body: script_run_server.body })
      .from(script_run_server)
      .where(eq(script_run_server.id, run_server_id))
      .orderBy(desc(script_run_server.id));
    if (!found) throw notFound();
    return found;
  },

  async output({ run_server_id, after = 0 }, { db }) {
    if ((await db.$count(script_run_server, eq(script_run_server.id, run_server_id))) === 0) throw notFound();
    return readOutput(db, run_server_id, after);
  },
};
