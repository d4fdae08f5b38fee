import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usdtStates, usdtTypes } from '../../contract/money/usdt-transaction-record.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { shownAmount } from './amounts.ts';
import { TestNetwork } from './TestNetwork.tsx';
import './tron.css';

const stateKinds = { credited: 'success', aside: 'warning', nobody: 'error', noted: 'neutral' } as const;
const columns = columnsOf(api.usdt_transaction_record.inquire, [
  { key: 'at', kind: 'time', title: 'common.field.time', card: 'field' },
  {
    key: 'amount',
    title: 'balance_recharge.amount',
    width: 140,
    align: 'right',
    card: 'title',
    render: ({ amount }) => <span className="lc-num">{shownAmount(amount)}</span>,
  },
  { key: 'type', kind: 'label', width: 110, title: 'common.field.type', label: ({ type }) => `usdt_transaction_record.type_${type}` },
  {
    key: 'state',
    kind: 'status',
    width: 130,
    title: 'common.field.state',
    status: ({ state }) => ({ kind: stateKinds[state], label: `usdt_transaction_record.state_${state}` }),
  },
  { key: 'account', width: 130, title: 'common.field.user', card: 'field' },
  { key: 'sender', kind: 'copy', width: 160 },
  { key: 'receiver', kind: 'copy', width: 160 },
  { key: 'transaction_hash', kind: 'copy', width: 160, card: 'field' },
  { key: 'block', kind: 'number' },
  { key: 'fingerprint', kind: 'copy', hiddenByDefault: true },
  { key: 'credited_at', kind: 'time', hiddenByDefault: true },
  { key: 'remark', title: 'common.field.remark', hiddenByDefault: true },
]);

const filters: Filter<'search' | 'type' | 'state' | 'dust' | 'from'>[] = [
  { kind: 'text', key: 'search', label: 'usdt_transaction_record.search' },
  {
    kind: 'select',
    key: 'type',
    label: 'common.field.type',
    options: usdtTypes.map((value) => ({ value, label: `usdt_transaction_record.type_${value}` })),
  },
  {
    kind: 'select',
    key: 'state',
    label: 'common.field.state',
    options: usdtStates.map((value) => ({ value, label: `usdt_transaction_record.state_${value}` })),
  },
  {
    kind: 'boolean',
    key: 'dust',
    label: 'usdt_transaction_record.dust',
    yes: 'usdt_transaction_record.dust_shown',
    no: 'usdt_transaction_record.dust_hidden',
    more: true,
  },
  { kind: 'date_range', key: 'from', to: 'to' as never, label: 'common.field.time' },
];

/** How far the network was read, in a line. */
function Position() {
  const { t } = useTranslation();
  const { data } = useCall(api.usdt_transaction_record.position, {}, { refetchInterval: 10_000 });
  if (!data) return null;
  const behind = (data.solid_head ?? 0) - (data.block ?? 0);
  const words =
    data.block === null ? t('usdt_transaction_record.not_read') : t('usdt_transaction_record.read_to', { block: data.block, behind });
  return (
    <>
      <TestNetwork network={data.network} />
      {data.last_error && <Alert type="error" showIcon title={t('usdt_transaction_record.failing')} description={data.last_error} />}
      <p className="lc-soft lc-num">{words}</p>
    </>
  );
}

function RescanForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data } = useCall(api.usdt_transaction_record.position, {});
  return (
    <FormModal
      asks
      action={api.usdt_transaction_record.rescan}
      title="usdt_transaction_record.rescan"
      submit="usdt_transaction_record.rescan_start"
      success="usdt_transaction_record.rescan_started"
      invalidates={['async_operations']}
      intro={t('usdt_transaction_record.rescan_intro', { first: data?.first_block ?? 0, last: data?.block ?? 0 })}
      fields={[{ kind: 'number', name: 'block', label: 'usdt_transaction_record.from_block', minimum: 0 }]}
      onClose={onClose}
    />
  );
}

/** What moved USDT from and to the site's wallets, as the chain says it. */
export function UsdtTransactionRecordPage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const rescan = allows('usdt_transaction_record.rescan') && (
    <Button onClick={() => setIsOpen(true)}>{t('usdt_transaction_record.rescan')}</Button>
  );
  return (
    <>
      <ListPage
        title="menu.usdt_transaction_record"
        actions={rescan}
        above={<Position />}
        list={api.usdt_transaction_record.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'desc' }}
        pollSeconds={15}
        exportName="menu.usdt_transaction_record"
        empty={{ title: 'usdt_transaction_record.empty', help: 'usdt_transaction_record.empty_help' }}
      />
      {isOpen && <RescanForm onClose={() => setIsOpen(false)} />}
    </>
  );
}
