import { eq } from 'drizzle-orm';
import type { Language } from '../../../contract/enums.ts';
import type { RunKind } from '../../../contract/system/script.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { type OperationActor, startOperation } from '../../kit/jobs/operations.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import type { Vault } from '../../kit/vault.ts';
import { runSecretsLabel, type Secrets, sealSecrets } from '../script.secrets.ts';
import { script_run, script_run_server } from '../script.table.ts';
import { type StoredServer, server } from '../server-list.table.ts';

export const runOperation = 'script_run';

type NewRun = {
  kind: RunKind;
  script: { id: number; name: string; version: number } | null;
  /** With masks in the place of secrets. */
  environment: Record<string, string>;
  secrets?: Secrets;
  vault: Vault;
  bodyOf: (row: StoredServer) => string;
  server_ids: readonly number[];
  dry: boolean;
  timeout_seconds: number;
  parallel: number;
  stop_on_failure: boolean;
  /** That it is run by. */
  schedule_id?: number;
  actor: OperationActor;
  language: Language;
};

/** Writes down what is to be run where, and asks for it; a worker begins when the transaction of `db` commits. */
export async function startRun(db: Database, run: NewRun): Promise<{ run_id: number; operation_id: number; servers: string[] }> {
  const { kind, script, environment, secrets = {}, vault, bodyOf, dry, timeout_seconds, parallel, stop_on_failure } = run;
  const { schedule_id = null, actor, language } = run;
  const ids = [...new Set(run.server_ids)];
  const servers = await db.select().from(server).where(isOneOf(server.id, ids)).orderBy(server.name);
  if (servers.length < ids.length) throw notFound();
  const [added] = await db
    .insert(script_run)
    .values({
      ...{ kind, environment, dry, timeout_seconds, parallel, stop_on_failure, schedule_id, user_id: actor.user_id },
      ...(script ? { script_id: script.id, script_name: script.name, version: script.version } : {}),
    })
    .returning({ id: script_run.id });
  if (!added) throw new Error('the run was not returned');
  await db
    .insert(script_run_server)
    .values(servers.map((row) => ({ run_id: added.id, server_id: row.id, server_name: row.name, host: row.host, body: bodyOf(row) })));
  const operation_id = await startOperation(db, { kind: runOperation, input: { run_id: added.id }, actor, language });
  const sealed = sealSecrets(vault, secrets, runSecretsLabel(added.id));
  await db.update(script_run).set({ operation_id, secrets: sealed }).where(eq(script_run.id, added.id));
  return { run_id: added.id, operation_id, servers: servers.map(({ name }) => name) };
}
