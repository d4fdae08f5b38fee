import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Collection, type CollectionStatus, collectionStatuses, sumsBy } from '../../contract/money/tron-transaction-summary.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useRowsAction } from '../kit/dialogs/removal.tsx';
import { Amount, Page, type StatusKind } from '../kit/feedback.ts';
import type { Filter } from '../kit/ListPage.tsx';
import { ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { TestNetwork } from './TestNetwork.tsx';
import './tron.css';

const parts = ['records', ...sumsBy] as const;
type Part = (typeof parts)[number];

const kindOf = (status: CollectionStatus): StatusKind => (status === 'under_way' ? 'info' : status === 'fail' ? 'error' : status);
const right = { width: 140, align: 'right', card: 'field' } as const;

/** One that is held waits for a person, whatever else is under way. */
const stateOf = ({ status, is_held }: Collection) =>
  is_held
    ? ({ kind: 'warning', label: 'tron_transaction_summary.held' } as const)
    : { kind: kindOf(status), label: `tron_transaction_summary.status_${status}` };

const columns = columnsOf(api.tron_transaction_summary.inquire, [
  {
    key: 'id',
    width: 90,
    title: 'tron_transaction_summary.number',
    card: 'title',
    render: ({ id }) => <span className="lc-num">{id}</span>,
  },
  { key: 'status', kind: 'status', width: 120, title: 'common.field.state', status: stateOf },
  { key: 'amount', ...right, render: ({ amount }) => <Amount value={amount} /> },
  { key: 'fee', ...right, width: 120, render: ({ fee }) => <Amount value={fee} /> },
  { key: 'account', width: 130, title: 'common.field.user', card: 'field' },
  { key: 'sender', kind: 'copy', width: 190, title: 'usdt_transaction_record.sender' },
  { key: 'receiver', kind: 'copy', width: 190, title: 'usdt_transaction_record.receiver', hiddenByDefault: true },
  { key: 'transaction_hash', kind: 'copy', width: 190, title: 'usdt_transaction_record.transaction_hash', card: 'field' },
  { key: 'fund_hash', kind: 'copy', width: 190, hiddenByDefault: true },
  {
    key: 'state',
    kind: 'label',
    width: 150,
    title: 'tron_transaction_summary.step',
    label: ({ state }) => `tron_transaction_summary.state_${state}`,
  },
  { key: 'remark', width: 240, title: 'common.field.remark', card: 'field' },
  { key: 'created_at', kind: 'time', title: 'common.field.time' },
  { key: 'finished_at', kind: 'time', hiddenByDefault: true },
]);

const filters: Filter<'search' | 'status' | 'from' | 'to'>[] = [
  { kind: 'text', key: 'search', label: 'usdt_transaction_record.search' },
  {
    kind: 'select',
    key: 'status',
    label: 'common.field.state',
    options: collectionStatuses.map((value) => ({ value, label: `tron_transaction_summary.status_${value}` })),
  },
  { kind: 'date_range', key: 'from', to: 'to', label: 'common.field.time' },
];

const sumColumns = (by: 'day' | 'address') =>
  columnsOf(api.tron_transaction_summary.sums, [
    by === 'day'
      ? { key: 'key', width: 160, title: 'tron_transaction_summary.day', card: 'title' }
      : { key: 'key', kind: 'copy', width: 320, title: 'tron.address', card: 'title' },
    ...(by === 'address' ? [{ key: 'account', width: 160, title: 'common.field.user', card: 'field' } as const] : []),
    { key: 'number', kind: 'number', title: 'tron_transaction_summary.collections' },
    { key: 'amount', ...right, render: ({ amount }) => <Amount value={amount} /> },
    { key: 'fee', ...right, render: ({ fee }) => <Amount value={fee} /> },
  ]);
const columnsBy = { day: sumColumns('day'), address: sumColumns('address') };
const sumFilters: Filter<'search' | 'from' | 'to'>[] = [
  { kind: 'text', key: 'search', label: 'usdt_transaction_record.search' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'common.field.time' },
];
const defaultSort = { sort: 'id', order: 'desc' } as const;

function Records() {
  const state = useUrlListState(filters, ['id', 'amount', 'created_at', 'finished_at'], defaultSort);
  const retry = useRowsAction<Collection, unknown>(api.tron_transaction_summary.retry, {
    key: 'retry',
    label: 'common.retry',
    node: 'tron_transaction_summary.retry',
    title: 'tron_transaction_summary.retry_title',
    many: 'tron_transaction_summary.retry_many',
    content: 'tron_transaction_summary.retry_content',
    name: ({ id }) => ({ id }),
    visible: ({ status, is_held }) => status === 'fail' || is_held,
    success: 'tron_transaction_summary.retried',
    invalidates: ['tron_transaction_summary', 'async_operations'],
  });
  const hold = useRowsAction<Collection, unknown>(api.tron_transaction_summary.hold, {
    key: 'hold',
    label: 'tron_transaction_summary.hold',
    node: 'tron_transaction_summary.retry',
    title: 'tron_transaction_summary.hold_title',
    many: 'tron_transaction_summary.hold_many',
    content: 'tron_transaction_summary.hold_content',
    name: ({ id }) => ({ id }),
    visible: ({ state, is_held }) => ['plan', 'fund_solid'].includes(state) && !is_held,
    success: 'tron_transaction_summary.hold_done',
    invalidates: ['tron_transaction_summary'],
  });
  return (
    <ListView
      list={api.tron_transaction_summary.inquire}
      columns={columns}
      filters={filters}
      state={state}
      defaultSort={defaultSort}
      pollSeconds={5}
      rowActions={[retry.row, hold.row]}
      batchActions={[retry.batch, hold.batch]}
      exportName="menu.tron_transaction_summary"
      empty={{ title: 'tron_transaction_summary.empty', help: 'tron_transaction_summary.empty_help' }}
    />
  );
}

/** What was collected from the wallets: each collection, and what they come to by day and by address. */
export function TronTransactionSummaryPage() {
  const { t } = useTranslation();
  const { data: config } = useCall(api.pay_config.inquire, {});
  const [params, setParams] = useSearchParams();
  const part = parts.find((one) => one === params.get('part')) ?? 'records';
  const choose = (next: Part) => setParams(next === 'records' ? {} : { part: next });
  return (
    <Page title="menu.tron_transaction_summary" fills>
      <TestNetwork network={config?.network} />
      <div className="lc-tron-parts">
        <Segmented<Part>
          aria-label={t('tron_transaction_summary.parts')}
          value={part}
          onChange={choose}
          options={parts.map((value) => ({ value, label: t(`tron_transaction_summary.part_${value}`) }))}
        />
      </div>
      {part === 'records' ? (
        <Records />
      ) : (
        <ListTable
          key={part}
          list={api.tron_transaction_summary.sums}
          columns={columnsBy[part]}
          filters={sumFilters}
          fixedInput={{ by: part }}
          rowKey="key"
          name={`tron_transaction_summary_${part}`}
          defaultSort={{ sort: 'key', order: 'desc' }}
          exportName="menu.tron_transaction_summary"
          empty={{ title: 'tron_transaction_summary.empty', help: 'tron_transaction_summary.empty_help' }}
        />
      )}
    </Page>
  );
}
