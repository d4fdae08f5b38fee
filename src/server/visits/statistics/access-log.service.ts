import { and, eq, or, sql } from 'drizzle-orm';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import { accessLogDays, type publicEnquiry } from '../../../contract/visits/access-log.ts';
import { qrCodeAccess } from '../../../contract/visits/statistics.ts';
import { mayCall, type PublicContext } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { addDays, siteClock } from '../../kit/visits/site-clock.ts';
import { openShared, sharesKeys } from '../../live-codes/live-codes.public.ts';
import { live_code, live_code_key } from '../../live-codes/live-codes.table.ts';
import { isOverQuota, refuseLockedFigures } from '../../orders/over-quota.public.ts';
import { user_account } from '../../users/users.table.ts';
import { accessRecords } from '../visitors/addresses.ts';

type Asked = ParsedInputOf<typeof publicEnquiry>;

/** The site's days that are asked for. Only the latest ones may be: who knows a key cannot search a code's whole past. */
function askedDays({ start_time, end_time }: Pick<Asked, 'start_time' | 'end_time'>, now: Date, timeZone: string) {
  const clock = siteClock(timeZone);
  const today = clock.dayOf(now.getTime());
  const [start, end] = [Date.parse(start_time), Date.parse(end_time)];
  // Beyond these moments days have no spelling that sorts.
  if (start < clock.startOf(addDays(today, -accessLogDays.lookBack))) throw invalidField('start_time', 'access_log_time_range');
  if (end < start || end >= clock.startOf(addDays(today, 1))) throw invalidField('end_time', 'access_log_time_range');
  return { from: clock.dayOf(start), to: clock.dayOf(end) };
}

/** The code, where the key is an account and its user is logged in, or a user who may see that user's codes and their visits. */
async function codeOfViewer({ key, file_name }: Asked, { db, viewer }: PublicContext): Promise<number | undefined> {
  if (!viewer || !mayCall(qrCodeAccess.calls.inquire.access, viewer.actor)) return undefined;
  const account = key.trim().toLowerCase();
  const [code] = await db
    .select({ id: live_code.id })
    .from(live_code_key)
    .innerJoin(live_code, eq(live_code.id, live_code_key.live_code_id))
    .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
    .where(
      and(
        eq(live_code_key.key, file_name),
        eq(live_code.removed, false),
        viewer.scope.sees(live_code.owner_id),
        or(sql`lower(${user_account.account}) = ${account}`, sql`${viewer.actor.account.toLowerCase()} = ${account}`),
      ),
    );
  return code?.id;
}

/**
 * @throws AppError 404 `access_log.not_available`, the same for an unknown account, an unknown code, another user's and a wrong key;
 * 409 where the code's figures are locked; 429 after too many wrong ones
 */
export async function publicEnquiryOf(input: Asked, context: PublicContext): Promise<OutputOf<typeof publicEnquiry>> {
  const days = askedDays(input, context.now, (await context.settings()).time_zone);
  const own = await codeOfViewer(input, context);
  if (own !== undefined && context.viewer) await refuseLockedFigures([own], { db: context.db, scope: context.viewer.scope });
  const id = own ?? (await openShared(input.file_name, input.key, context, 'access_log.not_available')).id;
  if (own === undefined && (await isOverQuota(context.db, id))) throw new AppError(409, 'share.figures_locked');
  const withKeys = await sharesKeys(context.db, id);
  return { content: await accessRecords(context.db, { id, ip_list: input.ip_list, withKeys, ...days }) };
}
