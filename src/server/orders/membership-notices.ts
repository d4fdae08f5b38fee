import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Language } from '../../contract/enums.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { claim } from '../kit/jobs/leased-rows.ts';
import { setLocales } from '../kit/messages/messages.ts';
import { notify, type Speech } from '../kit/messages/notify.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import { readLanguages } from '../languages/languages.public.ts';

/** Days before the end of a membership at which its member is told, once each; 0 once it is over. */
const days = [7, 3, 1, 0];
/** What ended before that is no news. */
const newsDays = 2;
const membersAtOnce = 500;

type Member = { id: number; account: string; language: Language | null; expires_at: string; days: number };

const reached = sql`(SELECT min(day) FROM unnest(${sql.param(days)}::int[]) AS step (day)
  WHERE user_account.member_expires_at <= now() + make_interval(days => day))`;

/** Tells members of the end of their time when it came closer since they were told last: a site message and an event. Answers how many. */
export async function tellOfMemberships(db: Database): Promise<number> {
  for (let told = 0; ; ) {
    const number = await transact(db, (tx) => tellSome(tx));
    told += number;
    if (number < membersAtOnce) return told;
  }
}

async function tellSome(tx: Database): Promise<number> {
  const members = await claim<Member>(tx, {
    table: 'user_account',
    due: sql`
      SELECT user_account.id FROM user_account JOIN role ON role.id = user_account.role_id
      WHERE user_account.member_expires_at > now() - make_interval(days => ${newsDays}) AND ${reached} IS NOT NULL
        AND role.kind NOT IN ('super', 'administrator') AND user_account.status = 1 AND NOT user_account.disabled
        AND (user_account.member_told_expiry IS DISTINCT FROM user_account.member_expires_at OR user_account.member_told_days > ${reached})
      ORDER BY user_account.id LIMIT ${membersAtOnce}`,
    set: sql`member_told_expiry = member_expires_at, member_told_days = ${reached}`,
    returning: sql`user_account.id::float8 AS id, user_account.account, user_account.member_expires_at AS expires_at,
      user_account.member_told_days AS days`,
  });
  for (const { id, account, expires_at, days: left } of members) {
    const end = new Date(expires_at);
    const type = left === 0 ? ('membership.ended' as const) : ('membership.ending' as const);
    const words = ({ say, time }: Speech) => {
      const params = { name: account, days: left, count: left, time: time(end) };
      const of = (part: string) => say(`push_text.${type.replace('.', '_')}.${part}`, params);
      return { title: of('one'), content: [of('line'), '', of('advice')] };
    };
    await notify(tx, id, {
      kind: left === 0 ? 'alert' : 'reminder',
      place: 'membership',
      words,
      events: [{ type, data: { id, name: account, expires_at: end.toISOString(), days: left } }],
    });
  }
  return members.length;
}

/** The memberships' work that comes round by the clock. */
export const membershipJobs = (pool: pg.Pool): RecurringJob[] => [
  {
    name: 'memberships.tell',
    everyMinutes: 10,
    async run() {
      setLocales(await readLanguages(pool));
      return tellOfMemberships(openDatabase(pool));
    },
  },
];
