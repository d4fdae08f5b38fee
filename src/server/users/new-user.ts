import type { Database } from '../kit/postgres/database.ts';
import { newInvitationCode } from './invitation.ts';
import { sayTaken } from './login/credentials.ts';
import { user_account } from './users.table.ts';

type NewUser = Omit<typeof user_account.$inferInsert, 'id' | 'invitation_code'>;

const tries = 5;

/** Inserts a user with an invitation code of his own. 400 where the account is taken, whatever its letter case. */
export async function insertUser(tx: Database, values: NewUser): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const insertion = tx
      .insert(user_account)
      .values({ ...values, invitation_code: newInvitationCode() })
      .onConflictDoNothing({ target: user_account.invitation_code })
      .returning({ id: user_account.id });
    const [made] = await sayTaken(insertion.then((rows) => rows));
    if (made) return made.id;
  }
  throw new Error('no free invitation code was found');
}
