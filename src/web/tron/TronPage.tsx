import { Alert, Button } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Wallet, walletPurposes } from '../../contract/money/tron.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { useRemoval } from '../kit/dialogs/removal.tsx';
import { Copyable } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { shownAmount } from './amounts.ts';
import { CollectDialog } from './CollectDialog.tsx';
import { TestNetwork } from './TestNetwork.tsx';
import './tron.css';

const amountColumn = { width: 140, align: 'right', card: 'field' } as const;
const columns = columnsOf(api.tron.inquire, [
  { key: 'address', kind: 'copy', width: 300, card: 'title' },
  { key: 'account', width: 140, title: 'common.field.account', render: (row) => <Whose wallet={row} /> },
  { key: 'usdt_balance', ...amountColumn, render: ({ usdt_balance }) => <span className="lc-num">{shownAmount(usdt_balance)}</span> },
  { key: 'trx_balance', ...amountColumn, render: ({ trx_balance }) => <span className="lc-num">{shownAmount(trx_balance)}</span> },
  { key: 'balance_at', kind: 'time', card: 'field' },
  {
    key: 'removed_at',
    kind: 'status',
    title: 'common.field.state',
    status: ({ removed_at }) => (removed_at ? { kind: 'neutral', label: 'tron.removed' } : { kind: 'success', label: 'tron.in_use' }),
  },
  { key: 'created_at', kind: 'time' },
  { key: 'address_hex', kind: 'copy', hiddenByDefault: true },
  { key: 'public_key', kind: 'copy', hiddenByDefault: true },
]);

const filters: Filter<'search' | 'purpose' | 'funded' | 'removed'>[] = [
  { kind: 'text', key: 'search', label: 'tron.search' },
  { kind: 'boolean', key: 'funded', label: 'tron.funded' },
  { kind: 'boolean', key: 'removed', label: 'tron.removed' },
  {
    kind: 'select',
    key: 'purpose',
    label: 'tron.purpose',
    more: true,
    options: walletPurposes.map((value) => ({ value, label: `tron.purpose_${value}` })),
  },
];

function Whose({ wallet: { purpose, account } }: { wallet: Wallet }) {
  const { t } = useTranslation();
  return purpose === 'deposit' ? account : <span className="lc-soft">{t(`tron.purpose_${purpose}`)}</span>;
}

/** So long a key stands on a page that somebody may have left. */
const shownMilliseconds = 60_000;

/** The private key of one wallet, after its reader proved who he is. It is gone with the dialog, which goes by itself. */
function RevealDialog({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const { t } = useTranslation();
  const [key, setKey] = useState<string | null>(null);
  const end = useEffectEvent(onClose);
  useEffect(() => {
    if (key === null) return;
    const timer = setTimeout(() => end(), shownMilliseconds);
    return () => clearTimeout(timer);
  }, [key]);
  if (key !== null)
    return (
      <Modal open title={t('tron.private_key')} width={560} footer={null} onCancel={onClose}>
        <Alert type="warning" showIcon title={t('tron.key_warning')} />
        <p className="lc-tron-key">
          <Copyable value={key} whole code />
        </p>
      </Modal>
    );
  return (
    <ProvedModal
      action={api.tron.reveal}
      title={t('tron.reveal_title', { address: wallet.address })}
      submit="tron.reveal"
      success={false}
      intro={t('tron.reveal_intro')}
      toInput={(values) => ({ ...values, id: wallet.id })}
      onDone={({ private_key }: { private_key: string }) => setKey(private_key)}
      // The key takes the place of the question.
      onClose={(isDone) => !isDone && onClose()}
    />
  );
}

/** What concerns all wallets. */
function Actions({ onCollect }: { onCollect: () => void }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const invalidates = ['tron', 'async_operations'] as const;
  const generate = useAction(api.tron.generate, { invalidates, success: 'tron.generated' });
  const synchronise = useAction(api.tron.synchronise, { invalidates, success: 'tron.synchronise_started' });
  const ask = () =>
    confirm({
      title: 'tron.synchronise_title',
      content: 'tron.synchronise_content',
      confirm: 'tron.synchronise',
      run: () => synchronise.run({}),
    });
  return (
    <>
      {allows('tron.synchronise') && <Button onClick={() => void ask()}>{t('tron.synchronise')}</Button>}
      {allows('tron.generate') && (
        <Button loading={generate.isRunning} onClick={() => void generate.run({})}>
          {t('tron.generate')}
        </Button>
      )}
      {allows('tron.collect_all') && (
        <Button type="primary" onClick={onCollect}>
          {t('tron.collect_all')}
        </Button>
      )}
    </>
  );
}

/** The site's wallets. */
export function TronPage() {
  const { data: config } = useCall(api.pay_config.inquire, {});
  const [revealed, setRevealed] = useState<Wallet | null>(null);
  const [collected, setCollected] = useState<{ ids: number[] | undefined } | null>(null);
  const balance = useAction(api.tron.balance, { invalidates: ['tron'], success: 'tron.balance_read' });
  const removal = useRemoval<Wallet, unknown>(api.tron.remove, {
    node: 'tron.remove',
    title: 'tron.remove_title',
    many: 'tron.remove_many',
    content: 'tron.remove_content',
    name: ({ address }) => ({ address }),
    success: 'tron.wallets_removed',
    invalidates: ['tron'],
  });
  return (
    <>
      <ListPage
        title="menu.tron"
        actions={<Actions onCollect={() => setCollected({ ids: undefined })} />}
        above={<TestNetwork network={config?.network} />}
        list={api.tron.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'desc' }}
        rowActions={[
          { key: 'balance', label: 'tron.read_balance', onClick: ({ id }) => void balance.run({ id }) },
          {
            key: 'collect',
            label: 'tron.collect',
            node: 'tron.collect',
            visible: ({ purpose }) => purpose === 'deposit',
            onClick: ({ id }) => setCollected({ ids: [id] }),
          },
          { key: 'reveal', label: 'tron.reveal', node: 'tron.reveal', onClick: setRevealed },
          removal.row,
        ]}
        batchActions={[
          {
            key: 'collect',
            label: 'tron.collect',
            node: 'tron.collect',
            onClick(rows) {
              setCollected({ ids: rows.map(({ id }) => id) });
              return undefined;
            },
          },
          removal.batch,
        ]}
        exportName="menu.tron"
        empty={{ title: 'tron.empty', help: 'tron.empty_help' }}
      />
      {collected && <CollectDialog ids={collected.ids} onClose={() => setCollected(null)} />}
      {revealed && <RevealDialog wallet={revealed} onClose={() => setRevealed(null)} />}
    </>
  );
}
