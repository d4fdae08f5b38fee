import { sql } from 'drizzle-orm';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { ipData } from '../../../contract/visits/ip-data.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { invalidField, notFound } from '../../kit/calls/errors.ts';
import { canonicalIp } from '../../kit/network/ip.ts';
import { currentPlaces } from '../current-places.public.ts';
import { changeFacts } from '../facts/versions.ts';
import { readUploaded, usedLists } from './ip-data.reads.ts';

type Use = { used_id: number | null; former_id: number | null };
type LookUp = OutputOf<(typeof ipData)['calls']['look_up']>;

const listsOf = async ({ db, now, settings }: Context) => usedLists(db, { now, warning_days: (await settings()).ip_data_warning_days });

/** What an address's list says, without corrections, and what the corrections say that hold it. */
async function lookUp(text: string, { db }: Context): Promise<LookUp> {
  const ip = canonicalIp(text);
  if (ip === null) throw invalidField('ip', 'invalid_ip');
  const places = await currentPlaces(db);
  const { rows } = await db.execute<LookUp['corrections'][number]>(sql`
    SELECT id::float8 AS id, range, country, region, city, carrier, remark FROM ip_correction
    WHERE enabled AND first_ip <= ${ip}::inet AND last_ip >= ${ip}::inet AND family(first_ip) = family(${ip}::inet)
    ORDER BY size, id DESC LIMIT 20`);
  return { ip, family: ip.includes(':') ? 6 : 4, data: places.listed(ip), corrections: rows, used: places.lookup(ip) };
}

/** What was used becomes the former one; a list that is neither used nor the former one is removed. */
async function use({ family, id }: { family: 4 | 6; id: number | null }, context: Context) {
  const { db, actor, now } = context;
  const { rows } = await db.execute<Use>(sql`
    SELECT used_id::float8 AS used_id, former_id::float8 AS former_id FROM ip_data_use WHERE family = ${family} FOR UPDATE`);
  const before = rows[0];
  const known = await db.execute<{ id: number }>(sql`SELECT id FROM ip_data WHERE family = ${family} AND id = ${id}::bigint FOR SHARE`);
  if (!before || (id !== null && known.rows.length === 0)) throw notFound();
  if (before.used_id !== id) {
    const former = [before.used_id, before.former_id].find((one) => one !== null && one !== id) ?? null;
    await db.execute(sql`UPDATE ip_data_use SET used_id = ${id}, former_id = ${former}, changed_by = ${actor.user_id},
      changed_at = ${now.toISOString()} WHERE family = ${family}`);
    const described = async (one: number | null) => ({ family, file: one === null ? null : ((await readUploaded(db, one))?.name ?? null) });
    context.audit({ before: await described(before.used_id), after: await described(id) });
    if (before.former_id !== null && before.former_id !== former && before.former_id !== id)
      await db.execute(sql`DELETE FROM ip_data WHERE id = ${before.former_id}`);
    // Last: batches of visits wait for what follows.
    await changeFacts(db, 'place');
  }
  return listsOf(context);
}

export const ipDataService: Service<typeof ipData> = {
  inquire: (_input, context) => listsOf(context),
  look_up: ({ ip }, context) => lookUp(ip, context),
  use,
};
