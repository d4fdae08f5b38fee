import { Descriptions } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type Order, type OrderState, orderStates, orderStatus, orderStatuses, payMethods } from '../../contract/money/order.ts';
import { quotaKinds } from '../../contract/money/vip-combo.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { Copyable, Status, type StatusKind, shownAmount, Time } from '../kit/feedback.ts';
import { type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { columnsOf, type KindColumn } from '../kit/list/kinds.tsx';
import { paymentPage } from '../kit/money/payments.ts';
import { useDialog } from '../kit/useDialog.ts';
import { InvoiceDialog } from './InvoiceDialog.tsx';
import { Price } from './Price.tsx';

const kinds: Record<OrderState, StatusKind> = {
  waiting: 'warning',
  expired: 'neutral',
  cancelled: 'neutral',
  paid: 'success',
  refunded: 'info',
};
const statusOf = ({ state }: Order) => ({ kind: kinds[state], label: `order.state_${state}` });

const account: KindColumn<Order> = { key: 'account', title: 'common.field.user', width: 150, card: 'field' };
const shared: KindColumn<Order>[] = [
  {
    key: 'combo',
    title: 'order.combo',
    width: 150,
    card: 'field',
    exportValue: ({ combo }) => combo.name,
    render: ({ combo }) => combo.name,
  },
  { key: 'amount', title: 'order.amount', width: 140, align: 'right', card: 'field', render: (row) => <Price value={row.amount} /> },
  { key: 'pay_type', title: 'order.pay_type', width: 130, kind: 'label', label: () => 'order.pay_type_1', hiddenByDefault: true },
  { key: 'state', title: 'common.field.state', kind: 'status', status: statusOf },
  { key: 'created_at', title: 'order.created_at', kind: 'time', card: 'field' },
  { key: 'paid_at', title: 'order.paid_at', kind: 'time' },
  { key: 'ends_at', title: 'order.ends_at', kind: 'time' },
];
const number: KindColumn<Order> = {
  key: 'order_no',
  title: 'order.order_no',
  kind: 'name',
  width: 210,
  render: ({ order_no }) => <Copyable value={order_no} code />,
};

type FilterKey = 'search' | 'status' | 'state' | 'created_from' | 'created_to';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'order.search' },
  {
    kind: 'select',
    key: 'status',
    label: 'order.status',
    options: orderStatuses.map((value) => ({ value, label: `order.status_${value}` })),
  },
  {
    kind: 'select',
    key: 'state',
    label: 'common.field.state',
    options: orderStates.map((value) => ({ value, label: `order.state_${value}` })),
    more: true,
  },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'order.created_at' },
];

type OrderDialog = { kind: 'details' | 'mark_paid' | 'refund' | 'invoice'; order: Order };

