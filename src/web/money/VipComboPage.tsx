import { type Combo, quotaKinds } from '../../contract/money/vip-combo.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { type CrudField, useCrud } from '../kit/crud/useCrud.tsx';
import { Num, shownAmount } from '../kit/feedback.ts';
import type { Values } from '../kit/form/contract.ts';
import { type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { translate } from '../kit/texts/i18n.ts';
import { Price } from './Price.tsx';

const calls = api.vip_combo;
const nameOf = ({ name }: Combo) => name;

const filters: Filter<'name' | 'on_sale'>[] = [
  { kind: 'text', key: 'name', label: 'common.field.name' },
  { kind: 'boolean', key: 'on_sale', label: 'common.field.state', yes: 'vip_combo.on_sale', no: 'vip_combo.off_sale' },
];

const fields: CrudField[] = [
  { kind: 'text', name: 'name', label: 'common.field.name' },
  { kind: 'text', name: 'price', suffix: 'USDT' },
  { kind: 'number', name: 'days', minimum: 1 },
  ...quotaKinds.map(
    (kind): CrudField => ({
      kind: 'number',
      name: kind,
      path: `quotas.${kind}`,
      help: 'vip_combo.quota_help',
      minimum: 0,
      required: false,
    }),
  ),
  {
    kind: 'number',
    name: 'log_days',
    path: 'quotas.log_days',
    help: 'vip_combo.log_days_help',
    minimum: 1,
    maximum: 3650,
    required: false,
  },
  { kind: 'number', name: 'sort', label: 'common.field.sort', help: 'common.field.sort_help', minimum: 0 },
  { kind: 'switch', name: 'on_sale' },
  { kind: 'textarea', name: 'description', rows: 3, help: 'vip_combo.description_help' },
];

/** The form's fields of quotas are one object on the wire; one that is empty is no limit. */
const toInput = ({
  live_codes = null,
  domains = null,
  short_codes = null,
  monitors = null,
  log_days = null,
  ...values
}: Values): Values => ({
  ...values,
  quotas: { live_codes, domains, short_codes, monitors, log_days },
});

const initialOf = (row: Combo | undefined): Values => {
  if (!row) return { on_sale: true, days: 30 };
  const { name, price, days, sort, on_sale, description, quotas } = row;
  return { name, price: shownAmount(price), days, sort, on_sale, description, ...quotas };
};

const columns = columnsOf(calls.inquire, [
  { key: 'name', kind: 'name', title: 'common.field.name', width: 160 },
  {
    key: 'on_sale',
    kind: 'status',
    title: 'common.field.state',
    status: ({ on_sale }) => ({ kind: on_sale ? 'success' : 'neutral', label: on_sale ? 'vip_combo.on_sale' : 'vip_combo.off_sale' }),
  },
  { key: 'price', width: 120, align: 'right', card: 'field', render: (row) => <Price value={row.price} /> },
  { key: 'days', kind: 'number', card: 'field' },
  ...quotaKinds.map((kind) => ({
    key: kind,
    width: 100,
    card: 'field' as const,
    align: 'right' as const,
    exportValue: ({ quotas }: Combo) => quotas[kind],
    render: ({ quotas }: Combo) => (quotas[kind] === null ? translate('common.unlimited') : <Num value={quotas[kind]} />),
  })),
  {
    key: 'log_days',
    width: 120,
    align: 'right',
    exportValue: ({ quotas }: Combo) => quotas.log_days,
    render: ({ quotas }: Combo) => (quotas.log_days === null ? translate('common.default') : <Num value={quotas.log_days} />),
  },
  { key: 'sort', kind: 'number', title: 'common.field.sort' },
  { key: 'created_at', kind: 'time', hiddenByDefault: true, title: 'common.field.created_at' },
]);

/** What is sold: add, change, put on sale or take off it, remove. */
export function VipComboPage() {
  const { list, acts, dialogs } = useCrud<Combo>(calls, {
    fields: () => fields,
    initialOf,
    name: nameOf,
    invalidates: ['buy_vip_combo'],
    form: () => ({ toInput }),
  });
  const update = useAction(calls.update, { invalidates: ['buy_vip_combo'] });
  const sale: RowAction<Combo> = {
    key: 'on_sale',
    label: ({ on_sale }) => (on_sale ? 'vip_combo.take_off' : 'vip_combo.put_on'),
    node: 'vip_combo.update',
    onClick: ({ id, name, on_sale }) => void update.run({ id, on_sale: !on_sale }, { name, undo: { id, on_sale } }),
  };
  return (
    <>
      <ListPage
        list={calls.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        {...list}
        rowActions={[acts.update, sale, acts.remove]}
      />
      {dialogs}
    </>
  );
}
