import { useTranslation } from 'react-i18next';
import { type Bill, billParts } from '../../contract/money/bill.ts';
import { transferKinds } from '../../contract/money/ledger.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Amount, Num, Page } from '../kit/feedback.ts';
import type { Filter } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { type ListState, useUrlListState } from '../kit/list/useListState.ts';
import { HeldShares } from '../kit/money/HeldShares.tsx';
import { LedgerState } from './LedgerState.tsx';
import { SumList } from './SumList.tsx';
import './money.css';

const typeLabel = (type: string) => `bill.type_${type}`;
const partLabel = (part: string) => `bill.part_${part}`;

const columns = columnsOf(api.bill.inquire, [
  { key: 'created_at', kind: 'time', title: 'common.field.time', width: 140, card: 'field' },
  { key: 'account', title: 'common.field.user', width: 140, card: 'field', node: 'bill.verify' },
  { key: 'phone', width: 130, node: 'bill.verify', hiddenByDefault: true, title: 'user_list.phone' },
  { key: 'type', kind: 'label', width: 224, label: (row: Bill) => typeLabel(row.type), title: 'common.field.type', card: 'title' },
  { key: 'part', kind: 'label', width: 130, label: (row: Bill) => partLabel(row.part), card: 'field' },
  {
    key: 'change_amount',
    width: 150,
    align: 'right',
    card: 'aside',
    render: (row) => <Amount value={row.change_amount} signed />,
  },
  { key: 'balance_before', width: 150, align: 'right', render: (row) => <Amount value={row.balance_before} /> },
  { key: 'balance_after', width: 150, align: 'right', card: 'field', render: (row) => <Amount value={row.balance_after} /> },
  { key: 'remark', title: 'common.field.remark', card: 'field' },
  { key: 'actor_account', title: 'common.field.actor', width: 130, node: 'bill.verify' },
]);

const filters: Filter<'user_id' | 'type' | 'part' | 'created_from' | 'created_to'>[] = [
  {
    kind: 'select',
    key: 'type',
    label: 'common.field.type',
    options: transferKinds.map((type) => ({ value: type, label: typeLabel(type) })),
  },
  {
    kind: 'select',
    key: 'part',
    label: 'bill.part',
    options: billParts.map((part) => ({ value: part, label: partLabel(part) })),
  },
  { kind: 'remote', key: 'user_id', label: 'common.field.user', source: accountOptions, node: 'user_list' },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'common.field.time' },
];
const defaultSort = { sort: 'id', order: 'desc' } as const;

/** What the filtered changes come to. */
function Sums({ values }: Pick<ListState, 'values'>) {
  const { t } = useTranslation();
  const { data } = useCall(api.bill.sums, values);
  if (!data) return <SumList sums={undefined} />;
  const amounts = (['came', 'went'] as const).map((key) => [t(`bill.${key}`), <Amount key={key} value={data[key]} />] as const);
  return <SumList sums={[[t('bill.number'), <Num key="number" value={data.number} />], ...amounts]} />;
}

/** What the user can dispose of, beside shares that are held. */
function Balances() {
  const { t } = useTranslation();
  const { data } = useCall(api.bill.balances, {});
  if (!data || (Number(data.shares.amount) === 0 && Number(data.shares.debt) === 0)) return null;
  return (
    <>
      <p>
        {t('bill.part_user_available')} <Amount value={data.available} />
      </p>
      <HeldShares shares={data.shares} />
    </>
  );
}

/** Every change of a balance: a user's own, or everybody's for administrators, who also see whether the ledger adds up. */
export function BillPage() {
  const { allows } = useSession();
  const state = useUrlListState(filters, ['id', 'created_at'], defaultSort);
  return (
    <Page title="menu.bill" fills>
      {allows('bill.verify') && <LedgerState />}
      <Balances />
      <Sums values={state.values} />
      <ListView
        list={api.bill.inquire}
        columns={columns}
        filters={filters}
        state={state}
        defaultSort={defaultSort}
        exportName="menu.bill"
        exportNode="bill.export"
        empty={{ title: 'bill.empty', help: 'bill.empty_help' }}
      />
    </Page>
  );
}
