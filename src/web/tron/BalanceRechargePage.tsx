import { Progress, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Recharge } from '../../contract/money/balance-recharge.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Copyable, Failure, Page, Time } from '../kit/feedback.ts';
import { ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { QrImage } from '../qr/QrImage.tsx';
import { shownAmount, usdt } from './amounts.ts';
import { TestNetwork } from './TestNetwork.tsx';
import './tron.css';

/** Where there is no socket the page asks by itself. */
const pollMilliseconds = 10_000;
/** As wallets name it. */
const networkName = 'TRON (TRC20)';

const stateKinds = { credited: 'success', aside: 'warning' } as const;
const columns = columnsOf(api.balance_recharge.deposits, [
  { key: 'at', kind: 'time', title: 'common.field.time', card: 'title' },
  {
    key: 'amount',
    title: 'balance_recharge.amount',
    width: 150,
    align: 'right',
    card: 'field',
    render: (row) => <Amount value={row.amount} />,
  },
  {
    key: 'state',
    kind: 'status',
    width: 150,
    status: ({ state }) => ({ kind: stateKinds[state], label: `balance_recharge.state_${state}` }),
  },
  { key: 'sender', kind: 'copy', title: 'usdt_transaction_record.sender' },
  { key: 'transaction_hash', kind: 'copy', title: 'usdt_transaction_record.transaction_hash', card: 'field' },
  { key: 'block', kind: 'number', title: 'usdt_transaction_record.block', hiddenByDefault: true },
]);

export const Amount = ({ value }: { value: string }) => <span className="lc-num">{usdt(value)}</span>;

/** The address as a picture and as text, and what a payer must not do. */
function Address({ data }: { data: Recharge }) {
  const { t } = useTranslation();
  const { address, minimum_deposit, confirmations, qr_code_switch } = data;
  return (
    <section className="lc-panel lc-recharge" aria-label={t('balance_recharge.address')}>
      {qr_code_switch === 1 ? (
        <QrImage className="lc-recharge-qr" text={address} alt={t('balance_recharge.qr_alt', { address })} width={196} />
      ) : (
        <span />
      )}
      <div>
        <h2>{t('balance_recharge.address')}</h2>
        <div className="lc-recharge-address">
          <Copyable value={address} whole code />
        </div>
        <p>
          {t('balance_recharge.network')} <b>{networkName}</b>
        </p>
        <ul>
          <li>{t('balance_recharge.only_usdt')}</li>
          <li>{t('balance_recharge.minimum', { amount: shownAmount(minimum_deposit) })}</li>
          <li>{t('balance_recharge.confirmations', { number: confirmations })}</li>
        </ul>
      </div>
    </section>
  );
}

/** Payments that were seen and do not count yet, block by block. */
function Confirming({ data }: { data: Recharge }) {
  const { t } = useTranslation();
  if (data.confirming.length === 0) return null;
  return (
    <section className="lc-panel lc-recharge-section" aria-live="polite">
      <h2>{t('balance_recharge.confirming')}</h2>
      <ul className="lc-recharge-waiting">
        {data.confirming.map(({ transaction_hash, amount, at, confirmations }) => (
          <li key={transaction_hash}>
            <Amount value={amount} />
            <Time value={at} />
            <Progress
              percent={Math.min(100, Math.round((confirmations / data.confirmations) * 100))}
              format={() =>
                t('balance_recharge.progress', { number: Math.min(confirmations, data.confirmations), total: data.confirmations })
              }
              aria-label={t('balance_recharge.confirming')}
            />
            <Copyable value={transaction_hash} maximum={20} code />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Recharging the balance: the own address, and what came of each payment. */
export function BalanceRechargePage() {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.balance_recharge.inquire, {}, { refetchInterval: pollMilliseconds });
  return (
    <Page title="menu.balance_recharge">
      <TestNetwork network={data?.network} />
      {!data && error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {data && (
        <>
          <section className="lc-panel lc-recharge-section">
            <p>
              {t('balance_recharge.balance')} <span className="lc-recharge-balance lc-num">{usdt(data.balance)}</span>
            </p>
            {Number(data.aside) > 0 && (
              <p className="lc-soft">
                {t('balance_recharge.aside', { amount: shownAmount(data.aside), minimum: shownAmount(data.minimum_deposit) })}
              </p>
            )}
          </section>
          <Address data={data} />
          <Confirming data={data} />
          <h2 className="lc-recharge-title">{t('balance_recharge.deposits')}</h2>
          <ListTable
            list={api.balance_recharge.deposits}
            columns={columns}
            defaultSort={{ sort: 'at', order: 'desc' }}
            pollSeconds={30}
            empty={{ title: 'balance_recharge.empty', help: 'balance_recharge.empty_help' }}
          />
        </>
      )}
    </Page>
  );
}
