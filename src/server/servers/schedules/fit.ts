import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { type Person, readPerson } from '../../kit/calls/authentication.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { notifyAdministrators } from '../../kit/messages/notify.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { log } from '../../kit/rows/tables.ts';
import { user_account } from '../../users/users.table.ts';
import { environmentOf } from '../script.parameters.ts';
import { type StoredScript, script } from '../script.table.ts';
import { server } from '../server-list.table.ts';
import { type StoredSchedule, script_schedule } from './script-schedule.table.ts';

/** What a schedule runs, with what, and in whose name. */
export type Fit = { script: StoredScript; environment: Record<string, string>; maker: Person };
type Subject = Pick<StoredSchedule, 'script_id' | 'server_ids' | 'values' | 'user_id'>;

/** The names of the parameters that the values do not fit. */
const unfitNames = ({ details }: AppError): string =>
  Object.keys(details.fields ?? {})
    .map((path) => path.replace('values.', ''))
    .join(', ');

/** Whether script, values, servers and maker still are what they have to be: an error tells what is not. */
export async function fitOf(db: Database, { script_id, server_ids, values, user_id }: Subject): Promise<Fit | AppError> {
  const maker = await readPerson(db, user_id);
  if (maker?.role.kind !== 'super') {
    const [found] = await db.select({ account: user_account.account }).from(user_account).where(eq(user_account.id, user_id));
    return new AppError(409, 'script_schedule.maker_gone', { params: { account: found?.account ?? '' } });
  }
  const [found] = script_id === null ? [] : await db.select().from(script).where(eq(script.id, script_id));
  if (!found) return new AppError(409, 'script_schedule.script_gone');
  const present = await db.$count(server, inArray(server.id, server_ids));
  const gone = new Set(server_ids).size - present;
  if (gone > 0) return new AppError(409, 'script_schedule.servers_gone', { params: { number: gone } });
  try {
    return { script: found, environment: environmentOf(found.parameters, values), maker };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return new AppError(409, 'script_schedule.values_unfit', { params: { names: unfitNames(error) } });
  }
}

/** Stops a schedule until somebody changes it, and tells the administrators why. */
export async function halt(tx: Database, { id, name }: Pick<StoredSchedule, 'id' | 'name'>, { code, details }: AppError): Promise<void> {
  const params = details.params ?? {};
  await tx
    .update(script_schedule)
    .set({ halted_at: sql`now()` as never, halt_reason: code, halt_params: params, next_at: null })
    .where(eq(script_schedule.id, id));
  await tx.insert(log).values({ type: 'script_schedule/halt', content: { id, name, reason: code, ...params }, source: 'schedule' });
  await notifyAdministrators(tx, {
    place: 'script_schedules',
    words: ({ say }) => ({
      title: say('push_text.schedule_halted.title', { name }),
      content: say('push_text.schedule_halted.content', { name, reason: say(`errors.${code}`, params) }),
    }),
  });
}

/** Halts those of the schedules that fit no more after what was changed in this transaction. */
export async function haltUnfit(tx: Database, among: SQL): Promise<void> {
  const isLive = and(among, eq(script_schedule.enabled, true), isNull(script_schedule.halted_at));
  const rows = await tx.select().from(script_schedule).where(isLive).orderBy(asc(script_schedule.id)).for('no key update');
  for (const row of rows) {
    const fit = await fitOf(tx, row);
    if (fit instanceof AppError) await halt(tx, row, fit);
  }
}
export const runsScript = (id: number): SQL => eq(script_schedule.script_id, id);
export const runsOnServer = (id: number): SQL => sql`${id} = ANY(${script_schedule.server_ids})`;
