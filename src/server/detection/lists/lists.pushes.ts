import { socketTypes } from '../../../contract/socket.ts';
import { pushToPages } from '../../kit/messages/push.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { block_check } from '../detection.table.ts';
import { checkFields } from './lists.reads.ts';

/** Shows how far these lists are on the open pages of their owners, when the transaction of `db` commits. */
export async function pushChecks(db: Database, check_ids: readonly number[]): Promise<void> {
  const rows = await db
    .select({ ...checkFields, user_id: block_check.user_id })
    .from(block_check)
    .where(isOneOf(block_check.id, check_ids));
  for (const { user_id, ...check } of rows)
    await pushToPages(db, { to: { user_ids: [user_id] }, type: socketTypes.block_check, content: check });
}
