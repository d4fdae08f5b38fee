import { disabledStatus } from '../../contract/enums.ts';
import type { Customer } from '../../contract/people/user-customer.ts';
import { api } from '../kit/calls/api.ts';
import { Amount, Copyable, Page } from '../kit/feedback.ts';
import type { Filter } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { Invitation } from './Invitation.tsx';
import { Expiry } from './people.columns.tsx';
import './customers.css';

const disabledLabel = ({ disabled }: Customer) => (disabled === disabledStatus.yes ? 'common.disabled' : 'common.enabled');

const amountColumn = { width: 130, align: 'right' } as const;

const columns = columnsOf(api.user_customer.inquire, [
  { key: 'account', kind: 'name', title: 'user_list.account', render: (row) => <Copyable value={row.account} maximum={28} /> },
  { key: 'name', title: 'user_list.name', card: 'field' },
  { key: 'created_at', kind: 'time', title: 'user_list.created_at', width: 170, card: 'field' },
  { key: 'member_expires_at', title: 'user_list.member_expires_at', width: 220, card: 'field', render: (row) => <Expiry user={row} /> },
  { key: 'combo', title: 'order.combo', width: 130, card: 'field' },
  { key: 'orders', kind: 'number', title: 'user_customer.orders', width: 90 },
  { key: 'paid', title: 'user_customer.paid', ...amountColumn, card: 'field', render: (row) => <Amount value={row.paid} /> },
  { key: 'balance', title: 'user_list.balance', ...amountColumn, render: (row) => <Amount value={row.balance} /> },
  {
    key: 'disabled',
    kind: 'status',
    status: (row) => ({ kind: row.disabled === disabledStatus.yes ? 'error' : 'success', label: disabledLabel(row) }),
    title: 'user_list.state',
    width: 120,
  },
]);

const filters: Filter<'search' | 'expired' | 'expires_from' | 'expires_to' | 'created_from' | 'created_to'>[] = [
  { kind: 'text', key: 'search', label: 'user_list.search', placeholder: 'user_customer.search_placeholder' },
  { kind: 'boolean', key: 'expired', label: 'user_list.membership', yes: 'common.expired', no: 'common.valid' },
  { kind: 'date_range', key: 'expires_from', to: 'expires_to', label: 'user_list.member_expires_at', ahead: true },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'user_list.created_at' },
];
const defaultSort = { sort: 'created_at', order: 'desc' } as const;
const sortable = columns.filter((column) => column.sortable).map((column) => column.key);

/** An agent's own customers, and the link and QR code by which more come. */
export function UserCustomerPage() {
  const state = useUrlListState(filters, sortable, defaultSort);
  return (
    <Page title="menu.user_customer" fills>
      <Invitation />
      <ListView
        list={api.user_customer.inquire}
        columns={columns}
        filters={filters}
        state={state}
        defaultSort={defaultSort}
        exportName="menu.user_customer"
        empty={{ title: 'user_customer.empty', help: 'user_customer.empty_help' }}
      />
    </Page>
  );
}
