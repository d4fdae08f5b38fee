import { Alert, App, Button, Descriptions, Progress, Skeleton, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import type { Excess, Offer, Usage } from '../../contract/money/buy-vip-combo.ts';
import type { Order } from '../../contract/money/order.ts';
import { type KeptKind, keptKinds, quotaKinds } from '../../contract/money/vip-combo.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Empty, Failure, Page, shownAmount } from '../kit/feedback.ts';
import { paymentPage, useCountdown } from '../kit/money/payments.ts';
import { useFormat } from '../kit/texts/format.ts';
import { useAskedAct } from '../kit/useAskedAct.ts';
import { useDialog } from '../kit/useDialog.ts';
import { CouponField, useCoupon } from './CouponField.tsx';
import { KeepDialog } from './KeepDialog.tsx';
import './money.css';

const pollSeconds = 10;
const shop = api.buy_vip_combo;
type Shop = Awaited<ReturnType<typeof shop.inquire>>;

/** What is missing of an order's amount, in USDT; null: nothing. */
function missingOf(amount: string, balance: string): string | null {
  const missing = millionthsOf(amount) - millionthsOf(balance);
  return missing > 0n ? amountOf(missing) : null;
}

/** Who may put a combo on sale is led to where he does. */
function NothingOnSale() {
  const { t } = useTranslation();
  const { allows } = useSession();
  if (!allows('vip_combo.add')) return <Empty title="buy_vip_combo.empty" help="buy_vip_combo.empty_help" />;
  const combos = <Link to="/customer/vip_combo">{t('menu.vip_combo')}</Link>;
  return <Empty title="buy_vip_combo.empty" help="vip_combo.empty_help" action={combos} />;
}

/** What would be too many, and what that means. */
function TooMany({ excess, text }: { excess: readonly Excess[]; text: 'buy_vip_combo.excess' | 'buy_vip_combo.excess_at_end' }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  if (excess.length === 0) return null;
  const items = excess.map(({ kind, number }) => t('buy_vip_combo.excess_item', { kind: t(`vip_combo.${kind}`), number: exact(number) }));
  return (
    <Alert
      type="warning"
      showIcon
      title={t(text, { items: items.join(t('buy_vip_combo.excess_and')) })}
      description={t('buy_vip_combo.excess_help')}
    />
  );
}

function Membership({ data, keep }: { data: Shop; keep: (kind: KeptKind) => void }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const { allows } = useSession();
  const end = data.member_expires_at;
  const ends = end === null ? t('user_list.never_expires') : time(end);
  return (
    <section className="lc-panel" aria-label={t('buy_vip_combo.membership')}>
      <Descriptions
        size="small"
        column={{ xs: 1, sm: 2, lg: 3 }}
        items={[
          { key: 'combo', label: t('buy_vip_combo.present'), children: data.combo?.name ?? t('common.none') },
          { key: 'end', label: t('user_list.member_expires_at'), children: ends },
          {
            key: 'balance',
            label: t('user_list.balance'),
            children: (
              <>
                <span className="lc-num">{shownAmount(data.balance)}</span>
                {allows('balance_recharge') && (
                  <Link className="lc-money-recharge" to="/customer/balance_recharge">
                    {t('menu.balance_recharge')}
                  </Link>
                )}
              </>
            ),
          },
        ]}
      />
      <div className="lc-money-usage">
        {data.usage.map((usage) => (
          <Used key={usage.kind} usage={usage} keep={keep} />
        ))}
        <div>
          <span className="lc-soft">{t('vip_combo.log_days')}</span>
          <b className="lc-num">{t('vip_combo.days_number', { days: data.log_days, count: data.log_days })}</b>
        </div>
      </div>
      {end !== null && end > data.now && <TooMany excess={data.excess_at_end} text="buy_vip_combo.excess_at_end" />}
    </section>
  );
}

/** What it means that the time is over, and what brings it back. */
function Ended({ data: { member_expires_at: end, codes_until, now } }: { data: Shop }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  if (end === null || end > now) return null;
  if (codes_until === null)
    return (
      <Alert type="warning" showIcon title={t('buy_vip_combo.ended', { at: time(end) })} description={t('buy_vip_combo.ended_answer')} />
    );
  const isInGrace = codes_until > now;
  return (
    <Alert
      type={isInGrace ? 'warning' : 'error'}
      showIcon
      title={t('buy_vip_combo.ended', { at: time(end) })}
      description={t(isInGrace ? 'buy_vip_combo.ended_grace' : 'buy_vip_combo.ended_over', { until: time(codes_until) })}
    />
  );
}

function Used({ usage: { kind, used, limit }, keep }: { usage: Usage; keep: (kind: KeptKind) => void }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const name = t(`vip_combo.${kind}`);
  const kept = limit !== null && used > limit ? keptKinds.find((one) => one === kind) : undefined;
  const share = limit === null ? 0 : limit === 0 ? 100 : Math.min(100, Math.round((used / limit) * 100));
  return (
    <div>
      <span className="lc-soft">{name}</span>
      <b className="lc-num">{`${exact(used)} / ${limit === null ? t('common.unlimited') : exact(limit)}`}</b>
      {limit !== null && (
        <Progress aria-label={name} percent={share} showInfo={false} size="small" status={share >= 100 ? 'exception' : 'normal'} />
      )}
      {kept && (
        <Button type="link" size="small" onClick={() => keep(kept)}>
          {t('buy_vip_combo.keep.choose')}
        </Button>
      )}
    </div>
  );
}

function Waiting({ order, balance }: { order: Order; balance: string }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const left = useCountdown(order.expires_at);
  const cancel = useAction(shop.cancel, { success: 'buy_vip_combo.cancelled', invalidates: ['user_order'] });
  const missing = missingOf(order.amount, balance) ?? amountOf(0n);
  async function ask() {
    const title = t('buy_vip_combo.cancel_title', { combo: order.combo.name });
    await confirm({
      title,
      content: 'buy_vip_combo.cancel_content',
      confirm: 'buy_vip_combo.cancel',
      run: () => cancel.run({ id: order.id }),
    });
  }
  return (
    <Alert
      type="warning"
      showIcon
      title={t('buy_vip_combo.waiting', { combo: order.combo.name, missing: shownAmount(missing) })}
      description={
        <>
          <p>{t('buy_vip_combo.waiting_help', { left })}</p>
          <Link to={paymentPage(order.id)}>{t('order_payment.pay')}</Link>
        </>
      }
      action={
        <Button size="small" onClick={() => void ask()}>
          {t('buy_vip_combo.cancel')}
        </Button>
      }
    />
  );
}

/** What one confirms: what it costs, what it is worth, how long it lasts. */
function Summary({ offer, data, discount }: { offer: Offer; data: Shop; discount: string | null }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const missing = missingOf(offer.amount, data.balance);
  const money = (value: string) => t('order.money', { amount: shownAmount(value) });
  return (
    <div className="lc-money-summary">
      <Descriptions
        size="small"
        column={1}
        items={[
          { key: 'price', label: t('vip_combo.price'), children: money(offer.price) },
          ...(millionthsOf(offer.credit) > 0n ? [{ key: 'credit', label: t('order.credit'), children: money(offer.credit) }] : []),
          ...(discount ? [{ key: 'discount', label: t('order.discount'), children: money(discount) }] : []),
          { key: 'amount', label: t('order.amount'), children: <b>{money(offer.amount)}</b> },
          { key: 'balance', label: t('user_list.balance'), children: money(data.balance) },
          { key: 'days', label: t('order.days'), children: offer.total_days },
          { key: 'ends', label: t('order.ends_at'), children: time(offer.ends_at) },
        ]}
      />
      {missing && <p>{t('buy_vip_combo.missing', { missing: shownAmount(missing) })}</p>}
      {data.member_expires_at === null && <Alert type="warning" showIcon title={t('buy_vip_combo.endless')} />}
      {!offer.is_renewal && offer.quotas.log_days !== null && offer.quotas.log_days < data.log_days && (
        <Alert type="warning" showIcon title={t('buy_vip_combo.fewer_days', { days: offer.quotas.log_days, present: data.log_days })} />
      )}
      <TooMany excess={offer.excess} text="buy_vip_combo.excess" />
    </div>
  );
}

type CardProps = { offer: Offer; data: Shop; discount: string | null; buy: (offer: Offer) => void };

function Card({ offer, data, discount, buy }: CardProps) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const { allows } = useSession();
  const isPresent = data.combo?.id === offer.id;
  const hasCredit = millionthsOf(offer.credit) > 0n;
  return (
    <section className="lc-money-combo" aria-label={offer.name} aria-current={isPresent}>
      <h2>
        {offer.name}
        {isPresent && <Tag color="blue">{t('buy_vip_combo.present')}</Tag>}
      </h2>
      <p className="lc-money-price">
        <b className="lc-num">{t('order.money', { amount: shownAmount(offer.price) })}</b>{' '}
        <span className="lc-soft">{t('buy_vip_combo.for_days', { days: offer.days })}</span>
      </p>
      {offer.description && <p className="lc-soft lc-money-description">{offer.description}</p>}
      <ul>
        {quotaKinds.map((kind) => {
          const limit = offer.quotas[kind];
          return (
            <li key={kind}>
              {t(`vip_combo.${kind}`)} <b className="lc-num">{limit === null ? t('common.unlimited') : exact(limit)}</b>
            </li>
          );
        })}
        {offer.quotas.log_days !== null && (
          <li>
            {t('vip_combo.log_days')}{' '}
            <b className="lc-num">{t('vip_combo.days_number', { days: offer.quotas.log_days, count: offer.quotas.log_days })}</b>
          </li>
        )}
      </ul>
      {hasCredit && !discount && (
        <p className="lc-soft">{t('buy_vip_combo.credit', { credit: shownAmount(offer.credit), amount: shownAmount(offer.amount) })}</p>
      )}
      {discount && (
        <p className="lc-money-discount">
          {t('buy_vip_combo.discount', { discount: shownAmount(discount), amount: shownAmount(offer.amount) })}
        </p>
      )}
      {allows('buy_vip_combo.buy') && (
        <Button type="primary" block onClick={() => buy(offer)}>
          {t(offer.is_renewal ? 'buy_vip_combo.renew' : hasCredit ? 'buy_vip_combo.change' : 'menu.button.buy')}
        </Button>
      )}
    </section>
  );
}

