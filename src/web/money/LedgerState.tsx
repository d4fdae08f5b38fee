import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Verification } from '../../contract/money/bill.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useFormat } from '../kit/texts/format.ts';

function Faults({ faults }: Pick<Verification, 'faults'>) {
  const { t } = useTranslation();
  return (
    <ul>
      {faults.map(({ code, where, expected, found }) => (
        <li key={`${code} ${where}`}>{t(`bill.fault.${code}`, { where, expected, found })}</li>
      ))}
    </ul>
  );
}

/** Whether the ledger added up when it was last gone over, and a way to go over it now. */
export function LedgerState() {
  const { t } = useTranslation();
  const { time, exact } = useFormat();
  const { data } = useCall(api.bill.verification, {});
  const verify = useAction(api.bill.verify, { success: false });
  if (!data) return null;
  const { last } = data;
  const isWrong = last !== null && last.faults.length > 0;
  const title = last
    ? t(isWrong ? 'bill.wrong' : 'bill.right', {
        number: last.faults.length,
        transfers: exact(last.transfers),
        entries: exact(last.entries),
        at: time(last.at),
      })
    : t('bill.unverified');
  return (
    <Alert
      type={isWrong ? 'error' : last ? 'success' : 'info'}
      showIcon
      title={title}
      description={isWrong ? <Faults faults={last.faults} /> : undefined}
      action={
        <Button size="small" loading={verify.isRunning} onClick={() => void verify.run({})}>
          {t('bill.verify')}
        </Button>
      }
    />
  );
}
