import { useTranslation } from 'react-i18next';
import type { Payment } from '../../contract/money/order-payment.ts';
import { usdt } from './amounts.ts';

const steps = ['send', 'seen', 'solid', 'paid'] as const;
type Step = (typeof steps)[number];

/** The step that is being waited for; undefined: none any more. */
export function presentStep({ order, confirming, arrived }: Payment): Step | undefined {
  if (order.state !== 'waiting') return undefined;
  if (confirming.length > 0) return 'solid';
  return arrived.some(({ state }) => state === 'credited') ? 'paid' : 'send';
}

/** What is known of a step, in words. */
function useDetail(data: Payment): (step: Step) => string | null {
  const { t } = useTranslation();
  const { order, confirming, arrived, confirmations, to_send } = data;
  // Of several payments the newest one decides when all is there.
  const newest = confirming.at(-1);
  return (step) => {
    const isWaiting = order.state === 'waiting';
    if (step === 'seen' && newest) return t('order_payment.step_seen_block', { block: newest.block, amount: usdt(newest.amount) });
    if (step === 'seen' && isWaiting && arrived[0])
      return t('order_payment.step_seen_block', { block: arrived[0].block, amount: usdt(arrived[0].amount) });
    if (step === 'solid' && newest)
      return t('balance_recharge.progress', { number: Math.min(newest.confirmations, confirmations), total: confirmations });
    if (step === 'paid' && isWaiting && !newest && arrived.length > 0) return t('order_payment.step_rest', { amount: usdt(to_send) });
    return null;
  };
}

/** Sent, seen in a block, solid, paid. */
export function PaymentSteps({ data }: { data: Payment }) {
  const { t } = useTranslation();
  const detailOf = useDetail(data);
  const { state } = data.order;
  const present = presentStep(data);
  const at = state === 'paid' || state === 'refunded' ? steps.length : present ? steps.indexOf(present) : 0;
  return (
    <ol className="lc-pay-steps" aria-label={t('order_payment.steps')} aria-live="polite">
      {steps.map((step, index) => {
        const detail = detailOf(step);
        return (
          <li key={step} data-done={index < at || undefined} aria-current={step === present ? 'step' : undefined}>
            <span className="lc-pay-mark" aria-hidden>
              {index < at ? '✓' : index + 1}
            </span>
            <span>
              <b>{t(`order_payment.step_${step}`)}</b>
              {detail && <span className="lc-soft lc-num">{detail}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
