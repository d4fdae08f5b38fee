import { and, eq, gte } from 'drizzle-orm';
import { amountOf } from '../../contract/money/amounts.ts';
import { dustBelow, type UsdtTransaction, type usdtTransactionRecord } from '../../contract/money/usdt-transaction-record.ts';
import type { Service } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { translate } from '../kit/messages/messages.ts';
import { betweenDays, contains, list, matches } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { readPayConfig } from './tron.means.ts';
import { tron_position, usdt_transaction } from './tron.table.ts';

const { id, amount, block, transaction_hash, sender, receiver, at, type, state, fingerprint, user_id, remark, credited_at } =
  usdt_transaction;
const fields = {
  ...{ id, amount, block, transaction_hash, sender, receiver, at, type, state, fingerprint, user_id, remark, credited_at },
  account: user_account.account,
};

export const usdtTransactionRecordService: Service<typeof usdtTransactionRecord> = {
  async inquire({ search, type: kind, state: wanted, dust = search !== undefined, from, to, ...input }, { db, settings }) {
    const { time_zone } = await settings();
    const where = and(
      contains([transaction_hash, sender, receiver, user_account.account], search),
      dust ? undefined : gte(amount, dustBelow),
      matches(usdt_transaction, { type: kind, state: wanted }),
      betweenDays(at, { ...(from ? { from } : {}), ...(to ? { to } : {}) }, time_zone),
    );
    const joins = [[user_account, eq(user_account.id, user_id)]] as const;
    const page = await list(db, input, { fields, from: usdt_transaction, joins, where, sorts: usdt_transaction, key: id });
    const shown = (row: Record<string, unknown>) => ({ ...row, amount: amountOf(row.amount as bigint) }) as UsdtTransaction;
    return { ...page, content: page.content.map(shown) };
  },

  async position(_input, { db, language }) {
    const { network, contract } = await readPayConfig(db);
    const [position] = await db.select().from(tron_position).where(eq(tron_position.contract, contract));
    const last_error = position?.last_error ? translate(language, `errors.${position.last_error}`, position.last_error_params ?? {}) : null;
    if (!position) return { network, block: null, first_block: null, solid_head: null, block_at: null, last_error };
    const { block: read, first_block, solid_head, block_at } = position;
    return { network, block: read, first_block, solid_head, block_at, last_error };
  },

  async rescan({ block: from }, { db, actor, language }) {
    const { contract } = await readPayConfig(db);
    const [position] = await db.select().from(tron_position).where(eq(tron_position.contract, contract));
    if (!position || from > position.block) throw invalidField('block', 'block_not_read');
    return { operation_id: await startOperation(db, { kind: 'usdt_rescan', input: { block: from }, actor, language }) };
  },
};
