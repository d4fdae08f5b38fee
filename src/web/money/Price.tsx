import { useTranslation } from 'react-i18next';
import { shownAmount } from '../kit/feedback.ts';

/** An amount with its currency, where no heading names it. */
export function Price({ value }: { value: string }) {
  const { t } = useTranslation();
  return <span className="lc-num">{t('order.money', { amount: shownAmount(value) })}</span>;
}