function Details({ order, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useTranslation();
  const { combo } = order;
  const money = (value: string) => t('order.money', { amount: shownAmount(value) });
  const limit = (value: number | null) => (value === null ? t('common.unlimited') : value);
  const items = [
    { key: 'no', label: t('order.order_no'), children: <Copyable value={order.order_no} code /> },
    { key: 'state', label: t('common.field.state'), children: <Status {...statusOf(order)} /> },
    { key: 'account', label: t('common.field.user'), children: order.account },
    { key: 'combo', label: t('order.combo'), children: combo.name },
    {
      key: 'quotas',
      label: t('order.quotas'),
      children: [
        ...quotaKinds.map((kind) => `${t(`vip_combo.${kind}`)} ${limit(combo.quotas[kind])}`),
        ...(combo.quotas.log_days === null ? [] : [`${t('vip_combo.log_days')} ${combo.quotas.log_days}`]),
      ].map((line) => <div key={line}>{line}</div>),
    },
    { key: 'price', label: t('vip_combo.price'), children: money(order.price) },
    { key: 'credit', label: t('order.credit'), children: money(order.credit) },
    ...(order.coupon ? [{ key: 'coupon', label: t('order.discount'), children: `${money(order.discount)} (${order.coupon})` }] : []),
    { key: 'amount', label: t('order.amount'), children: money(order.amount) },
    { key: 'days', label: t('order.days'), children: order.days },
    { key: 'created', label: t('order.created_at'), children: <Time value={order.created_at} exact /> },
    ...(order.paid_at === null
      ? [{ key: 'expires', label: t('order.expires_at'), children: <Time value={order.expires_at} exact /> }]
      : []),
    { key: 'paid', label: t('order.paid_at'), children: <Time value={order.paid_at} exact /> },
    { key: 'begins', label: t('order.begins_at'), children: <Time value={order.begins_at} exact /> },
    { key: 'ends', label: t('order.ends_at'), children: <Time value={order.ends_at} exact /> },
    ...(order.paid_from === null ? [] : [{ key: 'from', label: t('order.paid_from'), children: t(`order.paid_from_${order.paid_from}`) }]),
    ...(order.transaction_hash
      ? [{ key: 'hash', label: t('order.transaction_hash'), children: <Copyable value={order.transaction_hash} maximum={28} code /> }]
      : []),
    ...(order.reason ? [{ key: 'reason', label: t('common.field.reason'), children: order.reason }] : []),
  ];
  return (
    <Modal open title={t('order.details')} footer={null} onCancel={onClose}>
      <Descriptions bordered size="small" column={{ xs: 1, md: 2 }} items={items} />
    </Modal>
  );
}

function OrderDialogs({ dialogs: { present, close } }: { dialogs: ReturnType<typeof useDialog<OrderDialog>> }) {
  const { t } = useTranslation();
  if (!present) return null;
  const { kind, order } = present;
  if (kind === 'details') return <Details order={order} onClose={close} />;
  if (kind === 'invoice') return <InvoiceDialog order_id={order.id} onClose={close} />;
  const values = { order_no: order.order_no, account: order.account, amount: shownAmount(order.amount), combo: order.combo.name };
  const reason = { kind: 'text', name: 'reason', label: 'common.field.reason' } as const;
  if (kind === 'refund')
    return (
      <FormModal
        action={api.order.refund}
        title={t('order.refund_title', values)}
        submit="menu.button.refund"
        danger
        intro={t('order.refund_intro', values)}
        invalidates={['bill', 'user_list']}
        toInput={(input) => ({ ...input, id: order.id })}
        fields={[reason]}
        onClose={close}
      />
    );
  return (
    <FormModal
      action={api.order.mark_paid}
      title={t('order.mark_paid_title', values)}
      submit="menu.button.mark_paid"
      intro={t('order.mark_paid_intro', values)}
      invalidates={['bill', 'user_list']}
      initial={{ method: 'chain' }}
      toInput={(input) => ({ ...input, id: order.id })}
      fields={[
        {
          kind: 'radio',
          name: 'method',
          label: 'order.paid_from',
          help: 'order.method_help',
          options: payMethods.map((value) => ({ value, label: `order.paid_from_${value}` })),
        },
        {
          kind: 'text',
          name: 'transaction_hash',
          label: 'order.transaction_hash',
          help: 'order.transaction_hash_help',
          code: true,
          required: true,
          visible: ({ method }) => method === 'chain',
        },
        { ...reason, requiredIf: ({ method }) => method !== 'chain' },
      ]}
      onClose={close}
    />
  );
}

const empty = { title: 'order.empty', help: 'order.empty_help' };
const defaultSort = { sort: 'id', order: 'desc' } as const;
const detailsOf = (open: (dialog: OrderDialog) => unknown): RowAction<Order> => ({
  key: 'details',
  label: 'common.details',
  onClick: (order) => void open({ kind: 'details', order }),
});

const invoiceOf = (open: (dialog: OrderDialog) => unknown): RowAction<Order> => ({
  key: 'invoice',
  label: 'invoice.title',
  visible: ({ status }) => status === orderStatus.paid,
  onClick: (order) => void open({ kind: 'invoice', order }),
});

const allColumns = columnsOf(api.order.inquire, [number, account, ...shared]);
const allFilters: Filter<FilterKey | 'user_id'>[] = [
  ...filters,
  { kind: 'remote', key: 'user_id', label: 'common.field.user', source: accountOptions, more: true },
];

/** Orders of all users, and what an administrator does about one. */
export function OrderPage() {
  const dialogs = useDialog<OrderDialog>();
  return (
    <>
      <ListPage
        title="menu.order"
        list={api.order.inquire}
        columns={allColumns}
        filters={allFilters}
        defaultSort={defaultSort}
        exportName="menu.order"
        exportNode="order.export"
        empty={empty}
        rowActions={[
          detailsOf(dialogs.open),
          invoiceOf(dialogs.open),
          {
            key: 'mark_paid',
            label: 'menu.button.mark_paid',
            node: 'order.mark_paid',
            visible: ({ state }) => state === 'waiting' || state === 'expired',
            onClick: (order) => void dialogs.open({ kind: 'mark_paid', order }),
          },
          {
            key: 'refund',
            label: 'menu.button.refund',
            node: 'order.refund',
            danger: true,
            visible: ({ state }) => state === 'paid',
            onClick: (order) => void dialogs.open({ kind: 'refund', order }),
          },
        ]}
      />
      <OrderDialogs dialogs={dialogs} />
    </>
  );
}

/** One's own are found by their number alone. */
const ownFilters = filters.map((filter) => (filter.key === 'search' ? { ...filter, label: 'order.order_no' } : filter));
const ownColumns = columnsOf(api.user_order.inquire, [number, ...shared]);
const customerColumns = columnsOf(api.order_customer.inquire, [number, account, ...shared]);

type ReadProps = {
  title: string;
  list: typeof api.user_order.inquire | typeof api.order_customer.inquire;
  columns: typeof ownColumns;
  /** Where one's own order begins. */
  wayIn?: ReactNode;
  acts?: RowAction<Order>[];
  isOwn?: boolean;
};

/** Orders to look at; of one's own, the way to pay what waits. */
function ReadOrders({ title, list, columns, wayIn, acts = [], isOwn = false }: ReadProps) {
  const dialogs = useDialog<OrderDialog>();
  return (
    <>
      <ListPage
        title={title}
        list={list}
        columns={columns}
        filters={isOwn ? ownFilters : filters}
        defaultSort={defaultSort}
        exportName={title}
        empty={{ ...empty, action: wayIn }}
        rowActions={[...acts, detailsOf(dialogs.open), ...(isOwn ? [invoiceOf(dialogs.open)] : [])]}
      />
      <OrderDialogs dialogs={dialogs} />
    </>
  );
}

/** One's own orders. */
export function UserOrderPage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const navigate = useNavigate();
  const pay: RowAction<Order> = {
    key: 'pay',
    label: 'order_payment.pay',
    visible: ({ state }) => state === 'waiting',
    onClick: ({ id }) => void navigate(paymentPage(id)),
  };
  const shop = allows('buy_vip_combo') && <Link to="/customer/buy_vip_combo">{t('menu.buy_vip_combo')}</Link>;
  return <ReadOrders title="menu.user_order" list={api.user_order.inquire} columns={ownColumns} wayIn={shop} acts={[pay]} isOwn />;
}

/** Orders of an agent's customers. */
export const OrderCustomerPage = () => (
  <ReadOrders title="menu.order_customer" list={api.order_customer.inquire} columns={customerColumns} />
);
