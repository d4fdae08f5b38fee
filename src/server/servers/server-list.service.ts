import { and, eq, sql } from 'drizzle-orm';
import { type CommandField, defaultCommands, type Server, type serverList, uptimeHours } from '../../contract/system/server-list.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseUnlessSuper, type Service } from '../kit/calls/context.ts';
import { AppError, invalidField, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { transact } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, equals, list } from '../kit/rows/list.ts';
import { checkServer, keptDays } from './checks.ts';
import { startRun } from './runs/runs.ts';
import { haltUnfit, runsOnServer } from './schedules/fit.ts';
import { type StoredServer, server } from './server-list.table.ts';
import { credentialsOf, sealCredentials } from './servers.means.ts';

const since = (hours: number) => sql.raw(`date_trunc('hour', now()) - make_interval(hours => ${hours - 1})`);
const fields = {
  id: server.id,
  name: server.name,
  host: server.host,
  port: server.port,
  ssh_user: server.ssh_user,
  auth: server.auth,
  host_key: server.host_key,
  host_key_type: server.host_key_type,
  host_key_at: server.host_key_at,
  offered_key: server.offered_key,
  front_command: server.front_command,
  back_command: server.back_command,
  code_command: server.code_command,
  state: server.state,
  error: server.error,
  error_params: server.error_params,
  checked_at: server.checked_at,
  figures: server.figures,
  hours: sql<Server['hours']>`coalesce((SELECT jsonb_agg(jsonb_build_object(
    'hour', to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'checks', checks, 'answered', answered) ORDER BY hour)
    FROM server_hour WHERE server_id = ${server.id} AND hour >= ${since(uptimeHours)}), '[]')`,
  uptime: sql<number | null>`(SELECT sum(answered)::float8 / nullif(sum(checks), 0) FROM server_hour
    WHERE server_id = ${server.id} AND hour >= ${since(keptDays * 24)})`,
  schedules: sql<number>`(SELECT count(*)::int FROM script_schedule WHERE ${server.id} = ANY(server_ids))`,
  created_at: server.created_at,
  updated_at: server.updated_at,
};

type Row = Omit<Server, 'error'> & Pick<StoredServer, 'error' | 'error_params'>;
const shown = ({ error, error_params, ...row }: Row, { language }: Context): Server => ({
  ...row,
  error: error && translate(language, `errors.${error}`, error_params ?? {}),
});

const unique = mapUniqueViolation({ server_name_key: 'name' });

async function read(id: number, context: Context): Promise<Server> {
  const [found] = await context.db.select(fields).from(server).where(eq(server.id, id));
  if (!found) throw notFound();
  return shown(found as Row, context);
}

async function readStored(id: number, { db }: Context): Promise<StoredServer> {
  const [found] = await db.select().from(server).where(eq(server.id, id));
  if (!found) throw notFound();
  return found;
}

/** What the log holds of a server: of what opens it only that it is there; how it does is no change. */
const logged = ({ name, host, port, ssh_user, auth, credentials, host_key, front_command, back_command, code_command }: StoredServer) => ({
  ...{ name, host, port, ssh_user, auth, host_key, front_command, back_command, code_command },
  credentials: credentials ? '***' : null,
});

const nothingKnown = { host_key: null, host_key_type: null, host_key_at: null, offered_key: null, state: 'unknown', error: null } as const;

type UpdateInput = Parameters<Service<typeof serverList>['update_front']>[0];
const updateSeconds = 3_600;

/** Runs each server's own command; it stops at the first line that fails. */
async function runUpdate(
  kind: 'update_front' | 'update_back' | 'update_code',
  field: CommandField,
  { server_ids, parallel = 1, stop_on_failure = true, dry = false }: UpdateInput,
  context: Context,
) {
  const { db, language, actor, vault } = context;
  return transact(db, async (tx) => {
    const { servers, ...started } = await startRun(tx, {
      ...{ kind, script: null, environment: {}, vault, server_ids, parallel, stop_on_failure, dry, timeout_seconds: updateSeconds },
      ...{ actor, language, bodyOf: (row) => `set -e\n${row[field]}` },
    });
    const content = { run_id: started.run_id, servers, parallel, stop_on_failure, dry };
    await recordAct(tx, context, { type: `server_list/${kind}`, content });
    return started;
  });
}

