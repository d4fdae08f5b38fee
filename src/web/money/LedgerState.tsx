import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Verification } from '../../contract/money/bill.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Field } from '../kit/dialogs/FormModal.tsx';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
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

/** Asks for a reason and a proof, and lets money leave the site although this is wrong. */
function LiftFreeze({ last, onClose }: { last: Verification; onClose: () => void }) {
  return (
    <ProvedModal
      action={api.bill.lift}
      title="bill.lift"
      submit="bill.lift"
      danger
      intro={<Faults faults={last.faults} />}
      toInput={(values) => ({ ...values, id: last.id })}
      onClose={onClose}
    >
      <Field kind="text" name="reason" label="bill.lift_reason" help="bill.lift_help" required />
    </ProvedModal>
  );
}

/** Whether the ledger added up when it was last gone over, a way to go over it now, and to let money go on although it did not. */
export function LedgerState() {
  const { t } = useTranslation();
  const { time, exact } = useFormat();
  const { data } = useCall(api.bill.verification, {});
  const verify = useAction(api.bill.verify, { success: false });
  const [isLifting, setIsLifting] = useState(false);
  if (!data) return null;
  const { last } = data;
  const isWrong = last !== null && last.faults.length > 0;
  const isLifted = isWrong && last.lifted_at !== null;
  const title = last
    ? t(isLifted ? 'bill.wrong_lifted' : isWrong ? 'bill.wrong' : 'bill.right', {
        number: last.faults.length,
        transfers: exact(last.transfers),
        entries: exact(last.entries),
        at: time(last.at),
      })
    : t('bill.unverified');
  const lifted =
    isLifted && t('bill.lifted', { account: last.lifted_by_account, at: time(last.lifted_at ?? ''), reason: last.lift_reason });
  return (
    <>
      <Alert
        type={isLifted ? 'warning' : isWrong ? 'error' : last ? 'success' : 'info'}
        showIcon
        title={title}
        description={
          isWrong && (
            <>
              <Faults faults={last.faults} />
              <p>{lifted || t('bill.frozen')}</p>
              {!isLifted && (
                <Button size="small" danger onClick={() => setIsLifting(true)}>
                  {t('bill.lift')}
                </Button>
              )}
            </>
          )
        }
        action={
          <Button size="small" loading={verify.isRunning} onClick={() => void verify.run({})}>
            {t('bill.verify')}
          </Button>
        }
      />
      {isLifting && last && <LiftFreeze last={last} onClose={() => setIsLifting(false)} />}
    </>
  );
}
