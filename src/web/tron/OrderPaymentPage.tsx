import { CopyOutlined } from '@ant-design/icons';
import { Alert, Button, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { millionthsOf } from '../../contract/money/amounts.ts';
import type { Payment } from '../../contract/money/order-payment.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Copyable, Empty, Failure, Page, Time, useCopy } from '../kit/feedback.ts';
import { buyingPage, useCountdown } from '../kit/money/payments.ts';
import { QrImage } from '../qr/QrImage.tsx';
import { shownAmount, usdt } from './amounts.ts';
import { PaymentSteps } from './PaymentSteps.tsx';
import { TestNetwork } from './TestNetwork.tsx';
import './tron.css';
import './payment.css';

/** Where there is no socket the page asks by itself. */
const pollMilliseconds = 5_000;
/** As wallets name it. */
const networkName = 'TRON (TRC20)';
/** After so long without a block, the reader is told that he loses no time by it. */
const lateMilliseconds = 180_000;

const isNothing = (amount: string): boolean => millionthsOf(amount) === 0n;
/** As a wallet's field takes it: no separators, no zeros that say nothing. */
const typed = (amount: string): string => amount.replace(/\.?0+$/, '');

/** Copying is what one comes for: it is in sight, not behind a touch. */
function CopyButton({ value, what }: { value: string; what: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <Button size="small" icon={<CopyOutlined />} aria-label={`${t('common.copy')} ${what}`} onClick={() => void copy(value)}>
      {t('order_payment.copy')}
    </Button>
  );
}

/** What is to be sent, where to, and within what time. */
function Pay({ data, ahead }: { data: Payment; ahead: number }) {
  const { t } = useTranslation();
  const left = useCountdown(data.order.expires_at, ahead);
  const { address, to_send, qr_code_switch } = data;
  return (
    <section className="lc-panel lc-recharge" aria-label={t('order_payment.to_pay')}>
      {qr_code_switch === 1 ? (
        <QrImage className="lc-recharge-qr" text={address} alt={t('balance_recharge.qr_alt', { address })} width={196} />
      ) : (
        <span />
      )}
      <dl className="lc-pay-now">
        <dt>{t('order_payment.to_send')}</dt>
        <dd className="lc-pay-amount">
          {usdt(to_send)} <CopyButton value={typed(to_send)} what={t('order_payment.to_send')} />
        </dd>
        <dt>{t('order_payment.address')}</dt>
        <dd>
          <span className="lc-code">{address}</span> <CopyButton value={address} what={t('order_payment.address')} />
        </dd>
        <dt>{t('order_payment.network')}</dt>
        <dd>
          <b>{networkName}</b> <span className="lc-soft">{t('order_payment.network_help')}</span>
        </dd>
        <dt>{t('order_payment.time_left')}</dt>
        <dd>
          <span role="timer" className="lc-num">
            {left}
          </span>
        </dd>
      </dl>
    </section>
  );
}

/** Enough is on its way, or on the balance: nobody is to pay twice. */
function Enough({ data }: { data: Payment }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const pay = useAction(api.order_payment.pay, { success: false, invalidates: ['buy_vip_combo', 'user_order', 'bill', 'home'] });
  const isThere = millionthsOf(data.balance) >= millionthsOf(data.order.amount);
  return (
    <Alert
      className="lc-pay-alert"
      type="info"
      showIcon
      title={t(isThere ? 'order_payment.balance_suffices' : 'order_payment.on_its_way')}
      description={t(isThere ? 'order_payment.balance_suffices_help' : 'order_payment.on_its_way_help')}
      action={
        isThere && allows('buy_vip_combo.buy') ? (
          <Button type="primary" loading={pay.isRunning} onClick={() => void pay.run({ id: data.order.id })}>
            {t('buy_vip_combo.pay')}
          </Button>
        ) : undefined
      }
    />
  );
}

/** What has come already, and what it leaves. */
function Sums({ data }: { data: Payment }) {
  const { t } = useTranslation();
  const { order, balance, aside, minimum_deposit, arrived } = data;
  return (
    <section className="lc-panel lc-recharge-section">
      <dl className="lc-pay-sums">
        <dt>{t('order.amount')}</dt>
        <dd>{usdt(order.amount)}</dd>
        <dt>{t('balance_recharge.balance')}</dt>
        <dd>{usdt(balance)}</dd>
        {!isNothing(aside) && (
          <>
            <dt>{t('balance_recharge.state_aside')}</dt>
            <dd>{t('order_payment.aside', { amount: shownAmount(aside), minimum: shownAmount(minimum_deposit) })}</dd>
          </>
        )}
      </dl>
      {arrived.length > 0 && (
        <ul className="lc-recharge-waiting">
          {arrived.map(({ id, amount, state, at, transaction_hash }) => (
            <li key={id}>
              <span className="lc-num">{usdt(amount)}</span>
              <span>{t(`balance_recharge.state_${state}`)}</span>
              <Time value={at} />
              <Copyable value={transaction_hash} maximum={20} code />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const cases = ['little', 'much', 'late', 'wrong'] as const;

/** What a first payer fears. */
function Cases({ minimum }: { minimum: string }) {
  const { t } = useTranslation();
  return (
    <section className="lc-panel lc-recharge-section" aria-label={t('order_payment.cases')}>
      <h2>{t('order_payment.cases')}</h2>
      <dl className="lc-pay-cases">
        {cases.map((one) => (
          <div key={one}>
            <dt>{t(`order_payment.${one}`)}</dt>
            <dd>{t(`order_payment.${one}_help`, { minimum: shownAmount(minimum) })}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** An order that waits no more: what became of it, and what can be done next. */
function Ended({ data: { order, balance, on_sale } }: { data: Payment }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { state } = order;
  const isPaid = state === 'paid';
  const mayBuy = on_sale && allows('buy_vip_combo.buy');
  return (
    <Alert
      className="lc-pay-alert"
      type={isPaid ? 'success' : 'warning'}
      showIcon
      title={t(`order_payment.ended_${state}`, { combo: order.combo.name })}
      description={
        <>
          {isPaid && order.ends_at ? (
            <p>
              {t('order.ends_at')} <Time value={order.ends_at} />
            </p>
          ) : (
            <p>{t('order_payment.ended_help', { balance: shownAmount(balance) })}</p>
          )}
          <p className="lc-pay-next">
            {!isPaid && mayBuy && (
              <Link to={buyingPage(order.combo_id)}>
                <Button type="primary">{t('order_payment.again')}</Button>
              </Link>
            )}
            {allows('user_order') && <Link to="/customer/user_order">{t('order_payment.all')}</Link>}
            {isPaid && allows('qr_code_list') && <Link to="/customer/qr_code_list">{t('menu.qr_code_list')}</Link>}
          </p>
        </>
      }
    />
  );
}

/** What is told while the order waits. */
function Waiting({ data, ahead }: { data: Payment; ahead: number }) {
  const { t } = useTranslation();
  const { read_until, now, to_send } = data;
  const isLate = read_until !== null && Date.parse(now) - Date.parse(read_until) > lateMilliseconds;
  return (
    <>
      {isLate && (
        <Alert
          className="lc-pay-alert"
          type="warning"
          showIcon
          title={t('order_payment.reading_late')}
          description={t('order_payment.reading_late_help')}
        />
      )}
      {isNothing(to_send) ? <Enough data={data} /> : <Pay data={data} ahead={ahead} />}
    </>
  );
}

function CancelButton({ data: { order } }: { data: Payment }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { allows } = useSession();
  const cancel = useAction(api.buy_vip_combo.cancel, {
    success: 'buy_vip_combo.cancelled',
    invalidates: ['user_order', 'order_payment'],
  });
  if (order.state !== 'waiting' || !allows('buy_vip_combo.buy')) return null;
  const ask = () =>
    confirm({
      title: t('buy_vip_combo.cancel_title', { combo: order.combo.name }),
      content: 'buy_vip_combo.cancel_content',
      confirm: 'buy_vip_combo.cancel',
      run: () => cancel.run({ id: order.id }),
    });
  return <Button onClick={() => void ask()}>{t('buy_vip_combo.cancel')}</Button>;
}

/** One own order, from its first look to its payment, as it happens. */
export function OrderPaymentPage() {
  const { t } = useTranslation();
  const text = useParams().id ?? '';
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const { data, error, refetch, isFetching, dataUpdatedAt } = useCall(
    api.order_payment.inquire,
    { id: id ?? 0 },
    {
      enabled: id !== undefined,
      placeholderData: undefined,
      refetchInterval: ({ state }) => (state.data && state.data.order.state !== 'waiting' ? false : pollMilliseconds),
    },
  );
  if (id === undefined || error?.status === 404)
    return (
      <Page title="order_payment.title">
        <Empty
          picture="search"
          title="order_payment.unknown"
          help="order_payment.unknown_help"
          action={
            <Link to="/customer/user_order">
              <Button>{t('order_payment.all')}</Button>
            </Link>
          }
        />
      </Page>
    );
  if (!data)
    return (
      <Page title="order_payment.title">
        {error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : <Skeleton active />}
      </Page>
    );
  const { order } = data;
  const ahead = Date.parse(data.now) - dataUpdatedAt;
  return (
    <Page
      title="order_payment.title"
      help={t('order_payment.of', { combo: order.combo.name, amount: shownAmount(order.amount), order_no: order.order_no })}
      actions={<CancelButton data={data} />}
    >
      <TestNetwork network={data.network} />
      <PaymentSteps data={data} />
      {order.state === 'waiting' ? <Waiting data={data} ahead={ahead} /> : <Ended data={data} />}
      <Sums data={data} />
      {order.state === 'waiting' && <Cases minimum={data.minimum_deposit} />}
    </Page>
  );
}
