import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { saveFile } from '../kit/list/export/exportCsv.ts';
import { useFormat } from '../kit/texts/format.ts';

/** Saves what is to be paid, all or the chosen ones, as a file for a wallet that sends many payments at once. */
export function useSavePayments() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const format = useFormat();
  const { run, isRunning } = useAction(api.withdrawal_list.export_payments, { success: false });
  async function save(ids?: number[]): Promise<boolean> {
    const made = await run(ids ? { ids } : {});
    if (!made) return false;
    saveFile(made.csv, `payments-${format.today()}.csv`, 'text/csv;charset=utf-8');
    void message.success(t('withdrawal_list.payments_saved', { count: made.payments }));
    return true;
  }
  return { save, isRunning };
}
