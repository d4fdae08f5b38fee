import { useTranslation } from 'react-i18next';
import { amountOf, millionthsOf } from '../../../contract/money/amounts.ts';
import type { HeldShares as Held } from '../../../contract/money/ledger.ts';
import { useFormat } from '../texts/format.ts';

const isNothing = (amount: string) => Number(amount) === 0;
/** `12.500000` as it is read. */
const shown = (amount: string) => amount.replace(/(\.\d{2}\d*?)0+$/, '$1');

/** What of an agent's shares he cannot dispose of yet, until when, and what of later ones refunds will take; nothing where there is neither. */
export function HeldShares({ shares: { amount, reviewing, from, until, debt } }: { shares: Held }) {
  const { t } = useTranslation();
  const { shortTime } = useFormat();
  const timed = shown(amountOf(millionthsOf(amount) - millionthsOf(reviewing)));
  return (
    <>
      {from !== null && until !== null && (
        <p className="lc-soft">
          {from === until
            ? t('agent_divided_into.holding', { amount: timed, time: shortTime(from) })
            : t('agent_divided_into.holding_range', { amount: timed, from: shortTime(from), until: shortTime(until) })}
        </p>
      )}
      {!isNothing(reviewing) && <p className="lc-soft">{t('agent_divided_into.reviewing_amount', { amount: shown(reviewing) })}</p>}
      {!isNothing(debt) && <p className="lc-soft">{t('agent_divided_into.debt', { amount: shown(debt) })}</p>}
    </>
  );
}
