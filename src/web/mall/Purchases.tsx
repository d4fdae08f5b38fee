import { useTranslation } from 'react-i18next';
import { type PurchaseRow, type PurchaseState, purchaseStates } from '../../contract/content/mall-product-list.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Amount } from '../kit/feedback.ts';
import { type Filter, ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { useCurrency } from './useCurrency.ts';

const calls = api.mall_product_list;
const stateKinds = { sold: 'success', partly_back: 'warning', back: 'neutral' } as const;
const stateLabel = (state: PurchaseState): string => `mall_product_list.purchase_state.${state}`;

const filters: Filter<'search' | 'state' | 'user_id' | 'created_from' | 'created_to'>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'mall_product_list.search_purchases' },
  {
    kind: 'select',
    key: 'state',
    label: 'common.field.state',
    options: purchaseStates.map((value) => ({ value, label: stateLabel(value) })),
  },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'common.field.time' },
  { kind: 'remote', key: 'user_id', label: 'mall_product_list.caller', source: accountOptions, node: 'user_list', more: true },
];

type PurchasesProps = {
  /** Only what was taken of this product. */
  product: { id: number; name: string } | undefined;
  onClose: () => void;
};

/** What shop fronts took: of one product, or of all. */
export function Purchases({ product, onClose }: PurchasesProps) {
  const { t } = useTranslation();
  const currency = useCurrency();
  const columns = columnsOf(calls.purchases, [
    { key: 'created_at', kind: 'time', title: 'common.field.time', card: 'field' },
    { key: 'name', title: 'mall_product_list.product', width: 180, card: 'title' },
    {
      key: 'options',
      title: 'mall_product_list.variant',
      width: 130,
      card: 'field',
      render: ({ options, sku }) => [options.join(' / '), sku].filter(Boolean).join(' · ') || t('mall_product_list.only_variant'),
      exportValue: false,
    },
    {
      key: 'price',
      title: `${t('mall_product_list.price')} ${currency}`,
      width: 110,
      align: 'right',
      render: (row) => <Amount value={row.price} />,
    },
    { key: 'quantity', kind: 'number', width: 80, card: 'field' },
    { key: 'given_back', kind: 'number', width: 110 },
    {
      key: 'amount',
      title: `${t('mall_product_list.amount')} ${currency}`,
      width: 120,
      align: 'right',
      card: 'field',
      render: (row) => <Amount value={row.amount} />,
    },
    {
      key: 'state',
      kind: 'status',
      width: 110,
      card: 'aside',
      status: (row: PurchaseRow) => ({ kind: stateKinds[row.state], label: stateLabel(row.state) }),
    },
    { key: 'account', title: 'mall_product_list.caller', width: 120 },
  ]);
  const title = product ? t('mall_product_list.purchases_of', { name: product.name }) : t('mall_product_list.purchase_records');
  return (
    <Drawer open title={title} size={1240} onClose={onClose}>
      <ListTable
        list={calls.purchases}
        name="mall_purchase"
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        {...(product ? { fixedInput: { product_id: product.id } } : {})}
        exportName="mall_product_list.purchase_records"
        exportCall={calls.export_purchases}
        exportNode="mall_product_list.export"
        empty={{ title: 'mall_product_list.no_purchases', help: 'mall_product_list.no_purchases_help' }}
      />
    </Drawer>
  );
}