/** Combos to buy, with the membership, its quotas and their use, and the order that waits for its money. */
export function BuyVipComboPage() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { allows } = useSession();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const { data, error, refetch, isFetching, isFetchedAfterMount } = useCall(shop.inquire, {}, { refetchInterval: pollSeconds * 1000 });
  const coupon = useCoupon();
  const keeping = useDialog<KeptKind>();
  // As the start page leads here, with the kind's place among those that one chooses of.
  useAskedAct(
    'keep',
    (id) => {
      const kind = keptKinds[id - 1];
      if (kind) void keeping.open(kind);
    },
    true,
  );
  const purchase = useAction(shop.buy, { success: false, invalidates: ['user_order', 'home', 'bill', 'order_payment'] });
  // As an order that was not paid in time leads here.
  useAskedAct(
    'buy',
    (id) => {
      const wanted = data?.content.find((offer) => offer.id === id);
      if (wanted) void buy(reduced(wanted));
    },
    // Not with what was known before: money may have come since.
    data !== undefined && isFetchedAfterMount && allows('buy_vip_combo.buy'),
  );

  const discountOf = ({ id }: Offer) => coupon.discounts?.discounts.find(({ combo_id }) => combo_id === id);
  /** What it costs with the coupon that is good for it. */
  function reduced(offer: Offer): Offer {
    return { ...offer, amount: discountOf(offer)?.amount ?? offer.amount };
  }

  async function buy(offer: Offer) {
    if (!data) return;
    const discount = discountOf(offer)?.discount ?? null;
    const run = async () => {
      const used = discount === null ? {} : { coupon: coupon.code };
      const order = await purchase.run({ combo_id: offer.id, amount: offer.amount, last_order_id: data.last_order_id, ...used });
      if (order?.state === 'paid') void message.success(t('buy_vip_combo.bought', { combo: offer.name }));
      else if (order) void navigate(paymentPage(order.id));
    };
    const isEnough = missingOf(offer.amount, data.balance) === null;
    await confirm({
      title: t('buy_vip_combo.buy_title', { combo: offer.name }),
      content: <Summary offer={offer} data={data} discount={discount} />,
      confirm: isEnough ? 'buy_vip_combo.pay' : 'buy_vip_combo.order',
      run,
    });
  }

  return (
    <Page title="menu.buy_vip_combo">
      {!data && error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {data && (
        <>
          <Ended data={data} />
          {data.waiting && <Waiting order={data.waiting} balance={data.balance} />}
          <Membership data={data} keep={(kind) => void keeping.open(kind)} />
          {allows('buy_vip_combo.buy') && data.content.length > 0 && <CouponField coupon={coupon} />}
          {data.content.length === 0 ? (
            <NothingOnSale />
          ) : (
            <div className="lc-money-combos">
              {data.content.map((offer) => (
                <Card
                  key={offer.id}
                  offer={reduced(offer)}
                  data={data}
                  discount={discountOf(offer)?.discount ?? null}
                  buy={(wanted) => void buy(wanted)}
                />
              ))}
            </div>
          )}
        </>
      )}
      {keeping.present && <KeepDialog key={keeping.present} kind={keeping.present} onClose={keeping.close} />}
    </Page>
  );
}