/** @param network keeps connections to where servers may stand */
export const createServerListService = (network: GuardedNetwork): Service<typeof serverList> => ({
  async inquire({ search, state, ...input }, context) {
    const page = await list(context.db, input, {
      fields,
      from: server,
      where: and(contains([server.name, server.host], search), equals(server.state, state)),
      sorts: server,
      key: server.id,
    });
    return { ...page, content: page.content.map((row) => shown(row as Row, context)) };
  },

  async add({ private_key, passphrase, ssh_password, ...input }, context) {
    const credentials = credentialsOf(input.auth, { private_key, passphrase, ssh_password });
    if (!credentials) throw invalidField(input.auth === 'key' ? 'private_key' : 'ssh_password', 'required');
    return transact(context.db, async (tx) => {
      const [added] = await tx
        .insert(server)
        .values({ ...defaultCommands, ...input })
        .returning()
        .catch(unique);
      if (!added) throw new Error('the server was not returned');
      const sealed = sealCredentials(context.vault, added.id, credentials);
      await tx.update(server).set({ credentials: sealed }).where(eq(server.id, added.id));
      const after = logged({ ...added, credentials: sealed });
      await recordAct(tx, context, { type: 'server_list/add', content: { id: added.id, name: added.name }, changes: { after } });
      return read(added.id, { ...context, db: tx });
    });
  },

  async update({ id, private_key, passphrase, ssh_password, ...input }, context) {
    return transact(context.db, async (tx) => {
      const [before] = await tx.select().from(server).where(eq(server.id, id)).for('update');
      if (!before) throw notFound();
      const auth = input.auth ?? before.auth;
      const credentials = credentialsOf(auth, { private_key, passphrase, ssh_password });
      if (!credentials && auth !== before.auth) throw invalidField(auth === 'key' ? 'private_key' : 'ssh_password', 'required');
      const isMoved = (input.host ?? before.host) !== before.host || (input.port ?? before.port) !== before.port;
      const [after] = await tx
        .update(server)
        .set({
          ...input,
          ...(credentials ? { credentials: sealCredentials(context.vault, id, credentials) } : {}),
          ...(isMoved ? nothingKnown : {}),
          due_at: sql`now()` as never,
          updated_at: sql`now()` as never,
        })
        .where(eq(server.id, id))
        .returning()
        .catch(unique);
      if (!after) throw notFound();
      const changes = changesBetween(logged(before), logged(after));
      await recordAct(tx, context, { type: 'server_list/update', content: { id, new_credentials: credentials !== undefined }, changes });
      return read(id, { ...context, db: tx });
    });
  },

  async test({ id }, context) {
    refuseUnlessSuper(context);
    const { db, vault, now } = context;
    const row = await readStored(id, context);
    const { milliseconds } = await checkServer({ db, vault, network }, row, undefined, now);
    const { state, error, host_key } = await read(id, context);
    await recordAct(db, context, { type: 'server_list/test', content: { id, name: row.name, state } });
    return { state, error, host_key, milliseconds };
  },

  async pin({ id, host_key }, context) {
    return transact(context.db, async (tx) => {
      const [before] = await tx.select().from(server).where(eq(server.id, id)).for('update');
      if (!before) throw notFound();
      // Only what the host showed, and the administrator saw, can be trusted: it may have shown a third key meanwhile.
      if (before.offered_key !== host_key) throw new AppError(409, 'conflict.changed');
      await tx
        .update(server)
        .set({ ...nothingKnown, host_key, host_key_at: sql`now()` as never, due_at: sql`now()` as never, updated_at: sql`now()` as never })
        .where(eq(server.id, id));
      const changes = { before: { host_key: before.host_key }, after: { host_key } };
      await recordAct(tx, context, { type: 'server_list/pin', content: { id, name: before.name }, changes });
      return read(id, { ...context, db: tx });
    });
  },

  update_front: (input, context) => runUpdate('update_front', 'front_command', input, context),
  update_back: (input, context) => runUpdate('update_back', 'back_command', input, context),
  update_code: (input, context) => runUpdate('update_code', 'code_command', input, context),

  async remove({ id }, context) {
    return transact(context.db, async (tx) => {
      const [removed] = await tx.delete(server).where(eq(server.id, id)).returning();
      if (!removed) throw notFound();
      await recordAct(tx, context, {
        type: 'server_list/remove',
        content: { id, name: removed.name },
        changes: { before: logged(removed) },
      });
      await haltUnfit(tx, runsOnServer(id));
      return { affected: 1 };
    });
  },
});
