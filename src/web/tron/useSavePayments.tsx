import { App, Button, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentsToMake } from '../../contract/money/withdrawal-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { askWidth, Modal } from '../kit/dialogs/dialogs.tsx';
import { saveFile } from '../kit/list/export/exportCsv.ts';
import { useFormat } from '../kit/texts/format.ts';
import { useDialog } from '../kit/useDialog.ts';

type Wanted = { ids?: number[]; again?: number };
type ChoiceProps = { found: PaymentsToMake; isRunning: boolean; onSave: (again?: number) => void; onClose: () => void };

/** Asks which payments are meant where some were downloaded before: who pays those twice loses the money. */
function PaymentsChoice({ found: { fresh, files }, isRunning, onSave, onClose }: ChoiceProps) {
  const { t } = useTranslation();
  const { shortTime } = useFormat();
  // 0 is what was in no file yet.
  const [choice, choose] = useState<number | null>(fresh > 0 ? 0 : null);
  const save = () => onSave(choice === null || choice === 0 ? undefined : choice);
  return (
    <Modal
      open
      width={askWidth}
      title={t('withdrawal_list.payments')}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('common.cancel')}
        </Button>,
        <Button key="save" type="primary" danger={!!choice} disabled={choice === null} loading={isRunning} onClick={save}>
          {t(choice ? 'withdrawal_list.payments_again' : 'withdrawal_list.payments_save')}
        </Button>,
      ]}
    >
      <Radio.Group
        className="lc-radios"
        aria-label={t('withdrawal_list.payments')}
        value={choice}
        onChange={(event) => choose(event.target.value as number)}
      >
        {fresh > 0 && <Radio value={0}>{t('withdrawal_list.payments_fresh', { count: fresh })}</Radio>}
        {files.map(({ file, payments, made_at, made_by_account }) => (
          <Radio key={file} value={file}>
            {t('withdrawal_list.payments_of_file', { file, count: payments })}
            <small>{t('withdrawal_list.payments_twice', { count: payments, time: shortTime(made_at), account: made_by_account })}</small>
          </Radio>
        ))}
      </Radio.Group>
    </Modal>
  );
}

/** Saves what is to be paid, all or the chosen ones, as a file for a wallet that sends many payments at once. */
export function useSavePayments() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const format = useFormat();
  const look = useAction(api.withdrawal_list.payments, { success: false });
  const { run, isRunning } = useAction(api.withdrawal_list.export_payments, { success: false });
  const { present, open, done, close } = useDialog<{ ids: number[] | undefined; found: PaymentsToMake }>();

  async function saveNow(wanted: Wanted): Promise<boolean> {
    const made = await run(wanted);
    if (!made) return false;
    saveFile(made.csv, `payments-${format.today()}-${made.file}.csv`, 'text/csv;charset=utf-8');
    const saved = t('withdrawal_list.payments_saved', { count: made.payments });
    if (made.later === 0) void message.success(saved);
    else void message.warning(`${saved}${t('withdrawal_list.payments_later', { count: made.later })}`);
    return true;
  }

  async function save(ids?: number[]): Promise<boolean> {
    const found = await look.run(ids ? { ids } : {});
    if (!found) return false;
    return found.files.length > 0 ? open({ ids, found }) : saveNow(ids ? { ids } : {});
  }

  async function saveChosen(again?: number): Promise<void> {
    if (!present || !(await saveNow({ ...(present.ids && { ids: present.ids }), ...(again && { again }) }))) return;
    done();
    close();
  }

  const dialog = present && (
    <PaymentsChoice found={present.found} isRunning={isRunning} onSave={(again) => void saveChosen(again)} onClose={close} />
  );
  return { save, isRunning: isRunning || look.isRunning, dialog };
}
