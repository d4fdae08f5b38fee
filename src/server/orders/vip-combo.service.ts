import { and, getTableColumns } from 'drizzle-orm';
import type { vipCombo } from '../../contract/money/vip-combo.ts';
import type { Service } from '../kit/calls/context.ts';
import { contains, matches } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { vip_combo } from './orders.table.ts';

const rows = rowsOf(vip_combo, { fields: getTableColumns(vip_combo), unique: { vip_combo_name_key: 'name' } });

/** What is sold. A change touches nothing that was bought: an order keeps the combo as it was. */
export const vipComboService: Service<typeof vipCombo> = {
  inquire: ({ name, on_sale, ...input }, context) =>
    rows.page(input, context, and(contains(vip_combo.name, name), matches(vip_combo, { on_sale }))),
  add: rows.add,
  update: rows.change,
  remove: rows.remove,
};
