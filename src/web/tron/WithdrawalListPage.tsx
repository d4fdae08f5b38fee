import { DownloadOutlined } from '@ant-design/icons';
import { Alert, App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { type Withdrawal, withdrawalStates, withdrawalStatuses } from '../../contract/money/withdrawal-list.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { shortenMiddle } from '../kit/feedback/shorten.ts';
import { Amount, Copyable, type StatusKind, Time } from '../kit/feedback.ts';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf, type KindColumn } from '../kit/list/kinds.tsx';
import { useDialog } from '../kit/useDialog.ts';
import { shownAmount } from './amounts.ts';
import { TestNetwork } from './TestNetwork.tsx';
import { useSavePayments } from './useSavePayments.tsx';
import './tron.css';

const stateKinds: Record<Withdrawal['state'], StatusKind> = {
  waiting: 'warning',
  cancelled: 'neutral',
  rejected: 'error',
  approved: 'info',
  confirming: 'info',
  paying: 'info',
  paid: 'success',
};

/** Why it was rejected, or what it waits for. */
function Note({ row: { reason, problem, cooling_until, resembles, offered } }: { row: Withdrawal }) {
  const { t } = useTranslation();
  if (reason) return reason;
  if (offered.length > 0) return t('withdrawal_list.offered_short');
  if (problem) return t(`errors.field.${problem}`);
  if (resembles !== null) return t('withdrawal_list.resembles_short');
  if (cooling_until === null) return null;
  return (
    <span className="lc-soft">
      {t('withdrawal_list.cooling')} <Time value={cooling_until} />
    </span>
  );
}

/** In which file of payments it was downloaded, when and by whom. */
function Filed({ row: { file, filed_at, filed_by_account } }: { row: Withdrawal }) {
  const { t } = useTranslation();
  if (file === null || filed_at === null) return null;
  return (
    <span>
      {t('withdrawal_list.file_number', { file })} · <Time value={filed_at} /> · {filed_by_account}
    </span>
  );
}

const amountColumn = { width: 140, align: 'right' } as const;

export const withdrawalColumns: KindColumn<Withdrawal>[] = [
  {
    key: 'amount',
    title: 'withdrawal_list.amount',
    ...amountColumn,
    card: 'title',
    render: ({ amount }) => <Amount value={amount} />,
  },
  { key: 'fee', title: 'withdrawal_list.fee', ...amountColumn, hiddenByDefault: true, render: ({ fee }) => <Amount value={fee} /> },
  {
    key: 'arrives',
    title: 'withdrawal_list.arrives',
    ...amountColumn,
    card: 'field',
    render: ({ arrives }) => <Amount value={arrives} />,
  },
  {
    key: 'address',
    title: 'withdrawal_list.address',
    kind: 'copy',
    width: 180,
    card: 'field',
    render: ({ address }) => <Copyable value={address} maximum={16} code />,
  },
  {
    key: 'state',
    title: 'common.field.state',
    kind: 'status',
    width: 120,
    status: ({ state, file }) =>
      state === 'approved' && file !== null
        ? { kind: 'warning', label: 'withdrawal_list.state_filed', help: 'withdrawal_list.filed_help' }
        : { kind: stateKinds[state], label: `withdrawal_list.state_${state}` },
  },
  { key: 'reason', title: 'common.field.reason', width: 200, card: 'field', render: (row) => <Note row={row} /> },
  {
    key: 'transaction_hash',
    title: 'order.transaction_hash',
    kind: 'copy',
    width: 160,
    render: ({ transaction_hash }) => transaction_hash && <Copyable value={transaction_hash} maximum={14} code />,
  },
  { key: 'created_at', title: 'withdrawal_list.created_at', kind: 'time' },
  { key: 'decided_at', title: 'withdrawal_list.decided_at', kind: 'time', hiddenByDefault: true },
  { key: 'paid_at', title: 'withdrawal_list.paid_at', kind: 'time' },
];

