import type { balanceRecharge } from '../../contract/money/balance-recharge.ts';
import type { Service } from '../kit/calls/context.ts';
import { list } from '../kit/rows/list.ts';
import { depositFields, depositsOf, readPayer, shownDeposit } from './deposits/payer.ts';
import { usdt_transaction } from './tron.table.ts';

export const balanceRechargeService: Service<typeof balanceRecharge> = {
  inquire: (_input, { db, vault, actor }) => readPayer(db, vault, actor.user_id),

  async deposits(input, { db, actor }) {
    const page = await list(db, input, {
      fields: depositFields,
      from: usdt_transaction,
      where: depositsOf(actor.user_id),
      sorts: usdt_transaction,
      key: usdt_transaction.id,
    });
    return { ...page, content: page.content.map(shownDeposit) };
  },
};
