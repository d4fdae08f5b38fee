import { sql } from 'drizzle-orm';
import { settingsOf } from '../../../contract/settings.ts';
import { readPerson } from '../calls/authentication.ts';
import { scopeOf } from '../calls/context.ts';
import type { OperationJob } from '../jobs/operations.ts';
import type { TestApp, TestUser } from './app.ts';

/** What an export that this user started is run with. */
export async function exportJobOf({ db }: TestApp, user: TestUser): Promise<OperationJob> {
  const person = await readPerson(db, user.id);
  if (!person) throw new Error('the user was made a moment ago');
  const { rows } = await db.execute<{ key: string; value: unknown }>(sql`SELECT key, value FROM setting`);
  return {
    db,
    person,
    actor: { user_id: user.id, impersonator: null },
    scope: scopeOf(user.id, person.role.kind),
    language: 'en-US',
    settings: settingsOf(rows),
    now: new Date(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
    signal: new AbortController().signal,
    progress: () => {},
    onCancel: () => {},
    goOn: () => {},
    file: () => '',
  };
}
