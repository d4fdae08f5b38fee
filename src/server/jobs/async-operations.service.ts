import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { AsyncOperation, asyncOperations } from '../../contract/system/async-operations.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import { async_operation, pushProgress } from '../kit/jobs/operations.ts';
import { translate } from '../kit/messages/messages.ts';
import { publish } from '../kit/postgres/bus.ts';
import { equals, isOneOf, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { linkOf, ticketedLink } from './operations.files.ts';

const hasFile: SQL = sql`(${async_operation.file} IS NOT NULL AND ${async_operation.file_expires_at} > now())`;

const fields = {
  id: async_operation.id,
  user_id: async_operation.user_id,
  user_account: sql<string>`${user_account.account}`,
  kind: async_operation.kind,
  status: async_operation.status,
  state: async_operation.state,
  done: async_operation.done,
  total: async_operation.total,
  message_key: async_operation.message_key,
  message_params: async_operation.message_params,
  has_file: sql<boolean>`${hasFile}`,
  // An import's changes bear the id of its file.
  change_id: sql<
    string | null
  >`CASE WHEN ${async_operation.kind} = 'code_import' AND ${async_operation.done} > 0 AND ${async_operation.finished_at} IS NOT NULL THEN ${async_operation.input} ->> 'id' END`,
  file_name: async_operation.file_name,
  file_size: async_operation.file_size,
  file_expires_at: async_operation.file_expires_at,
  created_at: async_operation.created_at,
  updated_at: async_operation.updated_at,
  finished_at: async_operation.finished_at,
};
const accountJoin = [user_account, eq(user_account.id, async_operation.user_id)] as const;

type Row = Omit<AsyncOperation, 'message' | 'link'> & {
  message_key: string | null;
  message_params: Record<string, string | number> | null;
  has_file: boolean;
};

function shown({ message_key, message_params, has_file, ...row }: Row, { language, actor }: Context): AsyncOperation {
  const message = message_key ? translate(language, message_key, message_params ?? {}) : '';
  return { ...row, message, link: has_file && row.user_id === actor.user_id ? linkOf(row.id) : null };
}

async function read(id: number, context: Context): Promise<AsyncOperation> {
  const query = context.db.select(fields).from(async_operation).$dynamic();
  query.leftJoin(...accountJoin);
  const [found] = await query.where(and(eq(async_operation.id, id), context.scope.sees(async_operation.user_id)));
  if (!found) throw notFound();
  return shown(found, context);
}

/** Changes the operation if it is in a state that allows it; 409 where it is not, 404 where it is not the caller's. */
async function change(
  id: number,
  from: readonly AsyncOperation['state'][],
  set: Record<string, unknown>,
  context: Context,
): Promise<AsyncOperation> {
  const { db, scope } = context;
  const { rowCount } = await db
    .update(async_operation)
    .set({ ...set, updated_at: sql`now()` })
    .where(and(eq(async_operation.id, id), scope.changes(async_operation.user_id), inArray(async_operation.state, [...from])));
  const after = await read(id, context);
  if (rowCount === 0) throw new AppError(409, 'async_operations.wrong_state');
  const { user_id, kind, status, state, done, total } = after;
  await pushProgress(db, { user_id, id, kind, status, state, done, total });
  await publish(db, 'operation', { id });
  return after;
}

export const asyncOperationsService: Service<typeof asyncOperations> = {
  async inquire({ ids, status, kind, user_id, ...input }, context) {
    const { db, scope } = context;
    const page = await list(db, input, {
      fields,
      from: async_operation,
      joins: [accountJoin],
      where: and(
        scope.sees(async_operation.user_id),
        ids && isOneOf(async_operation.id, ids),
        equals(async_operation.status, status),
        equals(async_operation.kind, kind),
        equals(async_operation.user_id, user_id),
      ),
      sorts: async_operation,
      key: async_operation.id,
    });
    return { ...page, content: page.content.map((row) => shown(row, context)) };
  },

  async link({ id }, { db, actor, vault, now }) {
    const own = and(eq(async_operation.id, id), eq(async_operation.user_id, actor.user_id), hasFile);
    if ((await db.$count(async_operation, own)) === 0) throw notFound();
    // A machine sends its token with the download, too.
    if (actor.api_token) return { url: linkOf(id) };
    return { url: ticketedLink(vault, { id, session_id: actor.session_id, now }) };
  },

  cancel: ({ id }, context) =>
    change(
      id,
      ['waiting', 'running'],
      {
        // What waits is over at once; what runs ends when its worker hears of it.
        state: sql`CASE WHEN state = 'waiting' THEN 'cancelled' ELSE state END`,
        finished_at: sql`CASE WHEN state = 'waiting' THEN now() END`,
        message_key: sql`CASE WHEN state = 'waiting' THEN 'async_operations.message.cancelled' END`,
        cancel_requested: true,
      },
      context,
    ),

  retry: ({ id }, context) =>
    change(
      id,
      ['failed', 'cancelled'],
      {
        state: 'waiting',
        done: 0,
        total: null,
        attempts: 0,
        cancel_requested: false,
        message_key: null,
        message_params: null,
        finished_at: null,
      },
      context,
    ),
};
