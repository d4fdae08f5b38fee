import { disabledStatus } from '../../contract/enums.ts';
import type { Customer } from '../../contract/people/user-customer.ts';
import { api } from '../kit/calls/api.ts';
import { Copyable, Page, Status, Time } from '../kit/feedback.ts';
import type { Column, Filter } from '../kit/ListPage.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { Invitation } from './Invitation.tsx';
import { Expiry } from './people.columns.tsx';
import './customers.css';

const disabledLabel = ({ disabled }: Customer) => (disabled === disabledStatus.yes ? 'common.disabled' : 'common.enabled');

const columns: Column<Customer>[] = [
  {
    key: 'account',
    title: 'user_list.account',
    sortable: true,
    width: 220,
    card: 'title',
    render: (row) => <Copyable value={row.account} maximum={28} />,
  },
  { key: 'name', title: 'user_list.name', sortable: true, width: 180, card: 'field' },
  {
    key: 'created_at',
    title: 'user_list.created_at',
    sortable: true,
    width: 170,
    card: 'field',
    render: (row) => <Time value={row.created_at} />,
  },
  {
    key: 'member_expires_at',
    title: 'user_list.member_expires_at',
    sortable: true,
    width: 220,
    card: 'field',
    render: (row) => <Expiry user={row} />,
  },
  {
    key: 'disabled',
    title: 'user_list.state',
    width: 120,
    card: 'aside',
    exportValue: disabledLabel,
    render: (row) => <Status kind={row.disabled === disabledStatus.yes ? 'error' : 'success'} label={disabledLabel(row)} />,
  },
];

const filters: Filter<'search' | 'expired' | 'created_from' | 'created_to'>[] = [
  { kind: 'text', key: 'search', label: 'user_list.search', placeholder: 'user_customer.search_placeholder' },
  { kind: 'boolean', key: 'expired', label: 'user_list.membership', yes: 'user_list.expired', no: 'user_list.not_expired' },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'user_list.created_at' },
];
const defaultSort = { sort: 'created_at', order: 'desc' } as const;
const sortable = columns.filter((column) => column.sortable).map((column) => column.key);

/** An agent's own customers, and the link and QR code by which more come. */
export function CustomersPage() {
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