export type WithdrawalFilter = 'search' | 'status' | 'state' | 'created_from' | 'created_to';
export const withdrawalFilters: Filter<WithdrawalFilter>[] = [
  {
    kind: 'select',
    key: 'status',
    label: 'common.field.state',
    options: withdrawalStatuses.map((value) => ({ value, label: `withdrawal_list.status_${value}` })),
  },
  {
    kind: 'select',
    key: 'state',
    label: 'withdrawal_list.progress',
    options: withdrawalStates.map((value) => ({ value, label: `withdrawal_list.state_${value}` })),
    more: true,
  },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'withdrawal_list.created_at' },
];

const columns = columnsOf(api.withdrawal_list.inquire, [
  { key: 'account', title: 'common.field.user', kind: 'name', width: 150, card: 'aside' },
  ...withdrawalColumns,
  {
    key: 'file',
    width: 190,
    card: 'field',
    exportValue: ({ file, filed_at, filed_by_account }) => (file === null ? '' : `${file} ${filed_at} ${filed_by_account}`),
    render: (row) => <Filed row={row} />,
  },
  { key: 'decided_by_account', title: 'withdrawal_list.decided_by', width: 130, hiddenByDefault: true },
]);
const filters: Filter<WithdrawalFilter | 'user_id' | 'in_file'>[] = [
  { kind: 'text', key: 'search', label: 'withdrawal_list.search' },
  ...withdrawalFilters,
  {
    kind: 'boolean',
    key: 'in_file',
    label: 'withdrawal_list.file',
    yes: 'withdrawal_list.in_file',
    no: 'withdrawal_list.in_no_file',
    more: true,
  },
  { kind: 'remote', key: 'user_id', label: 'common.field.user', source: accountOptions, more: true },
];

/** Warns of an address that somebody may have made to be taken for another one. */
export function LooksLike({ other }: { other: string | null }) {
  const { t } = useTranslation();
  if (other === null) return null;
  return <Alert type="warning" showIcon title={t('withdrawal_list.resembles', { address: other })} />;
}

/** What is to be paid, to be copied into a wallet. */
function ToPay({ row, intro }: { row: Withdrawal; intro: string }) {
  const { t } = useTranslation();
  return (
    <>
      <p>{t(intro)}</p>
      <LooksLike other={row.resembles} />
      {row.problem && <Alert type="warning" showIcon title={t(`errors.field.${row.problem}`)} />}
      <dl className="lc-pay-facts">
        <div>
          <dt>{t('common.field.user')}</dt>
          <dd>{row.account}</dd>
        </div>
        <div>
          <dt>{t('withdrawal_list.pay_amount')}</dt>
          <dd>
            <Copyable value={shownAmount(row.arrives).replaceAll(',', '')} code />
          </dd>
        </div>
        <div>
          <dt>{t('withdrawal_list.address')}</dt>
          <dd>
            <Copyable value={row.address} whole code />
          </dd>
        </div>
      </dl>
    </>
  );
}

type Present = { kind: 'approve' | 'pay' | 'reject'; row: Withdrawal };
type DialogProps = { row: Withdrawal; onClose: () => void };

function ApproveDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation();
  return (
    <ProvedModal
      action={api.withdrawal_list.approve}
      title={t('withdrawal_list.approve_title', { account: row.account, amount: shownAmount(row.amount) })}
      submit="menu.button.approve"
      success="withdrawal_list.approved"
      invalidates={['home']}
      intro={<ToPay row={row} intro="withdrawal_list.approve_intro" />}
      toInput={(values) => ({ ...values, id: row.id })}
      onClose={onClose}
    />
  );
}

/** Payments that fit, which nobody could tell to be this withdrawal's: a click fills in their hash. */
function Offered({ hashes }: { hashes: readonly string[] }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  if (hashes.length === 0) return null;
  return (
    <div className="lc-pay-offered">
      <span>{t('withdrawal_list.offered')}</span>
      {hashes.map((hash) => (
        <Button key={hash} size="small" onClick={() => form.setFieldsValue({ transaction_hash: hash })}>
          <code>{shortenMiddle(hash, 24)}</code>
        </Button>
      ))}
    </div>
  );
}

function PayDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return (
    <FormModal
      action={api.withdrawal_list.pay}
      title={t('withdrawal_list.pay_title', { account: row.account, arrives: shownAmount(row.arrives) })}
      submit="withdrawal_list.pay"
      success={false}
      invalidates={['home']}
      intro={<ToPay row={row} intro="withdrawal_list.pay_intro" />}
      toInput={(values) => ({ ...values, id: row.id })}
      fields={[{ kind: 'text', name: 'transaction_hash', label: 'order.transaction_hash', code: true, wide: true }]}
      onDone={({ state }) => void message.success(t(state === 'paid' ? 'withdrawal_list.paid_now' : 'withdrawal_list.confirming_now'))}
      onClose={onClose}
    >
      <Offered hashes={row.offered} />
    </FormModal>
  );
}

function RejectDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation();
  const words = { account: row.account, amount: shownAmount(row.amount) };
  return (
    <FormModal
      action={api.withdrawal_list.reject}
      title={t('withdrawal_list.reject_title', words)}
      submit="menu.button.reject"
      danger
      asks
      invalidates={['home', 'bill']}
      intro={t(row.state === 'approved' ? 'withdrawal_list.reject_approved_intro' : 'withdrawal_list.reject_intro', words)}
      toInput={(values) => ({ ...values, id: row.id })}
      fields={[{ kind: 'text', name: 'reason', label: 'common.field.reason', help: 'withdrawal_list.reason_help' }]}
      onClose={onClose}
    />
  );
}

const dialogKinds = { approve: ApproveDialog, pay: PayDialog, reject: RejectDialog };

/** Says that nothing is paid for now, and where to look. */
export function Frozen({ isFrozen }: { isFrozen: boolean }) {
  const { t } = useTranslation();
  if (!isFrozen) return null;
  return <Alert type="error" showIcon title={t('errors.withdrawal.frozen')} />;
}

/** Withdrawals of all users: what waits for a decision, for its payment, and what became of the others. */
export function WithdrawalListPage() {
  const { t } = useTranslation();
  const { user, allows } = useSession();
  const payments = useSavePayments();
  const { data: config } = useCall(api.pay_config.inquire, {});
  const ledger = useCall(api.bill.verification, {}, { enabled: allows('bill.verify') });
  const { present, open, close } = useDialog<Present>();
  const isForeign = ({ user_id }: Withdrawal) => user_id !== user?.id;
  const Dialog = present && dialogKinds[present.kind];
  return (
    <>
      <ListPage
        title="menu.withdrawal_list"
        above={
          <>
            <TestNetwork network={config?.network} />
            <Frozen isFrozen={(ledger.data?.last?.faults.length ?? 0) > 0} />
          </>
        }
        actions={
          <Allowed node="withdrawal_list.approve">
            <Button icon={<DownloadOutlined />} loading={payments.isRunning} onClick={() => void payments.save()}>
              {t('withdrawal_list.payments')}
            </Button>
          </Allowed>
        }
        list={api.withdrawal_list.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'desc' }}
        pollSeconds={10}
        exportName="menu.withdrawal_list"
        empty={{ title: 'withdrawal_list.empty', help: 'withdrawal_list.empty_help' }}
        rowActions={[
          {
            key: 'approve',
            label: 'menu.button.approve',
            node: 'withdrawal_list.approve',
            visible: (row) => row.state === 'waiting' && isForeign(row),
            disabled: ({ cooling_until }) => cooling_until !== null,
            onClick: (row) => void open({ kind: 'approve', row }),
          },
          {
            key: 'pay',
            label: 'withdrawal_list.pay',
            node: 'withdrawal_list.approve',
            visible: (row) => row.state === 'approved' && isForeign(row),
            onClick: (row) => void open({ kind: 'pay', row }),
          },
          {
            key: 'reject',
            label: 'menu.button.reject',
            node: 'withdrawal_list.reject',
            danger: true,
            visible: (row) => (row.state === 'waiting' || row.state === 'approved') && isForeign(row),
            onClick: (row) => void open({ kind: 'reject', row }),
          },
        ]}
        batchActions={[
          {
            key: 'payments',
            label: 'withdrawal_list.payments',
            node: 'withdrawal_list.approve',
            icon: <DownloadOutlined />,
            onClick: (rows) => payments.save(rows.map(({ id }) => id)),
          },
        ]}
      />
      {Dialog && <Dialog row={present.row} onClose={close} />}
      {payments.dialog}
    </>
  );
}
